import type { Action, JsonObject } from '../../core/model/request.ts';
import { isBrokenText, isObject, stringAt, stringsIn } from './payload.ts';

type Reading = (input: JsonObject, cwd: string) => Action;

const malformed = (why: string, verdict: 'ask' | 'deny'): Action => ({ kind: 'malformed', why, verdict });

/** A required string field: absent or null is a question, another type or broken text is refused. */
const withString = (input: JsonObject, key: string, then: (text: string) => Action): Action => {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  if (value === undefined || value === null) return malformed(`tool_input.${key} is missing`, 'ask');
  if (typeof value !== 'string') return malformed(`tool_input.${key} is not a string`, 'deny');
  if (isBrokenText(value)) return malformed(`tool_input.${key} holds NUL or broken Unicode`, 'deny');
  return then(value);
};

const shell =
  (language: 'bash' | 'powershell'): Reading =>
  (input) =>
    withString(input, 'command', (command) => ({ kind: 'shell', command, language }));

const read =
  (key: string): Reading =>
  (input) =>
    withString(input, key, (path) => ({ kind: 'read', path }));

const write =
  (key: string, textOf: (input: JsonObject) => string[]): Reading =>
  (input) =>
    withString(input, key, (path) => ({ kind: 'write', path, text: textOf(input) }));

const editTexts = (input: JsonObject): string[] =>
  Array.isArray(input['edits'])
    ? input['edits'].filter(isObject).flatMap((edit) => stringAt(edit, 'new_string') ?? [])
    : [];

const textAt =
  (key: string) =>
  (input: JsonObject): string[] => {
    const text = stringAt(input, key);
    return text === undefined ? [] : [text];
  };

const search =
  (reads: 'names' | 'content', globKey: string): Reading =>
  (input, cwd) => {
    const path = input['path'] === undefined || input['path'] === null ? cwd : input['path'];
    if (typeof path !== 'string') return malformed('tool_input.path is not a string', 'deny');
    if (isBrokenText(path)) return malformed('tool_input.path holds NUL or broken Unicode', 'deny');
    const glob = stringAt(input, globKey);
    return { kind: 'search', path, reads, ...(glob === undefined ? {} : { glob }) };
  };

const inert: Reading = () => ({ kind: 'inert' });
const opaque: Reading = (input) => ({ kind: 'opaque', strings: stringsIn(input) });
const delegate: Reading = (input) => ({
  kind: 'delegate',
  agentType: stringAt(input, 'subagent_type') ?? 'general-purpose',
});

/**
 * The host's tools by lower-case name: its canonical name and how its input reads. Names and fields as seen in
 * Claude Code 2.1.328 and in older clients (Grep, Glob, LS, MultiEdit, Task).
 */
const table: Readonly<Record<string, readonly [name: string, reading: Reading]>> = {
  bash: ['Bash', shell('bash')],
  monitor: ['Bash', shell('bash')],
  powershell: ['PowerShell', shell('powershell')],
  read: ['Read', read('file_path')],
  notebookread: ['Read', read('notebook_path')],
  grep: ['Grep', search('content', 'glob')],
  glob: ['Glob', search('names', 'pattern')],
  ls: ['LS', search('names', 'glob')],
  write: ['Write', write('file_path', textAt('content'))],
  edit: ['Edit', write('file_path', textAt('new_string'))],
  multiedit: ['MultiEdit', write('file_path', editTexts)],
  notebookedit: ['NotebookEdit', write('notebook_path', textAt('new_source'))],
  webfetch: ['WebFetch', (input) => withString(input, 'url', (url) => ({ kind: 'fetch', url }))],
  agent: ['Agent', delegate],
  task: ['Agent', delegate],
  askuserquestion: ['AskUserQuestion', inert],
  todowrite: ['TodoWrite', inert],
  todoread: ['TodoRead', inert],
  exitplanmode: ['ExitPlanMode', inert],
  enterplanmode: ['EnterPlanMode', inert],
  toolsearch: ['ToolSearch', inert],
  taskcreate: ['TaskCreate', inert],
  taskupdate: ['TaskUpdate', inert],
  tasklist: ['TaskList', inert],
  taskget: ['TaskGet', inert],
  taskoutput: ['TaskOutput', inert],
  bashoutput: ['BashOutput', inert],
  killshell: ['KillShell', inert],
};

/** Free text that changes nothing about what a call does, left out of its identity. */
const incidental: Readonly<Record<string, readonly string[]>> = {
  Bash: ['description', 'timeout'],
  WebFetch: ['prompt'],
};

/** The canonical name of a tool; unknown names stay as they are. */
export const canonicalTool = (tool: string): string => entryOf(tool)?.[0] ?? tool;

/** What a call of `tool` would do. A tool that is not in the table is opaque: never settled by a path. */
export const readAction = (tool: string, input: JsonObject, cwd: string): Action => {
  const entry = entryOf(tool);
  return entry === undefined ? opaque(input, cwd) : entry[1](input, cwd);
};

/** `input` without the fields that do not belong to the call's identity. */
export const identityOf = (tool: string, input: JsonObject): JsonObject => {
  const name = canonicalTool(tool);
  const left = Object.hasOwn(incidental, name) ? (incidental[name] ?? []) : [];
  return Object.fromEntries(Object.entries(input).filter(([key]) => !left.includes(key)));
};

const entryOf = (tool: string): readonly [string, Reading] | undefined => {
  const key = tool.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
};
