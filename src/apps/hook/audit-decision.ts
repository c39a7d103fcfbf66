import type { Context } from '../../core/model/context.ts';
import type { Decision } from '../../core/model/decision.ts';
import type { BeforeTool } from '../../core/model/request.ts';
import { tierNames } from '../../core/model/verdict.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import type { GateResult } from '../../gate/gate.ts';
import type { Project } from '../compose.ts';

/** One judged call, as the log wants it. */
export interface Judged {
  readonly request: BeforeTool;
  readonly project: Project;
  readonly context: Context;
  readonly result: GateResult;
  readonly decision: Decision | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly now: () => number;
}

/** Longest piece of a call that the log keeps: enough to recognise it. */
const longestInput = 4096;

/** Appends one line about a decision of any tier. Everything in it is sanitised; file contents never get here. */
export const auditDecision = ({ request, project, context, result, decision, startedAt, now }: Judged): void => {
  const { session, call } = request;
  const { asked, plan } = result;
  const time = now();
  project.audit.append(
    {
      event: 'decision',
      session: session.sessionId,
      ...(session.agentId === undefined ? {} : { agent: session.agentId }),
      root: context.root,
      role: context.roleName,
      tool: call.tool,
      ...(call.toolUseId === undefined ? {} : { tool_use_id: call.toolUseId }),
      input: plan.key.sanitized.slice(0, longestInput),
      context: plan.key.context,
      verdict: decision?.verdict ?? 'none',
      ...(decision === undefined ? {} : aboutDecision(decision)),
      ...(asked === undefined ? {} : { asked: asked.route, ...(asked.id === undefined ? {} : { queue: asked.id }) }),
      ms: time - startedAt,
    },
    new Date(time).toISOString(),
  );
};

const aboutDecision = (decision: Decision): Record<string, unknown> => ({
  rule: decision.ruleId,
  tier: tierNames[decision.tier],
  scope: decision.scope,
  reason: sanitizeText(decision.why).slice(0, longestInput),
  ...(decision.source === undefined ? {} : { source: `${decision.source.file}:${decision.source.line}` }),
});
