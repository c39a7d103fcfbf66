import { hashPart, hashText } from '../../core/similarity/embedding-hash.ts';
import { blockRows, checkWeights, saltFactors } from './kernel-places.ts';

/** Part of an index, as many bytes as there are. */
export type ReadBytes = (position: number, length: number) => Uint8Array;

/** How the rows of an index lie. Rows are cut in two: most rows can be told apart by their first part alone. */
export interface Layout {
  readonly embedder: string;
  readonly dimensions: number;
  readonly count: number;
  /** What the documents are, as whoever wrote the index says it: one of other documents is stale. */
  readonly source: string;
  readonly headerBytes: number;
  /** Bytes of the first part of a row, and of the rest; multiples of 16, the rest may be 0. */
  readonly leadBytes: number;
  readonly restBytes: number;
  /** Ties every row to its embedder; the same whatever the number of rows, so that whole blocks can be taken over. */
  readonly seed: number;
}

const magic = Buffer.from('HWVEC\0\x01\n', 'latin1');
const fixedBytes = 64;
const checksumAt = 60;
const rowUnit = 16;
const longestText = 512;
/** Longest vector: the products of two rows stay within 32 bits. */
const mostDimensions = 4096;
/** Rows are numbered with 32 bits. */
const mostRows = 0x7fff_ffff;
/** The part of a row that is looked at first: the built-in embedder has there what a command is. */
const leadDimensions = 64;
/** Bytes beside each row. */
export const columnBytes = 16;

const padded = (length: number, unit: number): number => Math.ceil(length / unit) * unit;

/** How an index of that many vectors is laid out. Throws `RangeError` for dimensions that cannot be stored. */
export const layoutFor = (index: Pick<Layout, 'embedder' | 'dimensions' | 'count' | 'source'>): Layout => {
  const { embedder, dimensions, count, source } = index;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions) {
    throw new RangeError(`vectors have 1 to ${mostDimensions} dimensions, not ${dimensions}`);
  }
  const texts = [Buffer.byteLength(embedder), Buffer.byteLength(source)] as const;
  if (Math.max(...texts) > longestText)
    throw new RangeError(`an embedder or source has more than ${longestText} bytes`);
  const stride = padded(dimensions, rowUnit);
  const leadBytes = stride > 2 * leadDimensions ? leadDimensions : stride;
  const headerBytes = fixedBytes + padded(texts[0] + texts[1], fixedBytes);
  const restBytes = stride - leadBytes;
  const seed = hashText(dimensions, embedder) | 1;
  return { embedder, dimensions, count, source, headerBytes, leadBytes, restBytes, seed };
};

const headerOf = (layout: Layout): Buffer => {
  const header = Buffer.alloc(layout.headerBytes);
  magic.copy(header);
  const [name, source] = [Buffer.from(layout.embedder), Buffer.from(layout.source)];
  const { headerBytes, dimensions, count, leadBytes, restBytes } = layout;
  const numbers = [headerBytes, dimensions, count, leadBytes, restBytes, name.length, source.length];
  numbers.forEach((number, index) => {
    header.writeUInt32LE(number, magic.length + index * 4);
  });
  name.copy(header, fixedBytes);
  source.copy(header, fixedBytes + name.length);
  return header;
};

const headerChecksum = (header: Buffer): number => {
  const text = Buffer.concat([header.subarray(0, checksumAt), header.subarray(fixedBytes)]).toString('latin1');
  return hashPart(0x48_57, { text, from: 0, to: text.length });
};

/** The first bytes of an index. */
export const encodeHeader = (layout: Layout): Buffer => {
  const header = headerOf(layout);
  header.writeUInt32LE(headerChecksum(header), checksumAt);
  return header;
};

/** Bytes of an index with this layout. */
export const sizeOf = (layout: Layout): number =>
  layout.headerBytes + layout.count * (columnBytes + layout.leadBytes + layout.restBytes);

/** Reads the header of `size` bytes in all; `undefined` when it is not one that was written. */
export const decodeHeader = (read: ReadBytes, size: number): Layout | undefined => {
  const first = bufferOf(read(0, Math.min(size, fixedBytes)));
  if (first.length < fixedBytes || !first.subarray(0, magic.length).equals(magic)) return undefined;
  const number = (index: number): number => first.readUInt32LE(magic.length + index * 4);
  const [headerBytes, dimensions, count] = [number(0), number(1), number(2)];
  const [nameLength, sourceLength] = [number(5), number(6)];
  if (nameLength > longestText || sourceLength > longestText || count > mostRows) return undefined;
  if (dimensions < 1 || dimensions > mostDimensions) return undefined;
  if (headerBytes !== fixedBytes + padded(nameLength + sourceLength, fixedBytes) || headerBytes > size)
    return undefined;
  const header = bufferOf(read(0, headerBytes));
  if (header.length !== headerBytes) return undefined;
  const [nameAt, sourceAt] = [fixedBytes, fixedBytes + nameLength];
  const embedder = header.toString('utf8', nameAt, sourceAt);
  const source = header.toString('utf8', sourceAt, sourceAt + sourceLength);
  // Bytes that are no text come back longer.
  if (Buffer.byteLength(embedder) !== nameLength || Buffer.byteLength(source) !== sourceLength) return undefined;
  const layout = layoutFor({ embedder, dimensions, count, source });
  return encodeHeader(layout).equals(header) && sizeOf(layout) === size ? layout : undefined;
};

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Rows of the block that starts at row `first`. */
const rowsIn = (layout: Pick<Layout, 'count'>, first: number): number => Math.min(blockRows, layout.count - first);

/** Where the block that starts at row `first` begins, and the parts of it. */
export const blockAt = (layout: Layout, first: number) => {
  const rows = rowsIn(layout, first);
  const columns = layout.headerBytes + first * (columnBytes + layout.leadBytes + layout.restBytes);
  const lead = columns + rows * columnBytes;
  return { rows, columns, lead, rest: lead + rows * layout.leadBytes };
};

/** What is added to the checks of a row, so that they hold only at its place in its index and beside its lengths. */
const saltOf = (layout: Pick<Layout, 'seed'>, row: { number: number; square: number; restSquare: number }) => {
  const lengths = Math.imul(row.square, saltFactors.square) ^ Math.imul(row.restSquare, saltFactors.restSquare);
  return Math.imul(row.number + 1, layout.seed) ^ lengths;
};

/** Writes the rows of one block. `target` begins where the block does. */
export const encodeBlock = (
  layout: Layout,
  block: { readonly target: Buffer; readonly first: number; readonly vectors: readonly Int8Array[] },
): void => {
  const { leadBytes, restBytes } = layout;
  const { target, first, vectors } = block;
  const [leadWeights, restWeights] = [checkWeights(leadBytes), checkWeights(restBytes)];
  const rows = vectors.length;
  vectors.forEach((vector, row) => {
    const [lead, rest] = [vector.subarray(0, leadBytes), vector.subarray(leadBytes)];
    const restSquare = product(rest, rest);
    const square = product(lead, lead) + restSquare;
    const salt = saltOf(layout, { number: first + row, square, restSquare });
    target.set(lead, rows * columnBytes + row * leadBytes);
    target.set(rest, rows * (columnBytes + leadBytes) + row * restBytes);
    target.writeUInt32LE(square, row * 4);
    target.writeUInt32LE(restSquare, (rows + row) * 4);
    target.writeInt32LE((product(lead, leadWeights) + salt) | 0, (rows * 2 + row) * 4);
    target.writeInt32LE((product(rest, restWeights) + salt) | 0, (rows * 3 + row) * 4);
  });
};

/** The vector in one row; `undefined` when it is not what was written there. */
export const decodeRow = (
  layout: Layout,
  from: { readonly read: ReadBytes; readonly row: number },
): Int8Array | undefined => {
  const { leadBytes, restBytes, dimensions } = layout;
  const row = from.row % blockRows;
  const place = blockAt(layout, from.row - row);
  const part = (position: number, length: number): Int8Array => {
    // A reader may use its bytes again for the next part.
    const bytes = Uint8Array.from(from.read(position, length));
    return new Int8Array(bytes.buffer);
  };
  const [square, restSquare, leadCheck, restCheck] = [0, 1, 2, 3].map((column) => {
    const bytes = part(place.columns + (column * place.rows + row) * 4, 4);
    return bytes.length === 4 ? new DataView(bytes.buffer).getUint32(0, true) : undefined;
  });
  const lead = part(place.lead + row * leadBytes, leadBytes);
  const rest = part(place.rest + row * restBytes, restBytes);
  if (square === undefined || restSquare === undefined) return undefined;
  const salt = saltOf(layout, { number: from.row, square, restSquare });
  if ((product(lead, checkWeights(leadBytes)) + salt) >>> 0 !== leadCheck) return undefined;
  if ((product(rest, checkWeights(restBytes)) + salt) >>> 0 !== restCheck) return undefined;
  if (lead.length !== leadBytes || rest.length !== restBytes) return undefined;
  return Int8Array.from([...lead, ...rest].slice(0, dimensions));
};

const product = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
};
