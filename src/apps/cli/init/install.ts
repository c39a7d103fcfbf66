import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { installHooks, isOwnHandler } from '../../../agents/claude-code/install.ts';
import { errors } from '../../../core/model/errors.ts';
import type { JsonObject } from '../../../core/model/request.ts';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import { writeExclusive } from '../../../io/files/atomic-write.ts';
import { replaceFile } from '../../../io/files/replace-file.ts';
import type { Surroundings } from '../../compose.ts';
import { readSettings, userSettingsPath } from '../host-settings.ts';

/** What installing the hooks would make of the user's settings file. */
export interface Installation {
  readonly path: string;
  /** The text on disk; nothing when there is no file yet. */
  readonly before: string | undefined;
  /** The new text; equal to `before` when all is in place. */
  readonly after: string;
  readonly warnings: readonly string[];
}

/** Works out the settings with hookwise's hooks in them. Throws, with file and position, when they cannot be merged safely. */
export const planInstallation = (surroundings: Surroundings): Installation => {
  const hook = join(surroundings.installed, 'hookwise.cjs');
  if (!existsSync(hook)) throw errors.storage(`${hook} is not there: this copy of hookwise is not built`);
  const path = userSettingsPath(surroundings);
  const file = readSettings(path, 'user');
  if (file.kind === 'broken')
    throw errors.json(`${file.reason}; the host skips such a file whole. Mend it, nothing was written`);
  if (file.kind === 'read' && file.ambiguous !== undefined)
    throw errors.json(`${path} ${file.ambiguous}; mend it, nothing was written`);
  const settings = file.kind === 'read' ? file.settings : {};
  const merged = installHooks(withoutFlatOwn(settings), { node: process.execPath, hook });
  if (!merged.ok) throw errors.json(`${path}: ${merged.error}; mend it, nothing was written`);
  const before = file.kind === 'read' ? file.text : undefined;
  const isInPlace = before !== undefined && isDeepStrictEqual(settings, merged.value);
  return {
    path,
    before,
    after: isInPlace ? before : textLike(before, merged.value),
    warnings: warningsOf(settings, hook),
  };
};

const warningsOf = (settings: JsonObject, hook: string): string[] => [
  ...(settings['disableAllHooks'] === true
    ? ['disableAllHooks is true in this file: no hook runs until it is removed']
    : []),
  ...(/[\\/]_npx[\\/]/.test(hook)
    ? [`${hook} is in a cache that npx may empty: install hookwise and run its own init --user`]
    : []),
];

/** Entries of older documents, `{matcher, command}` without an inner list, void the whole file: ours go. */
const withoutFlatOwn = (settings: JsonObject): JsonObject => {
  const { hooks } = settings;
  if (!isJsonObject(hooks)) return settings;
  const kept = Object.entries(hooks).map(([event, groups]): [string, unknown] => [
    event,
    Array.isArray(groups) ? groups.filter((group) => !isFlatOwn(group)) : groups,
  ]);
  return { ...settings, hooks: Object.fromEntries(kept) };
};

const isFlatOwn = (group: unknown): boolean => isJsonObject(group) && !('hooks' in group) && isOwnHandler(group);

/** JSON in the indentation that the file has. */
const textLike = (before: string | undefined, settings: JsonObject): string => {
  const indent = /^\ufeff?\s*\{\r?\n([ \t]+)"/.exec(before ?? '')?.[1] ?? '  ';
  return `${JSON.stringify(settings, null, indent)}\n`;
};

/** Writes the settings, with a copy of the old ones beside them. Returns where that copy is. */
export const install = ({ path, before, after }: Installation, now: number): string | undefined => {
  if (before === after) return undefined;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const backup = before === undefined ? undefined : backUp(path, before, now);
  replaceFile(path, after, before);
  return backup;
};

const mostBackups = 100;

const backUp = (path: string, text: string, now: number): string => {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
  for (let number = 1; number <= mostBackups; number += 1) {
    const name = `${path}.hookwise-backup-${stamp}${number === 1 ? '' : `-${number}`}`;
    // The copy may hold tokens, as the settings do: for this user's eyes only.
    if (writeExclusive(name, text, { durable: true, mode: 0o600 })) return name;
  }
  throw errors.storage(`cannot keep a copy of ${path}: too many copies of the same second beside it`);
};
