import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

const refused: [text: string, why: RegExp][] = [
  ['', /not valid JSON/],
  ['{"a":1', /not valid JSON/],
  ['{"a":1,"a":2}', /the key "a" twice/],
  ['{"a":1,"\\u0061":2}', /the key "a" twice/],
  ['{"x":[{"b":{},"b":1}]}', /the key "b" twice/],
  ['{"__proto__":{}}', /forbidden key "__proto__"/],
  ['{"\\u005f_proto__":{}}', /forbidden key "__proto__"/],
  ['[{"constructor":1}]', /forbidden key "constructor"/],
  ['['.repeat(33) + ']'.repeat(33), /deeper than 32/],
];

const accepted = [
  'null',
  '"a\\"b"',
  '{"a":"a","b":{"a":"},{\\"a\\""},"c":["a","a"]}',
  '[{"a":1},{"a":1}]',
  '{"":0}',
  '['.repeat(32) + ']'.repeat(32),
];

describe('parseStrictJson', () => {
  it.each(refused)('refuses %j', (text, why) => {
    const result = parseStrictJson(text);
    expect(result.ok ? 'accepted' : result.error).toMatch(why);
  });

  it.each(accepted)('accepts %j as JSON.parse does', (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it('never throws, and accepts only what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\ua1') })), (text) => {
        const result = parseStrictJson(text);
        if (result.ok) expect(result.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 2000 },
    );
  });
});
