import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonErrorAt } from './json-position.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the place of an error in JSON', () => {
  const table: [text: string, line: number, column: number, reason: RegExp][] = [
    ['{\n  "a": 1,\n}', 3, 1, /a key in double quotes, found "}"/],
    ['{"a": 1 "b": 2}', 1, 9, /"," or "}", found/],
    ['{"a": [1, 2}', 1, 12, /"," or "\]", found "}"/],
    ['{"a" 1}', 1, 6, /":", found "1"/],
    ['{\n  // why\n  "a": 1\n}', 2, 3, /a key in double quotes or "}", found "\/"/],
    ['{"a": tru}', 1, 7, /a value, found "t"/],
    ["{'a': 1}", 1, 2, /a key in double quotes/],
    ['{"a": 1', 1, 8, /the end of the file/],
    ['', 1, 1, /a value, found the end of the file/],
    ['{} {}', 1, 4, /the end of the file, found "{"/],
    ['{"a": 01}', 1, 7, /a value/],
    ['{"a": "x\ny"}', 1, 7, /a value/],
  ];
  it.each(table)('%j', (text, line, column, reason) => {
    expect(jsonErrorAt(text)).toEqual({ line, column, reason: expect.stringMatching(reason) });
  });

  it('agrees with JSON.parse on what is JSON, also after a small change', () => {
    const changed = fc
      .record({
        text: fc.json(),
        at: fc.nat(200),
        cut: fc.nat(2),
        put: fc.constantFrom('', ',', '"', '}', ']', ':', '1', 'e', '\\', '\n', '-'),
      })
      .map(({ text, at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut));
    fc.assert(
      fc.property(changed, (text) => {
        expect(jsonErrorAt(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('does not slow down on long and deep text', () => {
    const text = '['.repeat(200_000);
    expect(jsonErrorAt(text)).toMatchObject({ line: 1, column: 200_001 });
  });
});
