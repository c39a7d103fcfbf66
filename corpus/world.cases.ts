import { claudeCode } from '../src/agents/claude-code/adapter.ts';
import { decide } from '../src/core/engine/decide.ts';
import { prepareMatchers } from '../src/core/engine/matchers.ts';
import { plan } from '../src/core/engine/plan.ts';
import type { Context } from '../src/core/model/context.ts';
import type { Evaluation } from '../src/core/model/decision.ts';
import type { Facts, PathFact } from '../src/core/model/facts.ts';
import type { CompiledPolicy, Role } from '../src/core/model/policy.ts';
import type { SourceRef, StoredEntry, StoredOverride } from '../src/core/model/record.ts';
import type { BeforeTool } from '../src/core/model/request.ts';
import { normalise } from '../src/core/paths/normalise.ts';
import { defaultSettings } from '../src/core/policy/defaults.ts';
import { builtinRoles } from '../src/core/policy/roles.ts';
import { defaultSensitivePaths } from '../src/core/policy/sensitive.ts';
import { shellLanguage } from '../src/core/similarity/language.ts';

/** A world for tables of cases: a project under a home directory, with nothing learned unless a case says so. */
export interface World {
  readonly role?: string;
  readonly roles?: readonly Role[];
  readonly cwd?: string;
  readonly policy?: Partial<CompiledPolicy>;
  readonly context?: Partial<Context>;
  readonly entries?: readonly StoredEntry[];
  readonly overrides?: readonly StoredOverride[];
  /** A line of memory that cannot be read. */
  readonly damaged?: SourceRef;
  /** What the disk says; a path that is not named is an ordinary file that is its own real path. */
  readonly disk?: Readonly<Record<string, Partial<PathFact>>>;
}

export const home = '/home/user';
export const root = `${home}/project`;

export const policyOf = (more: Partial<CompiledPolicy> = {}): CompiledPolicy => ({
  roles: Object.fromEntries(builtinRoles),
  sensitive: defaultSensitivePaths,
  settings: defaultSettings,
  orgs: [],
  untrusted: [],
  problems: [],
  ...more,
});

/** A PreToolUse request, through the real adapter. */
export const requestOf = (tool: string, input: unknown, cwd = root): BeforeTool => {
  const request = claudeCode.decode({
    session_id: 's1',
    transcript_path: `${home}/.claude/projects/p/s1.jsonl`,
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
  });
  if (!request.ok || request.value.kind !== 'before-tool') throw new Error('the case is not a tool call');
  return request.value;
};

/** Judges one call in a world, with the real engine. */
export const judge = (tool: string, input: unknown, world: World = {}): Evaluation => {
  const policy = policyOf(world.policy);
  const name = world.role ?? 'coder';
  const role = policy.roles[name];
  if (role === undefined) throw new Error(`no role ${name}`);
  const roles = world.roles ?? [role];
  const context: Context = {
    root,
    realRoot: root,
    cwd: world.cwd ?? root,
    homes: [home],
    user: 'user',
    roles,
    roleName: roles.at(-1)?.name ?? name,
    policy,
    foldCase: false,
    ownPaths: [`${home}/.config/hookwise`, `${home}/.local/state/hookwise`],
    sessionId: 's1',
    sessionFiles: `${home}/.claude/projects/p/s1`,
    ...world.context,
  };
  const planned = plan(requestOf(tool, input, world.cwd ?? root), context, () => shellLanguage);
  const paths = new Map(
    planned.queries.flatMap((query) =>
      query.kind === 'path' ? [[query.path, factOf(query.path, world)] as const] : [],
    ),
  );
  const facts: Facts = {
    paths,
    entries: world.entries ?? [],
    overrides: world.overrides ?? [],
    ...(world.damaged === undefined ? {} : { restrictionsDamaged: world.damaged }),
  };
  return decide(planned, { facts, matchers: prepareMatchers(policy, { homes: [home], foldCase: context.foldCase }) });
};

const factOf = (path: string, { disk }: World): PathFact => ({
  real: normalise(path),
  type: 'file',
  links: 1,
  ...disk?.[path],
});

/** `verdict rule`, `open`, or `none` for no opinion. */
export const verdictOf = ({ outcome }: Evaluation): string => {
  switch (outcome.kind) {
    case 'settled':
      return `${outcome.decision.verdict} ${outcome.decision.ruleId}`;
    case 'open':
      return 'open';
    case 'abstain':
      return 'none';
  }
};
