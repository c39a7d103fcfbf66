import { errors } from '../../core/model/errors.ts';
import {
  digestBytes,
  type NameTable,
  nameTable,
  placeRow,
  type RowFields,
  readFields,
  rowBytes,
  saltOf,
  viewOf,
  waitingBytes,
  writeFields,
} from './index-format.ts';

const rowsInChunk = 4096;
/** Row numbers share a 64-bit sorting key with 40 bits of the digest. */
const mostRows = 2 ** 24;

/** Rows on their way into an index, 56 bytes each wherever they came from. */
export interface RowSink {
  readonly table: NameTable;
  readonly count: () => number;
  /** `digest`: 32 characters of one byte each. */
  readonly add: (row: RowFields, digest: string) => void;
  /** What the rows say, in the order in which they came. */
  readonly fields: () => Iterable<RowFields>;
  /** Writes all rows in the order of their digests, from `start` on. */
  readonly place: (target: DataView, where: { readonly start: number; readonly seed: number }) => void;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** An empty sink. Throws `IndexBuild` past 16 million rows. */
export const rowSink = (known: readonly string[] = []): RowSink => {
  const table = nameTable(known);
  const chunks: Chunk[] = [];
  let count = 0;
  const chunkOf = (number: number): Chunk => {
    const chunk = chunks[Math.floor(number / rowsInChunk)];
    if (chunk === undefined) throw new RangeError(`no row ${number}`);
    return chunk;
  };
  const add = (row: RowFields, digest: string): void => {
    if (count >= mostRows) throw errors.indexBuild(`more than ${mostRows} remembered lines in one place`);
    if (count % rowsInChunk === 0) {
      const bytes = Buffer.allocUnsafe(rowsInChunk * rowBytes);
      chunks.push({ bytes, view: viewOf(bytes) });
    }
    const { bytes, view } = chunkOf(count);
    const start = (count % rowsInChunk) * rowBytes;
    bytes.write(digest, start, digestBytes, 'latin1');
    writeFields(view, { start, row, table });
    count += 1;
  };
  return {
    table,
    add,
    count: () => count,
    fields: function* () {
      for (let number = 0; number < count; number++) {
        const row = readFields(chunkOf(number).view, (number % rowsInChunk) * rowBytes, table.names);
        if (row !== undefined) yield row;
      }
    },
    place: (target, { start, seed }) => {
      const order = orderOf({ count, viewAt: (number) => chunkOf(number).view });
      for (let at = 0; at < count; at++) {
        const number = order[at] ?? 0;
        const from = chunkOf(number).view;
        const fromStart = (number % rowsInChunk) * rowBytes;
        placeRow(target, { start: start + at * rowBytes, salt: saltOf(seed, at), from, fromStart });
      }
    },
  };
};

interface Rows {
  readonly count: number;
  readonly viewAt: (rowNumber: number) => DataView;
}

const lowFirst = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Row numbers in the order of their digests. */
const orderOf = (rows: Rows): Uint32Array => {
  const keys = new BigUint64Array(rows.count);
  const halves = new Uint32Array(keys.buffer);
  const [low, high] = lowFirst ? [0, 1] : [1, 0];
  for (let number = 0; number < rows.count; number++) {
    const view = rows.viewAt(number);
    const start = (number % rowsInChunk) * rowBytes;
    halves[2 * number + high] = view.getUint32(start);
    halves[2 * number + low] = ((view.getUint8(start + 4) << 24) | number) >>> 0;
  }
  // Without a comparison of ours the numbers are sorted natively.
  keys.sort();
  const order = new Uint32Array(rows.count);
  for (let at = 0; at < rows.count; at++) order[at] = (halves[2 * at + low] ?? 0) & (mostRows - 1);
  const isTie = (at: number): boolean =>
    halves[2 * at + high] === halves[2 * at - 2 + high] &&
    (halves[2 * at + low] ?? 0) >>> 24 === (halves[2 * at - 2 + low] ?? 0) >>> 24;
  for (let [start, at] = [0, 1]; at <= rows.count; at++) {
    if (at < rows.count && isTie(at)) continue;
    // Where the keys are equal the whole digests decide, and then the order in which the rows came.
    if (at - start > 1) order.subarray(start, at).sort((a, b) => compareRows(rows, a, b));
    start = at;
  }
  return order;
};

const compareRows = (rows: Rows, a: number, b: number): number =>
  compareDigests(
    { rows: rows.viewAt(a), start: (a % rowsInChunk) * rowBytes },
    { rows: rows.viewAt(b), start: (b % rowsInChunk) * rowBytes },
  ) || a - b;

/** A row where it lies. */
export interface RowPlace {
  readonly rows: DataView;
  readonly start: number;
}

/** The order of two rows. */
export const compareDigests = (one: RowPlace, other: RowPlace): number => {
  for (let at = 0; at < digestBytes; at += 4) {
    const difference = one.rows.getUint32(one.start + at) - other.rows.getUint32(other.start + at);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** The starts of digests that wait for trust, sorted, from `start` on. */
export const placeWaiting = (target: Buffer, waiting: readonly string[], start: number): void => {
  [...waiting].sort().forEach((prefix, at) => {
    target.write(prefix, start + at * waitingBytes, waitingBytes, 'hex');
  });
};

/** As much of a line's digest as is kept of a line that waits, in hexadecimal. */
export const waitingPrefix = (lineDigest: string): string => lineDigest.slice(0, 2 * waitingBytes);
