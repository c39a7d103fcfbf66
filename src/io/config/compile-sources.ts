import { join } from 'node:path';
import { errors } from '../../core/model/errors.ts';
import type { ConfigProblem } from '../../core/model/policy.ts';
import { compilePolicy, type LayerDocuments } from '../../core/policy/compile.ts';
import type { DataNode } from '../../core/policy/document.ts';
import { type GlobalConfig, isOrgName, readGlobalConfig } from '../../core/policy/global-schema.ts';
import { readRoles } from '../../core/policy/roles-schema.ts';
import { readPolicy } from '../../core/policy/schema.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import type { CompileSources } from './load.ts';
import { type ReadSource, readSource } from './sources.ts';
import { parseYaml } from './yaml.ts';

export type { CompileSources } from './load.ts';

/** A source whose text could not be turned into data counts as empty, and as broken. */
interface Parsed {
  readonly node: DataNode | undefined;
  readonly problems: readonly ConfigProblem[];
  readonly isAbsent: boolean;
}

const broken = (file: string, line: number, why: string): readonly ConfigProblem[] => [
  { source: { file, line }, reason: errors.configParse(file, why).message, severity: 'broken' },
];

const parse = (path: string, file: string, read: ReadSource): Parsed => {
  const state = read(path);
  if (state.kind === 'absent') return { node: undefined, problems: [], isAbsent: true };
  if (state.kind === 'unreadable') return { node: undefined, problems: broken(file, 1, state.why), isAbsent: false };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(state.bytes);
  } catch {
    return { node: undefined, problems: broken(file, 1, 'not valid UTF-8'), isAbsent: false };
  }
  const data = parseYaml(text);
  if (data.ok) return { node: data.value, problems: [], isAbsent: false };
  return { node: undefined, problems: broken(file, data.error.line, data.error.reason), isAbsent: false };
};

interface Layer {
  readonly documents: LayerDocuments;
  readonly problems: readonly ConfigProblem[];
  readonly isAbsent: boolean;
}

const readLayer = (directory: string, shown: string, read: ReadSource): Layer => {
  const parsed = (name: string) => parse(join(directory, name), join(shown, name), read);
  const policy = parsed('policy.yml');
  const roles = parsed('roles.yml');
  return {
    documents: {
      policy: readPolicy(join(shown, 'policy.yml'), policy.node),
      roles: readRoles(join(shown, 'roles.yml'), roles.node),
    },
    problems: [...policy.problems, ...roles.problems],
    isAbsent: policy.isAbsent && roles.isAbsent,
  };
};

/**
 * The organisations whose floor applies: the default one always, then those that a git remote (`host/owner`) belongs
 * to. An organisation on github.com needs no entry in `config.yml` when it is called as there.
 */
const orgsFor = (config: GlobalConfig, remotes: readonly string[]): readonly string[] => {
  const names = config.defaultOrg === undefined ? [] : [config.defaultOrg];
  for (const remote of remotes.map((text) => text.toLowerCase())) {
    const claimed = [...config.orgs].filter(([, org]) => org.remotes.includes(remote)).map(([name]) => name);
    const owner = remote.startsWith('github.com/') ? remote.slice('github.com/'.length) : '';
    names.push(...(claimed.length > 0 || !isOrgName(owner) ? claimed : [owner]));
  }
  return [...new Set(names)];
};

const missingOrg = (config: GlobalConfig, name: string, layer: Layer): readonly ConfigProblem[] =>
  layer.isAbsent && (config.orgs.has(name) || config.defaultOrg === name)
    ? [
        {
          source: { file: config.file, line: 1 },
          reason: `organisation ${name} is configured but has neither policy.yml nor roles.yml`,
          severity: 'warning',
        },
      ]
    : [];

export interface LoadedGlobalConfig {
  readonly config: GlobalConfig;
  /** Why there is no text to read, if so; what is wrong in the text is in `config.problems`. */
  readonly problems: readonly ConfigProblem[];
}

/** Reads `config.yml` alone: for what is not policy, such as the API key. */
export const loadGlobalConfig = (directory: string, read: ReadSource = readSource): LoadedGlobalConfig => {
  const file = join(directory, 'config.yml');
  const { node, problems } = parse(file, file, read);
  return { config: readGlobalConfig(file, node), problems };
};

/** Parses and merges every source. The only way to the YAML library: the hook loads this module when it must. */
export const compileSources: CompileSources = ({ root, configDir, projectDir, remotes, isTrusted }, read) => {
  const global = loadGlobalConfig(configDir, read);
  const orgs = orgsFor(global.config, remotes).map((name) => {
    const directory = join(configDir, 'org', name);
    const layer = readLayer(directory, directory, read);
    return { ...layer, name, problems: [...layer.problems, ...missingOrg(global.config, name, layer)] };
  });
  const user = readLayer(join(configDir, 'user'), join(configDir, 'user'), read);
  const project = root === undefined ? undefined : readLayer(join(root, projectDir), projectDir, read);
  const policy = compilePolicy({
    orgs: orgs.map(({ name, documents }) => ({ name, ...documents })),
    project: project?.documents,
    user: user.documents,
    global: global.config,
    problems: [global, ...orgs, user, project].flatMap((it) => it?.problems ?? []),
    isTrusted,
  });
  return { ...policy, problems: policy.problems.map(withoutSecrets) };
};

/** A value in the wrong place may be a secret, and problems quote values. */
const withoutSecrets = (problem: ConfigProblem): ConfigProblem => ({
  ...problem,
  reason: sanitizeText(problem.reason),
});
