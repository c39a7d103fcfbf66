/** Where things lie in the memory of a kernel, in bytes. Only what the loops need. */
export interface KernelPlaces {
  readonly leadBytes: number;
  readonly restBytes: number;
  /** 16-bit numbers: the query and the weights, each for the first part of a row and for the rest. */
  readonly leadQuery: number;
  readonly leadWeights: number;
  readonly restQuery: number;
  readonly restWeights: number;
  /** 32-bit numbers: the rows that the loops find, and their products. */
  readonly rows: number;
  readonly products: number;
}

/** Factors that tie the checks of a row to the lengths beside it. */
export const saltFactors = { square: 0x9e3779b1 | 0, restSquare: 0x85ebca6b | 0 } as const;

/** Rows are looked at in blocks of this many. */
export const blockRows = 1024;

/** What a loop is given: whole numbers but the last two. A loop of WebAssembly takes no object. */
type Loop = (block: number, rows: number, first: number, seed: number, least: number, last: number) => number;

/** The two loops over the rows of a block: WebAssembly where there is SIMD, the same in JavaScript elsewhere. */
export interface KernelLoops {
  readonly kind: 'simd' | 'plain';
  /** Makes the memory at least that many bytes. Throws `RangeError` when there is none left. */
  readonly grow: (bytes: number) => void;
  /** The memory as it is: growing gives a new one. */
  readonly memory: () => ArrayBuffer;
  /**
   * Finds the rows whose first part does not rule them out: its product, with the lengths of both rests multiplied (`last`
   * is that of the query's), is at least `least` times the length of the row. Says how many; -1 when a row is damaged.
   */
  readonly lead: Loop;
  /** Of those (`last` says how many) it keeps the rows whose whole product is at least `least` times their length. */
  readonly rest: Loop;
}

/** Makes loops for one layout. */
export type KernelMaker = (places: KernelPlaces) => KernelLoops;

/** What lies where in the memory of a kernel: numbers for the loops, one block, and then whatever is to stay. */
export interface KernelMap extends KernelPlaces {
  readonly block: number;
  readonly kept: number;
}

/** The map for rows of these lengths (multiples of 16) with `columnBytes` beside each. */
export const mapFor = (row: { leadBytes: number; restBytes: number; columnBytes: number }): KernelMap => {
  const { leadBytes, restBytes, columnBytes } = row;
  const leadQuery = 0;
  const leadWeights = leadQuery + leadBytes * 2;
  const restQuery = leadWeights + leadBytes * 2;
  const restWeights = restQuery + restBytes * 2;
  const rows = restWeights + restBytes * 2;
  const products = rows + blockRows * 4;
  const block = products + blockRows * 4;
  const kept = block + blockRows * (columnBytes + leadBytes + restBytes);
  return { leadBytes, restBytes, leadQuery, leadWeights, restQuery, restWeights, rows, products, block, kept };
};

/** What rows are multiplied with to see whether they are what was written: odd numbers from -255 to 255. */
export const checkWeights = (length: number): Int16Array => {
  const weights = new Int16Array(length);
  let state = 0x2545f491;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    weights[at] = ((state & 0xff) | 1) * ((state & 0x100) === 0 ? 1 : -1);
  }
  return weights;
};
