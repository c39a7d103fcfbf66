import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPipeline } from '../../core/sanitize/sanitize.ts';
import type { Hit } from './finding.ts';
import { linesOf } from './lines.ts';
import { fakeKey, fakes } from './scan-sandbox.cases.ts';
import { type TextOptions, textScanner } from './text-scanner.ts';

const { inspect, sanitize } = defaultPipeline({ markers: 'keep' });
const scanner = textScanner({ inspect: (text) => inspect(text).spans, sanitize });
const scan = (text: string, options: Partial<TextOptions> = {}): Hit[] =>
  scanner(linesOf([Buffer.from(text)]), { language: 'data', isJsonLines: false, report: 'plausible', ...options });

const { github, password } = fakes;

describe('a text', () => {
  const cases: [name: string, text: string, place: readonly [line: number, column: number, kind: string]][] = [
    ['a known token in prose', `see ${github} there`, [1, 5, 'github-pat']],
    ['after other lines', `a\n\nb = 1\nkey ${github}\n`, [4, 5, 'github-pat']],
    ['behind characters of two code units', `𝄞𝄞 ${github}`, [1, 6, 'github-pat']],
    ['behind a byte order mark', `\ufeff${github}`, [1, 1, 'github-pat']],
    ['with line ends of Windows', `a\r\n${github}\r\n`, [2, 1, 'github-pat']],
    ['indented', `\t  password: ${password}`, [1, 14, 'field']],
    ['on the line below its name', `db:\n  password: >-\n    ${password}\n`, [3, 5, 'field']],
    ['broken off by a formatter', `const password =\n  '${password}';\n`, [2, 4, 'assignment']],
    ['in a list of name and value', `- name: DB_PASSWORD\n  value: ${password}\n`, [2, 10, 'field']],
    ['in a netrc', `machine h\n  login me\n  password ${password}\n`, [3, 12, 'field']],
  ];
  it.each(cases)('%s', (_, text, [line, column, kind]) => {
    const found = scan(text);
    expect(found.map((hit) => [hit.line, hit.column])).toEqual([[line, column]]);
    expect(found[0]?.kind).toBe(kind);
    const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
    expect(lines[line - 1]?.slice(column - 1, found[0]!.endColumn - 1)).toMatch(/^(?:ghp_\w{36}|qX7_rain-Drop42)$/);
  });

  it.each<[name: string, text: string]>([
    ['code', 'const token = lexer.next();\nif (password === input.password) return;'],
    ['a name without a value', 'password:\n\nother: 1\n'],
    ['an ordinary list', '- name: PORT\n  value: 8080\n'],
    ['an open line before an ordinary one', 'const key = (\n  name: string,\n) => name;\n'],
  ])('%s holds none', (_, text) => expect(scan(text, { language: 'code' })).toEqual([]));

  it('finds several on a line, in their order', () => {
    const found = scan(`${github} and ${fakes.aws} and password=${password}`);
    expect(found.map(({ column }) => column)).toEqual([1, 46, 80]);
  });

  it('keeps nothing of the secret', () => {
    const text = `x="${github}" password: ${password}\n${fakeKey()}\n{"a":"${fakes.aws}"}`;
    const found = JSON.stringify([...scan(text), ...scan(text, { isJsonLines: true, report: 'everything' })]);
    for (const secret of [github, password, fakes.aws, 'MIIEvQ'])
      for (let at = 0; at + 6 <= secret.length; at += 1) expect(found).not.toContain(secret.slice(at, at + 6));
  });
});

describe('a private key', () => {
  const inner = fakeKey().split('\n');
  const cases: [name: string, text: string, first: number, last: number][] = [
    ['by itself', fakeKey(), 1, 7],
    ['of many lines', `\n${fakeKey(60)}\n`, 2, 62],
    ['indented, in YAML', `a:\n  key: |\n${inner.map((line) => `            ${line}`).join('\n')}\n`, 3, 9],
    ['as lines of a text', `x = (\n${inner.map((line) => `  "${line}\\n" +`).join('\n')}\n""`, 2, 8],
    ['in a comment', inner.map((line) => ` * ${line}`).join('\n'), 1, 7],
  ];
  it.each(cases)('%s is one finding over its lines', (_, text, first, last) => {
    const found = scan(text, { language: 'code' });
    expect(found.map(({ kind, line, endLine }) => [kind, line, endLine])).toEqual([['private-key', first, last]]);
  });

  it('on one line', () => {
    const found = scan(`{"private_key": "${fakeKey().replaceAll('\n', '\\n')}", "x": 1}`);
    expect(found.map(({ line, endLine }) => [line, endLine])).toEqual([[1, 1]]);
  });

  it('of PuTTY', () => {
    const body = inner.slice(1, -1).join('\n');
    const found = scan(`PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 6\n${body}\nPrivate-MAC: 00\n`);
    expect(found.map(({ line, endLine }) => [line, endLine])).toEqual([[2, 8]]);
  });

  it('two in one file', () => {
    expect(scan(`${fakeKey()}\n\n${fakeKey()}\n`).map(({ line }) => line)).toEqual([1, 10]);
  });

  it('without an end does not swallow the rest', () => {
    const begun = fakeKey().split('\n').slice(0, 3).join('\n');
    const found = scan(`${begun}\n${'plain text\n'.repeat(8000)}${github}\n`);
    expect(found.map(({ kind }) => kind)).toEqual(['private-key', 'github-pat']);
  });
});

describe('wrapped base64', () => {
  const encoded = btoa(`some words in front ${github} and some words behind it, to make it long enough`);
  const wrapped = (width: number, indent = ''): string =>
    (encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).map((line) => indent + line).join('\n');

  it.each([
    ['at the left', wrapped(44)],
    ['indented', wrapped(44, '      ')],
  ])('is decoded over its lines: %s', (_, text) => {
    const [found] = scan(`data: |\n${text}\n`);
    expect(found).toMatchObject({ kind: 'base64', line: 2 });
    expect(found!.endLine).toBeGreaterThan(3);
  });
});

describe('lines of JSON', () => {
  const json = (value: unknown, hide?: string): string =>
    hide === undefined
      ? JSON.stringify(value)
      : JSON.stringify(value).replace(hide, (text) => `\\u00${text.charCodeAt(0).toString(16)}${text.slice(1)}`);
  const columns = (text: string) => scan(text, { isJsonLines: true, report: 'everything' }).map(({ column }) => column);

  it('points to the start of the value, whatever escapes hide', () => {
    const plain = json({ a: 1, command: `curl ${github}` });
    const hidden = json({ a: 1, command: `curl ${github}` }, 'ghp_');
    expect(hidden).not.toContain('ghp_');
    for (const text of [plain, hidden]) expect(columns(text)).toEqual([text.indexOf('"curl') + 1]);
  });

  it.each<[name: string, value: unknown, inside: string]>([
    ['a field named for a credential', { password: 'abcdefgh' }, '"abcdefgh"'],
    ['a number', { password: 12345678 }, '12345678'],
    ['a list of arguments', { arguments: ['--token', 'abcdefgh'] }, '"abcdefgh"'],
    ['JSON inside JSON', { input: JSON.stringify({ headers: { token: github } }) }, '"{'],
    ['a name', { [github]: 1 }, `"${github}`],
    ['something deep', { a: [{ b: [{ c: [github] }] }] }, `"${github}`],
  ])('%s', (_, value, inside) => {
    const text = json(value);
    expect(columns(text)).toEqual([text.indexOf(inside) + 1]);
  });

  it('finds what is escaped twice', () => {
    const inner = json({ token: github }, 'ghp_');
    expect(columns(JSON.stringify({ input: inner }))).toEqual([10]);
  });

  it('takes a text of megabytes with an escape at every character', () => {
    const text = json({ a: '\n'.repeat(3_000_000), b: github });
    expect(columns(text)).toEqual([text.indexOf(`"${github}`) + 1]);
  });

  it('reads a line that is no JSON as text', () => expect(columns(`{"a": ${github}`)).toEqual([7]));

  it.each(['{"password":"<SECRET:field>"}', '{"token":"$TOKEN"}', '{"command":"git status"}'])(
    'finds nothing in what was taken out: %s',
    (text) => expect(columns(text)).toEqual([]),
  );

  it('never throws, and never loses a token, in any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (text, name) => {
        const line = JSON.stringify({ [`n${name}`]: [JSON.parse(text), { k: github }] });
        expect(columns(line).length).toBeGreaterThan(0);
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});

describe('any text', () => {
  it('never throws, and its places are inside it', () => {
    const piece = fc.oneof(
      fc.constantFrom(github, fakeKey(2), `password: ${password}`, '\n', ' ', '"', '{', '}', '\\', '-----BEGIN ', '𝄞'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isJsonLines) => {
        const text = pieces.join('');
        const lines = [...linesOf([Buffer.from(text)])];
        for (const { line, column, endLine, endColumn } of scan(text, { isJsonLines, report: 'everything' })) {
          expect(lines[line - 1]!.length).toBeGreaterThanOrEqual(column - 1);
          expect(lines[endLine - 1]!.length).toBeGreaterThanOrEqual(endColumn - 1);
          expect([endLine, endLine === line ? endColumn > column : true]).toEqual([endLine, true]);
        }
      }),
      { numRuns: 400, seed: 11 },
    );
  });

  it('finds a token at any place of any line', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '=', '"', '(', ';', 'é', '\t') });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), line, line, (above, before, behind) => {
        const text = [...above, `${before} ${github} ${behind}`].join('\n');
        const found = scan(text, { report: 'everything' });
        expect(found.map((hit) => [hit.line, hit.column <= before.length + 2])).toContainEqual([
          above.length + 1,
          true,
        ]);
      }),
      { numRuns: 300, seed: 13 },
    );
  });
});
