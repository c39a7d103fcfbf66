import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, verdictOf } from './world.cases.ts';

describe('any call', () => {
  const tools = fc.constantFrom(
    'Bash',
    'Read',
    'Write',
    'Edit',
    'Grep',
    'Glob',
    'WebFetch',
    'mcp__x__y',
    'Unknown',
    'Monitor',
  );
  const keys = fc.constantFrom('command', 'file_path', 'path', 'pattern', 'glob', 'url', 'content', 'new_string', 'x');
  const values = fc.oneof(
    fc.string(),
    fc.constantFrom('/etc/passwd', '~/.ssh/id_rsa', '../..', '.env', '/'),
    fc.jsonValue(),
  );

  it('is judged without throwing, and an allow always names a path or control rule', () => {
    fc.assert(
      fc.property(tools, fc.dictionary(keys, values), (tool, input) => {
        const verdict = verdictOf(judge(tool, input));
        expect(verdict).toMatch(
          /^(?:open|none|ask .+|deny .+|allow (?:builtin\.(?:read|inspect|branch|clean)|role\.coder\.allow_write|control\.read|builtin\.session-files))$/,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('is never allowed when the tool is unknown', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).map((name) => `mcp__${name.replace(/\W/g, '_')}`),
        fc.jsonValue(),
        (tool, value) => {
          expect(verdictOf(judge(tool, { value }))).not.toMatch(/^allow/);
        },
      ),
    );
  });
});
