import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../core/model/request.ts';
import { decode } from './decode.ts';
import { canonicalTool } from './tools.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
const payloadOf = (file: string): unknown => JSON.parse(readFileSync(join(fixtures, file), 'utf8'));

const kinds: Readonly<Record<string, string>> = {
  PreToolUse: 'before-tool',
  PostToolUse: 'after-tool',
  PostToolUseFailure: 'after-tool',
  UserPromptSubmit: 'prompt',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
  ConfigChange: 'config-change',
};

describe('captured and documented payloads', () => {
  it('are there', () => expect(files.length).toBeGreaterThan(75));

  it.each(files)('%s decodes', (file) => {
    const request = decode(payloadOf(file));
    const event = basename(file).split('.')[0] ?? '';
    expect(request.ok && request.value.kind).toBe(kinds[event] ?? 'notice');
  });
});

const pre = (tool_name: string, tool_input: unknown): unknown => ({
  session_id: 's1',
  cwd: '/home/user/project',
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
});

const actionOf = (tool: string, input: unknown): Action | string => {
  const request = decode(pre(tool, input));
  if (!request.ok) return request.error.why;
  return request.value.kind === 'before-tool' ? request.value.call.action : request.value.kind;
};

describe('tools', () => {
  const table: readonly [tool: string, input: unknown, action: Partial<Action>][] = [
    ['Bash', { command: 'ls' }, { kind: 'shell', command: 'ls', language: 'bash' }],
    ['bash', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['Monitor', { command: 'tail -f log' }, { kind: 'shell', command: 'tail -f log' }],
    ['PowerShell', { command: 'gci' }, { kind: 'shell', language: 'powershell' }],
    ['Read', { file_path: '/a' }, { kind: 'read', path: '/a' }],
    ['Write', { file_path: '/a', content: 'x' }, { kind: 'write', path: '/a', text: ['x'] }],
    ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }, { kind: 'write', path: '/a', text: ['y'] }],
    [
      'MultiEdit',
      { file_path: '/a', edits: [{ new_string: 'p' }, { new_string: 'q' }] },
      { kind: 'write', text: ['p', 'q'] },
    ],
    ['NotebookEdit', { notebook_path: '/a.ipynb', new_source: 'z' }, { kind: 'write', path: '/a.ipynb', text: ['z'] }],
    ['Grep', { pattern: 'x' }, { kind: 'search', path: '/home/user/project', reads: 'content' }],
    ['Glob', { pattern: '**/*.ts', path: '/x' }, { kind: 'search', path: '/x', glob: '**/*.ts', reads: 'names' }],
    ['LS', { path: '/x' }, { kind: 'search', path: '/x' }],
    ['WebFetch', { url: 'https://example.com', prompt: 'p' }, { kind: 'fetch', url: 'https://example.com' }],
    ['Agent', { subagent_type: 'Explore', prompt: 'p' }, { kind: 'delegate', agentType: 'Explore' }],
    ['Task', { prompt: 'p' }, { kind: 'delegate', agentType: 'general-purpose' }],
    ['TodoWrite', { todos: [] }, { kind: 'inert' }],
    ['AskUserQuestion', {}, { kind: 'inert' }],
    [
      'mcp__demo__echo',
      { text: 'hi', deep: [{ path: '/x' }] },
      { kind: 'opaque', strings: ['text', 'hi', 'deep', 'path', '/x'] },
    ],
    ['SomethingNew', {}, { kind: 'opaque', strings: [] }],
    ['__proto__', { x: 1 }, { kind: 'opaque' }],
    ['toString', { x: 1 }, { kind: 'opaque' }],
    ['constructor', { x: 1 }, { kind: 'opaque' }],
  ];
  it.each(table)('%s %j', (tool, input, action) => expect(actionOf(tool, input)).toMatchObject(action));

  it('one tool under several names has one canonical name', () => {
    expect(['Task', 'Agent', 'task'].map(canonicalTool)).toEqual(['Agent', 'Agent', 'Agent']);
    expect(['Bash', 'Monitor', 'BASH'].map(canonicalTool)).toEqual(['Bash', 'Bash', 'Bash']);
  });
});

describe('input that does not have its shape', () => {
  const table: readonly [name: string, tool: string, input: unknown, verdict: 'ask' | 'deny'][] = [
    ['no tool_input', 'Bash', undefined, 'ask'],
    ['command is null', 'Bash', { command: null }, 'ask'],
    ['command is a number', 'Bash', { command: 5 }, 'deny'],
    ['command is a list', 'Bash', { command: ['rm', '-rf', '/'] }, 'deny'],
    ['NUL in the command', 'Bash', { command: 'ls\0rm -rf ~' }, 'deny'],
    ['lone surrogate', 'Bash', { command: 'ls \ud800; rm -rf ~' }, 'deny'],
    ['NUL in a path', 'Write', { file_path: 'src/a\0.env' }, 'deny'],
    ['path is an object', 'Read', { file_path: {} }, 'deny'],
    ['search path is a number', 'Grep', { pattern: 'x', path: 1 }, 'deny'],
  ];
  it.each(table)('%s', (_, tool, input, verdict) =>
    expect(actionOf(tool, input)).toMatchObject({ kind: 'malformed', verdict }),
  );

  const refused: readonly [name: string, payload: unknown][] = [
    ['a list', []],
    ['null', null],
    ['no session', { cwd: '/x', tool_name: 'Bash', tool_input: {} }],
    ['a session that is a path', { session_id: '../x', cwd: '/x', tool_name: 'Bash', tool_input: {} }],
    ['a relative cwd', { session_id: 's', cwd: 'x', tool_name: 'Bash', tool_input: {} }],
    ['no tool name', { session_id: 's', cwd: '/x', hook_event_name: 'PreToolUse', tool_input: {} }],
    ['tool_input is a list', { session_id: 's', cwd: '/x', tool_name: 'Bash', tool_input: [] }],
  ];
  it.each(refused)('%s is refused', (_, payload) => expect(decode(payload).ok).toBe(false));

  it('input nested without end is refused', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(decode(pre('mcp__demo__echo', { deep })).ok).toBe(false);
  });

  it('accepts the older event names', () => {
    const request = decode({ session_id: 's', cwd: '/x', hook_event_name: 'user_prompt_submit', prompt: 'p' });
    expect(request.ok && request.value.kind).toBe('prompt');
  });
});

describe('any JSON', () => {
  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (payload, input, tool) => {
        decode(payload);
        decode(pre(tool, input));
      }),
    );
  });
});
