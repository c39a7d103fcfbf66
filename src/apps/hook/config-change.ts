import { readFileSync } from 'node:fs';
import type { Answer } from '../../agents/adapter.ts';
import { ownHandlers } from '../../agents/claude-code/install.ts';
import type { HookRequest } from '../../core/model/request.ts';
import { isJsonObject } from '../../core/model/strict-json.ts';
import { openGround } from '../compose.ts';
import type { HookCall } from './call.ts';

/**
 * The host is about to take up changed settings. When that would leave the running session without this gate (its
 * entry gone, the file broken, all hooks switched off) the old settings stay in force.
 */
export const configChange = (
  request: Extract<HookRequest, { readonly kind: 'config-change' }>,
  call: HookCall,
): Answer => {
  const { env } = call.surroundings;
  if (request.filePath === undefined || env['CLAUDE_PLUGIN_ROOT'] !== undefined) return { kind: 'silent' };
  const changed = readSettings(request.filePath);
  const reason = changed === 'missing' ? undefined : switchedOff(changed);
  const why = reason ?? (isStillInstalled(request, call) ? undefined : 'no settings file starts hookwise any more');
  if (why === undefined) return { kind: 'silent' };
  const message = `hookwise: ${why} (${request.filePath}); this session keeps the settings it started with. A new session uses the changed file.`;
  return { kind: 'block', event: 'ConfigChange', reason: message };
};

type Settings = { readonly [key: string]: unknown } | 'missing' | 'broken';

const switchedOff = (settings: Exclude<Settings, 'missing'>): string | undefined => {
  if (settings === 'broken') return 'the settings file is not valid JSON, and the host would skip it whole';
  return settings['disableAllHooks'] === true ? 'disableAllHooks would switch every hook off' : undefined;
};

const isStillInstalled = (request: { readonly cwd: string }, { surroundings }: HookCall): boolean => {
  const { env, passwdHome } = surroundings;
  const { root } = openGround(surroundings, env['CLAUDE_PROJECT_DIR'] ?? request.cwd);
  const user = env['CLAUDE_CONFIG_DIR'] ?? `${env['HOME'] ?? passwdHome}/.claude`;
  const files = [
    `${user}/settings.json`,
    `${root.root}/.claude/settings.json`,
    `${root.root}/.claude/settings.local.json`,
  ];
  return files.some((file) => {
    const settings = readSettings(file);
    return typeof settings === 'object' && ownHandlers(settings).has('PreToolUse');
  });
};

const readSettings = (file: string): Settings => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 'missing';
  }
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : 'broken';
  } catch {
    return 'broken';
  }
};
