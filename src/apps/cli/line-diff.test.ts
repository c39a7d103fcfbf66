import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const long = Array.from({ length: 20 }, (_, at) => `line ${at}`);

describe('the difference of two texts', () => {
  const table: [name: string, before: string, after: string, expected: string[]][] = [
    ['nothing changed', 'a\nb\n', 'a\nb\n', []],
    ['a new text', '', 'a\nb\n', ['+ a', '+ b']],
    ['one line changed', 'a\nb\nc\n', 'a\nx\nc\n', ['  a', '- b', '+ x', '  c']],
    [
      'a change far from the ends',
      long.join('\n'),
      long.toSpliced(10, 1).join('\n'),
      ['...', '  line 8', '  line 9', '- line 10', '  line 11', '  line 12', '...'],
    ],
  ];
  it.each(table)('%s', (_, before, after, expected) => expect(lineDiff(before, after)).toEqual(expected));

  it('takes out and puts in exactly what differs', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before.join('\n'), after.join('\n'));
        const signed = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
        const left: string[] = [...before];
        for (const line of signed('-')) left.splice(left.indexOf(line), 1);
        expect([...left, ...signed('+')].filter((line) => line !== '').sort()).toEqual([...after].sort());
      }),
    );
  });
});
