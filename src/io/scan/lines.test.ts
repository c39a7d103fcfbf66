import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodingOf, linesOf } from './lines.ts';

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('linesOf', () => {
  const cases: [name: string, text: string, lines: readonly string[]][] = [
    ['nothing', '', []],
    ['one line', 'a', ['a']],
    ['a last line with its end', 'a\nb\n', ['a', 'b']],
    ['empty lines', '\n\na', ['', '', 'a']],
    ['line ends of Windows', 'a\r\nb\r\n', ['a', 'b']],
    ['a carriage return inside a line', 'a\rb\n', ['a\rb']],
    ['a byte order mark', '\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ];
  it.each(cases)('reads %s', (_, text, lines) => expect([...linesOf([Buffer.from(text)])]).toEqual(lines));

  it('does not mind where the pieces are cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', 'é', '𝄞', '—') });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), fc.constantFrom('utf8', 'utf16le', 'utf16be'), (...given) => {
        const [whole, size, encoding] = given;
        const bytes = encoding === 'utf16be' ? bigEndian(whole) : Buffer.from(whole, encoding);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const expected = whole.replace(/\r?\n$/, '').split(/\r?\n/);
        expect([...linesOf(pieces, encoding)]).toEqual(whole === '' ? [] : expected);
      }),
      { seed: 3 },
    );
  });

  it('reads what is no UTF-8 too', () =>
    expect([...linesOf([Buffer.from([0x61, 0xff, 0x0a, 0x62])])]).toEqual(['a\ufffd', 'b']));

  it('keeps an odd byte at the end of UTF-16', () =>
    expect([...linesOf([Buffer.from([0, 0x61, 0])], 'utf16be')]).toEqual(['a\ufffd']));
});

describe('encodingOf', () => {
  it.each<[string, readonly number[], string]>([
    ['text', [0x61, 0xc3, 0xa9], 'utf8'],
    ['nothing', [], 'utf8'],
    ['a NUL', [0x61, 0, 0x62], 'binary'],
    ['UTF-16 with the low byte first', [0xff, 0xfe, 0x61, 0], 'utf16le'],
    ['UTF-16 with the high byte first', [0xfe, 0xff, 0, 0x61], 'utf16be'],
  ])('knows %s', (_, bytes, encoding) => expect(encodingOf(Uint8Array.from(bytes))).toBe(encoding));

  it('looks at the first 8000 bytes only', () => {
    const bytes = Buffer.alloc(9000, 'a');
    bytes[8000] = 0;
    expect(encodingOf(bytes)).toBe('utf8');
    bytes[7999] = 0;
    expect(encodingOf(bytes)).toBe('binary');
  });
});
