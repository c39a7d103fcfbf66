import { blockAt, columnBytes, type Layout, type ReadBytes } from './format.ts';
import { checkWeights, type KernelLoops, type KernelMaker, type KernelMap, mapFor } from './kernel-places.ts';

/** Up to `blockRows` rows of an index, in the memory of the loops. */
interface Block {
  /** Number of its first row in the index. */
  readonly first: number;
  readonly rows: number;
  /** Address of its first byte. */
  readonly at: number;
}

/** A row that is near the query. */
export interface NearRow {
  /** Number in its block. */
  readonly row: number;
  /** Its product with the query. */
  readonly product: number;
  /** Its squared length. */
  readonly square: number;
}

/** What is looked for in a block. */
export interface Aim {
  /** Least cosine, times the length of the query. */
  readonly least: number;
  /** Length of the rest of the query. */
  readonly restLength: number;
}

/** The blocks of one index, for one query at a time. What cannot be read or is not what was written is `undefined`. */
export interface Blocks {
  readonly setQuery: (query: Int8Array) => void;
  /** The rows of the block that starts at row `first` whose product is enough for their length, in order. */
  readonly near: (first: number, aim: Aim) => readonly NearRow[] | undefined;
  /** Brings the whole index into memory; says whether that went well. */
  readonly keep: () => boolean;
}

interface Source {
  readonly layout: Layout;
  readonly read: ReadBytes;
  readonly loops: KernelLoops;
  readonly map: KernelMap;
  isKept: boolean;
}

/** Opens the blocks of an index for searching. */
export const blocksOf = (layout: Layout, how: { readonly read: ReadBytes; readonly loops: KernelMaker }): Blocks => {
  const map = mapFor({ ...layout, columnBytes });
  const source: Source = { layout, map, read: how.read, loops: how.loops(map), isKept: false };
  source.loops.grow(map.kept);
  writeNumbers(source, { at: map.leadWeights, values: checkWeights(layout.leadBytes) });
  writeNumbers(source, { at: map.restWeights, values: checkWeights(layout.restBytes) });
  return {
    setQuery: (query) => {
      const padded = new Int16Array(layout.leadBytes + layout.restBytes);
      padded.set(query);
      writeNumbers(source, { at: map.leadQuery, values: padded.subarray(0, layout.leadBytes) });
      writeNumbers(source, { at: map.restQuery, values: padded.subarray(layout.leadBytes) });
    },
    near: (first, aim) => nearIn(source, first, aim),
    keep: () => {
      source.isKept ||= keepAll(source);
      return source.isKept;
    },
  };
};

const viewOf = ({ loops }: Source): DataView => new DataView(loops.memory());

const writeNumbers = (source: Source, what: { readonly at: number; readonly values: Int16Array }): void => {
  const view = viewOf(source);
  what.values.forEach((value, index) => {
    view.setInt16(what.at + index * 2, value, true);
  });
};

/** Copies bytes of the file into memory; says whether they were all there. */
const copyTo = (source: Source, at: number, part: { readonly position: number; readonly length: number }): boolean => {
  const bytes = source.read(part.position, part.length);
  if (bytes.byteLength !== part.length) return false;
  new Uint8Array(source.loops.memory(), at, part.length).set(bytes);
  return true;
};

const openBlock = (source: Source, first: number): Block | undefined => {
  const { layout, map, isKept } = source;
  const { rows, columns, rest } = blockAt(layout, first);
  if (isKept) return { first, rows, at: map.kept + columns - layout.headerBytes };
  const isThere = copyTo(source, map.block, { position: columns, length: rest - columns });
  return isThere ? { first, rows, at: map.block } : undefined;
};

const nearIn = (source: Source, first: number, aim: Aim): readonly NearRow[] | undefined => {
  const { loops, layout, map } = source;
  const block = openBlock(source, first);
  if (block === undefined) return undefined;
  const { at, rows } = block;
  const candidates = loops.lead(at, rows, first, layout.seed, aim.least, aim.restLength);
  if (candidates === 0) return [];
  if (candidates < 0 || !openRests(source, block, candidates)) return undefined;
  const count = loops.rest(at, rows, first, layout.seed, aim.least, candidates);
  if (count < 0) return undefined;
  const view = viewOf(source);
  return Array.from({ length: count }, (_, index) => {
    const row = view.getInt32(map.rows + index * 4, true);
    const product = view.getInt32(map.products + index * 4, true);
    return { row, product, square: view.getUint32(at + row * 4, true) };
  });
};

/** Reads the rests from the first candidate to the last one. */
const openRests = (source: Source, block: Block, candidates: number): boolean => {
  const { isKept, layout, map } = source;
  const { leadBytes, restBytes } = layout;
  if (isKept || restBytes === 0) return true;
  const view = viewOf(source);
  const [low, high] = [view.getInt32(map.rows, true), view.getInt32(map.rows + (candidates - 1) * 4, true)];
  const restsAt = block.at + block.rows * (columnBytes + leadBytes);
  const { rest } = blockAt(layout, block.first);
  const part = { position: rest + low * restBytes, length: (high + 1 - low) * restBytes };
  return copyTo(source, restsAt + low * restBytes, part);
};

/** The file is copied as it is. */
const keepAll = (source: Source): boolean => {
  const { layout, map, loops } = source;
  const { count, headerBytes, leadBytes, restBytes } = layout;
  const length = count * (columnBytes + leadBytes + restBytes);
  const step = 1 << 24;
  try {
    loops.grow(map.kept + length);
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
  for (let at = 0; at < length; at += step) {
    const part = { position: headerBytes + at, length: Math.min(step, length - at) };
    if (!copyTo(source, map.kept + at, part)) return false;
  }
  return true;
};
