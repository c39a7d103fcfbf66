import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thresholds } from './token-index.cases.ts';
import { largestSize, neededOverlap, smallestSize } from './token-index-bounds.ts';

const size = fc.integer({ min: 1, max: 60 });

describe('the bounds of two sets that are near', () => {
  it('leave out nothing and let in no more than they must', () => {
    fc.assert(
      fc.property(size, fc.nat(60), thresholds, (one, other, threshold) => {
        const overlaps = Array.from({ length: Math.min(one, other) + 1 }, (_, shared) => shared);
        const near = overlaps.filter((shared) => shared / (one + other - shared) >= threshold);
        const needed = neededOverlap(one + other, threshold);
        expect(near).toEqual(overlaps.filter((shared) => shared >= needed));
        const fits = other >= smallestSize(one, threshold) && other <= largestSize(one, threshold);
        expect(fits).toBe(near.length > 0);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [1, 1, 1, 1, 1],
    [10, 0.7, 7, 14, 9],
    [10, 0.1, 1, 100, 2],
    [3, 2 / 3, 2, 4, 3],
    [6, 0.6, 4, 10, 5],
    // 0.07 * 100 is a little more than 7, and 7 / 0.07 a little less than 100.
    [100, 0.07, 7, 1428, 14],
    [7, 0.07, 1, 100, 1],
  ])('%d tokens at %d: from %d to %d, %d shared with as many', (tokens, threshold, smallest, largest, shared) => {
    expect([
      smallestSize(tokens, threshold),
      largestSize(tokens, threshold),
      neededOverlap(2 * tokens, threshold),
    ]).toEqual([smallest, largest, shared]);
  });

  it('end where numbers do', () => {
    expect(largestSize(5, Number.MIN_VALUE)).toBe(2 ** 32);
    expect([smallestSize(5, Number.MIN_VALUE), neededOverlap(9, Number.MIN_VALUE)]).toEqual([1, 1]);
    expect([smallestSize(0, 0.5), neededOverlap(0, 0.5)]).toEqual([0, 0]);
  });
});
