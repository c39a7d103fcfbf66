import { statSync } from 'node:fs';
import type { Context } from '../core/model/context.ts';
import type { Role } from '../core/model/policy.ts';
import type { SessionRef } from '../core/model/request.ts';
import { riskyNames } from '../io/project/host-settings.ts';
import { type Team, teamOf } from '../io/project/team.ts';
import type { SessionStore } from '../io/stores/sessions.ts';
import type { Project, Surroundings } from './compose.ts';

/** Where a session stands with the gate. */
export type Standing =
  /** hookwise has nothing to say here: no gating was asked for. */
  | { readonly kind: 'policy-only' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'unregistered' }
  | { readonly kind: 'registered'; readonly role: Role; readonly by: 'registration' | 'environment' };

/** The session of one payload. */
export interface SessionState {
  readonly team: Team;
  readonly store: SessionStore;
  readonly standing: Standing;
  /** What was not believed about the environment, and unknown roles: shown, never swallowed. */
  readonly warnings: readonly string[];
}

/** An environment variable, unless the repository's own settings define it. */
const believed = (name: string, project: Project, { env }: Surroundings): string | undefined =>
  project.repositoryEnv.names.has(name) ? undefined : env[name];

/** Looks a session up: registration first, then the environment, then whether gating applies at all. */
export const sessionState = (project: Project, surroundings: Surroundings, session: SessionRef): SessionState => {
  const team = teamOf(project.places.home, session.sessionId, believed('CLAUDE_TEAM_ID', project, surroundings));
  const store = project.sessions(team.id);
  const found = store.lookup(session.sessionId);
  const warnings: string[] = [];
  const from = environmentRole(project, surroundings, warnings);
  const standing = ((): Standing => {
    if (found.kind === 'disabled') return { kind: 'disabled' };
    if (found.kind === 'registered') {
      const role = roleNamed(project, found.entry.role);
      if (role !== undefined) return { kind: 'registered', role, by: 'registration' };
      warnings.push(`role not found: ${found.entry.role}`);
      return { kind: 'unregistered' };
    }
    if (from !== undefined) return { kind: 'registered', role: from, by: 'environment' };
    return isGated(project) ? { kind: 'unregistered' } : { kind: 'policy-only' };
  })();
  return { team, store, standing, warnings };
};

/** The role of that name, if there is one. */
export const roleNamed = (project: Project, name: string): Role | undefined =>
  Object.hasOwn(project.policy.roles, name) ? project.policy.roles[name] : undefined;

const environmentRole = (project: Project, surroundings: Surroundings, warnings: string[]): Role | undefined => {
  const variable = ['HOOKWISE_ROLE', 'CAPTAIN_HOOK_ROLE'].find((name) => surroundings.env[name] !== undefined);
  if (variable === undefined) return undefined;
  const name = believed(variable, project, surroundings);
  if (name === undefined) {
    warnings.push(`${variable}: not used, the repository's settings define it`);
    return undefined;
  }
  const role = roleNamed(project, name);
  if (role === undefined) warnings.push(`${variable}: role not found: ${name.slice(0, 64)}`);
  else if (role.category === 'full-access' && !project.policy.settings.envRoleAllow.includes(name)) {
    warnings.push(`${variable}: not used, ${name} is a full-access role and env_role.allow does not list it`);
    return undefined;
  }
  return role;
};

/** Whether calls in this project are gated for sessions that nobody registered. */
export const isGated = (project: Project): boolean => {
  const { gating } = project.policy.settings;
  if (gating !== 'auto') return gating === 'always';
  if (project.policy.orgs.length > 0) return true;
  return hasPolicyDirectory(project.root.root);
};

/** `.hookwise/`, or the older `.captain-hook/`, at the root. */
export const hasPolicyDirectory = (root: string): boolean =>
  ['.hookwise', '.captain-hook'].some(
    (name) => statSync(`${root}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true,
  );

/** Variables of the host that say whether somebody could answer; a repository has no business setting them. */
const attendance = ['CLAUDE_CODE_SESSION_ATTENDED', 'CLAUDE_CODE_ENTRYPOINT'];

/** Whether somebody sits at the host's prompt. A repository cannot say so. */
export const isAttended = (project: Project, surroundings: Surroundings, team: Team): boolean => {
  if (attendance.some((name) => project.repositoryEnv.names.has(name))) return false;
  return seemsAttended(surroundings) && (team.id === 'solo' || team.isLead);
};

/**
 * Whether somebody could answer, as far as the environment tells. Clients that do not say it (2.1.197 is one) still tell
 * a terminal (`cli`) from a run without one (`sdk-cli`).
 */
export const seemsAttended = ({ env }: Pick<Surroundings, 'env'>): boolean => {
  const said = env['CLAUDE_CODE_SESSION_ATTENDED'];
  return said === undefined ? env['CLAUDE_CODE_ENTRYPOINT'] !== 'sdk-cli' : said !== '0';
};

/** Everything `decide` needs to know about the caller. */
export const contextOf = (
  project: Project,
  { session, cwd, role }: { readonly session: SessionRef; readonly cwd: string; readonly role: Role },
): Context => {
  const roles = [role, ...subagentRole(project, session, role)];
  const files = sessionFiles(session);
  return {
    root: projectOr(project.root.root),
    realRoot: projectOr(project.root.realRoot),
    cwd,
    homes: project.places.homes,
    user: project.user,
    roles,
    roleName: roles.at(-1)?.name ?? role.name,
    policy: project.policy,
    foldCase: project.foldCase,
    ownPaths: project.ownPaths,
    sessionId: session.sessionId,
    ...(files === undefined ? {} : { sessionFiles: files }),
  };
};

/** At the top of the file system there is no project: nothing may count as lying inside it. */
const projectOr = (root: string): string => (root === '/' ? '/.hookwise-no-project' : root);

/** The directory beside the transcript that carries the session's own id; no other place. */
const sessionFiles = ({ transcriptPath, sessionId }: SessionRef): string | undefined =>
  transcriptPath?.startsWith('/') === true && transcriptPath.endsWith(`/${sessionId}.jsonl`)
    ? transcriptPath.slice(0, -'.jsonl'.length)
    : undefined;

/** The role mapped to a subagent's type. Both roles must allow, so it can only be narrower than the session's. */
const subagentRole = (project: Project, session: SessionRef, role: Role): Role[] => {
  if (session.agentId === undefined || session.agentType === undefined) return [];
  const { agents } = project.policy.settings;
  const name = Object.hasOwn(agents, session.agentType) ? agents[session.agentType] : undefined;
  const mapped = name === undefined ? undefined : roleNamed(project, name);
  return mapped === undefined || mapped.name === role.name ? [] : [mapped];
};

/** Lines about environment variables that would change what a hook runs, for the person to see. */
export const environmentWarnings = (project: Project): string[] => {
  const { definedIn, unreadable } = project.repositoryEnv;
  const risky = [...definedIn].filter(([name]) => riskyNames(name));
  return [
    ...risky.map(
      ([name, file]) => `${file} sets ${name}: a repository has no business setting it, and hookwise does not use it`,
    ),
    ...unreadable.map((file) => `${file} is not valid JSON: the host skips the whole file, its deny rules included`),
    ...project.places.refused,
  ];
};
