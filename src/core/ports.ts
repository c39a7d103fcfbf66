import type { FactQuery, Facts } from './model/facts.ts';
import type { HumanResponse, PendingDecision } from './model/queue.ts';
import type { ScopeLevel } from './model/verdict.ts';

/** Answers what the engine asks about the machine and about memory. */
export interface Observer {
  observe(queries: readonly FactQuery[]): Facts;
}

/** Which file a record goes to: the scope's own files, or the repository-local personal file. */
export type RecordPlace = { readonly scope: Exclude<ScopeLevel, 'role'>; readonly here: boolean };

/** Calls that wait for a person. */
export interface HumanQueue {
  /** Files the question; returns its id. Throws HookwiseError `Storage` when it cannot, or when the session has too many. */
  enqueue(question: Omit<PendingDecision, 'id'>): string;
  /** Resolves with the answer, or with nothing when the time is over. */
  waitForResponse(id: string, deadline: number): Promise<HumanResponse | undefined>;
  remove(id: string): void;
}

/** Single-use permissions for exactly one call, made when an answer comes after the call has gone. */
export interface GrantStore {
  /** Uses up a valid grant for this call and session; says who gave it. */
  take(callDigest: string, sessionId: string): { readonly actor: string } | undefined;
}
