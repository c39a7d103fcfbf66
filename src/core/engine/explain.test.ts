import { describe, expect, it } from 'vitest';
import { judge } from '../../../corpus/world.cases.ts';
import { explain } from './explain.ts';

describe('explain', () => {
  it.each([
    ['Write', { file_path: 'tests/a.ts', content: '' }, /^deny \[role\.coder\.deny_write\]: .+; .+/],
    ['Read', { file_path: 'a.ts' }, /^allow \[builtin\.read\]: /],
    ['WebFetch', { url: 'https://example.org' }, /^ask: WebFetch call/],
    ['TodoWrite', { todos: [] }, /^no opinion: /],
  ])('%s %j ends with %s', (tool, input, last) => {
    const evaluation = judge(tool, input);
    const lines = explain(evaluation);
    expect(lines.at(-1)).toMatch(last);
    expect(lines).toHaveLength(evaluation.trace.length + 1);
  });
});
