import type { ConfigProblem, Settings } from '../model/policy.ts';
import {
  type DataEntry,
  type DataNode,
  entriesOf,
  isSubjectName,
  oneOf,
  type Reader,
  type ReadValue,
  readerOf,
  readGlobs,
  roleName,
  type Stated,
  warnUnknown,
} from './document.ts';
import {
  isSettingKey,
  type SettingKey,
  type SettingStatements,
  type SettingValues,
  settingKeys,
  settings,
} from './settings.ts';

export type GlobList = readonly Stated<string>[];
type ToolRisk = Settings['tools'][string];

/** What a file says about one name of a map, e.g. one tool. */
export interface Entry<T> extends Stated<T> {
  readonly name: string;
}

export interface SensitiveStatements {
  readonly askWrite: GlobList;
  readonly denyRead: GlobList;
  readonly askRead: GlobList;
  readonly exceptRead: GlobList;
  /** Built-in entries of `ask_write` that no longer ask. */
  readonly allowWrite: GlobList;
}

/** One `policy.yml`, as far as it could be read. */
export interface PolicyDocument {
  readonly file: string;
  readonly settings: SettingStatements;
  readonly sensitive: SensitiveStatements;
  readonly agents: readonly Entry<string>[];
  readonly tools: readonly Entry<ToolRisk>[];
  readonly problems: readonly ConfigProblem[];
}

/** How a file with this prefix of keys goes on: `confidence` has `org`, `project`, `user`. */
const keysBelow = (prefix: string): readonly string[] => [
  ...new Set(
    settingKeys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length).split('.')[0] ?? ''] : [])),
  ),
];

const stateSetting = <K extends SettingKey>(
  statements: SettingStatements,
  key: K,
  node: DataNode,
): string | undefined => {
  const value = settings[key].read(node);
  if (!value.ok) return value.error;
  const stated: Stated<SettingValues[K]> = { value: value.value, line: node.line };
  Object.assign(statements, { [key]: stated });
  return undefined;
};

const otherNames: Readonly<Record<string, SettingKey>> = { learn_native: 'learning.native' };

/** Reads what stands below one key. */
export type Section = (reader: Reader, entry: DataEntry) => void;
export type Sections = Readonly<Record<string, Section>>;

/** Reads settings below `prefix`, and hands the other keys to their sections. */
export const readSettings = (
  reader: Reader,
  entries: readonly DataEntry[],
  { statements, sections = {}, prefix = '' }: { statements: SettingStatements; sections?: Sections; prefix?: string },
): void => {
  for (const entry of entries) {
    const spelled = `${prefix}${entry.key}`;
    const key = Object.hasOwn(otherNames, spelled) ? (otherNames[spelled] ?? spelled) : spelled;
    const section = Object.hasOwn(sections, entry.key) ? sections[entry.key] : undefined;
    const known = [...keysBelow(prefix), ...Object.keys(sections)];
    if (isSettingKey(key)) {
      const problem = stateSetting(statements, key, entry.value);
      if (problem !== undefined) reader.warn(entry.value.line, `${key}: ${problem}; the default is used`);
    } else if (section !== undefined) section(reader, entry);
    else if (keysBelow(`${key}.`).length > 0) {
      const inner = entriesOf(reader, key, entry.value);
      readSettings(reader, inner ?? [], { statements, prefix: `${key}.` });
    } else warnUnknown(reader, entry, { within: prefix, known });
  }
};

const sensitiveLists = {
  ask_write: { into: 'askWrite', restricts: true },
  deny_read: { into: 'denyRead', restricts: true },
  ask_read: { into: 'askRead', restricts: true },
  except_read: { into: 'exceptRead', restricts: false },
  allow_write: { into: 'allowWrite', restricts: false },
} as const;

const noSensitive: SensitiveStatements = { askWrite: [], denyRead: [], askRead: [], exceptRead: [], allowWrite: [] };

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const isSensitiveList = (key: string): key is keyof typeof sensitiveLists => Object.hasOwn(sensitiveLists, key);

const readSensitive =
  (into: Mutable<SensitiveStatements>): Section =>
  (reader, entry) => {
    for (const list of entriesOf(reader, 'sensitive_paths', entry.value) ?? []) {
      if (!isSensitiveList(list.key)) {
        warnUnknown(reader, list, { within: 'sensitive_paths.', known: Object.keys(sensitiveLists) });
        continue;
      }
      const { into: name, restricts } = sensitiveLists[list.key];
      into[name] = readGlobs(reader, list.value, { where: `sensitive_paths.${list.key}`, restricts });
    }
  };

const readNames =
  <T>(into: Entry<T>[], read: ReadValue<T>): Section =>
  (reader, entry) => {
    for (const { key, line, value } of entriesOf(reader, entry.key, entry.value) ?? []) {
      const found = read(value);
      if (!isSubjectName(key))
        reader.warn(line, `${entry.key}: ${JSON.stringify(key.slice(0, 80))} is not a usable name`);
      else if (!found.ok) reader.warn(value.line, `${entry.key}.${key}: ${found.error}`);
      else into.push({ name: key, value: found.value, line });
    }
  };

/** An empty document with the readers that fill it. */
export const newPolicy = (file: string) => {
  const statements: SettingStatements = {};
  const sensitive: Mutable<SensitiveStatements> = { ...noSensitive };
  const agents: Entry<string>[] = [];
  const tools: Entry<ToolRisk>[] = [];
  const reader = readerOf(file);
  const sections: Sections = {
    sensitive_paths: readSensitive(sensitive),
    agents: readNames(agents, roleName),
    tools: readNames(tools, oneOf(['inspect', 'modify', 'execute'])),
  };
  const document: PolicyDocument = { file, settings: statements, sensitive, agents, tools, problems: reader.problems };
  return { reader, statements, sections, document };
};

/** Keys of `config.yml`; elsewhere they are named so that the reason can say where they belong. */
const globalOnly = ['api_key', 'orgs', 'default_org', 'runtime_dir', 'sync'];

/** Reads a `policy.yml`; `undefined` stands for an empty or missing file. */
export const readPolicy = (file: string, node: DataNode | undefined): PolicyDocument => {
  const { reader, statements, sections, document } = newPolicy(file);
  const misplaced: Section = (own, entry) => own.warn(entry.line, `${entry.key} is only read from config.yml`);
  const all = { ...sections, ...Object.fromEntries(globalOnly.map((key) => [key, misplaced])) };
  const entries = node === undefined ? [] : entriesOf(reader, 'policy', node);
  readSettings(reader, entries ?? [], { statements, sections: all });
  return document;
};
