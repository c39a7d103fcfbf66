import type { SlotType } from './record.ts';
import type { ScopeLevel, Verdict } from './verdict.ts';

/** What a model recommends to the person who answers. */
export interface SupervisorRecommendation {
  readonly decision: Verdict;
  readonly confidence: number;
  readonly reason: string;
}

/** A call that waits for a person. Everything in it is sanitised; the call itself is only known by its digest. */
export interface PendingDecision {
  readonly id: string;
  readonly session_id: string;
  readonly agent_id?: string;
  readonly role: string;
  readonly tool_name: string;
  readonly sanitized_input: string;
  readonly file_path?: string;
  readonly cwd: string;
  readonly root: string;
  readonly recommendation?: SupervisorRecommendation;
  readonly is_ask_reprompt: boolean;
  readonly ask_reason?: string;
  readonly rule: string;
  /** Keyed digest of the exact raw call (tool and whole input): an answer is for this call and no other. */
  readonly call_digest: string;
  /** What a remembered answer would be stored as; absent when an answer may count once only. */
  readonly learn?: LearnTarget;
  /** ISO 8601, UTC. */
  readonly queued_at: string;
  readonly expires_at: string;
}

/** The canonical form under which an answer is remembered. */
export interface LearnTarget {
  readonly sanitized_input: string;
  readonly tool: string;
  readonly role: string;
  readonly change?: 'create' | 'modify' | 'delete';
  readonly context: 'root' | `inside:${string}` | 'outside';
  readonly file_path?: string;
  /** The call with its data operands as typed slots; absent when it may not be generalised. */
  readonly shape?: { readonly text: string; readonly slots: readonly SlotType[] };
  /** Set when text outside credential slots was redacted: the entry stays local and is matched by `digest`. */
  readonly lossy: boolean;
  readonly digest: string;
}

/** A person's answer to a pending decision. */
export interface HumanResponse {
  readonly decision: 'allow' | 'deny';
  readonly always_ask: boolean;
  readonly add_rule: boolean;
  readonly rule_scope?: ScopeLevel;
  readonly actor: string;
  readonly answered_at: string;
}
