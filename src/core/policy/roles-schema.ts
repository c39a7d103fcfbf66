import type { ConfigProblem } from '../model/policy.ts';
import {
  type DataEntry,
  type DataNode,
  entriesOf,
  isRoleName,
  type Reader,
  readerOf,
  readGlobs,
  type Stated,
  textUpTo,
  warnUnknown,
} from './document.ts';
import type { GlobList, Mutable } from './schema.ts';

export interface RoleStatements {
  readonly name: string;
  readonly line: number;
  readonly description?: Stated<string>;
  readonly allowWrite?: GlobList;
  readonly denyWrite?: GlobList;
  readonly allowRead?: GlobList;
}

/** One `roles.yml`, as far as it could be read. */
export interface RolesDocument {
  readonly file: string;
  readonly roles: readonly RoleStatements[];
  readonly problems: readonly ConfigProblem[];
}

const rolePathLists = {
  allow_write: { into: 'allowWrite', restricts: false },
  deny_write: { into: 'denyWrite', restricts: true },
  allow_read: { into: 'allowRead', restricts: false },
} as const;

const isRolePathList = (key: string): key is keyof typeof rolePathLists => Object.hasOwn(rolePathLists, key);

const readRole = (reader: Reader, { key: name, line, value }: DataEntry): RoleStatements => {
  const role: Mutable<RoleStatements> = { name, line };
  const where = `roles.${name}`;
  for (const entry of entriesOf(reader, where, value) ?? []) {
    if (entry.key === 'description') {
      const text = textUpTo(4000)(entry.value);
      if (text.ok) role.description = { value: text.value.trim(), line: entry.line };
      else reader.warn(entry.line, `${where}.description: ${text.error}`);
    } else if (entry.key === 'name') {
      if (entry.value.kind !== 'scalar' || entry.value.value !== name)
        reader.warn(entry.line, `${where}.name: the key is the name; leave it out or make both the same`);
    } else if (entry.key === 'paths') readRolePaths(reader, entry, role);
    else warnUnknown(reader, entry, { within: `${where}.`, known: ['name', 'description', 'paths'] });
  }
  return role;
};

const readRolePaths = (reader: Reader, entry: DataEntry, role: Mutable<RoleStatements>): void => {
  const where = `roles.${role.name}.paths`;
  for (const list of entriesOf(reader, where, entry.value) ?? []) {
    if (!isRolePathList(list.key)) {
      warnUnknown(reader, list, { within: `${where}.`, known: Object.keys(rolePathLists) });
      continue;
    }
    const { into, restricts } = rolePathLists[list.key];
    role[into] = readGlobs(reader, list.value, { where: `${where}.${list.key}`, restricts });
  }
};

/** Reads a `roles.yml`; `undefined` stands for an empty or missing file. */
export const readRoles = (file: string, node: DataNode | undefined): RolesDocument => {
  const reader = readerOf(file);
  const roles: RoleStatements[] = [];
  const entries = node === undefined ? [] : entriesOf(reader, 'roles file', node);
  for (const entry of entries ?? []) {
    if (entry.key !== 'roles') {
      warnUnknown(reader, entry, { within: '', known: ['roles'] });
      continue;
    }
    for (const role of entriesOf(reader, 'roles', entry.value) ?? []) {
      if (isRoleName(role.key)) roles.push(readRole(reader, role));
      else reader.warn(role.line, `roles: ${JSON.stringify(role.key.slice(0, 80))} cannot be the name of a role`);
    }
  }
  return { file, roles, problems: reader.problems };
};
