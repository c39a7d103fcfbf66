import { isOwnHandler } from '../../../agents/claude-code/install.ts';
import type { JsonObject } from '../../../core/model/request.ts';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import type { SettingsFile } from '../host-settings.ts';
import { hostEvents, meantEvent, strictEvents } from './host-events.ts';
import { type Row, rowsOf } from './row.ts';

type ReadFile = Extract<SettingsFile, { readonly kind: 'read' }>;

/** A handler in a settings file, with the place where a person finds it. */
export interface FoundHandler {
  readonly level: SettingsFile['level'];
  readonly event: string;
  readonly where: string;
  readonly matcher: unknown;
  readonly group: JsonObject;
  readonly handler: JsonObject;
  readonly isOwn: boolean;
}

/** Every hook of a file, and everything about their shape that the host stumbles over. */
export interface Inspection {
  readonly handlers: readonly FoundHandler[];
  readonly rows: readonly Row[];
}

const shape = rowsOf('hooks.shape', 'hook entries have the shape the host reads');
const eventName = rowsOf('hooks.event-names', 'hook events exist');
const handlerType = rowsOf('hooks.type', 'hook handlers have a type the host knows');
const timeouts = rowsOf('hooks.timeouts', 'hook timeouts are positive numbers');
const onFailure = rowsOf('hooks.on-failure-value', 'onFailure has a value the host knows');
const relative = rowsOf('hooks.relative', 'hook commands do not depend on the working directory');

const reinstall = 'hookwise init --user puts it right';
const wholeFile = 'the host drops the whole file, its deny rules included';

/** Looks through one settings file. */
export const inspectHooks = (file: ReadFile): Inspection => {
  const { hooks } = file.settings;
  if (hooks === undefined) return { handlers: [], rows: [] };
  if (!isJsonObject(hooks)) {
    const detail = `${file.path}: "hooks" is not an object: ${wholeFile}`;
    return { handlers: [], rows: [shape({ status: 'fail', detail, fix: 'make it an object of events' })] };
  }
  const parts = Object.entries(hooks).map(([event, groups]) => inspectEvent(file, event, groups));
  return { handlers: parts.flatMap((part) => part.handlers), rows: parts.flatMap((part) => part.rows) };
};

const inspectEvent = (file: ReadFile, event: string, groups: unknown): Inspection => {
  const where = `${file.path} hooks.${event}`;
  const severity = severityOf(event);
  if (!Array.isArray(groups)) {
    const detail = `${where} is not a list: ${severity.effect}`;
    return { handlers: [], rows: [shape({ ...severity, detail, fix: 'make it a list of {matcher, hooks}' })] };
  }
  const parts = groups.map((group, at) => inspectGroup(file, { event, where: `${where}[${at}]`, group }));
  const rows = [...unknownEvent(where, event, groups), ...parts.flatMap((part) => part.rows)];
  return { handlers: parts.flatMap((part) => part.handlers), rows };
};

const severityOf = (event: string): { readonly status: 'fail' | 'warn'; readonly effect: string } =>
  strictEvents.includes(event)
    ? { status: 'fail', effect: wholeFile }
    : { status: 'warn', effect: 'the host drops this entry' };

const unknownEvent = (where: string, event: string, groups: readonly unknown[]): Row[] => {
  if (hostEvents.includes(event)) return [];
  const meant = meantEvent(event);
  const hasOwn = groups.some((group) => handlersIn(group).some(isOwnHandler) || isOwnHandler(group));
  const fix = meant === undefined ? 'remove it' : `rename it to ${meant}`;
  return [
    eventName({
      status: hasOwn ? 'fail' : 'warn',
      detail: `${where}: the host has no event of this name, and its hooks never run`,
      fix: hasOwn ? reinstall : fix,
    }),
  ];
};

const handlersIn = (group: unknown): readonly unknown[] =>
  isJsonObject(group) && Array.isArray(group['hooks']) ? group['hooks'] : [];

interface Place {
  readonly event: string;
  readonly where: string;
  readonly group: unknown;
}

const inspectGroup = ({ level }: ReadFile, { event, where, group }: Place): Inspection => {
  const severity = severityOf(event);
  if (!isJsonObject(group) || !Array.isArray(group['hooks'])) {
    const fix = isOwnHandler(group) ? reinstall : 'write it as {"matcher": …, "hooks": [{"type": "command", …}]}';
    const detail = `${where} has no inner "hooks" list: ${severity.effect}`;
    return { handlers: [], rows: [shape({ ...severity, detail, fix })] };
  }
  const handlers: FoundHandler[] = [];
  const rows: Row[] = [];
  for (const [at, handler] of group['hooks'].entries()) {
    const place = `${where}.hooks[${at}]`;
    if (!isJsonObject(handler)) {
      rows.push(shape({ ...severity, detail: `${place} is not an object: ${severity.effect}`, fix: 'remove it' }));
      continue;
    }
    const isOwn = isOwnHandler(handler);
    handlers.push({ level, event, where: place, matcher: group['matcher'], group, handler, isOwn });
    rows.push(...inspectHandler(handler, { where: place, isOwn, ...severity }));
  }
  return { handlers, rows };
};

interface HandlerPlace {
  readonly where: string;
  readonly isOwn: boolean;
  readonly status: 'fail' | 'warn';
  readonly effect: string;
}

const types = ['command', 'http', 'mcp_tool', 'prompt', 'agent'];

const inspectHandler = (handler: JsonObject, { where, isOwn, status, effect }: HandlerPlace): Row[] => {
  const rows: Row[] = [];
  const { type, timeout } = handler;
  const own = (fix: string): string => (isOwn ? reinstall : fix);
  if (typeof type !== 'string' || !types.includes(type)) {
    const found = type === undefined ? 'has no "type"' : `has the unknown type ${JSON.stringify(type)}`;
    rows.push(handlerType({ status, detail: `${where} ${found}: ${effect}`, fix: own('set "type": "command"') }));
  }
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    const detail = `${where} has the timeout ${JSON.stringify(timeout)}: ${effect}`;
    rows.push(timeouts({ status, detail, fix: own('give seconds as a number above 0') }));
  }
  if ('onFailure' in handler && handler['onFailure'] !== 'block' && handler['onFailure'] !== 'continue') {
    const detail = `${where} has onFailure ${JSON.stringify(handler['onFailure'])}: ${wholeFile}`;
    rows.push(onFailure({ status: 'fail', detail, fix: own('use "block" or "continue"') }));
  }
  if (isRelative(handler)) {
    const detail = `${where} is found from the session's current directory: after a cd it does not start, and the call goes on`;
    rows.push(relative({ status: isOwn ? 'fail' : 'warn', detail, fix: own('use an absolute path') }));
  }
  return rows;
};

const isRelative = (handler: JsonObject): boolean => {
  const { command, args, type } = handler;
  if (typeof command !== 'string' || (type !== undefined && type !== 'command')) return false;
  const words = Array.isArray(args) ? [command, ...args.map(String)] : command.split(/\s+/);
  const bare = words.map((word) => word.replaceAll(/["']/g, ''));
  return bare.some((word, at) => /^\.{1,2}\//.test(word) || (at === 0 && /^[^/~$=]+\//.test(word)));
};
