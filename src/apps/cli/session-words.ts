import { isSessionId } from '../../core/model/session.ts';
import type { Project } from '../compose.ts';
import { sessionState } from '../session.ts';
import { type Invocation, textOption, UsageError } from './command.ts';

/** The option that names a session. */
export const sessionOption = { 'session-id': { type: 'string' } } as const;

/** The session a command is about. `inherited`: without the option, the one the command is run in. */
export const sessionNamed = ({ options, surroundings }: Invocation, inherited?: 'inherited'): string => {
  const named = textOption(options, 'session-id');
  const id = named ?? (inherited === undefined ? undefined : surroundings.env['CLAUDE_CODE_SESSION_ID']);
  if (id === undefined) throw new UsageError('--session-id <id> is missing');
  if (isSessionId(id)) return id;
  throw new UsageError('a session id may hold only letters, digits, "_" and "-", at most 128 of them');
};

/** Where the session's team keeps its registrations. */
export const storeOf = (
  { surroundings }: Invocation,
  { project, sessionId }: { readonly project: Project; readonly sessionId: string },
) => sessionState(project, surroundings, { sessionId }).store;

/** How a session gets a role. */
export const registerHint = (sessionId: string): string =>
  `To register: hookwise register --session-id ${sessionId} --role <role>`;
