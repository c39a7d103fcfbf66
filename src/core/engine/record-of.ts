import type { Decision } from '../model/decision.ts';
import type { CacheKey, Change, DecisionRecord } from '../model/record.ts';
import { sanitizeText } from '../sanitize/sanitize.ts';
import type { CallKey } from './plan.ts';

/** What a record says besides the decision. */
export interface RecordFacts {
  readonly key: CallKey;
  readonly role: string;
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly change?: Change | undefined;
  /** Keyed digest of the call; kept where the text alone would not tell it apart. */
  readonly digest?: string;
}

/** A decision in the form in which decisions are stored. Built-in rules count as the narrowest scope, `role`. */
export const recordOf = (decision: Decision, facts: RecordFacts): DecisionRecord => {
  const { key } = facts;
  const stored: CacheKey = { sanitized_input: key.sanitized, tool: key.tool, role: facts.role };
  const reason = sanitizeText(decision.why);
  const { tier, confidence } = decision;
  return {
    v: 1,
    key: stored,
    decision: decision.verdict,
    metadata: { tier, confidence, reason, ...(tier === 'ExactCache' ? { matched_key: stored } : {}) },
    timestamp: facts.timestamp,
    scope: decision.scope === 'builtin' ? 'role' : decision.scope,
    session_id: facts.sessionId,
    context: key.context,
    ...(key.filePath === undefined ? {} : { file_path: key.filePath }),
    ...(facts.change === undefined ? {} : { change: facts.change }),
    ...(key.lossy ? { lossy: true, ...(facts.digest === undefined ? {} : { digest: facts.digest }) } : {}),
  };
};
