import type { Context } from '../model/context.ts';
import type { Decision } from '../model/decision.ts';
import type { FactQuery, Facts } from '../model/facts.ts';
import type { CompiledPolicy, Role, SensitivePaths } from '../model/policy.ts';
import type { BeforeTool } from '../model/request.ts';
import type { GlobMatcher } from '../paths/glob.ts';
import { defaultSettings } from '../policy/defaults.ts';
import { defaultSensitivePaths } from '../policy/sensitive.ts';
import type { ShellLanguage } from '../similarity/language.ts';
import { decide } from './decide.ts';
import { type Matchers, prepareMatchers } from './matchers.ts';
import { type Plan, plan } from './plan.ts';

/** What a path policy is compiled for. */
export interface PathPolicyOptions {
  /** Replaces the built-in list of sensitive paths. */
  readonly sensitive?: SensitivePaths;
  /** Home directories that `~/` stands for. */
  readonly homes?: readonly string[];
  /** Whether the file system ignores case. */
  readonly foldCase?: boolean;
  /** `globset`: `*` also matches slashes. */
  readonly globs?: 'segment' | 'globset';
}

/** The path lists of one role, ready to be asked, with the sensitive paths that hold for every role. */
export interface CompiledPathPolicy {
  readonly role: Role;
  readonly allowWrite: GlobMatcher;
  readonly denyWrite: GlobMatcher;
  readonly allowRead: GlobMatcher;
  readonly sensitiveAskWrite: GlobMatcher;
  readonly homes: readonly string[];
  readonly foldCase: boolean;
  /** The same lists as the engine takes them. */
  readonly policy: CompiledPolicy;
  readonly matchers: Matchers;
}

/** Compiles every list at once. Throws HookwiseError `GlobPattern`, which names the pattern that cannot be used. */
export const compilePathPolicy = (role: Role, options: PathPolicyOptions = {}): CompiledPathPolicy => {
  const { sensitive = defaultSensitivePaths, homes = [], foldCase = false, globs = 'segment' } = options;
  const policy: CompiledPolicy = {
    roles: { [role.name]: role },
    sensitive,
    settings: { ...defaultSettings, globs },
    orgs: [],
    untrusted: [],
    problems: [],
  };
  const matchers = prepareMatchers(policy, { homes, foldCase });
  // The engine compiles on demand; asking once here shows a broken glob now.
  for (const list of [matchers.denyRead, matchers.askRead, matchers.exceptRead]) list();
  return {
    role,
    allowWrite: matchers.allowWrite(role),
    denyWrite: matchers.denyWrite(role),
    allowRead: matchers.allowRead(role),
    sensitiveAskWrite: matchers.askWrite(),
    homes,
    foldCase,
    policy,
    matchers,
  };
};

/** Where the calls are made. */
export interface PathPlace {
  /** The project root, absolute. */
  readonly root: string;
  /** The same directory with links resolved; `root` when absent. */
  readonly realRoot?: string;
  /** Paths that are the gate itself: changing them asks. */
  readonly ownPaths?: readonly string[];
  /** Understanding of shell commands. */
  readonly shell: () => ShellLanguage;
  /** Says what the disk knows of the paths. */
  readonly observe: (queries: readonly FactQuery[]) => Facts;
  /** The login name, for `~name` in shell commands. */
  readonly user?: string;
}

/** What the path rules alone say about a call, through the one evaluator; no decision when they leave it open. */
export const judgePaths = (
  request: BeforeTool,
  compiled: CompiledPathPolicy,
  place: PathPlace,
): { readonly plan: Plan; readonly decision?: Decision } => {
  const context: Context = {
    root: place.root,
    realRoot: place.realRoot ?? place.root,
    cwd: request.cwd,
    homes: compiled.homes,
    user: place.user ?? '',
    roles: [compiled.role],
    roleName: compiled.role.name,
    policy: compiled.policy,
    foldCase: compiled.foldCase,
    ownPaths: place.ownPaths ?? [],
    sessionId: request.session.sessionId,
  };
  const planned = plan(request, context, place.shell);
  const facts = place.observe(planned.queries.filter(({ kind }) => kind === 'path'));
  const { outcome } = decide(planned, { facts, matchers: compiled.matchers });
  const isByPath = outcome.kind === 'settled' && pathTiers.has(outcome.decision.tier);
  return isByPath ? { plan: planned, decision: outcome.decision } : { plan: planned };
};

const pathTiers: ReadonlySet<Decision['tier']> = new Set(['PathPolicy', 'SensitivePath']);
