import type { Context } from '../model/context.ts';
import type { Finding } from '../model/decision.ts';
import type { PathFact } from '../model/facts.ts';
import type { GlobRule, Role } from '../model/policy.ts';
import type { ScopeLevel } from '../model/verdict.ts';
import type { GlobMatcher } from '../paths/glob.ts';
import { isInside } from '../paths/normalise.ts';
import { mayExcept } from '../policy/sensitive.ts';
import type { Matchers } from './matchers.ts';
import { sameOrBroader } from './merge.ts';
import { isInProject, type Spelling } from './spellings.ts';

/** One path of a call under every name it has. */
export interface PathUse {
  readonly spelled: string;
  readonly spellings: readonly Spelling[];
  readonly fact: PathFact | undefined;
  /** New content of a written file, in memory only. */
  readonly text: readonly string[];
}

/** The parts of a finding that all path rules share. */
const pathBase = { scope: 'builtin', learnable: false } as const;
const byUserOrOrg: readonly ScopeLevel[] = ['org', 'user'];
const byAnyone: readonly ScopeLevel[] = ['org', 'project', 'user'];

const hit = (matcher: GlobMatcher, use: PathUse): GlobRule | undefined => {
  for (const spelling of use.spellings) {
    const rule = matcher.match(spelling);
    if (rule !== undefined) return rule;
  }
  return undefined;
};

const hitsAll = (matcher: GlobMatcher, use: PathUse): GlobRule | undefined => {
  const rules = use.spellings.map((spelling) => matcher.match(spelling));
  return rules.every((rule) => rule !== undefined) ? rules[0] : undefined;
};

const sourceOf = (rule: GlobRule) => (rule.source === undefined ? {} : { source: rule.source });

const restrictedBy = (rule: GlobRule): readonly ScopeLevel[] =>
  rule.scope === 'builtin' ? byAnyone : sameOrBroader[rule.scope];

/** What cannot be resolved is not known to be harmless. */
const unresolved = (use: PathUse): Finding[] => {
  if (use.fact !== undefined && use.fact.type !== 'unreadable') return [];
  const why = `${use.spelled} cannot be resolved on disk`;
  return [
    {
      ...pathBase,
      verdict: 'ask',
      ruleId: 'path.unresolved',
      tier: 'PathPolicy',
      yieldsTo: [],
      why,
      clear: 'a person confirms it',
    },
  ];
};

const ownPath = (use: PathUse, context: Context): Finding[] => {
  const own = context.ownPaths.find((path) => use.spellings.some(({ absolute }) => isInside(path, absolute)));
  if (own === undefined) return [];
  const why = `${use.spelled} belongs to hookwise itself`;
  const clear = 'a person changes it outside the agent';
  return [
    {
      ...pathBase,
      verdict: 'ask',
      ruleId: 'self.own',
      tier: 'SensitivePath',
      yieldsTo: [],
      why,
      clear,
      unattended: 'deny',
    },
  ];
};

/** Rules about changing a file. */
export const writeFindings = (use: PathUse, context: Context, matchers: Matchers): Finding[] => {
  const sensitive = sensitiveWrite(use, matchers);
  const byRole = roleWrites(use, context, matchers);
  const isAskedFirst = context.policy.settings.pathPolicyOrder === 'seed' && sensitive.length > 0;
  return [
    ...unresolved(use),
    ...ownPath(use, context),
    ...builtinWriteAsks(use, matchers),
    ...sensitive,
    ...hardLink(use),
    ...lifecycleScript(use),
    // The seed asks about a sensitive path even where the role denies it.
    ...(isAskedFirst ? byRole.filter(({ verdict }) => verdict !== 'deny') : byRole),
  ];
};

/** What speaks against changing a file, for callers that a path never permits. */
export const objectionsTo = (use: PathUse, context: Context, matchers: Matchers): Finding[] =>
  writeFindings(use, context, matchers).filter(
    ({ verdict, ruleId }) => verdict !== 'allow' && ruleId !== 'path.unresolved',
  );

const builtinWriteAsks = (use: PathUse, matchers: Matchers): Finding[] => {
  const findings: Finding[] = [];
  const shared = { ...pathBase, verdict: 'ask', tier: 'SensitivePath', yieldsTo: byUserOrOrg } as const;
  const protect = hit(matchers.protect(), use);
  if (protect !== undefined) {
    const why = `${use.spelled} controls what agents may do (${protect.glob})`;
    const clear = `a person confirms it, or hookwise override --role '*' --file '${protect.glob}' --allow --scope user`;
    findings.push({ ...shared, ruleId: 'self.protect', why, clear, unattended: 'deny' });
  }
  const persist = hit(matchers.persist(), use);
  if (persist !== undefined) {
    const why = `${use.spelled} runs later, outside this project (${persist.glob})`;
    const clear = `a person confirms it each time, or hookwise override --role '*' --file '${persist.glob}' --allow --scope user`;
    findings.push({ ...shared, ruleId: 'class.persist', why, clear });
  }
  return findings;
};

const sensitiveWrite = (use: PathUse, matchers: Matchers): Finding[] => {
  const rule = hit(matchers.askWrite(), use);
  if (rule === undefined) return [];
  const why = `${use.spelled} is a sensitive path (${rule.glob})`;
  const clear = `a person confirms it, or hookwise override --role '*' --file '${rule.glob}' --allow --scope user`;
  const shared = { ...pathBase, scope: rule.scope, yieldsTo: restrictedBy(rule), ...sourceOf(rule) };
  return [{ ...shared, verdict: 'ask', ruleId: 'sensitive.ask_write', tier: 'SensitivePath', why, clear }];
};

/** A second name of the same file could be a protected one. Package stores link on purpose. */
const hardLink = (use: PathUse): Finding[] => {
  if (use.fact?.type !== 'file' || use.fact.links < 2) return [];
  if (use.spellings.some(({ absolute }) => absolute.includes('/node_modules/'))) return [];
  const why = `${use.spelled} has ${use.fact.links} hard links: the other names cannot be checked`;
  return [
    {
      ...pathBase,
      verdict: 'ask',
      ruleId: 'path.hard-link',
      tier: 'SensitivePath',
      yieldsTo: byAnyone,
      why,
      clear: 'a person confirms it',
    },
  ];
};

const lifecycle =
  /"(?:pre|post)?(?:install|prepare|publish|pack|version)"\s*:|"prepublishOnly"\s*:|"dependencies(?:Meta)?"\s*:\s*\{[^}]*"[a-z+]*(?:git|https?):/;

/** Package life-cycle scripts run at the next install, without anybody calling them. */
const lifecycleScript = (use: PathUse): Finding[] => {
  const isManifest = use.spellings.some(({ absolute }) => absolute.endsWith('/package.json'));
  if (!isManifest || !use.text.some((text) => lifecycle.test(text))) return [];
  const why = `${use.spelled} would get a script that runs at install time`;
  return [
    {
      ...pathBase,
      verdict: 'ask',
      ruleId: 'deferred.lifecycle',
      tier: 'SensitivePath',
      yieldsTo: byAnyone,
      why,
      clear: 'a person confirms it',
    },
  ];
};

const roleWrites = (use: PathUse, context: Context, matchers: Matchers): Finding[] => {
  const denied = context.roles.flatMap((role) => roleDenial(use, role, matchers));
  if (denied.length > 0) return denied;
  const allowed = context.roles.map((role) => ({ role, rule: hitsAll(matchers.allowWrite(role), use) }));
  const first = allowed[0];
  if (first?.rule === undefined || allowed.some(({ rule }) => rule === undefined)) return [];
  const { role, rule } = first;
  const why = `role ${role.name} may write ${rule.glob}`;
  const shared = { ...pathBase, scope: 'role', learnable: true, yieldsTo: [], ...sourceOf(rule) } as const;
  return [{ ...shared, verdict: 'allow', ruleId: `role.${role.name}.allow_write`, tier: 'PathPolicy', why, clear: '' }];
};

const roleDenial = (use: PathUse, role: Role, matchers: Matchers): Finding[] => {
  const rule = hit(matchers.denyWrite(role), use);
  if (rule === undefined) return [];
  const why = `role ${role.name} may not write ${rule.glob}`;
  const clear = `switch to a role that may, or hookwise override --role ${role.name} --file '${rule.glob}' --allow`;
  const shared = { ...pathBase, scope: 'role', yieldsTo: sameOrBroader[role.scope], ...sourceOf(rule) } as const;
  return [{ ...shared, verdict: 'deny', ruleId: `role.${role.name}.deny_write`, tier: 'PathPolicy', why, clear }];
};

/** Rules about reading a file, or what lies below a directory. */
export const readFindings = (use: PathUse, context: Context, matchers: Matchers): Finding[] => [
  ...unresolved(use),
  ...ownPath(use, context),
  ...sensitiveRead(use, matchers),
  ...roleReads(use, context, matchers),
];

/** Credentials stay unread, whatever the role. */
export const sensitiveRead = (use: PathUse, matchers: Matchers): Finding[] => {
  const lists = [
    { verdict: 'deny', matcher: matchers.denyRead(), ruleId: 'sensitive.deny_read' },
    { verdict: 'ask', matcher: matchers.askRead(), ruleId: 'sensitive.ask_read' },
  ] as const;
  for (const { verdict, matcher, ruleId } of lists) {
    const rule = unexcepted(matcher, use, matchers);
    if (rule === undefined) continue;
    const why =
      rule.scope === 'builtin'
        ? `${use.spelled} may hold credentials (${rule.glob})`
        : `${use.spelled} is not to be read (${rule.glob})`;
    const clear = `a person reads it, or hookwise override --role '*' --tool Read --file '${rule.glob}' --allow --scope user`;
    const yieldsTo = rule.scope === 'builtin' ? byUserOrOrg : sameOrBroader[rule.scope];
    const shared = { ...pathBase, scope: rule.scope, ...sourceOf(rule) };
    return [{ ...shared, verdict, ruleId, tier: 'SensitivePath', yieldsTo, why, clear }];
  }
  return [];
};

/** The first restriction on any name of the file that no exception of sufficient authority lifts. */
const unexcepted = (matcher: GlobMatcher, use: PathUse, matchers: Matchers): GlobRule | undefined => {
  for (const spelling of use.spellings) {
    const rules = matcher.matchAll(spelling);
    if (rules.length === 0) continue;
    const exceptions = matchers.exceptRead().matchAll(spelling);
    const standing = rules.find((rule) => !exceptions.some((exception) => mayExcept(rule, exception)));
    if (standing !== undefined) return standing;
  }
  return undefined;
};

const roleReads = (use: PathUse, context: Context, matchers: Matchers): Finding[] => {
  const rules = context.roles.map((role) => ({ role, rule: hitsAll(matchers.allowRead(role), use) }));
  const missing = rules.find(({ rule }) => rule === undefined);
  const inProject = isInProject(use.spellings);
  if (missing !== undefined && inProject) {
    const { role } = missing;
    const why = `role ${role.name} may not read ${use.spelled}`;
    const clear = `switch to a role that may, or add the path to allow_read of ${role.name}`;
    const shared = { ...pathBase, scope: 'role', yieldsTo: sameOrBroader[role.scope] } as const;
    return [{ ...shared, verdict: 'deny', ruleId: `role.${role.name}.allow_read`, tier: 'PathPolicy', why, clear }];
  }
  if (missing !== undefined && !isOwnTranscript(use, context)) return [];
  const ruleId = inProject ? 'builtin.read' : missing === undefined ? 'role.allow_read' : 'builtin.session-files';
  const why = inProject ? 'reads inside the project' : 'reads a place that is open to this session';
  return [{ ...pathBase, verdict: 'allow', ruleId, tier: 'PathPolicy', yieldsTo: [], why, clear: '' }];
};

/** The host stores long tool results beside the transcript and tells the agent to read them there. */
const isOwnTranscript = (use: PathUse, context: Context): boolean =>
  context.sessionFiles !== undefined &&
  use.spellings.every(({ absolute }) => isInside(context.sessionFiles ?? '', absolute));
