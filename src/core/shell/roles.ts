import type { PathTarget, ShellEffect, Taint, WordReading } from './model.ts';
import { deletePath, readPath, writePath } from './path-effects.ts';
import { hidden, literalText, type Tools, uncovered } from './tools.ts';

type Role = (word: WordReading, tools: Tools) => readonly ShellEffect[];

const networkFrom = (tools: Tools): { readonly from?: readonly Taint[] } =>
  tools.input.from.length > 0 ? { from: tools.input.from } : {};

const writing =
  (how: Extract<ShellEffect, { kind: 'write' }>['how']): Role =>
  (word, tools) =>
    writePath(tools.target(word), { how, ...networkFrom(tools) }, tools.context);

// `-` and a process substitution are streams, not files.
const isStream = (word: WordReading): boolean =>
  word.kind === 'literal' && (word.text === '-' || word.text.startsWith('/dev/fd/'));

/** Host of a URL or `user@host:path`; the text itself when it is neither. */
export const hostOf = (text: string): string => {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text);
  if (url !== null) return url[1] ?? '';
  const remote = /^(?:[^@/\s]+@)?([^:/\s]+)(?:[:/].*)?$/.exec(text);
  return remote?.[1] ?? text;
};

/** What the value of an option or an operand means to the program. */
const roles: Readonly<Record<string, Role>> = {
  '': () => [],
  text: () => [],
  list: (word, tools) => readPath(tools.target(word), { how: 'list', shown: false }, tools.context),
  read: (word, tools) =>
    isStream(word) ? [] : readPath(tools.target(word), { how: 'content', shown: true }, tools.context),
  use: (word, tools) =>
    isStream(word) ? [] : readPath(tools.target(word), { how: 'content', shown: false }, tools.context),
  search: (word, tools) => readPath(tools.target(word), { how: 'search', shown: true }, tools.context),
  write: (word, tools) => (isStream(word) ? [] : writing('replace')(word, tools)),
  append: writing('append'),
  create: writing('create'),
  modify: writing('modify'),
  attributes: writing('attributes'),
  'change-tree': (word, tools) => writePath(tools.target(word), { how: 'modify', recursive: true }, tools.context),
  delete: (word, tools) => deletePath(tools.target(word), { recursive: false }, tools.context),
  'delete-tree': (word, tools) => deletePath(tools.target(word), { recursive: true }, tools.context),
  hidden: (word) => [hidden(`option that runs or loads something: ${literalText(word) ?? 'computed'}`)],
  open: (word) => [uncovered(`not in the tables: ${literalText(word) ?? 'computed'}`)],
  credentials: () => [{ kind: 'disclose', what: 'credentials', risk: 'credentials' }],
  privilege: (word) => [{ kind: 'privilege', how: literalText(word) ?? '', risk: 'privilege' }],
  send: (word) => [{ kind: 'connect', host: hostOf(literalText(word) ?? ''), sendsData: true, risk: 'send' }],
  connect: (word) => [{ kind: 'connect', host: hostOf(literalText(word) ?? ''), sendsData: false }],
  publish: (word) => [{ kind: 'publish', what: literalText(word) ?? '', risk: 'publish' }],
  destroy: (word) => [{ kind: 'state', what: `loses ${literalText(word) ?? 'data'}`, risk: 'destroy' }],
  state: (word) => [{ kind: 'state', what: literalText(word) ?? '' }],
  run: (word, tools) => [{ kind: 'run', program: tools.program, ...scriptOf(word, tools) }],
  project: (_word, tools) => [{ kind: 'run', program: tools.program }],
  shell: (word, tools) => {
    tools.shell(word);
    return [];
  },
  'hidden-shell': (word, tools) => {
    tools.shell(word);
    return [hidden(`${tools.program} runs a command of its own`)];
  },
};

const scriptOf = (word: WordReading, tools: Tools): { readonly script?: string } => {
  const target: PathTarget = tools.target(word);
  return target.certainty === 'literal' ? { script: target.path } : {};
};

/** Applies a role to a word; an unknown role is a mistake in a table and counts as unknown. */
export const applyRole = (role: string, word: WordReading, tools: Tools): readonly ShellEffect[] =>
  (roles[role] ?? roles['open'])?.(word, tools) ?? [];
