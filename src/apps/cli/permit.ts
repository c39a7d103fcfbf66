import type { Role } from '../../core/model/policy.ts';
import type { Caller } from '../../io/process/caller.ts';
import { teamOf } from '../../io/project/team.ts';
import type { Project } from '../compose.ts';
import type { Invocation } from './command.ts';
import { callerHere } from './open.ts';

/** How long a person's yes to exactly one command line holds. */
const permitLifeMs = 10 * 60 * 1000;

/** What somebody wants to change about a session. */
export interface SessionChange {
  readonly project: Project;
  readonly sessionId: string;
  /** The role it would get, if it would get one. */
  readonly role?: Role;
}

/**
 * Whether the caller may change how a session is gated, and who is on record for it. A person at a terminal, or a
 * script that no agent started, may; an agent only for its own session, or as the lead for its team, and only after a
 * person said yes to exactly this command line. Throws why not.
 */
export const registrarOf = (invocation: Invocation, change: SessionChange): string => {
  const caller = callerHere(invocation);
  const byName = `user:${invocation.surroundings.user}`;
  switch (caller.kind) {
    case 'terminal':
      return byName;
    case 'script':
      if (change.role?.category !== 'full-access') return byName;
      throw new Error(`${change.role.name} is a full-access role: run this in a terminal (no terminal here)`);
    case 'agent': {
      const { sessionId, registrar } = agentSession({ caller, change });
      takePermit(invocation, change.project, sessionId);
      return registrar;
    }
  }
};

interface AgentChange {
  readonly caller: Extract<Caller, { readonly kind: 'agent' }>;
  readonly change: SessionChange;
}

/** The session that asks, and as whom. */
const agentSession = ({
  caller,
  change: { project, sessionId },
}: AgentChange): { readonly sessionId: string; readonly registrar: string } => {
  const refused = (why: string) =>
    new Error(`an agent may not do this (${caller.why}): ${why}; run it in a terminal of your own`);
  if (caller.sessionId === undefined || project.repositoryEnv.names.has('CLAUDE_CODE_SESSION_ID'))
    throw refused('which session the agent works in is not known');
  if (caller.sessionId === sessionId) return { sessionId, registrar: `session:${sessionId}` };
  const { home } = project.places;
  const team = teamOf(home, caller.sessionId, undefined);
  const isMember = team.id !== 'solo' && teamOf(home, sessionId, undefined).id === team.id;
  if (!team.isLead || !isMember)
    throw refused(`its session is ${caller.sessionId}, and ${sessionId} is not of a team that it leads`);
  return { sessionId: caller.sessionId, registrar: 'team-lead' };
};

/** Uses up the host's question about exactly this command line: the host runs the command only after a yes. */
const takePermit = ({ line = [], surroundings }: Invocation, project: Project, sessionId: string): void => {
  const now = surroundings.now();
  const permit = project.natives.list(sessionId).find(({ control, askedAt }) => {
    const isSame = control?.length === line.length && line.every((word, at) => word === control[at]);
    return isSame && line.length > 0 && askedAt <= now && now - askedAt < permitLifeMs;
  });
  if (permit !== undefined && project.natives.take(sessionId, permit.toolUseId) !== undefined) return;
  throw new Error(
    'no person confirmed exactly this command in the last ten minutes: an agent gets that by running it as a call of its own, which the host asks about',
  );
};
