import type { Decision } from '../../core/model/decision.ts';
import type { Answer, DenyExit, Reply } from '../adapter.ts';

/** The one line a verdict is explained with: `hookwise <verdict> [<rule id>] <why>; <what would clear it>`. */
export const reasonLine = (decision: Decision): string => {
  const clear = decision.clear === '' ? '' : `; ${decision.clear}`;
  return `hookwise ${decision.verdict} [${decision.ruleId}] ${decision.why}${clear}`.replace(/[\r\n\t ]+/g, ' ').trim();
};

const denyExitCode: Record<DenyExit, number> = { block: 2, json: 0, seed: 1 };

/**
 * Writes an answer as Claude Code reads it. A deny is JSON and exit 2 with the reason on stderr: so it holds even
 * where the JSON is not understood.
 */
export const encode = (answer: Answer, { denyExit }: { readonly denyExit: DenyExit }): Reply => {
  switch (answer.kind) {
    case 'silent':
      return { stdout: '', stderr: '', exitCode: 0 };
    case 'context':
      return json({
        hookSpecificOutput: { hookEventName: answer.event, additionalContext: answer.text },
        ...(answer.systemMessage === undefined ? {} : { systemMessage: answer.systemMessage }),
      });
    case 'message':
      return json({ systemMessage: answer.text });
    case 'block':
      return json({ decision: 'block', reason: answer.reason });
    case 'verdict':
      return verdictReply(answer, denyExit);
  }
};

const verdictReply = (answer: Extract<Answer, { kind: 'verdict' }>, denyExit: DenyExit): Reply => {
  const reason = answer.notice ?? reasonLine(answer.decision);
  const body = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: answer.decision.verdict,
      permissionDecisionReason: reason,
      ...(answer.context === undefined ? {} : { additionalContext: answer.context }),
    },
    ...(answer.notice === undefined ? {} : { decision: 'block', reason }),
  };
  const reply = json(body);
  if (answer.decision.verdict !== 'deny') return reply;
  const exitCode = denyExitCode[denyExit];
  return { ...reply, stderr: exitCode === 2 ? `${reason}\n` : '', exitCode };
};

const json = (body: unknown): Reply => ({ stdout: `${JSON.stringify(body)}\n`, stderr: '', exitCode: 0 });
