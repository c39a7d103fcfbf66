import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleJson, visibleLines } from './visible.ts';

/** The text that was made visible. */
const undone = (shown: string): string =>
  shown
    .replace(/\\u\{20\}\{(\d+)\}/g, (_, count: string) => ' '.repeat(Number(count)))
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Texts made of what attackers use, and of anything. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '\u001b[2K',
      '\r',
      '\u202e',
      '\u200b',
      'а',
      'ｒ',
      '\\',
      '\\u{',
      'u{20}',
      '{5}',
      ' '.repeat(9),
      'rm',
      '\ud800',
    ),
  }),
);

describe('text made visible', () => {
  it.each([
    ['ls -la "a b" \\n | tail', 'ls -la "a b" \\n | tail'],
    ['café Straße 日本語 サーバー', 'café Straße 日本語 サーバー'],
    ['\u001b[2K\rls', '\\u{1b}[2K\\u{d}ls'],
    ['a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['a\u200bb\u00adc\ufeff', 'a\\u{200b}b\\u{ad}c\\u{feff}'],
    ['\u00a0x\u3000y', '\\u{a0}x\\u{3000}y'],
    ['еcho', '\\u{435}cho'],
    ['ｒm', '\\u{ff52}m'],
    ['𝗋𝗆', '\\u{1d5cb}\\u{1d5c6}'],
    ['rm ‑rf ∕', 'rm \\u{2011}rf \\u{2215}'],
    ['a\u0338b', 'a\\u{338}b'],
    ['\u{e0041}\u{e0061}', '\\u{e0041}\\u{e0061}'],
    ['one\ntwo\tthree', 'one\\u{a}two\\u{9}three'],
    ['\\u{41}', '\\u{5c}u{41}'],
    [`a${' '.repeat(16)}b`, `a${' '.repeat(16)}b`],
    [`a${' '.repeat(400)}; rm`, 'a\\u{20}{400}; rm'],
    ['a\ud800b', 'a\\u{d800}b'],
  ])('%j is shown as %s', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('keeps different texts different, and every text whole', () => {
    fc.assert(fc.property(hostile, (text) => undone(visible(text)) === text));
  });

  it('holds nothing that a terminal obeys or hides, and nothing that is wider than it looks', () => {
    const harmless = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Mn}\p{Me}]*$/u;
    fc.assert(fc.property(hostile, (text) => harmless.test(visible(text)) && !/ {17}/.test(visible(text))));
  });

  it('goes line by line', () => {
    expect(visibleLines('one\r\ntwo')).toEqual(['one\\u{d}', 'two']);
  });

  it('stays the same JSON', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = visibleJson({ text });
        return JSON.parse(json).text === text && !/[\p{Cc}\p{Cf}]/u.test(json);
      }),
    );
  });
});
