import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/model/errors.ts';
import type { JsonObject } from '../../core/model/request.ts';
import { isJsonObject, parseStrictJson } from '../../core/model/strict-json.ts';
import type { Surroundings } from '../compose.ts';
import { jsonErrorAt } from './json-position.ts';

/** Which of the host's settings files: the user's, the repository's, or the user's own for that repository. */
export type SettingsLevel = 'user' | 'project' | 'local' | 'managed';

/** One settings file of the host as it is now. */
export type SettingsFile = { readonly level: SettingsLevel; readonly path: string } & (
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly reason: string }
  | {
      readonly kind: 'read';
      /** As it is on disk, a byte order mark included. */
      readonly text: string;
      readonly settings: JsonObject;
      /** Why the text cannot be written back without losing something. */
      readonly ambiguous?: string;
    }
);

const homeOf = ({ env, passwdHome }: Pick<Surroundings, 'env' | 'passwdHome'>): string => env['HOME'] || passwdHome;

/** The user's settings file, where the client looks for it. */
export const userSettingsPath = (surroundings: Pick<Surroundings, 'env' | 'passwdHome'>): string =>
  join(surroundings.env['CLAUDE_CONFIG_DIR'] || join(homeOf(surroundings), '.claude'), 'settings.json');

/** Where administrators put settings that nobody below can change. */
const managedPath =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';

/** Every settings file that has a say in a session started in `root`. */
export const settingsFiles = (surroundings: Surroundings, root: string): SettingsFile[] =>
  [
    { level: 'managed', path: managedPath } as const,
    { level: 'user', path: userSettingsPath(surroundings) } as const,
    { level: 'project', path: join(root, '.claude/settings.json') } as const,
    { level: 'local', path: join(root, '.claude/settings.local.json') } as const,
  ]
    .filter(({ path }, at, all) => all.findIndex((other) => other.path === path) === at)
    .map(({ level, path }) => readSettings(path, level));

/** Reads one settings file. A broken one names the line and column. */
export const readSettings = (path: string, level: SettingsLevel): SettingsFile => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    return isMissing ? { level, path, kind: 'missing' } : { level, path, kind: 'broken', reason: messageOf(thrown) };
  }
  const json = text.replace(/^\ufeff/, '');
  try {
    const settings: unknown = JSON.parse(json);
    if (!isJsonObject(settings)) return { level, path, kind: 'broken', reason: `${path}:1:1: not a JSON object` };
    const strict = parseStrictJson(json);
    return { level, path, kind: 'read', text, settings, ...(strict.ok ? {} : { ambiguous: strict.error }) };
  } catch (thrown) {
    const at = jsonErrorAt(json);
    const where = at === undefined ? `${path}: ${messageOf(thrown)}` : `${path}:${at.line}:${at.column}: ${at.reason}`;
    return { level, path, kind: 'broken', reason: where };
  }
};
