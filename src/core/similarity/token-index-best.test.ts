import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bestDocuments } from './token-index-best.ts';

it('keeps the best, in whatever order they come', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 });
  fc.assert(
    fc.property(scores, fc.nat(8), fc.func(fc.nat()), (list, limit, order) => {
      const found = list.map((score, document) => ({ document, place: 10 * document, score }));
      const best = bestDocuments(limit);
      for (const one of found.toSorted((a, b) => order(a) - order(b))) best.add(one);
      const expected = found.toSorted((a, b) => b.score - a.score || a.place - b.place).slice(0, limit);
      expect(best.sorted()).toEqual(expected.map(({ document, score }) => ({ document, score })));
    }),
  );
});

it('says what it would not keep any more', () => {
  const best = bestDocuments(1);
  expect(best.wouldKeep(9, 0)).toBe(true);
  best.add({ document: 0, place: 5, score: 0.5 });
  best.add({ document: 1, place: 6, score: 0.5 });
  expect([best.wouldKeep(4, 0.5), best.wouldKeep(6, 0.5), best.wouldKeep(9, 0.6), best.wouldKeep(4, 0.4)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
