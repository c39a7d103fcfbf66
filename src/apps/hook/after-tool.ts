import type { Answer } from '../../agents/adapter.ts';
import type { LearnTarget } from '../../core/model/queue.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import type { AfterTool } from '../../core/model/request.ts';
import { personAccepted } from '../../io/transcript/answer.ts';
import { type Project, saveRecord } from '../compose.ts';
import { isAttended } from '../session.ts';
import type { HookCall } from './call.ts';
import { open } from './open.ts';

/**
 * A call came back. If it had been put to a person by the host's own prompt, and the host's transcript says that a
 * person accepted it, the exact call is remembered for this repository and this user.
 */
export const afterTool = (request: AfterTool, call: HookCall): Answer => {
  const { toolUseId } = request.call;
  const { sessionId, transcriptPath } = request.session;
  if (toolUseId === undefined) return { kind: 'silent' };
  const { project, state } = open(request, call);
  const asked = project.natives.take(sessionId, toolUseId);
  if (asked?.learn === undefined || project.policy.settings.learning.native === 'off') return { kind: 'silent' };
  if (!isAttended(project, call.surroundings, state.team)) return { kind: 'silent' };
  if (transcriptPath === undefined || !personAccepted(transcriptPath, toolUseId)) return { kind: 'silent' };
  const by = { who: `user:${call.surroundings.user}`, when: new Date(call.surroundings.now()).toISOString() };
  const record = learnedRecord(asked.learn, { sessionId, by, call: toolUseId });
  saveRecord(project, record, { where: { scope: 'user', here: true }, by });
  logLearning(project, { record, by });
  return { kind: 'silent' };
};

interface Learning {
  readonly sessionId: string;
  readonly by: { readonly who: string; readonly when: string };
  /** The host's id of the call. */
  readonly call: string;
}

const learnedRecord = (target: LearnTarget, { sessionId, by, call }: Learning): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: target.sanitized_input, tool: target.tool, role: target.role },
  decision: 'allow',
  metadata: { tier: 'Human', confidence: 1, reason: 'accepted at the host’s own prompt' },
  timestamp: by.when,
  scope: 'user',
  session_id: sessionId,
  context: target.context,
  actor: by.who,
  call: call.slice(0, 256),
  ...(target.file_path === undefined ? {} : { file_path: target.file_path }),
  ...(target.change === undefined ? {} : { change: target.change }),
  ...(target.lossy ? { lossy: true, digest: target.digest } : {}),
});

const logLearning = (
  project: Project,
  { record, by }: { readonly record: DecisionRecord; readonly by: Learning['by'] },
): void => {
  const { key, scope } = record;
  const about = { role: key.role, tool: key.tool, input: key.sanitized_input.slice(0, 4096) };
  project.audit.append({ event: 'learned', ...about, verdict: record.decision, scope, actor: by.who }, by.when);
};
