import type { ContextClass, StoredEntry } from './record.ts';

/** A call for which remembered ones like it are looked up. */
export interface SimilarQuery {
  readonly tool: string;
  /** The sanitised canonical text of the call. */
  readonly text: string;
  /** Only allows of exactly this shape are wanted; asks and denies of any. Without it every allow is wanted. */
  readonly shape?: string;
  /** From 0 to 1: what is less like the call is not wanted. */
  readonly threshold: number;
}

/** A remembered call that is like another one. */
export interface Neighbour {
  readonly entry: StoredEntry;
  /** Its sanitised canonical text. */
  readonly text: string;
  /** Where it holds; absent: everywhere for a restriction, the root for an allow. */
  readonly context?: ContextClass;
  /** How much alike: 0 to 1. */
  readonly score: number;
}

/** What memory found. `problem`: it could not look everywhere, so nothing may be allowed by what it found. */
export interface Neighbours {
  /** Every ask and deny at or above the threshold (of very many the best), and the best allows; best first. */
  readonly found: readonly Neighbour[];
  readonly problem?: string;
}

/** Remembered calls that are like a given one, over all scopes. */
export interface SimilarMemory {
  /** By the words they share. */
  nearTokens(query: SimilarQuery): Neighbours;
  /** By their embeddings. */
  nearEmbeddings(query: SimilarQuery): Neighbours;
}
