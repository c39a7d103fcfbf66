import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { SessionContext } from '../core/engine/cascade.ts';
import { compilePathPolicy } from '../core/engine/path-policy.ts';
import { errors, messageOf } from '../core/model/errors.ts';
import type { Role } from '../core/model/policy.ts';
import { readOrigin } from '../io/project/origin.ts';
import type { WorkspaceOptions } from '../io/project/workspace-options.ts';
import type { Project } from './compose.ts';
import { roleNamed, sessionState } from './session.ts';
import { type Workspace, workspaceAt } from './workspace.ts';

/** What a session is registered with. */
export interface RoleAssignment {
  readonly role: string;
  readonly task?: string;
  /** A file with the agent's instructions; stored sanitised. */
  readonly promptFile?: string;
}

/**
 * Sessions and their roles. What is looked up once stays in this process's memory until `switchRole`, `register`,
 * `disable`, `enable` or `forget`. Session ids have the form `[A-Za-z0-9_-]{1,128}`.
 */
export interface SessionManager {
  /** By memory, the registration file, the environment, in this order; nothing when none of them knows a role. */
  readonly resolveRole: (sessionId: string) => Role | undefined;
  /** Everything known about a session; read from files at the first call only, once it has a role. */
  readonly getOrPopulate: (sessionId: string, cwd: string) => SessionContext;
  /** Gives a session its role. Throws `RoleNotFound` for a role that no policy defines. */
  readonly register: (sessionId: string, assignment: RoleAssignment) => SessionContext;
  /** Takes a session out of gating; says whether it was in. */
  readonly disable: (sessionId: string) => boolean;
  /** Takes a session back into gating; says whether it was out. */
  readonly enable: (sessionId: string) => boolean;
  /** Gives a registered session another role and forgets what memory held for it. */
  readonly switchRole: (sessionId: string, role: string) => SessionContext;
  /** Whether the session has a role, or was disabled. */
  readonly isRegistered: (sessionId: string) => boolean;
  readonly isDisabled: (sessionId: string) => boolean;
  /** Looks every 200 ms. Throws `RegistrationTimeout` when nobody registers the session in time. */
  readonly waitForRegistration: (sessionId: string, timeoutSecs: number) => Promise<SessionContext>;
  /** Drops a session from memory, so that the next question reads the files. */
  readonly forget: (sessionId: string) => void;
}

/** Which registrations are meant. */
export interface SessionManagerOptions extends WorkspaceOptions {
  /** The team's id where the host's team files name none; without one, sessions work alone. */
  readonly team?: string;
}

/** The sessions of a project. */
export const sessionManager = async (options: SessionManagerOptions): Promise<SessionManager> => {
  const { team } = options;
  const env = { ...(options.env ?? process.env), ...(team === undefined ? {} : { CLAUDE_TEAM_ID: team }) };
  return managerOf(await workspaceAt({ ...options, env }));
};

const pollMs = 200;

const managerOf = (workspace: Workspace): SessionManager => {
  const memory = new Map<string, SessionContext>();
  const { now } = workspace.surroundings;
  const populate = (sessionId: string, cwd: string): SessionContext => {
    const context = contextFrom(workspace, { sessionId, cwd });
    if (context.role !== undefined) memory.set(sessionId, context);
    return context;
  };
  const known = (sessionId: string): SessionContext =>
    memory.get(sessionId) ?? populate(sessionId, workspace.directory);
  const getOrPopulate = (sessionId: string, cwd: string): SessionContext => {
    const found = memory.get(sessionId);
    return found?.cwd === cwd ? found : populate(sessionId, cwd);
  };
  const changed = (sessionId: string, change: Change): SessionContext => {
    memory.delete(sessionId);
    change(workspace, sessionId);
    return known(sessionId);
  };
  return {
    resolveRole: (sessionId) => known(sessionId).role,
    getOrPopulate,
    register: (sessionId, assignment) => changed(sessionId, register(assignment)),
    switchRole: (sessionId, role) => changed(sessionId, switchRole(role)),
    disable: (sessionId) => {
      memory.delete(sessionId);
      return exclude(workspace, sessionId, 'disable');
    },
    enable: (sessionId) => {
      memory.delete(sessionId);
      return exclude(workspace, sessionId, 'enable');
    },
    isRegistered: (sessionId) => isRegistered(known(sessionId)),
    isDisabled: (sessionId) => known(sessionId).disabled,
    waitForRegistration: async (sessionId, timeoutSecs) => {
      const until = now() + timeoutSecs * 1000;
      for (;;) {
        const context = known(sessionId);
        if (isRegistered(context)) return context;
        const left = until - now();
        if (left <= 0) throw errors.registrationTimeout(sessionId, timeoutSecs);
        await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, left)));
      }
    },
    forget: (sessionId) => void memory.delete(sessionId),
  };
};

type Change = (workspace: Workspace, sessionId: string) => void;

const isRegistered = ({ role, disabled }: SessionContext): boolean => role !== undefined || disabled;

const stateOf = (workspace: Workspace, sessionId: string) => {
  const project = workspace.open();
  return { project, state: sessionState(project, workspace.surroundings, { sessionId }) };
};

const contextFrom = (
  workspace: Workspace,
  { sessionId, cwd }: { readonly sessionId: string; readonly cwd: string },
): SessionContext => {
  const { project, state } = stateOf(workspace, sessionId);
  const { standing, team, store } = state;
  const found = store.lookup(sessionId);
  const entry = found.kind === 'registered' ? found.entry : undefined;
  const origin = project.root.isRepository ? readOrigin(project.root.stateKey) : undefined;
  return {
    sessionId,
    user: workspace.surroundings.user,
    org: origin?.org ?? 'local',
    project: origin?.project ?? basename(project.root.root),
    cwd,
    disabled: standing.kind === 'disabled',
    ...(team.id === 'solo' ? {} : { team: team.id }),
    ...(standing.kind === 'registered' ? roleFields(project, standing.role) : {}),
    ...(entry?.prompt_hash === undefined ? {} : { agentPromptHash: entry.prompt_hash }),
    ...(entry?.prompt_path === undefined ? {} : { agentPromptPath: entry.prompt_path }),
    ...(entry?.task === undefined ? {} : { taskDescription: entry.task }),
    ...(entry === undefined ? {} : { registeredAt: entry.registered_at }),
  };
};

const roleFields = ({ policy, places, foldCase }: Project, role: Role): Pick<SessionContext, 'role' | 'pathPolicy'> => {
  const { homes } = places;
  const options = { sensitive: policy.sensitive, homes, foldCase, globs: policy.settings.globs };
  return { role, pathPolicy: compilePathPolicy(role, options) };
};

const knownRole = (project: Project, name: string): Role => {
  const role = roleNamed(project, name);
  if (role === undefined) throw errors.roleNotFound(name.slice(0, 128));
  return role;
};

const register =
  ({ role: name, task, promptFile }: RoleAssignment): Change =>
  (workspace, sessionId) => {
    const { project, state } = stateOf(workspace, sessionId);
    const role = knownRole(project, name);
    workspace.mayChange('register a session', role);
    const { user, now } = workspace.surroundings;
    const actor = `user:${user}`;
    const prompt = promptFile === undefined ? undefined : promptFrom(promptFile);
    state.store.register({
      sessionId,
      role: name,
      at: new Date(now()).toISOString(),
      registeredBy: actor,
      ...(task === undefined ? {} : { task }),
      ...(prompt === undefined ? {} : { prompt }),
    });
    workspace.log(project, { event: 'registered', session: sessionId, role: name, task, actor });
  };

/** Longest instructions that are stored. */
const longestPrompt = 1024 * 1024;

const promptFrom = (path: string): string => {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > longestPrompt) throw new Error(`it is larger than ${longestPrompt} bytes`);
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    throw errors.io(`the prompt file ${path} cannot be used: ${messageOf(thrown)}`);
  }
};

const switchRole =
  (name: string): Change =>
  (workspace, sessionId) => {
    const { project, state } = stateOf(workspace, sessionId);
    const role = knownRole(project, name);
    const found = state.store.lookup(sessionId);
    if (found.kind === 'disabled') throw errors.sessionDisabled(sessionId);
    if (found.kind === 'unregistered') throw errors.sessionNotRegistered(sessionId);
    workspace.mayChange('switch the role of a session', role);
    const actor = `user:${workspace.surroundings.user}`;
    const at = new Date(workspace.surroundings.now()).toISOString();
    state.store.switchRole(sessionId, { role: name, at, by: actor });
    // Answers to questions that were asked under the old role must not be learned for the new one.
    project.natives.clear(sessionId);
    workspace.log(project, { event: 'switched', session: sessionId, from: found.entry.role, role: name, actor });
  };

const exclude = (workspace: Workspace, sessionId: string, what: 'disable' | 'enable'): boolean => {
  workspace.mayChange(`${what} a session`);
  const { project, state } = stateOf(workspace, sessionId);
  const done = state.store[what](sessionId);
  const actor = `user:${workspace.surroundings.user}`;
  if (done) workspace.log(project, { event: `${what}d`, session: sessionId, actor });
  return done;
};
