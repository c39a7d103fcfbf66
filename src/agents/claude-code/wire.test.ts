import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractFilePath, hookOutput, parseHookInput } from './wire.ts';

describe('parseHookInput', () => {
  const base = { session_id: 's1', cwd: '/repo' };

  it.each<[name: string, payload: object]>([
    ['Bash', { ...base, tool_name: 'Bash', tool_input: { command: 'ls' } }],
    ['Write', { ...base, tool_name: 'Write', tool_input: { file_path: 'a', content: 'b' } }],
    ['Edit', { ...base, tool_name: 'Edit', tool_input: { file_path: 'a', old_string: 'b', new_string: 'c' } }],
    ['Read, with a mode', { ...base, tool_name: 'Read', tool_input: { file_path: 'a' }, permission_mode: 'plan' }],
    ['a prompt, without a tool', { ...base, hook_event_name: 'UserPromptSubmit' }],
  ])('%s', (_, payload) => {
    expect(parseHookInput(JSON.stringify(payload))).toEqual({ ok: true, value: payload });
    const grown = { ...payload, new_field: { of: ['a', 'later', 'host'] } };
    expect(parseHookInput(JSON.stringify(grown))).toEqual({ ok: true, value: payload });
  });

  it.each(['', 'null', '[]', '{', '{"cwd":"/x","tool_name":"Bash"}', '{"session_id":"s","cwd":"x"}'])(
    'refuses %j with an error of kind Json',
    (text) => {
      const result = parseHookInput(text);
      expect(result).toMatchObject({ ok: false, error: { kind: 'Json', name: 'HookwiseError' } });
    },
  );

  it('never throws and never repeats the payload', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const result = parseHookInput(`${text}S3CRET`);
        if (!result.ok) expect(result.error.message).not.toContain('S3CRET');
      }),
    );
  });
});

describe('hookOutput', () => {
  it.each(['allow', 'deny', 'ask'] as const)('%s is the smallest valid object', (verdict) => {
    const specific = { hookEventName: 'PreToolUse', permissionDecision: verdict };
    expect(hookOutput(verdict)).toEqual({ hookSpecificOutput: specific });
  });

  it('writes the reason in one line and without secrets', () => {
    const { permissionDecisionReason: reason } = hookOutput(
      'deny',
      `no\nAKIA${'Z'.repeat(4)}Q7RTY2PLMNB4`,
    ).hookSpecificOutput;
    expect(reason).toMatch(/^no <SECRET:[a-z0-9-]+>$/);
  });
});

describe('extractFilePath', () => {
  it.each<[tool: string, input: unknown, path: string | undefined]>([
    ['Write', { file_path: 'a', content: '' }, 'a'],
    ['Edit', { file_path: 'a', old_string: '', new_string: '' }, 'a'],
    ['Read', { file_path: '/x/a' }, '/x/a'],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'a.ipynb'],
    ['Bash', { command: 'cat a' }, undefined],
    ['Write', { content: '' }, undefined],
    ['Write', { file_path: 7 }, undefined],
    ['Write', 'a', undefined],
  ])('%s %j: %s', (tool, input, path) => expect(extractFilePath(tool, input)).toBe(path));
});
