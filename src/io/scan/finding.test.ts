import { describe, expect, it } from 'vitest';
import { fingerprinter, type Hit, withoutInner } from './finding.ts';

const hit = (change: Partial<Hit> = {}): Hit => ({
  kind: 'assignment',
  length: 12,
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 17,
  before: 'password = "',
  ...change,
});
const print = (...hits: Hit[]): string[] => hits.map(fingerprinter('src/a.ts')).map(({ fingerprint }) => fingerprint);

describe('a fingerprint', () => {
  it('is 128 bits in hexadecimal', () => expect(print(hit())[0]).toMatch(/^[0-9a-f]{32}$/));

  it.each<[string, Partial<Hit>]>([
    ['on another line', { line: 90, endLine: 90 }],
    ['in another column', { column: 9, endColumn: 21 }],
    ['indented otherwise', { before: '\t\tpassword  =  "' }],
  ])('stays when the finding is %s', (_, change) => expect(print(hit(change))).toEqual(print(hit())));

  it.each<[string, Partial<Hit>]>([
    ['another kind', { kind: 'jwt' }],
    ['another length', { length: 13 }],
    ['another name in front', { before: 'secret = "' }],
  ])('is another one for %s', (_, change) => expect(print(hit(change))).not.toEqual(print(hit())));

  it('is another one in another file', () =>
    expect([hit()].map(fingerprinter('src/b.ts'))[0]?.fingerprint).not.toBe(print(hit())[0]));

  it('tells equal ones of one file apart by their order', () => {
    const [first, second] = print(hit(), hit({ line: 9, endLine: 9 }));
    expect(first).toBe(print(hit())[0]);
    expect(second).not.toBe(first);
  });
});

describe('withoutInner', () => {
  const at = (line: number, column: number, endLine: number, endColumn: number) => ({
    line,
    column,
    endLine,
    endColumn,
  });
  it.each([
    ['orders', [at(2, 1, 2, 5), at(1, 9, 1, 12), at(1, 1, 1, 5)], [at(1, 1, 1, 5), at(1, 9, 1, 12), at(2, 1, 2, 5)]],
    ['keeps the outer one', [at(2, 3, 2, 9), at(1, 5, 4, 2)], [at(1, 5, 4, 2)]],
    ['keeps the longer of two that start together', [at(1, 1, 1, 4), at(1, 1, 1, 9)], [at(1, 1, 1, 9)]],
    ['keeps one of two equal ones', [at(1, 1, 1, 4), at(1, 1, 1, 4)], [at(1, 1, 1, 4)]],
    ['keeps neighbours', [at(1, 1, 1, 4), at(1, 4, 1, 9)], [at(1, 1, 1, 4), at(1, 4, 1, 9)]],
  ])('%s', (_, given, kept) => expect(withoutInner(given)).toEqual(kept));
});
