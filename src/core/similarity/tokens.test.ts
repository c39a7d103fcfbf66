import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dangerousPairs, nearPairs, tokenCases } from './tokens.cases.ts';
import { jaccardCoefficient, sortedIntersectionCount, tokenize } from './tokens.ts';

const coefficient = (one: string, other: string): string =>
  jaccardCoefficient(tokenize(one), tokenize(other)).toFixed(3);

/** Any code units, also halves of pairs. */
const text = fc.array(fc.nat(0xffff), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes));

describe('tokenize', () => {
  it.each(tokenCases)('%j', (text, tokens) => {
    expect(tokenize(text).join(' ')).toBe(tokens);
  });

  it('separates at every ASCII punctuation mark and at no other printable ASCII character', () => {
    const printable = Array.from({ length: 94 }, (_, code) => String.fromCharCode(code + 33));
    expect(printable.filter((mark) => tokenize(`a${mark}b`).length === 1).join('')).toBe(
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    );
  });

  it('gives sorted tokens, each once, and finds them again in themselves', () => {
    fc.assert(
      fc.property(text, fc.string(), (one, other) => {
        const tokens = tokenize(`${one} ${other}`);
        expect(tokens).toEqual([...new Set(tokens)].sort());
        expect(tokenize(tokens.join(' '))).toEqual(tokens);
        expect(new Set(tokens)).toEqual(new Set([...tokenize(one), ...tokenize(other)]));
      }),
    );
  });
});

describe('jaccardCoefficient', () => {
  it.each(nearPairs)('%s / %s: %s, on whitespace alone %s', (one, other, expected, onWhitespace) => {
    expect(coefficient(one, other)).toBe(expected);
    const words = (text: string): string[] => [...new Set(text.split(' '))].sort();
    expect(jaccardCoefficient(words(one), words(other)).toFixed(3)).toBe(onWhitespace);
  });

  it.each(dangerousPairs)('%s / %s: %s', (one, other, expected) => {
    expect([coefficient(one, other), coefficient(other, one)]).toEqual([expected, expected]);
  });

  it.each([
    [[], [], 0, 1],
    [['a'], [], 0, 0],
    [[], ['a'], 0, 0],
    [['a'], ['b'], 0, 0],
    [['a', 'b'], ['a', 'b'], 2, 1],
    [['a', 'c', 'e'], ['b', 'c', 'd', 'e'], 2, 0.4],
  ])('%j and %j share %d: %d', (a, b, shared, expected) => {
    expect([sortedIntersectionCount(a, b), jaccardCoefficient(a, b)]).toEqual([shared, expected]);
  });

  it('says what sets say', () => {
    const lists = fc.uniqueArray(fc.constantFrom(...'abcdefghij')).map((list) => list.sort());
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const shared = a.filter((token) => b.includes(token)).length;
        const union = new Set([...a, ...b]).size;
        expect(sortedIntersectionCount(a, b)).toBe(shared);
        expect(jaccardCoefficient(a, b)).toBe(union === 0 ? 1 : shared / union);
        expect(jaccardCoefficient(b, a)).toBe(jaccardCoefficient(a, b));
      }),
    );
  });
});
