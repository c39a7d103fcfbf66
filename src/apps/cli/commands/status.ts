import type { Role } from '../../../core/model/policy.ts';
import { isSessionId } from '../../../core/model/session.ts';
import { pathSummary } from '../../../gate/registration.ts';
import type { Project } from '../../compose.ts';
import { environmentWarnings, hasPolicyDirectory, isGated, type SessionState, sessionState } from '../../session.ts';
import { type Command, type Invocation, textOption, UsageError } from '../command.ts';
import { countsText, memoryCounts, totalOf, type VerdictCounts } from '../memory-counts.ts';
import { projectHere } from '../open.ts';
import { shown } from '../shown.ts';
import { duration } from '../since.ts';
import { visibleJson } from '../visible.ts';

/** Shows where a session stands. */
export const status: Command = {
  name: 'status',
  summary: 'show the role of a session, what it may write, and what is remembered for it',
  usage: '[--session-id <id>] [--json]',
  examples: ['hookwise status', 'hookwise status --session-id abc-123 --json'],
  options: { 'session-id': { type: 'string' }, json: { type: 'boolean' } },
  takesWords: false,
  run: (invocation) => {
    const sessionId = sessionOf(invocation);
    const project = projectHere(invocation);
    const { surroundings, options, print } = invocation;
    const state = sessionId === undefined ? undefined : sessionState(project, surroundings, { sessionId });
    const report = reportOf(project, { state, sessionId, now: surroundings.now() });
    if (options['json'] === true) print(visibleJson(jsonOf(report)));
    else for (const line of linesOf(report)) print(line);
    return 0;
  },
};

const sessionOf = ({ options, surroundings }: Invocation): string | undefined => {
  const sessionId = textOption(options, 'session-id') ?? surroundings.env['CLAUDE_CODE_SESSION_ID'];
  if (sessionId !== undefined && !isSessionId(sessionId))
    throw new UsageError('a session id holds only letters, digits, "_" and "-", at most 128 of them');
  return sessionId;
};

interface Report {
  readonly root: string;
  readonly session: string | undefined;
  readonly standing: SessionState['standing']['kind'] | 'unknown';
  readonly role: Role | undefined;
  readonly team: string | undefined;
  readonly task: string | undefined;
  readonly cache: VerdictCounts;
  readonly uptimeMs: number | undefined;
  readonly profile: { readonly name: 'gated' | 'policy-only'; readonly why: string };
  readonly warnings: readonly string[];
}

interface About {
  readonly state: SessionState | undefined;
  readonly sessionId: string | undefined;
  readonly now: number;
}

const reportOf = (project: Project, { state, sessionId, now }: About): Report => {
  const standing = state?.standing;
  const role = standing?.kind === 'registered' ? standing.role : undefined;
  const found = sessionId === undefined ? undefined : state?.store.lookup(sessionId);
  const entry = found?.kind === 'registered' ? found.entry : undefined;
  const since = entry === undefined ? Number.NaN : Date.parse(entry.registered_at);
  return {
    root: project.root.root,
    session: sessionId,
    standing: standing?.kind ?? 'unknown',
    role,
    team: state?.team.id,
    task: entry?.task,
    cache: totalOf(memoryCounts(project, { now, ...(role === undefined ? {} : { role: role.name }) })),
    uptimeMs: Number.isNaN(since) ? undefined : Math.max(0, now - since),
    profile: profileOf(project, standing),
    warnings: [...(state?.warnings ?? []), ...environmentWarnings(project)],
  };
};

/** Whether calls are judged here, and by whose wish. */
const profileOf = (project: Project, standing: SessionState['standing'] | undefined): Report['profile'] => {
  const { gating } = project.policy.settings;
  if (standing?.kind === 'disabled') return { name: 'policy-only', why: 'this session is disabled' };
  if (standing?.kind === 'registered')
    return {
      name: 'gated',
      why: standing.by === 'environment' ? 'HOOKWISE_ROLE names a role' : 'this session is registered',
    };
  if (!isGated(project)) {
    const why = gating === 'never' ? 'gating is never' : 'no .hookwise/ at the root, and nothing else asks for gating';
    return { name: 'policy-only', why };
  }
  if (gating === 'always') return { name: 'gated', why: 'gating is always' };
  const [org] = project.policy.orgs;
  if (org !== undefined) return { name: 'gated', why: `the organisation ${org}` };
  return { name: 'gated', why: hasPolicyDirectory(project.root.root) ? '.hookwise/ at the root' : 'configuration' };
};

const roleLine = ({ role, standing }: Report): string => {
  if (role !== undefined) return role.name;
  return standing === 'unknown' ? 'unknown' : `none (${standing})`;
};

const linesOf = (report: Report): string[] => {
  const { session, role, cache, uptimeMs, profile, task, warnings } = report;
  return [
    `Session: ${session ?? 'unknown (give --session-id)'}`,
    `Role: ${roleLine(report)}`,
    `Path policy: ${role === undefined ? 'none' : shown(pathSummary(role))}`,
    `Cache: ${countsText(cache)}`,
    `Uptime: ${uptimeMs === undefined ? 'unknown' : duration(uptimeMs)}`,
    ...(task === undefined ? [] : [`Task: ${shown(task)}`]),
    `Profile: ${profile.name} (${shown(profile.why)})`,
    ...warnings.map((warning) => `Warning: ${shown(warning)}`),
  ];
};

const jsonOf = (report: Report): unknown => {
  const { role, uptimeMs, session, team, task, ...rest } = report;
  const globs = (rules: Role['paths']['allowWrite']) => rules.map(({ glob }) => glob);
  return {
    ...rest,
    session: session ?? null,
    team: team ?? null,
    task: task ?? null,
    role: role?.name ?? null,
    paths:
      role === undefined
        ? null
        : {
            allow_write: globs(role.paths.allowWrite),
            deny_write: globs(role.paths.denyWrite),
            allow_read: globs(role.paths.allowRead),
          },
    uptime_secs: uptimeMs === undefined ? null : Math.floor(uptimeMs / 1000),
    uptimeMs: undefined,
  };
};
