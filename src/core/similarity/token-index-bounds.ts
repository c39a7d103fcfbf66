import { coefficientOf } from './tokens.ts';

// Each bound starts one beyond its estimate and walks with the very expression that decides, so rounding loses nothing.
// Thresholds are above 0 and at most 1.

/** The fewest tokens that two sets must share to reach the threshold; `total` is both sizes added up. */
export const neededOverlap = (total: number, threshold: number): number => {
  let shared = Math.max(0, Math.ceil((threshold * total) / (1 + threshold)) - 1);
  while (coefficientOf(shared, total) < threshold) shared += 1;
  return shared;
};

/** The size of the smallest set that can reach the threshold with a set of `size` tokens. */
export const smallestSize = (size: number, threshold: number): number => {
  let smallest = Math.max(0, Math.ceil(threshold * size) - 1);
  while (coefficientOf(smallest, smallest + size) < threshold) smallest += 1;
  return smallest;
};

/** No set is larger: positions are 32-bit numbers. */
const largestPossible = 2 ** 32;

/** The size of the largest set that can reach the threshold with a set of `size` tokens. */
export const largestSize = (size: number, threshold: number): number => {
  let largest = Math.floor(size / threshold) + 1;
  if (largest > largestPossible) return largestPossible;
  while (coefficientOf(size, size + largest) < threshold) largest -= 1;
  return largest;
};
