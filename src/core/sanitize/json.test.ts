import { describe, expect, test } from 'vitest';
import { expand } from './detectors/expand.cases.ts';
import { sanitizeJson } from './json.ts';

const token = expand('ghp_{A36}');

const cases: readonly (readonly [name: string, input: unknown, output: unknown, lossy: boolean])[] = [
  ['plain values', { a: [1, true, null, 'x'] }, { a: [1, true, null, 'x'] }, false],
  ['a credential field', { user: 'me', password: 'a b' }, { user: 'me', password: '<SECRET:field>' }, false],
  ['a number in one', { password: 123456 }, { password: '<SECRET:field>' }, false],
  ['a reference in one', { password: '$PASSWORD' }, { password: '$PASSWORD' }, false],
  ['a known token in one', { apiKey: token }, { apiKey: '<SECRET:github-pat>' }, false],
  ['a token in a text', { note: `use ${token} now` }, { note: 'use <SECRET:github-pat> now' }, true],
  ['a command', { command: 'mysql -phunter2 db' }, { command: 'mysql -p<SECRET:option> db' }, false],
  ['a list of arguments', ['run', '--token', 'abc', 'x'], ['run', '--token', '<SECRET:field>', 'x'], false],
  ['a name', { [token]: 1 }, { '<SECRET:github-pat>': 1 }, true],
  ['nested credentials', { db: { secret: { value: 'x' } } }, { db: { secret: { value: 'x' } } }, false],
  ['what only looks like a redaction', { a: '<SECRET:field>' }, { a: '<LITERAL:SECRET:field>' }, false],
  ['what is no JSON', { a: undefined, b: () => 1 }, { a: '<OMITTED>', b: '<OMITTED>' }, true],
];

describe('sanitizeJson', () => {
  test.each(cases)('%s', (_name, input, output, lossy) => {
    expect(sanitizeJson(input)).toMatchObject({ value: output, lossy });
  });

  test('a member named __proto__ stays a member', () => {
    const input: unknown = JSON.parse('{"__proto__": {"password": "hunter2"}}');
    expect(JSON.stringify(sanitizeJson(input).value)).toBe('{"__proto__":{"password":"<SECRET:field>"}}');
  });

  test('too deep, too many, too long: left out', () => {
    let deep: unknown = 'hunter2';
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(JSON.stringify(sanitizeJson(deep).value)).not.toContain('hunter2');
    expect(sanitizeJson([1, 2, 3], { maxNodes: 3 })).toMatchObject({ value: [1, 2, '<OMITTED>'], lossy: true });
    expect(sanitizeJson(['aaaa', 'bbbb'], { maxCharacters: 5 }).value).toEqual(['aaaa', '<OMITTED>']);
  });
});
