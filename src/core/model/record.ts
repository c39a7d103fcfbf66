import type { DecisionTier, ScopeLevel, Verdict } from './verdict.ts';

/** Where a call was made, seen from the project root; entries learned in one class do not match in another. */
export type ContextClass = 'root' | `inside:${string}` | 'outside';

/** How a file tool changes a file. */
export type Change = 'create' | 'modify' | 'delete';

/** What identifies a remembered call. `role` `*` stands for every role. */
export interface CacheKey {
  readonly sanitized_input: string;
  readonly tool: string;
  readonly role: string;
}

export interface DecisionMetadata {
  readonly tier: DecisionTier;
  /** 1.0 for deterministic tiers, 0.0 to 1.0 for similarity and models. */
  readonly confidence: number;
  /** For people: shown in the queue, stored for review. Sanitised. */
  readonly reason: string;
  readonly matched_key?: CacheKey;
  readonly similarity_score?: number;
}

/** What an override matches beyond its role: at least one is set. */
export interface OverridePattern {
  readonly command?: string;
  readonly tool?: string;
  readonly file?: string;
}

/** What may stand in a typed slot of a generalised call; what counts as one is in `core/similarity`. */
export type SlotType = 'path' | 'selector' | 'name' | 'number' | 'message' | 'ref';

/** Every slot type, by the name it is written under. */
export const slotTypes: readonly SlotType[] = ['path', 'selector', 'name', 'number', 'message', 'ref'];

/** One line of a rules file (`rules/{allow,deny,ask}.jsonl`). */
export interface DecisionRecord {
  readonly v: 1;
  readonly key: CacheKey;
  readonly decision: Verdict;
  readonly metadata: DecisionMetadata;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly scope: ScopeLevel;
  readonly session_id: string;
  readonly file_path?: string;
  readonly change?: Change;
  readonly context?: ContextClass;
  /** Present on overrides: the entry is matched by pattern, not by key. */
  readonly pattern?: OverridePattern;
  /**
   * Present on entries that a person widened: `sanitized_input` is a shape with these typed slots, and the entry holds for
   * every call of that shape. Never empty.
   */
  readonly slots?: readonly SlotType[];
  /** The call that led to the entry (the id of its question), for those who review it. */
  readonly call?: string;
  /** Keyed digest of the canonical call, for entries whose text lost something to redaction. Local to one user. */
  readonly digest?: string;
  readonly lossy?: boolean;
  /** ISO 8601; the entry means nothing after it. */
  readonly expires_at?: string;
  /** Who answered: `user:<login>`, `native`, `supervisor:<name>`. */
  readonly actor?: string;
}

/** Where a rule or entry is written. `line` counts from 1. */
export interface SourceRef {
  readonly file: string;
  readonly line: number;
}

/**
 * A remembered decision found by the digest of `entryKeyText`. Whether it applies (role, tool, change) is for the
 * engine to say, so an index returns it with those fields as stored; `*` is every role, no `change` is every change.
 */
export interface StoredEntry {
  readonly verdict: Verdict;
  readonly scope: ScopeLevel;
  readonly tier: DecisionTier;
  readonly tool: string;
  readonly role: string;
  readonly change?: Change;
  /** Found by the shape of the call: the engine checks what fills the slots before it counts. */
  readonly generalised?: true;
  readonly source: SourceRef;
}

/** A remembered override: matched by pattern, whatever the digest. */
export interface StoredOverride extends StoredEntry {
  readonly pattern: OverridePattern;
}
