import type { DecisionRecord } from '../model/record.ts';
import {
  type OverrideAnswers,
  overrideCovers,
  patternCovers,
  type Reach,
  reachBeats,
  reachCovers,
  reachOf,
} from './covers-entry.ts';
import { type CallShape, type Places, placesBeating, placesCovering, placesOf } from './covers-places.ts';
import { isInForce } from './record-match.ts';

/** One line of a location. */
export interface RememberedLine {
  readonly record: DecisionRecord;
  /** The line in canonical form: settles which of two equal entries is kept, the same way for everybody. */
  readonly text: string;
  /** Whether it is in force apart from its end in time: trusted where that is needed, and no rule that never applies. */
  readonly counts: boolean;
}

/** What an understanding of the calls adds; without it only what the lines themselves tell is used. */
export interface CallKnowledge {
  /** The shape by which the call of a record is looked up too, where an entry of that shape surely counts for it. */
  readonly shapeOf?: (record: DecisionRecord) => CallShape | undefined;
  readonly overrideAnswers?: OverrideAnswers;
}

/** What should become of a line. `by` is the number of the line that makes it needless. */
export type Fate =
  | { readonly kind: 'keep' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'covered'; readonly by: number }
  /** An allow that an ask or a deny of the same question beats: it never decides. */
  | { readonly kind: 'beaten'; readonly by: number };

/**
 * What should become of each line of one location at `now` (epoch milliseconds). Taking out what is expired, covered or
 * beaten changes the answer to no call: each of them leans on a line that stays.
 */
export const fatesOf = (
  lines: readonly RememberedLine[],
  { now, knowledge = {} }: { readonly now: number; readonly knowledge?: CallKnowledge },
): readonly Fate[] => {
  const fates = lines.map(({ record }): Fate => ({ kind: isInForce(record, now) ? 'keep' : 'expired' }));
  const shelf = shelve(lines, fates);
  const order = lines.map((_, number) => number).sort((a, b) => age(lines[b], lines[a]) || b - a);
  for (const number of order) {
    const line = lines[number];
    if (line === undefined || fates[number]?.kind !== 'keep') continue;
    const by = coveredBy({ line, number }, shelf, knowledge);
    if (by === undefined) continue;
    fates[number] = { kind: 'covered', by };
    shelf.drop(number);
  }
  for (const [number, line] of lines.entries()) {
    if (fates[number]?.kind !== 'keep' || line.record.decision !== 'allow') continue;
    const by = beatenBy(line, shelf, knowledge);
    if (by !== undefined) fates[number] = { kind: 'beaten', by };
  }
  return fates.map((fate) => (fate.kind === 'covered' ? { kind: 'covered', by: lastOf(fate.by, fates) } : fate));
};

/** What covers a line may be covered itself: the one that stays is to be named. */
const lastOf = (number: number, fates: readonly Fate[]): number => {
  let last = number;
  for (let fate = fates[last]; fate?.kind === 'covered'; fate = fates[last]) last = fate.by;
  return last;
};

/** Oldest first, then by text. */
const age = (a: RememberedLine | undefined, b: RememberedLine | undefined): number =>
  compare(a?.record.timestamp ?? '', b?.record.timestamp ?? '') || compare(a?.text ?? '', b?.text ?? '');

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

interface Kept {
  readonly number: number;
  readonly record: DecisionRecord;
  readonly reach: Reach;
}

/** The lines that others may lean on, by where they are found. */
interface Shelf {
  readonly at: (places: Places) => Iterable<Kept>;
  readonly overrides: () => Iterable<Kept>;
  readonly drop: (number: number) => void;
}

const shelve = (lines: readonly RememberedLine[], fates: readonly Fate[]): Shelf => {
  const found = new Map<string, Kept[]>();
  const overrides = new Map<number, Kept>();
  const dropped = new Set<number>();
  for (const [number, { record, counts }] of lines.entries()) {
    if (!counts || fates[number]?.kind !== 'keep') continue;
    const kept: Kept = { number, record, reach: reachOf(record) };
    if (record.pattern !== undefined) overrides.set(number, kept);
    for (const place of namesOf(placesOf(record))) {
      const others = found.get(place);
      if (others === undefined) found.set(place, [kept]);
      else others.push(kept);
    }
  }
  return {
    at: function* (places) {
      for (const place of namesOf(places))
        for (const kept of found.get(place) ?? []) if (!dropped.has(kept.number)) yield kept;
    },
    overrides: () => overrides.values(),
    drop: (number) => {
      dropped.add(number);
      overrides.delete(number);
    },
  };
};

const namesOf = ({ texts, digest }: Places): readonly string[] =>
  digest === undefined ? texts : [...texts, `digest:${digest}`];

const coveredBy = (
  { line: { record }, number }: { readonly line: RememberedLine; readonly number: number },
  shelf: Shelf,
  { shapeOf, overrideAnswers }: CallKnowledge,
): number | undefined => {
  const narrow = reachOf(record);
  const shape = record.slots === undefined && record.pattern === undefined ? shapeOf?.(record) : undefined;
  for (const other of shelf.at(placesCovering(record, shape)))
    if (other.number !== number && reachCovers(other.reach, narrow)) return other.number;
  for (const { number: other, record: wide, reach } of shelf.overrides())
    if (other !== number && wide.pattern !== undefined)
      if (overrideCovers({ ...reach, pattern: wide.pattern }, record, overrideAnswers)) return other;
  return undefined;
};

const beatenBy = ({ record }: RememberedLine, shelf: Shelf, { shapeOf }: CallKnowledge): number | undefined => {
  const allow = reachOf(record);
  if (record.pattern === undefined) {
    const shape = record.slots === undefined ? shapeOf?.(record) : undefined;
    for (const other of shelf.at(placesBeating(record, shape))) if (reachBeats(other.reach, allow)) return other.number;
    return undefined;
  }
  for (const { number, record: other, reach } of shelf.overrides())
    if (other.pattern !== undefined && patternCovers(other.pattern, record.pattern))
      if (reachBeats({ ...reach, tool: allow.tool }, allow)) return number;
  return undefined;
};

/** The order of lines in a file: entries about one tool, role and call lie together, so that branches seldom meet. */
export const inFileOrder = (a: RememberedLine, b: RememberedLine): number =>
  compare(a.record.key.tool, b.record.key.tool) ||
  compare(a.record.key.role, b.record.key.role) ||
  compare(a.record.key.sanitized_input, b.record.key.sanitized_input) ||
  compare(a.record.context ?? '', b.record.context ?? '') ||
  compare(a.text, b.text);
