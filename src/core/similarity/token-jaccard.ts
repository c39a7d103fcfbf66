import type { CacheKey, DecisionRecord } from '../model/record.ts';
import { largestSize, neededOverlap, smallestSize } from './token-index-bounds.ts';
import { hashOf } from './token-index-layout.ts';
import { bitOf, surelyMissing } from './token-index-signature.ts';
import { jaccardCoefficient, tokenize } from './tokens.ts';

/** A remembered decision and the set of its tokens. */
export interface TokenEntry {
  /** Lower-case, each once, in code-unit order. */
  readonly tokens: readonly string[];
  readonly cacheKey: CacheKey;
  readonly record: DecisionRecord;
}

/** A remembered decision near a text. */
export interface TokenNeighbour extends TokenEntry {
  /** The Jaccard coefficient, from the threshold to 1. */
  readonly score: number;
}

/** Remembered decisions in memory, found by the tokens that their text shares with another. It finds; it does not decide. */
export interface TokenJaccard {
  /** Adds records, each in place of an older one about the same call in the same scope. */
  readonly loadFrom: (records: Iterable<DecisionRecord>) => void;
  /**
   * Adds one record at the cost of its own tokens. Entries that hold for more than their text says (overrides, shapes)
   * are left out.
   */
  readonly insert: (record: DecisionRecord) => void;
  /**
   * Every entry whose Jaccard coefficient with the text reaches the threshold, best first, of equals the first added; of
   * every tool, role and scope, in force or not, unless `accepts` says otherwise. Nothing for a text of too few tokens.
   */
  readonly nearest: (text: string, accepts?: (record: DecisionRecord) => boolean) => readonly TokenNeighbour[];
  /** Forgets what was decided for exactly this role; says how many. Entries for every role stay. */
  readonly invalidateRole: (role: string) => number;
  /** Forgets everything; says how many. */
  readonly invalidateAll: () => number;
}

/** What counts as near. */
export interface TokenJaccardOptions {
  /** The smallest coefficient of a neighbour, above 0 and at most 1. */
  readonly threshold: number;
  /** A text with fewer tokens has no neighbours. */
  readonly minTokens: number;
}

interface Stored extends TokenEntry {
  readonly question: string;
  readonly signature: number;
  /** Counts upwards: of equally near entries the first added comes first. */
  readonly order: number;
}

/** The entries that have one token. */
interface Postings {
  count: number;
  readonly bySize: Map<number, Set<Stored>>;
}

type TokenPostings = Map<string, Postings>;

/** An empty memory. */
export const tokenJaccard = ({ threshold, minTokens }: TokenJaccardOptions): TokenJaccard => {
  const entries = new Map<string, Stored>();
  const postings: TokenPostings = new Map();
  let order = 0;
  const forget = (stored: Stored): void => {
    entries.delete(stored.question);
    unpost(postings, stored);
  };
  const insert = (record: DecisionRecord): void => {
    if (record.pattern !== undefined || record.slots !== undefined) return;
    const question = questionOf(record);
    const older = entries.get(question);
    if (older !== undefined) forget(older);
    const tokens = tokenize(record.key.sanitized_input);
    const stored = { tokens, cacheKey: record.key, record, question, signature: signatureOf(tokens), order };
    order += 1;
    entries.set(question, stored);
    post(postings, stored);
  };
  const invalidate = (isGone: (record: DecisionRecord) => boolean): number => {
    const gone = [...entries.values()].filter(({ record }) => isGone(record));
    gone.forEach(forget);
    return gone.length;
  };
  const nearest: TokenJaccard['nearest'] = (text, accepts = () => true) => {
    const tokens = tokenize(text);
    if (tokens.length < minTokens) return [];
    const isSearchable = tokens.length > 0 && threshold > 0;
    const candidates = isSearchable ? candidatesOf(postings, { tokens, threshold }) : entries.values();
    return neighbours(candidates, { tokens, threshold, accepts });
  };
  return {
    insert,
    loadFrom: (records) => {
      for (const record of records) insert(record);
    },
    nearest,
    invalidateRole: (role) => invalidate((record) => record.key.role === role),
    invalidateAll: () => invalidate(() => true),
  };
};

/** What a later record about the same call in the same scope has in common with it. */
const questionOf = ({ scope, key, context, change, digest }: DecisionRecord): string =>
  JSON.stringify([scope, key.tool, key.role, context, change, digest, key.sanitized_input]);

const signatureOf = (tokens: readonly string[]): number =>
  tokens.reduce((bits, token) => bits | bitOf(hashOf(token)), 0);

const post = (postings: TokenPostings, stored: Stored): void => {
  const size = stored.tokens.length;
  for (const token of stored.tokens) {
    const posted = postings.get(token) ?? { count: 0, bySize: new Map<number, Set<Stored>>() };
    const sameSize = posted.bySize.get(size) ?? new Set();
    postings.set(token, posted);
    posted.bySize.set(size, sameSize.add(stored));
    posted.count += 1;
  }
};

const unpost = (postings: TokenPostings, stored: Stored): void => {
  for (const token of stored.tokens) {
    const posted = postings.get(token);
    if (posted?.bySize.get(stored.tokens.length)?.delete(stored) !== true) continue;
    posted.count -= 1;
    if (posted.count === 0) postings.delete(token);
  }
};

interface Wanted {
  readonly tokens: readonly string[];
  readonly threshold: number;
}

/** Every entry that can reach the threshold, and few others: each has one of the rarest tokens of the text. */
const candidatesOf = (postings: TokenPostings, { tokens, threshold }: Wanted): Iterable<Stored> => {
  const size = tokens.length;
  const smallest = smallestSize(size, threshold);
  const largest = largestSize(size, threshold);
  const rarestFirst = tokens.map((token) => postings.get(token)).sort((a, b) => (a?.count ?? 0) - (b?.count ?? 0));
  const signature = signatureOf(tokens);
  const found = new Set<Stored>();
  rarestFirst.slice(0, size - smallest + 1).forEach((posted, place) => {
    for (const [entrySize, entries] of posted?.bySize ?? []) {
      if (entrySize < smallest || entrySize > largest) continue;
      const needed = neededOverlap(size + entrySize, threshold);
      // What has none of the tokens before this place shares at most those from here on.
      if (size - place < needed) continue;
      for (const entry of entries) {
        const missing = surelyMissing(signature, entry.signature);
        if (size - missing >= needed && entrySize - surelyMissing(entry.signature, signature) >= needed)
          found.add(entry);
      }
    }
  });
  return found;
};

const neighbours = (
  candidates: Iterable<Stored>,
  { tokens, threshold, accepts }: Wanted & { readonly accepts: (record: DecisionRecord) => boolean },
): readonly TokenNeighbour[] => {
  const found: { readonly stored: Stored; readonly score: number }[] = [];
  for (const stored of candidates) {
    const score = jaccardCoefficient(tokens, stored.tokens);
    if (score >= threshold && accepts(stored.record)) found.push({ stored, score });
  }
  found.sort((a, b) => b.score - a.score || a.stored.order - b.stored.order);
  return found.map(({ stored: { tokens: own, cacheKey, record }, score }) => ({
    tokens: own,
    cacheKey,
    record,
    score,
  }));
};
