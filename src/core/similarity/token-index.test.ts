import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLists, compareAll, documentLists, questions, thresholds } from './token-index.cases.ts';
import { encodeTokenIndex, openTokenIndex, type TokenIndex } from './token-index.ts';
import { pageBytes, pageWords, sealPages } from './token-index-pages.ts';

type Documents = readonly (readonly string[])[];

const open = (bytes: Uint8Array, note: (length: number) => void = () => undefined): TokenIndex | undefined =>
  openTokenIndex((position, length) => {
    note(length);
    return bytes.subarray(position, position + length);
  }, bytes.length);

const indexOf = (documents: Documents, note?: (length: number) => void): TokenIndex => {
  const index = open(encodeTokenIndex(documents), note);
  if (index === undefined) throw new Error('no index');
  return index;
};

const commands = commandLists(2000);

describe('the answers of a token index', () => {
  it('are those of a comparison with every document', () => {
    fc.assert(
      fc.property(questions, thresholds, ({ documents, tokens }, threshold) => {
        const index = indexOf(documents);
        expect(index.documents).toBe(documents.length);
        expect(index.near(tokens, { threshold })).toEqual(compareAll(documents, tokens, { threshold }));
      }),
      { numRuns: 500 },
    );
  });

  it('are the best of a range', () => {
    const range = fc.record({ from: fc.nat(45), to: fc.nat(50), limit: fc.nat(6) }, { requiredKeys: [] });
    fc.assert(
      fc.property(questions, thresholds, range, ({ documents, tokens }, threshold, part) => {
        const query = { threshold, ...part };
        expect(indexOf(documents).near(tokens, query)).toEqual(compareAll(documents, tokens, query));
      }),
      { numRuns: 500 },
    );
  });

  it('stay right from question to question', () => {
    const index = indexOf(commands);
    for (const [place, tokens] of commands.entries()) {
      if (place % 61 !== 0) continue;
      for (const threshold of [0.4, 0.6, 0.7, 0.9]) {
        for (const part of [{}, { from: 1000, to: 1300 }, { limit: 7 }, { from: 1500, limit: 3 }]) {
          const query = { threshold, ...part };
          expect(index.near([...tokens, 'more'], query)).toEqual(compareAll(commands, [...tokens, 'more'], query));
        }
      }
    }
  });

  it.each([
    ['at 0 are all documents', 0, [1, 2, 0]],
    ['below 0 are all documents', -1, [1, 2, 0]],
    ['above 1 are none', 1.01, []],
    ['without a number are none', Number.NaN, []],
    ['infinitely near are none', Number.POSITIVE_INFINITY, []],
    ['next to 0 are all that share a token', Number.MIN_VALUE, [1, 2]],
  ])('%s', (_, threshold, expected) => {
    const index = indexOf([[], ['a', 'b'], ['b', 'c']]);
    expect(index.near(['a', 'b'], { threshold })?.map(({ document }) => document)).toEqual(expected);
  });

  it('are cut to the range there is', () => {
    const index = indexOf([['a'], [], ['a']]);
    const found = (tokens: string[], query: { from?: number; to?: number; limit?: number }): number[] =>
      (index.near(tokens, { threshold: 1, ...query }) ?? []).map(({ document }) => document);
    expect(found(['a'], { from: -5, to: 99 })).toEqual([0, 2]);
    expect(found(['a'], { from: 1, to: 1 })).toEqual([]);
    expect(found(['a'], { from: 3, to: 0 })).toEqual([]);
    expect(found([], { from: 1 })).toEqual([1]);
    expect(found([], { from: 2 })).toEqual([]);
    for (const limit of [0, -1, Number.NaN]) expect(found(['a'], { limit })).toEqual([]);
  });

  it('come from one pass over any iterable, and the bytes are always the same', () => {
    const once = (function* () {
      yield* commands;
    })();
    expect(Buffer.compare(encodeTokenIndex(once), encodeTokenIndex(commands))).toBe(0);
    expect(indexOf([]).near(['a'], { threshold: 0.5 })).toEqual([]);
  });

  it('may be read through one buffer', () => {
    const bytes = encodeTokenIndex(commands);
    const buffer = new Uint8Array(100_001);
    const index = openTokenIndex((position, length) => {
      const part = bytes.subarray(position, position + length);
      buffer.set(part, 1);
      return buffer.subarray(1, 1 + part.length);
    }, bytes.length);
    const [tokens = []] = commands;
    expect(index?.near(tokens, { threshold: 0.4 })).toEqual(compareAll(commands, tokens, { threshold: 0.4 }));
  });
});

describe('the cost of a token index', () => {
  /** How often something is read to open an index and ask once. */
  const readsOf = (documents: Documents, ask: (index: TokenIndex) => unknown): number => {
    let reads = 0;
    const index = indexOf(documents, () => {
      reads += 1;
    });
    expect(ask(index)).toBeDefined();
    return reads;
  };

  it('grows little with documents that are not near', () => {
    const ask = (index: TokenIndex) => index.near(commands[100] ?? [], { threshold: 0.7 });
    const reads = [1000, 4000, 16_000, 64_000].map((count) => readsOf(commandLists(count), ask));
    expect(Math.max(...reads)).toBeLessThan(20);
  });

  it('follows the limit where many documents are equally near', () => {
    const alike = Array.from({ length: 20_000 }, (_, number) => ['pytest', 'tests', `${number}`]);
    const ask = (limit?: number) => (index: TokenIndex) =>
      index.near(['pytest', 'tests', 'new'], { threshold: 0.5, ...(limit === undefined ? {} : { limit }) });
    expect(ask()(indexOf(alike))).toHaveLength(alike.length);
    expect(5 * readsOf(alike, ask(20))).toBeLessThan(readsOf(alike, ask()));
  });

  it('leaves out documents whose other tokens cannot be shared', () => {
    const last = Array.from({ length: 20_000 }, (_, number) => [`one${number}`, `two${number}`, 'common']);
    const others = Array.from({ length: 20_001 }, (_, number) => [`one${number}`, 'very', 'more']);
    const ask = (index: TokenIndex) => index.near(['common', 'very', 'more'], { threshold: 0.6 });
    expect([ask(indexOf([...last, ...others])), readsOf([...last, ...others], ask) < 12]).toEqual([[], true]);
  });

  it('is next to nothing the second time', () => {
    let reads = 0;
    const index = indexOf(commands, () => {
      reads += 1;
    });
    const first = index.near(commands[7] ?? [], { threshold: 0.6 });
    const before = reads;
    expect([index.near(commands[7] ?? [], { threshold: 0.6 }), reads]).toEqual([first, before]);
  });

  it('does not depend on how many tokens the query has where no document has as many', () => {
    const many = Array.from({ length: 100_000 }, (_, number) => `file${number}`);
    expect(readsOf(commands, (index) => index.near(many, { threshold: 0.5 }))).toBe(1);
  });
});

/** The words of an index without its checksums. */
const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer).filter((_, at) => at % (pageWords + 1) < pageWords);

describe('what a token index keeps in memory', () => {
  it('is let go when it is too much, and read again', () => {
    const tokens = Array.from({ length: 9000 }, (_, number) => `file${number}`);
    const documents = Array.from({ length: 250 }, (_, number) => tokens.slice(number));
    let reads = 0;
    const index = indexOf(documents, () => {
      reads += 1;
    });
    const ask = () => index.near(tokens.slice(-1), { threshold: 0, limit: 2 });
    const first = ask();
    expect(first).toHaveLength(2);
    const before = reads;
    expect(ask()).toEqual(first);
    expect(reads).toBeGreaterThan(before);
  });
});

describe('a damaged token index', () => {
  const askAll = (index: TokenIndex, documents: Documents): unknown[] =>
    [...documents.slice(0, 8), ['git'], []].flatMap((tokens) =>
      [0, 0.3, 0.7, 1].map((threshold) => index.near(tokens, { threshold })),
    );

  it('answers as before or not at all', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(documentLists, flips, (documents, changes) => {
        const bytes = encodeTokenIndex(documents);
        const expected = askAll(indexOf(documents), documents);
        for (const [place, change] of changes) {
          const at = place % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ change;
        }
        const index = open(bytes);
        if (index === undefined) return;
        askAll(index, documents).forEach((answer, place) => {
          if (answer !== undefined) expect(answer).toEqual(expected[place]);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('answers nothing any more once the damage was met', () => {
    const bytes = encodeTokenIndex(commands);
    const index = open(bytes);
    bytes.fill(0xff);
    expect(index?.near(['absent'], { threshold: 1.5 })).toEqual([]);
    expect(index?.near(commands[0] ?? [], { threshold: 0.5 })).toBeUndefined();
    expect(index?.near(['absent'], { threshold: 1.5 })).toBeUndefined();
  });

  it('answers as before or not at all where pages were exchanged, in one file or between two', () => {
    const documents = commandLists(60);
    const [bytes, others] = [encodeTokenIndex(documents), encodeTokenIndex(documents.toReversed())];
    expect(bytes.length).toBe(others.length);
    const expected = askAll(indexOf(documents), documents);
    const page = (from: Uint8Array, number: number) => from.slice(number * pageBytes, (number + 1) * pageBytes);
    const pages = bytes.length / pageBytes;
    let silent = 0;
    for (let number = 1; number + 1 < pages; number += 1) {
      for (const wrong of [page(others, number), page(bytes, number - 1), page(bytes, number + 1)]) {
        const mixed = bytes.slice();
        mixed.set(wrong, number * pageBytes);
        const index = open(mixed);
        const answers = index === undefined ? [] : askAll(index, documents);
        silent += answers.at(-1) === undefined ? 1 : 0;
        answers.forEach((answer, place) => {
          if (answer !== undefined) expect(answer).toEqual(expected[place]);
        });
      }
    }
    // Every list is read, and most of the postings.
    expect(silent).toBeGreaterThan(pages);
  });

  it.each([0, 1, 100, pageBytes - 1, pageBytes, -pageBytes, -1, 1 - pageBytes])(
    'is none when cut to %d bytes',
    (cut) => {
      const bytes = encodeTokenIndex(commands);
      expect(open(bytes.slice(0, cut))).toBeUndefined();
    },
  );

  it('is none with bytes behind it, of another version, or when it is something else', () => {
    const bytes = encodeTokenIndex(commands);
    const longer = new Uint8Array(bytes.length + pageBytes);
    longer.set(bytes);
    expect(open(longer)).toBeUndefined();
    const words = wordsOf(bytes);
    words[2] = 2;
    expect(open(sealPages(words))).toBeUndefined();
    expect(open(new Uint8Array(bytes.slice().buffer).map((_, at) => bytes[at ^ 3] ?? 0))).toBeUndefined();
    expect(open(new Uint8Array(bytes.length))).toBeUndefined();
    expect(open(new TextEncoder().encode('x'.repeat(pageBytes)))).toBeUndefined();
  });

  it.each([
    ['a group that ends where it starts', 7, 0],
    ['a group that starts before another ends', 10, 1],
    ['a token behind the end of its lists', 9, 2],
    ['a list behind the end', 11, 99],
  ])('is noticed with checksums that fit: %s', (_, place, word) => {
    const words = wordsOf(encodeTokenIndex([['a'], ['a', 'b']]));
    expect(open(sealPages(words))?.near(['a'], { threshold: 0.3 })).toHaveLength(2);
    const header = { words: 16, bits: words[4] ?? 0, dictionary: words[5] ?? 0 };
    // Five words for the rarer token, then two groups of three words and two postings.
    const postings = header.words + 2 ** header.bits + 1 + header.dictionary;
    expect([...words.subarray(postings + 5, postings + 12)]).toEqual([1, 0, 1, 2, 1, 2, 0]);
    words[postings + place] = word;
    expect(open(sealPages(words))?.near(['a'], { threshold: 0.3 })).toBeUndefined();
  });

  it('never throws, hangs or answers out of range, even with checksums that fit', () => {
    const changes = fc.array(
      fc.tuple(fc.nat(), fc.oneof(fc.nat(60), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constant(2 ** 32 - 1))),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(documentLists, changes, (documents, wrong) => {
        const words = wordsOf(encodeTokenIndex(documents));
        // The first words, magic and identity, only decide whether it is opened at all.
        for (const [place, word] of wrong) words[4 + (place % (words.length - 4))] = word;
        const index = open(sealPages(words));
        if (index === undefined) return;
        const answers = [...documents.slice(0, 8), ['git'], []].flatMap((tokens) =>
          [0, 0.05, 0.7].flatMap((threshold) => index.near(tokens, { threshold, limit: 100 }) ?? []),
        );
        expect(answers.filter(({ document }) => !(document >= 0 && document < index.documents))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
