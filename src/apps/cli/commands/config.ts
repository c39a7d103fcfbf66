import { parseDocument } from 'yaml';
import { settingKeys, settings } from '../../../core/policy/settings.ts';
import { openGround } from '../../compose.ts';
import { type Command, type ExitCode, type Invocation, UsageError } from '../command.ts';
import { changeConfig, configPath, openConfig, valueAt, writeConfig } from '../config-file.ts';
import { logChange } from '../log-change.ts';
import { projectHere, requirePerson } from '../open.ts';
import { aligned, shown } from '../shown.ts';
import { visibleJson } from '../visible.ts';

/** Views and edits the user's `config.yml`. */
export const config: Command = {
  name: 'config',
  summary: 'show or change the global configuration',
  usage: '[list | get <key> | set <key> <value> | path] [--json]',
  examples: [
    'hookwise config',
    'hookwise config get human_timeout_secs',
    'hookwise config set human_timeout_secs 90',
    "hookwise config set env_role.allow '[maintainer]'",
  ],
  options: { json: { type: 'boolean' } },
  takesWords: true,
  run: (invocation) => {
    const [action = 'list', ...rest] = invocation.words;
    const [key, value] = rest;
    if (action === 'path' && rest.length === 0) return path(invocation);
    if (action === 'list' && rest.length === 0) return list(invocation);
    if (action === 'get' && key !== undefined && rest.length === 1) return get(invocation, key);
    if (action === 'set' && key !== undefined && value !== undefined && rest.length === 2) {
      requirePerson(invocation, 'change the configuration');
      return setValue(invocation, key, value);
    }
    throw new UsageError('give list, get <key>, set <key> <value> or path');
  },
};

const directoryOf = ({ surroundings, cwd }: Invocation): string => openGround(surroundings, cwd).places.config;

const path = (invocation: Invocation): ExitCode => {
  const file = configPath(directoryOf(invocation));
  invocation.print(invocation.options['json'] === true ? visibleJson({ path: file }) : file);
  return 0;
};

/** Keys that are no settings of a policy and are read from `config.yml` alone, and the maps that it may hold. */
const otherKeys = ['default_org', 'orgs', 'agents', 'tools', 'sensitive_paths', 'api_key'];

interface Row {
  readonly key: string;
  readonly value: unknown;
  readonly from: 'config.yml' | 'default';
}

/** The key of a model provider is never printed: only whether there is one. */
const hidden = (key: string, value: unknown): unknown =>
  key.split('.')[0] === 'api_key' && value !== undefined ? '(set, not shown)' : value;

const rowOf = (file: ReturnType<typeof openConfig>, key: string): Row => {
  const stated = hidden(key, valueAt(file, key));
  if (stated !== undefined) return { key, value: stated, from: 'config.yml' };
  const initial = settingKeys.find((name) => name === key);
  return { key, value: initial === undefined ? undefined : settings[initial].initial, from: 'default' };
};

const list = (invocation: Invocation): ExitCode => {
  const file = openConfig(directoryOf(invocation));
  const rows = [...settingKeys, ...otherKeys].map((key) => rowOf(file, key));
  if (invocation.options['json'] === true) {
    const all = Object.fromEntries(rows.map(({ key, value, from }) => [key, { value: value ?? null, from }]));
    invocation.print(visibleJson(all));
    return 0;
  }
  for (const line of aligned(rows.map(({ key, value, from }) => [key, spelled(value), `(${from})`])))
    invocation.print(line);
  return 0;
};

const get = (invocation: Invocation, key: string): ExitCode => {
  const file = openConfig(directoryOf(invocation));
  const row = rowOf(file, key);
  const isKnown = settingKeys.some((name) => name === key || name.startsWith(`${key}.`)) || otherKeys.includes(key);
  if (row.value === undefined && !isKnown && !otherKeys.some((name) => key.startsWith(`${name}.`)))
    throw new UsageError(`no key named ${JSON.stringify(key)}; hookwise config list shows them`);
  invocation.print(
    invocation.options['json'] === true
      ? visibleJson({ key, value: row.value ?? null, from: row.from })
      : spelled(row.value),
  );
  return 0;
};

/** The value is read as YAML: `90`, `true`, `[a, b]`, text. */
const setValue = (invocation: Invocation, key: string, text: string): ExitCode => {
  const parsed = parseDocument(text);
  const [problem] = parsed.errors;
  if (problem !== undefined) throw new UsageError('the value is not YAML; quote it');
  const directory = directoryOf(invocation);
  const change = changeConfig(invocation.surroundings, { directory, key, value: parsed.toJS() });
  writeConfig(directory, change);
  const project = projectHere(invocation);
  project.observer.close();
  logChange(invocation, project, { event: 'config', key, actor: `user:${invocation.surroundings.user}` });
  for (const warning of change.warnings) invocation.complain(`warning: ${shown(warning)}`);
  invocation.print(`${key} is set in ${configPath(directory)}`);
  return 0;
};

const spelled = (value: unknown): string => {
  if (value === undefined || value === null) return '(not set)';
  return shown(typeof value === 'string' ? value : JSON.stringify(value));
};
