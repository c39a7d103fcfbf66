import { describe, expect, it } from 'vitest';
import { recordFromJson } from './record-from-json.ts';

const flat = {
  command: 'pytest --cov',
  tool: 'Bash',
  role: 'tester',
  decision: 'allow',
  reason: 'in scope',
  timestamp: '2026-02-08T...',
  scope: 'project',
};
const nested = {
  v: 1,
  key: { sanitized_input: 'npm publish', tool: 'Bash', role: 'coder' },
  decision: 'deny',
  metadata: { tier: 'Human', confidence: 1, reason: 'publishing is restricted' },
  timestamp: '2026-02-08T10:00:00Z',
  scope: 'project',
  session_id: 's',
};

const accepted: [name: string, value: unknown, expected: object][] = [
  [
    'the flat form',
    flat,
    { key: { sanitized_input: 'pytest --cov', tool: 'Bash', role: 'tester' }, decision: 'allow' },
  ],
  [
    'the flat form of a file',
    { tool: 'Write', file: './.claude/settings.json', role: '*', decision: 'ask' },
    { key: { sanitized_input: '.claude/settings.json', tool: 'Write', role: '*' }, file_path: '.claude/settings.json' },
  ],
  ['the nested form', nested, { ...nested }],
  ['the nested form of older writers', { ...nested, v: undefined, session_id: undefined }, { v: 1, session_id: '' }],
  ['an override', { ...nested, pattern: { command: 'npm *' } }, { pattern: { command: 'npm *' } }],
  ['the place where it was found over the scope it claims', { ...nested, scope: 'org' }, { scope: 'project' }],
];

const refused: [name: string, value: unknown, why: RegExp][] = [
  ['no object', [], /not a JSON object/],
  ['a newer format', { ...nested, v: 2 }, /format that this version does not know/],
  ['a missing decision', { ...flat, decision: undefined }, /"decision" is missing/],
  ['an unknown decision', { ...flat, decision: 'Allow' }, /must be one of allow, deny, ask/],
  ['both forms of input', { ...flat, file: 'x' }, /either "command" or "file"/],
  ['a role that is a prototype name', { ...flat, role: '__proto__' }, /"role" is not a usable name/],
  [
    'a tool that is a prototype name',
    { ...nested, key: { ...nested.key, tool: 'toString' } },
    /in "key": "tool" is not/,
  ],
  [
    'a confidence that is no number',
    { ...nested, metadata: { ...nested.metadata, confidence: '1' } },
    /number from 0 to 1/,
  ],
  [
    'a confidence beyond 1',
    { ...nested, metadata: { ...nested.metadata, confidence: Number.POSITIVE_INFINITY } },
    /number from 0 to 1/,
  ],
  ['an unknown tier', { ...nested, metadata: { ...nested.metadata, tier: 'human' } }, /"tier" must be one of/],
  ['a pattern that matches nothing', { ...nested, pattern: {} }, /in "pattern": matches nothing/],
  ['an end that is no time', { ...nested, expires_at: 'soon' }, /"expires_at" is not a time/],
  ['an unknown context', { ...nested, context: 'inside:' }, /"context" must be/],
  ['a short digest', { ...nested, digest: 'abc' }, /"digest" must be 64/],
];

describe('recordFromJson', () => {
  it.each(accepted)('reads %s', (_name, value, expected) => {
    const result = recordFromJson(value, 'project');
    expect(result.ok ? result.value : result.error).toMatchObject(expected);
  });

  it.each(refused)('refuses %s', (_name, value, why) => {
    const result = recordFromJson(value, 'project');
    expect(result.ok ? 'accepted' : result.error).toMatch(why);
  });
});
