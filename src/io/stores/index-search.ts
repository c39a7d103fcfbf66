import type { DigestWords } from './index-format.ts';

/** Below 0 when a row comes before what is looked for, above 0 when after; `undefined` when the row is damaged. */
export type CompareAt = (rowNumber: number) => number | undefined;

/** Guesses by interpolation before falling back to halving, which hostile digests cannot slow down. */
const mostGuesses = 4;
const positions = 2 ** 48;

/**
 * How far a row usually is from where an even spread would have it: less than half of this many rows in two of three
 * cases, less than all of it in nineteen of twenty.
 */
export const usualMiss = (rowCount: number): number => Math.max(64, Math.ceil(Math.sqrt(rowCount)));

/**
 * The first row that does not come before a digest, among rows in order. The even guess first (digests are spread
 * evenly), then steps away from it on the side where the digest must be, until it is enclosed. `undefined` when a damaged
 * row was met on the way.
 */
export const firstRow = (compareAt: CompareAt, rowCount: number, digest: DigestWords): number | undefined => {
  const [first = 0, second = 0] = digest;
  const estimate = Math.floor(((first * 65_536 + (second >>> 16)) / positions) * rowCount);
  const nearby = usualMiss(rowCount) >>> 1;
  let [low, high] = [0, rowCount];
  for (let guess = 0; low < high; guess++) {
    let middle = (low + high) >>> 1;
    if (guess < mostGuesses) {
      const step = guess === 0 ? 0 : nearby * 4 ** (guess - 1);
      middle = Math.min(high - 1, Math.max(low, estimate < low ? estimate + step : estimate - step));
    }
    const order = compareAt(middle);
    if (order === undefined) return undefined;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};
