import type { SettingsFile } from '../host-settings.ts';
import { type Expected, ownHookRows } from './own-hooks.ts';
import { type Row, rowsOf } from './row.ts';
import { type FoundHandler, inspectHooks } from './settings-shape.ts';

const parses = rowsOf('settings.parse', "the host's settings files can be read");
const switchedOff = rowsOf('settings.disable-all-hooks', 'hooks are not switched off');
const managedOnly = rowsOf('settings.managed-only', "administrators' settings let the user's hooks run");
const otherGates = rowsOf('hooks.other-gates', 'other hooks that see tool calls before they run');

/** The settings files, judged, and the hooks in them. */
export interface SettingsReport {
  readonly rows: readonly Row[];
  readonly handlers: readonly FoundHandler[];
}

/** Judges every settings file of the host, as far as hooks are concerned. */
export const settingsReport = (files: readonly SettingsFile[], expected: Expected): SettingsReport => {
  const read = files.flatMap((file) => (file.kind === 'read' ? [{ file, ...inspectHooks(file) }] : []));
  const handlers = read.flatMap((each) => each.handlers);
  const rows = [
    ...files.flatMap(parseRow),
    ...files.flatMap(offRows),
    ...ownHookRows(handlers, expected),
    ...read.flatMap((each) => each.rows),
    ...otherGateRows(handlers),
  ];
  return { rows, handlers };
};

const parseRow = (file: SettingsFile): Row[] => {
  switch (file.kind) {
    case 'missing':
      return file.level === 'user' ? [parses({ status: 'info', detail: `${file.path} is not there` })] : [];
    case 'broken': {
      const detail = `${file.reason}; the host skips the whole file, hooks and deny rules included`;
      return [parses({ status: 'fail', detail, fix: 'mend the JSON' })];
    }
    case 'read':
      return file.ambiguous === undefined
        ? [parses({ status: 'ok', detail: file.path })]
        : [parses({ status: 'warn', detail: `${file.path} ${file.ambiguous}`, fix: 'keep one of the two' })];
  }
};

const offRows = (file: SettingsFile): Row[] => {
  if (file.kind !== 'read') return [];
  const rows: Row[] = [];
  if (file.settings['disableAllHooks'] === true) {
    const detail = `${file.path} has disableAllHooks: true; no hook runs, this gate included`;
    rows.push(switchedOff({ status: 'fail', detail, fix: 'remove it' }));
  }
  if (file.level === 'managed' && file.settings['allowManagedHooksOnly'] === true) {
    const detail = `${file.path} has allowManagedHooksOnly: the user's hooks do not run`;
    rows.push(managedOnly({ status: 'fail', detail, fix: 'ask the administrator to add the hookwise hooks there' }));
  }
  return rows;
};

/** Whether another hook answers permission questions cannot be seen from outside: it is only named. */
const otherGateRows = (handlers: readonly FoundHandler[]): Row[] => {
  const others = handlers.filter(
    ({ isOwn, event }) => !isOwn && (event === 'PreToolUse' || event === 'PermissionRequest'),
  );
  return others.map(({ where, handler }) => {
    const start = [handler['command'] ?? handler['url'] ?? handler['type'] ?? 'a hook']
      .concat(Array.isArray(handler['args']) ? handler['args'] : [])
      .join(' ')
      .slice(0, 200);
    const detail = `${where}: ${start}; where both decide, the host takes the stricter answer`;
    return otherGates({ status: 'info', detail });
  });
};
