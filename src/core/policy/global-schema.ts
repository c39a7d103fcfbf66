import {
  type DataEntry,
  type DataNode,
  entriesOf,
  isSubjectName,
  type Reader,
  textUpTo,
  warnUnknown,
} from './document.ts';
import { type Mutable, newPolicy, type PolicyDocument, readSettings, type Sections } from './schema.ts';

export interface OrgConfig {
  /** `host/owner` of the git remotes that belong to it. */
  readonly remotes: readonly string[];
  readonly source?: string;
  readonly ref?: string;
}

/** `config.yml`: what `policy.yml` may say, and what only the person at this machine decides. */
export interface GlobalConfig extends PolicyDocument {
  readonly apiKey?: string;
  readonly orgs: ReadonlyMap<string, OrgConfig>;
  readonly defaultOrg?: string;
}

/** Whether an organisation, and so its directory, may be called so. */
export const isOrgName = (name: string): boolean =>
  /^[A-Za-z0-9._-]{1,100}$/.test(name) && !/^\.+$/.test(name) && isSubjectName(name);

const orgFields = {
  source: textUpTo(500),
  ref: textUpTo(200),
};

const readOrg = (reader: Reader, { key, value }: DataEntry): OrgConfig => {
  const org: Mutable<OrgConfig> = { remotes: [`github.com/${key}`.toLowerCase()] };
  for (const entry of entriesOf(reader, `orgs.${key}`, value) ?? []) {
    if (entry.key === 'remotes') {
      const remotes = readRemotes(reader, entry);
      if (remotes !== undefined) org.remotes = remotes;
    } else if (entry.key === 'source' || entry.key === 'ref') {
      const text = orgFields[entry.key](entry.value);
      if (text.ok) org[entry.key] = text.value;
      else reader.warn(entry.value.line, `orgs.${key}.${entry.key}: ${text.error}`);
    } else warnUnknown(reader, entry, { within: `orgs.${key}.`, known: ['remotes', 'source', 'ref'] });
  }
  return org;
};

/** Which repositories get the floor: what cannot be read leaves a restriction unknown. */
const readRemotes = (reader: Reader, { value }: DataEntry): readonly string[] | undefined => {
  const remote = textUpTo(200, { matching: /^[A-Za-z0-9.-]+(?::\d+)?\/[A-Za-z0-9._-]+$/, what: 'host/owner' });
  const nodes = value.kind === 'list' ? value.items : [value];
  const remotes: string[] = [];
  for (const node of nodes) {
    const text = remote(node);
    if (text.ok) remotes.push(text.value.toLowerCase());
    else reader.broken(node.line, `remotes: ${text.error}`);
  }
  return remotes;
};

/** Reads `config.yml`; `undefined` stands for an empty or missing file. */
export const readGlobalConfig = (file: string, node: DataNode | undefined): GlobalConfig => {
  const { reader, statements, sections, document } = newPolicy(file);
  const orgs = new Map<string, OrgConfig>();
  const own: Mutable<Pick<GlobalConfig, 'apiKey' | 'defaultOrg'>> = {};
  const entries = node === undefined ? [] : entriesOf(reader, 'config', node);
  const all: Sections = {
    ...sections,
    api_key: (_, { value }) => {
      const key = textUpTo(500)(value);
      if (key.ok) own.apiKey = key.value;
      else reader.warn(value.line, 'api_key: expected text of at most 500 characters');
    },
    default_org: (_, { value }) => {
      const name = textUpTo(100)(value);
      if (name.ok && isOrgName(name.value)) own.defaultOrg = name.value;
      else reader.broken(value.line, 'default_org: expected the name of an organisation');
    },
    orgs: (_, { value }) => {
      for (const entry of entriesOf(reader, 'orgs', value) ?? []) {
        if (isOrgName(entry.key)) orgs.set(entry.key, readOrg(reader, entry));
        else reader.broken(entry.line, `orgs: ${JSON.stringify(entry.key.slice(0, 80))} is not a usable name`);
      }
    },
  };
  readSettings(reader, entries ?? [], { statements, sections: all });
  return { ...document, ...own, orgs };
};
