import { toolFamily } from '../model/entry-key.ts';
import type { DecisionRecord } from '../model/record.ts';
import { isInForce, type LookupKey, strictestRecord } from './record-match.ts';

/** How full a cache is, and how often it had the answer. */
export interface CacheStats {
  readonly totalEntries: number;
  readonly allowEntries: number;
  readonly denyEntries: number;
  readonly askEntries: number;
  readonly hits: number;
  readonly misses: number;
}

/** Remembered decisions in memory, found by the exact call. */
export interface ExactCache {
  /** Adds records as they were stored: where two about one call contradict each other, the stricter is found. */
  readonly loadFrom: (records: Iterable<DecisionRecord>) => void;
  /** Adds a new decision, in place of older ones about the same call in the same scope. */
  readonly insert: (record: DecisionRecord) => void;
  /** The strictest record in any scope for the key's role or for every role (`*`); of equals the one for the role. */
  readonly lookup: (key: LookupKey) => DecisionRecord | undefined;
  /** Forgets what was decided for exactly this role; says how many. Entries for every role stay. */
  readonly invalidateRole: (role: string) => number;
  /** Forgets everything; says how many. */
  readonly invalidateAll: () => number;
  readonly stats: () => CacheStats;
}

type Shelf = Map<string, DecisionRecord[]>;

/**
 * An empty cache. `now` (epoch milliseconds) tells which records have expired. Overrides and generalised entries are
 * kept and counted, but are never exact answers.
 */
export const exactCache = ({ now }: { readonly now: () => number }): ExactCache => {
  const shelves = new Map<string, Shelf>();
  let hits = 0;
  let misses = 0;
  const all = (): DecisionRecord[] => [...shelves.values()].flatMap((shelf) => [...shelf.values()].flat());
  const drop = (isGone: (record: DecisionRecord) => boolean): number => {
    const before = all();
    const kept = before.filter((record) => !isGone(record));
    shelves.clear();
    for (const record of kept) put(shelves, { record, isReplaced: () => false });
    return before.length - kept.length;
  };
  const lookup = (key: LookupKey): DecisionRecord | undefined => {
    const found = find(shelves, { key, now });
    if (found === undefined) misses += 1;
    else hits += 1;
    return found;
  };
  return {
    insert: (record) => put(shelves, { record, isReplaced: (other) => isSameQuestion(other, record) }),
    loadFrom: (records) => {
      for (const record of records)
        put(shelves, {
          record,
          isReplaced: (other) => other.decision === record.decision && isSameQuestion(other, record),
        });
    },
    lookup,
    invalidateRole: (role) => drop((record) => record.key.role === role),
    invalidateAll: () => drop(() => true),
    stats: () => ({ ...countsOf(all()), hits, misses }),
  };
};

interface Put {
  readonly record: DecisionRecord;
  readonly isReplaced: (other: DecisionRecord) => boolean;
}

const put = (shelves: Map<string, Shelf>, { record, isReplaced }: Put): void => {
  const family = toolFamily(record.key.tool);
  const shelf: Shelf = shelves.get(family) ?? new Map();
  shelves.set(family, shelf);
  const input = record.key.sanitized_input;
  shelf.set(input, [...(shelf.get(input) ?? []).filter((other) => !isReplaced(other)), record]);
};

/** The scope is part of it: what one scope allows never replaces what another denies. */
const isSameQuestion = (a: DecisionRecord, b: DecisionRecord): boolean =>
  a.scope === b.scope &&
  a.key.tool === b.key.tool &&
  a.key.role === b.key.role &&
  a.context === b.context &&
  a.change === b.change &&
  a.digest === b.digest &&
  (a.slots === undefined) === (b.slots === undefined) &&
  a.pattern === undefined &&
  b.pattern === undefined;

const find = (
  shelves: ReadonlyMap<string, Shelf>,
  { key, now }: { readonly key: LookupKey; readonly now: () => number },
): DecisionRecord | undefined => {
  const records = shelves.get(toolFamily(key.tool))?.get(key.sanitized_input);
  if (records === undefined) return undefined;
  const expires = records.some((record) => record.expires_at !== undefined);
  const time = expires ? now() : 0;
  return strictestRecord(expires ? records.filter((record) => isInForce(record, time)) : records, key);
};

const countsOf = (records: readonly DecisionRecord[]): Omit<CacheStats, 'hits' | 'misses'> => {
  const count = (verdict: DecisionRecord['decision']): number =>
    records.filter(({ decision }) => decision === verdict).length;
  return {
    totalEntries: records.length,
    allowEntries: count('allow'),
    denyEntries: count('deny'),
    askEntries: count('ask'),
  };
};
