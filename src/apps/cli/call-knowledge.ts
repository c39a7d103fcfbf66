import { callKnowledge } from '../../core/engine/covers-call.ts';
import type { CallKnowledge } from '../../core/engine/covers-lines.ts';
import type { Project } from '../compose.ts';
import { contextOf } from '../session.ts';
import type { Invocation } from './command.ts';

/** What the engine knows about the calls of a project's records; nothing where no role is defined. */
export const knowledgeHere = ({ surroundings }: Invocation, project: Project): CallKnowledge => {
  const [role] = Object.values(project.policy.roles);
  if (role === undefined) return {};
  // The role of each record takes the place of this one.
  const context = contextOf(project, { session: { sessionId: '' }, cwd: project.root.root, role });
  return callKnowledge({ context, matchers: project.matchers, shell: surroundings.shell });
};
