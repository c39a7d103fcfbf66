import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { DataNode } from '../../core/policy/document.ts';
import { parseYaml } from './yaml.ts';

const plain = (node: DataNode | undefined): unknown => {
  if (node === undefined) return undefined;
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plain);
    case 'map':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  }
};

const read = (text: string): unknown => {
  const result = parseYaml(text);
  if (!result.ok) throw new Error(`${result.error.line}: ${result.error.reason}`);
  return plain(result.value);
};

describe('what is read', () => {
  const cases: [text: string, value: unknown][] = [
    ['', undefined],
    ['# only a comment\n', undefined],
    ['a: 1\nb: [x, "y"]\n', { a: 1, b: ['x', 'y'] }],
    ['\ufeffa: true\n', { a: true }],
    ['a:\n', { a: null }],
    ['a: yes\n', { a: 'yes' }],
    ['a: .nan\nb: .inf\n', { a: Number.NaN, b: Number.POSITIVE_INFINITY }],
    ['a: |\n  two\n  lines\n', { a: 'two\nlines\n' }],
    ['a: !!str 5\n', { a: '5' }],
    ['a: &x [1]\nb: *x\n', { a: [1], b: [1] }],
    ['"<<": 1\n', { '<<': 1 }],
    ['a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ];
  test.each(cases)('%j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('keeps lines', () => {
    const result = parseYaml(
      '# comment\nroles:\n  coder:\n    paths:\n      deny_write:\n        - a\n        - "b"\n',
    );
    expect(result).toMatchObject({
      ok: true,
      value: {
        kind: 'map',
        entries: [
          {
            key: 'roles',
            line: 2,
            value: {
              entries: [
                {
                  key: 'coder',
                  line: 3,
                  value: {
                    entries: [
                      {
                        key: 'paths',
                        line: 4,
                        value: {
                          entries: [{ key: 'deny_write', line: 5, value: { items: [{ line: 6 }, { line: 7 }] } }],
                        },
                      },
                    ],
                  },
                },
              ],
            },
          },
        ],
      },
    });
  });
});

describe('what is refused', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const bomb = [
    'a: &a [x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, index) => `${name}: &${name} [${Array(5).fill(`*${'abcdefgh'[index]}`)}]`),
  ];
  const cases: [text: string, line: number, reason: RegExp][] = [
    ['a: 1\na: 2\n', 2, /unique/],
    ['roles:\n  x: {}\n  x: {}\n', 3, /unique/],
    ['a: [1\n', 2, /./],
    ['a: !!js/function "x"\n', 1, /tag/],
    ['a: !custom x\n', 1, /tag/],
    ['a: !!binary aGk=\n', 1, /tag/],
    ['a: !!set {x}\n', 1, /tag/],
    ['a: *missing\n', 1, /alias/i],
    [bomb.join('\n'), 2, /more than 20 aliases/],
    [`a: ${nested(30)}\n`, 1, /more than 20 levels/],
    [`a: [${'x,'.repeat(20_001)}]\n`, 1, /more than 20000 values/],
    ['a: 1\n---\nb: 2\n', 2, /document/],
    ['1: x\n', 1, /must be text/],
    ['null: x\n', 1, /must be text/],
    ['? [a]\n: 1\n', 1, /plain text/],
    ['%YAML 1.1\n---\na: 1\n', 1, /1\.2/],
    ['a: "\\q"\n', 1, /./],
    ['\ta: 1\n', 1, /./],
  ];
  test.each(cases)('%#: %j', (text, line, reason) => {
    const result = parseYaml(text);
    expect(result.ok).toBe(false);
    if (!result.ok) {
      expect(result.error.reason).toMatch(reason);
      expect(result.error.line).toBe(line);
    }
  });

  it('stops an alias that holds itself', () => {
    expect(parseYaml('a: &a [*a]\n').ok).toBe(false);
  });
});

describe('any text', () => {
  const line = fc.constantFrom(
    'a: 1',
    'a:',
    '  - *x',
    '&x',
    '- [',
    '{a',
    '? b',
    ': c',
    '<<: *x',
    '!t',
    '%TAG ! x',
    '---',
    '"',
    '|',
    '\t',
    '#',
  );
  it('is read or refused, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
          fc.string({ unit: 'binary', maxLength: 60 }),
        ),
        (text) => {
          const result = parseYaml(text);
          if (!result.ok) expect(result.error.line).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
