import type { SourceRef, StoredEntry, StoredOverride } from './record.ts';

/** What the engine must know before it can decide; answered by `io/observe`. */
export type FactQuery =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'entries'; readonly keyTexts: readonly string[] };

/** What the file system says about one path at the time of asking. */
export interface PathFact {
  /** The path with every link of its longest existing ancestor resolved. */
  readonly real: string;
  readonly type: 'file' | 'directory' | 'other' | 'missing' | 'unreadable';
  /** Hard links to the same file; 1 for ordinary files, 0 when missing. */
  readonly links: number;
}

/** The answers. A path without an answer counts as unreadable. */
export interface Facts {
  readonly paths: ReadonlyMap<string, PathFact>;
  readonly entries: readonly StoredEntry[];
  /** Every override in force in any scope; the engine matches their patterns. */
  readonly overrides: readonly StoredOverride[];
  /** A line of memory that cannot be used and may have denied or asked something: what it forbade is not known. */
  readonly restrictionsDamaged?: SourceRef;
}
