import { describe, expect, it } from 'vitest';
import { isMet, median, quantile, table } from './figures.mjs';

describe('quantile', () => {
  it.each([
    [[3], 0.5, 3],
    [[5, 1, 3], 0.5, 3],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.99, 10],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0, 1],
  ])('of %j at %d is %d', (values, share, expected) => expect(quantile(values, share)).toBe(expected));

  it('of nothing is no number', () => expect(median([])).toBeNaN());
});

describe('a figure', () => {
  const figure = { group: 'g', name: 'n', median: 9, unit: 'us' };

  it.each([
    [10, true, 'met'],
    [9, false, 'MISSED'],
    [undefined, undefined, ''],
  ])('with the target %s: %s', (target, met, word) => {
    const one = target === undefined ? figure : { ...figure, target };
    expect(isMet(one)).toBe(met);
    expect(table([one]).includes('met')).toBe(word === 'met');
    expect(table([one]).includes('MISSED')).toBe(word === 'MISSED');
  });
});
