import type { Effect } from './effect.ts';
import type { Change, SourceRef } from './record.ts';
import type { DecisionTier, ScopeLevel, Verdict } from './verdict.ts';

/** What one rule says about a call. */
export interface Finding {
  readonly verdict: Verdict;
  readonly ruleId: string;
  readonly tier: DecisionTier;
  readonly scope: ScopeLevel | 'builtin';
  /** One line: why this rule says so. */
  readonly why: string;
  /** What would clear it; empty for an allow. */
  readonly clear: string;
  readonly source?: SourceRef;
  /** Scopes whose explicit `allow` override for the same call replaces this finding; empty: nothing does. */
  readonly yieldsTo: readonly ScopeLevel[];
  /** Whether a person's answer may be remembered for the next such call. */
  readonly learnable: boolean;
  /** `deny`: refused when nobody is there, not queued for later. */
  readonly unattended?: 'deny';
  /** How sure it is, 0 to 1; absent for what is certain. */
  readonly confidence?: number;
}

/** One stage of the evaluation, for `explain`. */
export interface TraceStep {
  readonly stage: string;
  readonly looked: string;
  readonly outcome: string;
}

/** A verdict with everything a person needs to understand and to clear it. */
export interface Decision {
  readonly verdict: Verdict;
  readonly ruleId: string;
  readonly tier: DecisionTier;
  readonly scope: ScopeLevel | 'builtin';
  /** 1.0 for deterministic tiers. */
  readonly confidence: number;
  readonly why: string;
  readonly clear: string;
  readonly source?: SourceRef;
  readonly unattended?: 'deny';
}

/** What the pure engine makes of a call. `learnable`: whether an answer may be remembered. */
export type Outcome =
  | { readonly kind: 'settled'; readonly decision: Decision; readonly learnable: boolean }
  | { readonly kind: 'abstain'; readonly why: string }
  /** Nothing that is already decided covers the call: the later tiers are asked, in order. */
  | { readonly kind: 'open'; readonly why: string };

export interface Evaluation {
  readonly outcome: Outcome;
  readonly effects: readonly Effect[];
  /** False when something in the call was not understood. */
  readonly complete: boolean;
  readonly trace: readonly TraceStep[];
  /** For calls that change a file: how. */
  readonly change?: Change;
}
