import { canonicalJson } from '../../core/engine/canonical-json.ts';
import type { OverrideAnswers } from '../../core/engine/covers-entry.ts';
import type { DecisionRecord, SourceRef } from '../../core/model/record.ts';
import { removeLocked, saveLocked } from '../stores/rules-edit.ts';
import { readRules } from '../stores/rules-file.ts';
import type { RulesLocation } from '../stores/rules-location.ts';
import { withRulesLock } from '../stores/rules-lock.ts';
import type { TrustMark, TrustStore } from '../stores/trust.ts';

/** An entry that changes its place, and what it says there. */
export interface EntryMove {
  readonly from: RulesLocation;
  readonly record: DecisionRecord;
  readonly becomes: DecisionRecord;
}

/** What became of a move. */
export type MoveOutcome =
  | { readonly kind: 'moved' }
  /** The new place says it already: the entry stays where it was. */
  | { readonly kind: 'covered'; readonly by: SourceRef }
  /** The entry was no longer where it had been. */
  | { readonly kind: 'gone' };

/** Where entries go, and for whom. */
export interface MoveOptions {
  readonly to: RulesLocation;
  readonly state: string;
  readonly trust: TrustStore;
  readonly by: TrustMark;
  readonly overrideAnswers?: OverrideAnswers | undefined;
}

/**
 * Moves entries in one transaction: nobody else writes to any of the places meanwhile. Each new line is on disk before its
 * old one goes, so that a crash in between leaves both.
 */
export const moveEntries = (moves: readonly EntryMove[], options: MoveOptions): readonly MoveOutcome[] => {
  const { to, state, trust } = options;
  const sources = [...new Map(moves.map(({ from }) => [from.path, from])).values()];
  return withRulesLock({ locations: [to, ...sources], state }, () => {
    const present = new Map(sources.map((from) => [from.path, identitiesIn(from)]));
    const outcomes = moves.map((move): MoveOutcome => {
      if (present.get(move.from.path)?.has(identity(move.record)) !== true) return { kind: 'gone' };
      const outcome = saveLocked(to, move.becomes, options);
      return outcome.saved ? { kind: 'moved' } : { kind: 'covered', by: outcome.coveredBy };
    });
    for (const from of sources) {
      const isMoved = (move: EntryMove, at: number): boolean =>
        move.from.path === from.path && outcomes[at]?.kind === 'moved';
      const moved = new Set(moves.filter(isMoved).map(({ record }) => identity(record)));
      if (moved.size > 0) removeLocked(from, (record) => moved.has(identity(record)), { state, trust });
    }
    return outcomes;
  });
};

/** All that a record says, wherever it is written. */
const identity = (record: DecisionRecord): string => canonicalJson({ ...record, scope: 'user' });

const identitiesIn = (location: RulesLocation): ReadonlySet<string> => {
  const found = new Set<string>();
  readRules(location, ({ record }) => found.add(identity(record)));
  return found;
};
