import { installHooks } from '../../../agents/claude-code/install.ts';
import type { JsonObject } from '../../../core/model/request.ts';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import type { Workspace } from '../workspace.cases.ts';
import type { Row } from './row.ts';

/** One thing that can be wrong with the host's settings, and what is said about it. */
export interface Misconfiguration {
  readonly name: string;
  readonly arrange: (at: Workspace, installed: JsonObject) => void;
  readonly id: string;
  readonly status: Row['status'];
  readonly detail: RegExp;
  readonly fix: RegExp;
}

type Handler = Record<string, unknown>;

/** The installed settings with every handler of an event changed. */
const changed = (installed: JsonObject, event: string, change: (handler: Handler) => Handler): JsonObject =>
  withGroups(installed, event, (groups) =>
    groups.map((group) => ({
      ...group,
      hooks: (Array.isArray(group['hooks']) ? group['hooks'] : [])
        .filter(isJsonObject)
        .map((each) => change({ ...each })),
    })),
  );

const withGroups = (
  installed: JsonObject,
  event: string,
  change: (groups: readonly JsonObject[]) => readonly unknown[] | undefined,
): JsonObject => {
  const hooks = isJsonObject(installed['hooks']) ? installed['hooks'] : {};
  const groups = Array.isArray(hooks[event]) ? hooks[event].filter(isJsonObject) : [];
  return { ...installed, hooks: { ...hooks, [event]: change(groups) } };
};

const without = (handler: Handler, key: string): Handler =>
  Object.fromEntries(Object.entries(handler).filter(([name]) => name !== key));

const words = (handler: Handler, change: (word: string) => string): Handler => ({
  ...handler,
  args: (Array.isArray(handler['args']) ? handler['args'] : []).map(String).map(change),
});

const gate = (at: Workspace, installed: JsonObject, change: (handler: Handler) => Handler): void =>
  at.writeSettings(changed(installed, 'PreToolUse', change));

const also = (installed: JsonObject, event: string, group: unknown): JsonObject =>
  withGroups(installed, event, (groups) => [...groups, group]);

/** The settings as `init --user` writes them into an empty file. */
export const installedSettings = (hook: string): JsonObject => {
  const settings = installHooks({}, { node: process.execPath, hook });
  if (!settings.ok) throw new Error(settings.error);
  return settings.value;
};

const reinstall = /hookwise init --user/;
const other = { type: 'command', command: '/bin/true' };

export const misconfigurations: readonly Misconfiguration[] = [
  {
    name: 'no hooks at all',
    arrange: (at) => at.writeSettings({}),
    id: 'hooks.installed',
    status: 'fail',
    detail: /no settings file starts hookwise/,
    fix: reinstall,
  },
  {
    name: 'hooks in the project only',
    arrange: (at, installed) => {
      at.writeSettings({});
      at.write('.claude/settings.json', JSON.stringify(installed));
    },
    id: 'hooks.installed',
    status: 'warn',
    detail: /only in .*project\/\.claude\/settings\.json.*subdirectory does not load it/,
    fix: reinstall,
  },
  {
    name: 'an event is missing',
    arrange: (at, installed) => at.writeSettings(withGroups(installed, 'ConfigChange', () => undefined)),
    id: 'hooks.events',
    status: 'warn',
    detail: /missing: ConfigChange$/,
    fix: reinstall,
  },
  {
    name: 'the gate sees one tool only',
    arrange: (at, installed) =>
      at.writeSettings(
        withGroups(installed, 'PreToolUse', (groups) => groups.map((group) => ({ ...group, matcher: 'Bash' }))),
      ),
    id: 'hooks.matcher',
    status: 'fail',
    detail: /runs for "Bash" only/,
    fix: reinstall,
  },
  {
    name: 'a failing gate lets the call run',
    arrange: (at, installed) => gate(at, installed, (handler) => without(handler, 'onFailure')),
    id: 'hooks.on-failure',
    status: 'fail',
    detail: /no onFailure "block": a crash or a timeout lets the call run$/,
    fix: reinstall,
  },
  {
    name: 'onFailure on the matcher group',
    arrange: (at, installed) => {
      const bare = changed(installed, 'PreToolUse', (handler) => without(handler, 'onFailure'));
      at.writeSettings(
        withGroups(bare, 'PreToolUse', (groups) => groups.map((group) => ({ ...group, onFailure: 'block' }))),
      );
    },
    id: 'hooks.on-failure',
    status: 'fail',
    detail: /on the matcher group it does nothing/,
    fix: reinstall,
  },
  {
    name: 'onFailure with a value that voids the file',
    arrange: (at, installed) => at.writeSettings(also(installed, 'Stop', { hooks: [{ ...other, onFailure: 'deny' }] })),
    id: 'hooks.on-failure-value',
    status: 'fail',
    detail: /hooks\.Stop\[0\]\.hooks\[0\] has onFailure "deny": the host drops the whole file/,
    fix: /"block" or "continue"/,
  },
  {
    name: 'an async gate',
    arrange: (at, installed) => gate(at, installed, (handler) => ({ ...handler, async: true })),
    id: 'hooks.async',
    status: 'fail',
    detail: /its answer is never waited for/,
    fix: reinstall,
  },
  {
    name: 'a host that gives up too early',
    arrange: (at, installed) => gate(at, installed, (handler) => ({ ...handler, timeout: 30 })),
    id: 'hooks.budget',
    status: 'warn',
    detail: /gives up after 30 s, the hook answers within 115 s/,
    fix: reinstall,
  },
  {
    name: 'a deadline below the configured sum',
    arrange: (at, installed) => {
      at.configure('config.yml', 'human_timeout_secs: 300\n');
      at.writeSettings(installed);
    },
    id: 'hooks.budget',
    status: 'warn',
    detail: /may take 335 s together, the hook answers after 115 s/,
    fix: /human_timeout_secs/,
  },
  {
    name: 'a deadline in the arguments that fits',
    arrange: (at, installed) =>
      gate(at, installed, (handler) => ({
        ...words(handler, String),
        args: [...(Array.isArray(handler['args']) ? handler['args'] : []), '--deadline', '96000'],
        timeout: 101,
      })),
    id: 'hooks.budget',
    status: 'ok',
    detail: /101 s for the host, 96 s for the hook/,
    fix: /^$/,
  },
  {
    name: 'a handler without a type',
    arrange: (at, installed) => gate(at, installed, (handler) => without(handler, 'type')),
    id: 'hooks.type',
    status: 'fail',
    detail: /PreToolUse\[0\]\.hooks\[0\] has no "type": the host drops the whole file/,
    fix: reinstall,
  },
  {
    name: 'an unknown type under a lenient event',
    arrange: (at, installed) =>
      at.writeSettings(also(installed, 'Stop', { hooks: [{ type: 'script', command: '/x' }] })),
    id: 'hooks.type',
    status: 'warn',
    detail: /unknown type "script": the host drops this entry/,
    fix: /"type": "command"/,
  },
  {
    name: 'a flat entry of our own',
    arrange: (at, installed) =>
      at.writeSettings(also(installed, 'PreToolUse', { matcher: '.*', command: 'hookwise check' })),
    id: 'hooks.shape',
    status: 'fail',
    detail: /PreToolUse\[1\] has no inner "hooks" list: the host drops the whole file, its deny rules included/,
    fix: reinstall,
  },
  {
    name: "somebody else's flat entry",
    arrange: (at, installed) => at.writeSettings(also(installed, 'PermissionRequest', { matcher: '*', command: '/x' })),
    id: 'hooks.shape',
    status: 'fail',
    detail: /PermissionRequest\[0\] has no inner "hooks" list/,
    fix: /"hooks": \[/,
  },
  {
    name: 'a flat entry under a lenient event',
    arrange: (at, installed) => at.writeSettings(also(installed, 'Stop', { command: '/x' })),
    id: 'hooks.shape',
    status: 'warn',
    detail: /the host drops this entry/,
    fix: /"hooks": \[/,
  },
  {
    name: 'an event that is no list',
    arrange: (at, installed) =>
      at.writeSettings({
        ...installed,
        hooks: { ...(isJsonObject(installed['hooks']) ? installed['hooks'] : {}), Stop: {} },
      }),
    id: 'hooks.shape',
    status: 'warn',
    detail: /hooks\.Stop is not a list/,
    fix: /list of/,
  },
  {
    name: 'hooks that are no object',
    arrange: (at) => at.writeSettings({ hooks: [] }),
    id: 'hooks.shape',
    status: 'fail',
    detail: /"hooks" is not an object/,
    fix: /object/,
  },
  {
    name: 'an old event name',
    arrange: (at, installed) => at.writeSettings(also(installed, 'pre_tool_use', { hooks: [other] })),
    id: 'hooks.event-names',
    status: 'warn',
    detail: /hooks\.pre_tool_use: the host has no event of this name/,
    fix: /rename it to PreToolUse/,
  },
  {
    name: 'an old event name with our hook',
    arrange: (at, installed) =>
      at.writeSettings(also(installed, 'user_prompt_submit', { matcher: '.*', command: 'hookwise session-check' })),
    id: 'hooks.event-names',
    status: 'fail',
    detail: /user_prompt_submit/,
    fix: reinstall,
  },
  ...[0, -1, '30', null].map(
    (timeout): Misconfiguration => ({
      name: `the timeout ${JSON.stringify(timeout)}`,
      arrange: (at, installed) => gate(at, installed, (handler) => ({ ...handler, timeout })),
      id: 'hooks.timeouts',
      status: 'fail',
      detail: /has the timeout .*: the host drops the whole file/,
      fix: reinstall,
    }),
  ),
  {
    name: 'hooks switched off',
    arrange: (at, installed) => {
      at.writeSettings(installed);
      at.write('.claude/settings.local.json', '{"disableAllHooks": true}');
    },
    id: 'settings.disable-all-hooks',
    status: 'fail',
    detail: /settings\.local\.json has disableAllHooks: true/,
    fix: /remove it/,
  },
  {
    name: 'broken settings of the user',
    arrange: (at) => at.writeSettings('{"hooks": {},}'),
    id: 'settings.parse',
    status: 'fail',
    detail:
      /home\/\.claude\/settings\.json:1:14: expected a key in double quotes, found "}"; the host skips the whole file/,
    fix: /mend/,
  },
  {
    name: 'broken settings of the project',
    arrange: (at, installed) => {
      at.writeSettings(installed);
      at.write('.claude/settings.json', '{');
    },
    id: 'settings.parse',
    status: 'fail',
    detail: /project\/\.claude\/settings\.json:1:2/,
    fix: /mend/,
  },
  {
    name: 'a key twice',
    arrange: (at) => at.writeSettings('{"env": {}, "env": {}}'),
    id: 'settings.parse',
    status: 'warn',
    detail: /has the key "env" twice/,
    fix: /keep one/,
  },
  {
    name: 'a relative command of our own',
    arrange: (at, installed) =>
      gate(at, installed, (handler) => ({
        ...without(handler, 'args'),
        command: './node_modules/.bin/hookwise check',
      })),
    id: 'hooks.relative',
    status: 'fail',
    detail: /after a cd it does not start/,
    fix: reinstall,
  },
  {
    name: 'a relative script of others',
    arrange: (at, installed) =>
      at.writeSettings(
        also(installed, 'PostToolUse', { hooks: [{ type: 'command', command: 'node "./hooks/note.js"' }] }),
      ),
    id: 'hooks.relative',
    status: 'warn',
    detail: /PostToolUse\[1\]/,
    fix: /absolute path/,
  },
  {
    name: 'a hook file that is gone',
    arrange: (at, installed) =>
      gate(at, installed, (handler) =>
        words(handler, (word) => word.replace(/.*\/hookwise\.cjs$/, '/gone/hookwise.cjs')),
      ),
    id: 'hooks.program',
    status: 'fail',
    detail: /^\/gone\/hookwise\.cjs is not there$/,
    fix: reinstall,
  },
  {
    name: 'a node that is gone',
    arrange: (at, installed) =>
      gate(at, installed, (handler) => words(handler, (word) => (word === process.execPath ? '/gone/node' : word))),
    id: 'hooks.program',
    status: 'fail',
    detail: /^\/gone\/node is not there/,
    fix: reinstall,
  },
  {
    name: 'a node from PATH',
    arrange: (at, installed) =>
      gate(at, installed, (handler) => words(handler, (word) => (word === process.execPath ? 'node' : word))),
    id: 'hooks.program',
    status: 'warn',
    detail: /"node" is looked up in PATH/,
    fix: reinstall,
  },
  {
    name: 'a command from PATH',
    arrange: (at, installed) =>
      gate(at, installed, (handler) => ({ ...without(handler, 'args'), command: 'hookwise check' })),
    id: 'hooks.program',
    status: 'warn',
    detail: /"hookwise" is looked up in PATH/,
    fix: reinstall,
  },
  {
    name: 'another copy',
    arrange: (at, installed) => {
      const copy = at.write('../copy/hookwise.cjs', '');
      gate(at, installed, (handler) => words(handler, (word) => (word.endsWith('hookwise.cjs') ? copy : word)));
    },
    id: 'hooks.program',
    status: 'warn',
    detail: /copy\/hookwise\.cjs is another copy/,
    fix: reinstall,
  },
  {
    name: 'another gate',
    arrange: (at, installed) =>
      at.writeSettings(also(installed, 'PreToolUse', { matcher: 'Bash', hooks: [{ ...other, args: ['--strict'] }] })),
    id: 'hooks.other-gates',
    status: 'info',
    detail: /PreToolUse\[1\]\.hooks\[0\]: \/bin\/true --strict/,
    fix: /^$/,
  },
];
