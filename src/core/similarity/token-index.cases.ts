import fc from 'fast-check';
import type { NearDocument } from './token-index-best.ts';
import type { NearQuery } from './token-index-query.ts';
import { jaccardCoefficient } from './tokens.ts';

/** What an index must answer: every document compared in full. */
export const compareAll = (
  documents: readonly (readonly string[])[],
  tokens: readonly string[],
  { threshold, from = 0, to = documents.length, limit = documents.length }: NearQuery,
): NearDocument[] => {
  const wanted = sortedSet(tokens);
  return documents
    .map((list, document) => ({ document, score: jaccardCoefficient(wanted, sortedSet(list)) }))
    .filter(({ document, score }) => document >= from && document < to && score >= threshold)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit);
};

const sortedSet = (tokens: readonly string[]): string[] => [...new Set(tokens)].sort();

/** Few tokens that are everywhere, many that are rare, and some that are no words. */
const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('git', 'npm', 'run', 'test', 'a') },
  { weight: 3, arbitrary: fc.nat(9).map(String) },
  { weight: 2, arbitrary: fc.nat(500).map(String) },
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 5 }).map((codes) => String.fromCharCode(...codes)) },
  { weight: 1, arbitrary: fc.constantFrom('', '\0', '\0\0', '\ud800', '\udc00', '\ufffd', 'constructor', '__proto__') },
);

const list = fc.array(token, { maxLength: 9 });

/** Token lists, some of them empty, repeated or with repetitions. */
export const documentLists: fc.Arbitrary<readonly (readonly string[])[]> = fc
  .array(fc.oneof({ weight: 4, arbitrary: list }, { weight: 1, arbitrary: fc.constant([]) }), { maxLength: 40 })
  .chain((lists) =>
    fc
      .array(fc.nat(Math.max(0, lists.length - 1)), { maxLength: 10 })
      .map((again) => [...lists, ...again.flatMap((place) => lists.slice(place, place + 1))]),
  );

/** Documents and tokens to look for: as often as not those of a document, more or less. */
export const questions = documentLists.chain((documents) =>
  fc.record({
    documents: fc.constant(documents),
    tokens: fc.oneof(
      list,
      fc
        .tuple(fc.nat(Math.max(0, documents.length - 1)), fc.nat(3), fc.array(token, { maxLength: 2 }))
        .map(([place, without, more]) => [...(documents[place] ?? []).slice(without), ...more]),
    ),
  }),
);

/** Thresholds that two sets of a few tokens can meet exactly, and others. */
export const thresholds = fc.oneof(
  fc.constantFrom(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .map(([a, b]) => Math.min(a, b) / Math.max(a, b)),
  fc.double({ min: 0.01, max: 1, noNaN: true }),
);

/** Commands as they are remembered: few programs, many operands. */
export const commandLists = (count: number): string[][] =>
  Array.from({ length: count }, (_, number) => [
    ['npm', 'yarn', 'pnpm'][number % 3] ?? '',
    'run',
    `task${number % 7}`,
    `package${number % 211}`,
    `file${number}`,
  ]);
