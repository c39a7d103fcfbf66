/** One document and how near it is: its Jaccard coefficient, from 0 to 1. */
export interface NearDocument {
  readonly document: number;
  readonly score: number;
}

/** A document that was found. `place` tells which of two documents comes first. */
interface Found extends NearDocument {
  readonly place: number;
}

/** Keeps the best documents that were added. */
export interface BestDocuments {
  /** Adds a document; each at most once. */
  readonly add: (found: Found) => void;
  /** Whether a document at this place would be kept if it scored this. */
  readonly wouldKeep: (place: number, score: number) => boolean;
  /** Best first, those with one score by place. */
  readonly sorted: () => readonly NearDocument[];
}

/** Room for `limit` documents: never more than twice as many are held, and sorting costs O(log limit) for each added. */
export const bestDocuments = (limit: number): BestDocuments => {
  const most = limit >= 1 ? Math.floor(limit) : 0;
  const kept: Found[] = [];
  let worst: Found | undefined;
  const shorten = (): void => {
    kept.sort((a, b) => b.score - a.score || a.place - b.place);
    if (kept.length > most) kept.length = most;
    worst = kept.length === most ? kept[most - 1] : undefined;
  };
  const wouldKeep = (place: number, score: number): boolean =>
    most > 0 && (worst === undefined || score > worst.score || (score === worst.score && place < worst.place));
  const add = (found: Found): void => {
    if (!wouldKeep(found.place, found.score)) return;
    kept.push(found);
    if (kept.length >= 2 * most) shorten();
  };
  const sorted = (): readonly NearDocument[] => {
    shorten();
    return kept.map(({ document, score }) => ({ document, score }));
  };
  return { add, wouldKeep, sorted };
};
