import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWords } from './embedding-words.ts';

/** Commands as words; `fed` and `redirects` where there are any. */
const texts: readonly (readonly [text: string, commands: readonly string[][], joints: readonly string[]])[] = [
  ['', [], []],
  ['git push  origin\tmain', [['git', 'push', 'origin', 'main']], []],
  [`a 'b c' "d e" f\\ g h'i'"j"`, [['a', 'b c', 'd e', 'f g', 'hij']], []],
  [`a '' ""`, [['a', '', '']], []],
  ['a && b || c; d | e & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']], ['&&', '||', ';', '|', '&']],
  ['a\n\nb\n', [['a'], ['b']], [';', ';']],
  [
    'a $(b c) d',
    [
      ['b', 'c'],
      ['a', '$', 'd'],
    ],
    ['$('],
  ],
  [
    'a "x $(b "c d") y"',
    [
      ['b', 'c d'],
      ['a', 'x $ y'],
    ],
    ['$('],
  ],
  ['a `b` c', [['b'], ['a', '$', 'c']], ['$(']],
  ['a > out 2> err < in', [['a', '>: out', '2>: err', '<: in']], []],
  ['a 2>&1 >/dev/null &> all', [['a', '2>&1', '>/dev/null', '&>: all']], []],
  ['cat <<EOF\nx; y\nEOF\nls', [['cat', '<<: x; y\n'], ['ls']], [';']],
  ['cat <<EOF\nnever ends', [['cat', '<<: never ends']], [';']],
  ['a <<< b', [['a', '<<<: b']], []],
  ['a # b; c', [['a']], []],
  ['a#b', [['a#b']], []],
  ['a <SECRET:token> <REDACTED> b', [['a', '<SECRET:token>', '<REDACTED>', 'b']], []],
  ['a \\\n b', [['a', 'b']], []],
  ['a "b', [['a', 'b']], []],
  ["a 'b", [['a', 'b']], []],
  ['(a; b)', [['a'], ['b']], ['(', ';', ')']],
];

describe('readWords', () => {
  it.each(texts)('%j', (text, commands, joints) => {
    const read = readWords(text);
    const shown = read.commands.map(({ words, redirects, fed }) => {
      const files = [...fed];
      const targets = redirects.map((sign) => (/[<>]$/.test(sign) ? `${sign}: ${files.shift()}` : sign));
      return [...words, ...targets];
    });
    expect(shown).toEqual(commands);
    expect(read.joints).toEqual(joints);
    expect(read.end).toBe(text.length);
  });

  it('says where it stopped', () => {
    const long = `a ${'b'.repeat(10_000)}`;
    expect(readWords(long).end).toBeLessThan(long.length);
    const many = 'a '.repeat(2_000);
    expect(readWords(many).end).toBeLessThan(many.length);
  });

  it('loses no letter of a text without quotes or comments', () => {
    const pieces = fc.constantFrom(
      'a',
      'bc',
      ' ',
      '\n',
      ';',
      '|',
      '&&',
      '>',
      '2>',
      '<',
      '$(',
      ')',
      '`',
      '(',
      '$x',
      '*',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const { commands } = readWords(text);
        const kept = commands.flatMap(({ words, redirects, fed }) => [...words, ...redirects, ...fed]).join('');
        for (const letter of 'abcx') expect(kept.split(letter).length).toBe(text.split(letter).length);
      }),
    );
  });
});
