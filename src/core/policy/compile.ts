import type { CompiledPolicy, ConfigProblem, GlobRule, Role, SensitivePaths, Settings } from '../model/policy.ts';
import type { ScopeLevel } from '../model/verdict.ts';
import { mergeRoles } from './compile-roles.ts';
import { mergeSettings } from './compile-settings.ts';
import type { GlobalConfig } from './global-schema.ts';
import type { RolesDocument } from './roles-schema.ts';
import type { PolicyDocument, SensitiveStatements } from './schema.ts';
import { defaultSensitivePaths, protectedGlobs } from './sensitive.ts';
import { quoted, type Scales, scalesOf } from './widening.ts';

/** The two files of one scope. */
export interface LayerDocuments {
  readonly policy: PolicyDocument;
  readonly roles: RolesDocument;
}

export interface PolicySources {
  /** The organisations whose floor applies, the default one first. */
  readonly orgs: readonly (LayerDocuments & { readonly name: string })[];
  readonly project?: LayerDocuments | undefined;
  readonly user?: LayerDocuments | undefined;
  readonly global?: GlobalConfig | undefined;
  /** Problems met before there was a document to read. */
  readonly problems?: readonly ConfigProblem[];
  /** Whether a person has trusted the widening statement with this digest. */
  readonly isTrusted: (digest: string) => boolean;
}

interface Layer {
  readonly scope: Extract<ScopeLevel, 'org' | 'user' | 'project'>;
  readonly policy: PolicyDocument;
  /** Weighs what the layer may not say by itself; owners need none. */
  readonly scales?: Scales;
}

/** `.env*` and its any-depth form name the same entry. */
const entryName = (glob: string): string => glob.replace(/^(?:\.\/|\*\*\/(?=[^/]+$))/, '');

const rulesOf = (layers: readonly Layer[], list: keyof SensitiveStatements): readonly GlobRule[] =>
  layers.flatMap(({ scope, policy }) =>
    policy.sensitive[list].map(({ value, line }) => ({
      glob: value,
      scope,
      source: { file: policy.file, line },
    })),
  );

const isEntry = (rules: readonly GlobRule[], glob: string): boolean =>
  rules.some((rule) => entryName(rule.glob) === entryName(glob));

/** Built-in entries of `ask_write` that somebody entitled to it has downgraded, and complaints about the others. */
const downgrades = (layers: readonly Layer[]) => {
  const names = new Set<string>();
  const problems: ConfigProblem[] = [];
  for (const { policy, scales } of layers) {
    for (const { value, line } of policy.sensitive.allowWrite) {
      const problem = whyNotDowngraded(value);
      if (problem !== undefined)
        problems.push({ source: { file: policy.file, line }, reason: problem, severity: 'warning' });
      else if (scales?.widen(line, `sensitive_paths.allow_write adds ${quoted(value)}`) ?? true)
        names.add(entryName(value));
    }
  }
  return { names, problems };
};

const whyNotDowngraded = (glob: string): string | undefined => {
  const where = 'sensitive_paths.allow_write';
  if (isEntry(protectedGlobs, glob))
    return `${where}: ${glob} protects the gate itself: use hookwise override --file '${glob}' --allow --scope user`;
  if (isEntry(defaultSensitivePaths.askWrite, glob)) return undefined;
  return `${where}: ${glob} is not a built-in entry of ask_write: for other paths use hookwise override`;
};

/** Lists are unions, from the most authority to the least: the first match is the one that is hardest to lift. */
const mergeSensitive = (layers: readonly Layer[], downgraded: ReadonlySet<string>): SensitivePaths => {
  const union = (list: Exclude<keyof SensitiveStatements, 'allowWrite'>) => [
    ...rulesOf(layers, list),
    ...defaultSensitivePaths[list],
  ];
  const lifts = layers.map((layer) => {
    const allowed = layer.policy.sensitive.exceptRead.filter(
      ({ value, line }) => layer.scales?.widen(line, `sensitive_paths.except_read adds ${quoted(value)}`) ?? true,
    );
    return { ...layer, policy: { ...layer.policy, sensitive: { ...layer.policy.sensitive, exceptRead: allowed } } };
  });
  return {
    askWrite: union('askWrite').filter(({ glob, scope }) => scope !== 'builtin' || !downgraded.has(entryName(glob))),
    denyRead: union('denyRead'),
    askRead: union('askRead'),
    exceptRead: [...rulesOf(lifts, 'exceptRead'), ...defaultSensitivePaths.exceptRead],
  };
};

/** Roles that settings name must exist, and the one given out unasked must not be able to do everything. */
const checkRoles = (settings: Settings, roles: Readonly<Record<string, Role>>, file: string) => {
  const problems: ConfigProblem[] = [];
  const complain = (reason: string) => problems.push({ source: { file, line: 1 }, reason, severity: 'warning' });
  const known = (name: string): Role | undefined => (Object.hasOwn(roles, name) ? roles[name] : undefined);
  for (const [type, name] of Object.entries(settings.agents)) {
    if (known(name) === undefined) complain(`agents.${type}: role not found: ${name}`);
  }
  for (const name of settings.envRoleAllow) {
    if (known(name) === undefined) complain(`env_role.allow: role not found: ${name}`);
  }
  const { defaultRole, ...rest } = settings;
  if (defaultRole === undefined) return { settings, problems };
  const role = known(defaultRole);
  if (role !== undefined && role.category !== 'full-access') return { settings, problems };
  complain(
    role === undefined
      ? `default_role: role not found: ${defaultRole}`
      : `default_role: ${defaultRole} may write everything: a person has to choose it`,
  );
  return { settings: rest, problems };
};

/** Merges all configuration of one root. Everything is strictest-wins, and the repository can only restrict until trusted. */
export const compilePolicy = (sources: PolicySources): CompiledPolicy => {
  const { orgs, project, user, global, isTrusted } = sources;
  const scales = project && {
    policy: scalesOf(project.policy.file, isTrusted),
    roles: scalesOf(project.roles.file, isTrusted),
  };
  const users = [...(user === undefined ? [] : [user.policy]), ...(global === undefined ? [] : [global])];
  const layers: Layer[] = [
    ...orgs.map(({ policy }): Layer => ({ scope: 'org', policy })),
    ...users.map((policy): Layer => ({ scope: 'user', policy })),
    ...(project && scales ? [{ scope: 'project', policy: project.policy, scales: scales.policy } satisfies Layer] : []),
  ];
  const roles = mergeRoles(
    [
      ...orgs.map((org) => ({ scope: 'org', document: org.roles }) as const),
      ...(user === undefined ? [] : [{ scope: 'user', document: user.roles } as const]),
    ],
    project && scales && { document: project.roles, scales: scales.roles },
  );
  const merged = mergeSettings({
    owners: [...orgs.map((org) => org.policy), ...users],
    project: project && scales && { document: project.policy, scales: scales.policy },
  });
  const downgraded = downgrades(layers);
  const sensitive = mergeSensitive(layers, downgraded.names);
  const checked = checkRoles(
    merged,
    roles,
    global?.file ?? user?.policy.file ?? orgs[0]?.policy.file ?? project?.policy.file ?? '',
  );
  const documents = [
    ...layers.map((layer) => layer.policy),
    ...[...orgs, user, project].flatMap((it) => it?.roles ?? []),
  ];
  return {
    roles,
    sensitive,
    settings: checked.settings,
    orgs: orgs.map(({ name }) => name),
    untrusted: [...(scales?.policy.untrusted ?? []), ...(scales?.roles.untrusted ?? [])],
    problems: [
      ...(sources.problems ?? []),
      ...documents.flatMap((document) => document.problems),
      ...(scales?.policy.problems ?? []),
      ...(scales?.roles.problems ?? []),
      ...downgraded.problems,
      ...checked.problems,
    ],
  };
};
