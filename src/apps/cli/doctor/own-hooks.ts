import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { wirings } from '../../../agents/claude-code/install.ts';
import type { JsonObject } from '../../../core/model/request.ts';
import { type Row, rowsOf } from './row.ts';
import type { FoundHandler } from './settings-shape.ts';

/** What the installed hooks are held against. */
export interface Expected {
  /** The hook file of this very copy of hookwise. */
  readonly hook: string;
  /** The node that runs now. */
  readonly node: string;
  /** Seconds that the phases of one call may take together. */
  readonly phaseSecs: number;
  /** Milliseconds after which the hook answers by itself. */
  readonly deadlineMs: number;
}

const installed = rowsOf('hooks.installed', 'the gate is installed for the user');
const events = rowsOf('hooks.events', 'every event hookwise listens to is wired');
const matcher = rowsOf('hooks.matcher', 'the gate sees every tool');
const block = rowsOf('hooks.on-failure', 'a gate that cannot answer stops the call');
const async = rowsOf('hooks.async', 'the host waits for the gate');
const budget = rowsOf('hooks.budget', 'the host waits longer than the gate may take');
const program = rowsOf('hooks.program', 'the installed hook names a node and a hook file that exist');
const reinstall = 'hookwise init --user';

/** Judges hookwise's own hooks in all settings files. */
export const ownHookRows = (handlers: readonly FoundHandler[], expected: Expected): Row[] => {
  const own = handlers.filter(({ isOwn }) => isOwn);
  const gates = own.filter(({ event }) => event === 'PreToolUse');
  if (gates.length === 0)
    return [installed({ status: 'fail', detail: 'no settings file starts hookwise', fix: reinstall })];
  return [
    levelRow(gates),
    eventsRow(own),
    ...gates.flatMap((gate) => [matcherRow(gate), blockRow(gate), asyncRow(gate), budgetRow(gate, expected)]),
    ...uniquePrograms(own).map((words) => programRow(words, expected)),
  ];
};

const levelRow = (gates: readonly FoundHandler[]): Row => {
  const gate = gates.find(({ level }) => level === 'user' || level === 'managed');
  if (gate !== undefined) return installed({ status: 'ok', detail: gate.where });
  const detail = `only in ${gates[0]?.where}: a session started in a subdirectory does not load it`;
  return installed({ status: 'warn', detail, fix: reinstall });
};

const eventsRow = (own: readonly FoundHandler[]): Row => {
  const missing = wirings.map(({ event }) => event).filter((event) => !own.some((found) => found.event === event));
  return missing.length === 0
    ? events({ status: 'ok', detail: wirings.map(({ event }) => event).join(', ') })
    : events({ status: 'warn', detail: `missing: ${missing.join(', ')}`, fix: reinstall });
};

const everything = [undefined, '', '*', '.*'];

const matcherRow = ({ matcher: found, where }: FoundHandler): Row => {
  if (everything.some((each) => each === found)) return matcher({ status: 'ok', detail: where });
  const detail = `${where} runs for ${JSON.stringify(found)} only: other tools, new ones too, pass it by`;
  return matcher({ status: 'fail', detail, fix: reinstall });
};

const blockRow = ({ handler, group, where }: FoundHandler): Row => {
  if (handler['onFailure'] === 'block') return block({ status: 'ok', detail: where });
  const misplaced = 'onFailure' in group ? '; on the matcher group it does nothing' : '';
  const detail = `${where} has no onFailure "block": a crash or a timeout lets the call run${misplaced}`;
  return block({ status: 'fail', detail, fix: reinstall });
};

const asyncRow = ({ handler, where }: FoundHandler): Row =>
  handler['async'] === true
    ? async({ status: 'fail', detail: `${where} is async: its answer is never waited for`, fix: reinstall })
    : async({ status: 'ok', detail: where });

/** What the host waits when an entry names no timeout. */
const hostDefaultSecs = 600;
const marginSecs = 5;

const budgetRow = ({ handler, where }: FoundHandler, { phaseSecs, deadlineMs }: Expected): Row => {
  const timeout = typeof handler['timeout'] === 'number' ? handler['timeout'] : hostDefaultSecs;
  const deadlineSecs = (deadlineIn(wordsOf(handler)) ?? deadlineMs) / 1000;
  if (timeout < deadlineSecs + marginSecs) {
    const detail = `${where}: the host gives up after ${timeout} s, the hook answers within ${deadlineSecs} s: too late, and the call goes on`;
    return budget({ status: 'warn', detail, fix: `${reinstall}, or a --deadline in the hook's arguments` });
  }
  if (deadlineSecs < phaseSecs) {
    const detail = `${where}: the phases of a call may take ${phaseSecs} s together, the hook answers after ${deadlineSecs} s`;
    const fix = 'lower human_timeout_secs, or raise the hook timeout and its --deadline together';
    return budget({ status: 'warn', detail, fix });
  }
  return budget({ status: 'ok', detail: `${timeout} s for the host, ${deadlineSecs} s for the hook` });
};

const deadlineIn = (words: readonly string[]): number | undefined => {
  const at = words.findIndex((word) => word === '--deadline' || word.startsWith('--deadline='));
  const text = words[at]?.includes('=') ? words[at]?.slice('--deadline='.length) : words[at + 1];
  return at >= 0 && text !== undefined && /^\d{1,8}$/.test(text) ? Number(text) : undefined;
};

const wordsOf = ({ command, args }: JsonObject): string[] => {
  if (typeof command !== 'string') return [];
  if (Array.isArray(args)) return [command, ...args.map(String)];
  return (command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replaceAll(/^["']|["']$/g, ''));
};

/** Each different start of hookwise once, without the command that comes last. */
const uniquePrograms = (own: readonly FoundHandler[]): string[][] => {
  const starts = own.map(({ handler }) => wordsOf(handler)).map((words) => words.slice(0, hookAt(words) + 1));
  return [...new Map(starts.map((words) => [words.join('\0'), words])).values()];
};

const hookAt = (words: readonly string[]): number =>
  words.findIndex((word) => /(?:^|[\\/])(?:hookwise|captain-hook)(?:\.c?js)?$/.test(word));

const programRow = (words: readonly string[], { hook: ours, node: running }: Expected): Row => {
  const hook = words.at(-1) ?? '';
  const node = words.at(-2);
  if (words.length === 0)
    return program({ status: 'warn', detail: 'hookwise is started by way of a script', fix: reinstall });
  if (!isAbsolute(hook)) {
    const detail = `${JSON.stringify(hook)} is looked up in PATH: whoever sets it decides what runs`;
    return program({ status: 'warn', detail, fix: reinstall });
  }
  if (!may(hook, constants.R_OK)) return program({ status: 'fail', detail: `${hook} is not there`, fix: reinstall });
  if (hook.endsWith('.cjs') && node !== undefined) {
    if (!isAbsolute(node))
      return program({ status: 'warn', detail: `${JSON.stringify(node)} is looked up in PATH`, fix: reinstall });
    if (!may(node, constants.X_OK))
      return program({ status: 'fail', detail: `${node} is not there or cannot be run`, fix: reinstall });
  }
  if (hook !== ours)
    return program({ status: 'warn', detail: `${hook} is another copy than this one (${ours})`, fix: reinstall });
  if (node !== running) return program({ status: 'info', detail: `${node} runs the hook, ${running} runs this` });
  return program({ status: 'ok', detail: `${node} ${hook}` });
};

const may = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};
