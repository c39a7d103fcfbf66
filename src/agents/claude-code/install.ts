import type { JsonObject } from '../../core/model/request.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { isObject } from './payload.ts';

/** How the hook is started: by absolute paths, so that no search path and no working directory has a say. */
export interface HookProgram {
  readonly node: string;
  readonly hook: string;
}

interface Wiring {
  readonly event: string;
  readonly matcher?: string;
  readonly command: 'check' | 'session-check';
  readonly timeoutSecs: number;
  /** Whether a hook that cannot answer stops the call (clients from 2.1.295 on). */
  readonly blocks: boolean;
}

/** Every event hookwise listens to. `PreToolUse` is the gate; the rest keeps sessions and memory in step. */
export const wirings: readonly Wiring[] = [
  { event: 'PreToolUse', matcher: '*', command: 'check', timeoutSecs: 120, blocks: true },
  { event: 'PostToolUse', matcher: '*', command: 'check', timeoutSecs: 15, blocks: false },
  { event: 'PostToolUseFailure', matcher: '*', command: 'check', timeoutSecs: 15, blocks: false },
  { event: 'ConfigChange', command: 'check', timeoutSecs: 15, blocks: false },
  { event: 'UserPromptSubmit', command: 'session-check', timeoutSecs: 15, blocks: false },
  { event: 'SessionStart', command: 'session-check', timeoutSecs: 15, blocks: false },
  { event: 'SessionEnd', command: 'session-check', timeoutSecs: 10, blocks: false },
];

/** Variables through which Node would load other code or certificates before the hook runs. */
const unset = ['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS'];

const handlerOf = (wiring: Wiring, { node, hook }: HookProgram): JsonObject => ({
  type: 'command',
  command: '/usr/bin/env',
  args: [...unset.flatMap((name) => ['-u', name]), node, hook, wiring.command],
  timeout: wiring.timeoutSecs,
  ...(wiring.blocks ? { onFailure: 'block' } : {}),
});

/** The `hooks` block that starts hookwise. */
const hooksBlock = (program: HookProgram): Readonly<Record<string, readonly JsonObject[]>> =>
  Object.fromEntries(
    wirings.map((wiring) => {
      const matcher = wiring.matcher === undefined ? {} : { matcher: wiring.matcher };
      return [wiring.event, [{ ...matcher, hooks: [handlerOf(wiring, program)] }]];
    }),
  );

/** Whether a hook handler of a settings file starts hookwise, whatever its place on disk. */
export const isOwnHandler = (handler: unknown): boolean => {
  if (!isObject(handler)) return false;
  const words = [handler['command'], ...(Array.isArray(handler['args']) ? handler['args'] : [])];
  return words.some(
    (word) => typeof word === 'string' && /(?:^|[\\/\s"'])(?:hookwise(?:\.cjs)?|captain-hook)(?:["'\s]|$)/.test(word),
  );
};

/** The hookwise handlers of a settings object, by event. */
export const ownHandlers = (settings: JsonObject): ReadonlyMap<string, readonly JsonObject[]> => {
  const found = new Map<string, JsonObject[]>();
  const hooks = isObject(settings['hooks']) ? settings['hooks'] : {};
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) continue;
    const handlers = groups.flatMap((group) =>
      isObject(group) && Array.isArray(group['hooks']) ? group['hooks'] : [],
    );
    const own = handlers.filter(isObject).filter(isOwnHandler);
    if (own.length > 0) found.set(event, own);
  }
  return found;
};

/**
 * `settings` with hookwise's hooks in place: older ones of its own are replaced, everybody else's stay as they are.
 * Fails, naming the key, where the file does not have the shape the host reads.
 */
export const installHooks = (settings: JsonObject, program: HookProgram): Result<JsonObject, string> => {
  const hooks = settings['hooks'] ?? {};
  if (!isObject(hooks)) return fail('"hooks" is not an object');
  const merged: Record<string, unknown> = {};
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) return fail(`"hooks.${event}" is not a list`);
    const kept = groups.flatMap((group): unknown[] => withoutOwn(group));
    if (kept.length > 0) merged[event] = kept;
  }
  for (const [event, groups] of Object.entries(hooksBlock(program))) {
    const others = merged[event];
    merged[event] = [...(Array.isArray(others) ? others : []), ...groups];
  }
  return ok({ ...settings, hooks: merged });
};

const withoutOwn = (group: unknown): unknown[] => {
  if (!isObject(group) || !Array.isArray(group['hooks'])) return [group];
  const handlers = group['hooks'].filter((handler) => !isOwnHandler(handler));
  if (handlers.length === group['hooks'].length) return [group];
  return handlers.length === 0 ? [] : [{ ...group, hooks: handlers }];
};
