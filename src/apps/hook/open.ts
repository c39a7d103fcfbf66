import type { HookRequest } from '../../core/model/request.ts';
import { type Ground, openGround, openProject, type Project, type Surroundings } from '../compose.ts';
import { type SessionState, sessionState } from '../session.ts';
import type { HookCall } from './call.ts';

/** The project and session that a request is about. */
export interface Opened {
  readonly project: Project;
  readonly state: SessionState;
}

/** Opens what a request is about. */
export const open = (request: HookRequest, { surroundings }: Pick<HookCall, 'surroundings'>): Opened => {
  const project = openProject(surroundings, groundOf(request.cwd, surroundings));
  return { project, state: sessionState(project, surroundings, request.session) };
};

const projectVariable = 'CLAUDE_PROJECT_DIR';

/**
 * The root is that of the session's project directory, which the host keeps while the working directory moves. A
 * repository that defines that variable itself, there or where the session stands, is not believed.
 */
const groundOf = (cwd: string, surroundings: Surroundings): Ground => {
  const named = surroundings.env[projectVariable];
  if (named?.startsWith('/') !== true) return openGround(surroundings, cwd);
  const ground = openGround(surroundings, named);
  const here = cwd === named ? ground : openGround(surroundings, cwd);
  const definers = [ground, here].filter(({ repositoryEnv }) => repositoryEnv.names.has(projectVariable));
  return definers.length === 0 ? ground : here;
};
