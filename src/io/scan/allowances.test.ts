import { describe, expect, it } from 'vitest';
import { type IgnoreList, markerFor, markerIn, readIgnoreList } from './allowances.ts';

describe('markerIn', () => {
  it.each<[line: string, kinds: readonly string[] | undefined]>([
    ['a = 1', undefined],
    ['a = 1 // hookwise:allow-secret', []],
    ['# hookwise:allow-secret(github-pat)', ['github-pat']],
    ['# hookwise:allow-secret(github-pat, assignment): a sample', ['github-pat', 'assignment']],
    ['# hookwise:allow-secrets', undefined],
    ['# xhookwise:allow-secret', undefined],
  ])('%s', (line, kinds) => expect(markerIn(line, 7)).toEqual(kinds === undefined ? undefined : { line: 7, kinds }));
});

describe('markerFor', () => {
  const markers = new Map([
    [3, { line: 3, kinds: [] }],
    [5, { line: 5, kinds: ['hex'] }],
  ]);
  it.each<[kind: string, line: number, endLine: number, by: number | undefined]>([
    ['jwt', 3, 3, 3],
    ['jwt', 4, 4, undefined],
    ['jwt', 5, 5, undefined],
    ['hex', 5, 5, 5],
    ['private-key', 4, 9, 3],
    ['private-key', 1, 3, 3],
    ['private-key', 2, 9, undefined],
  ])('%s on lines %i to %i', (kind, line, endLine, by) =>
    expect(markerFor({ kind, line, endLine }, markers)?.line).toBe(by),
  );
});

describe('readIgnoreList', () => {
  const read = (text: string): IgnoreList => {
    const list = readIgnoreList(text);
    if ('reason' in list) throw new Error(list.reason);
    return list;
  };
  const fingerprint = '0123456789abcdef0123456789abcdef';

  it('takes globs, fingerprints, comments and blank lines', () => {
    const list = read(`# samples\n\npath tests/fixtures/**  # made up\nfinding ${fingerprint} # not a key\r\n`);
    expect(list.entries).toEqual([
      { line: 3, kind: 'path', text: 'tests/fixtures/**' },
      { line: 4, kind: 'finding', text: fingerprint },
    ]);
    expect(list.forFinding(fingerprint)?.line).toBe(4);
    expect(list.forFinding(fingerprint.replace('0', '1'))).toBeUndefined();
  });

  it.each<[glob: string, path: string, isIgnored: boolean]>([
    ['tests/fixtures/**', 'tests/fixtures/a/b.txt', true],
    ['tests/fixtures/**', 'src/tests/fixtures/a.txt', false],
    ['*.snap', 'a/b/c.snap', true],
    ['**/testdata/**', 'pkg/testdata/x', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['**', '.hookwise/rules/allow.jsonl', false],
    ['.hookwise/**', '.hookwise/policy.yml', false],
  ])('%s and %s: %s', (glob, path, isIgnored) =>
    expect(read(`path ${glob}`).forPath(path) !== undefined).toBe(isIgnored),
  );

  it.each<[text: string, line: number, reason: RegExp]>([
    ['*.snap', 1, /expected "path <glob>"/],
    ['# a\npath', 2, /expected "path <glob>"/],
    ['path a\nfinding 12', 2, /32 hexadecimal digits/],
    ['path /etc/**', 1, /from the top of the repository/],
    ['path a/[', 1, /glob pattern error/],
  ])('refuses %j', (text, line, reason) =>
    expect(readIgnoreList(text)).toEqual({ line, reason: expect.stringMatching(reason) }),
  );
});
