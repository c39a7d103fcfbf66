import type { DecisionRecord } from '../../core/model/record.ts';
import { lineFor } from './record-line.ts';
import { type EditOptions, removeLocked, type SaveFacts, type SaveOutcome, saveLocked } from './rules-edit.ts';
import type { RulesLocation } from './rules-location.ts';
import { withRulesLock } from './rules-lock.ts';

export type { SaveOutcome } from './rules-edit.ts';

export interface ChangeOptions extends EditOptions {
  /** How long to wait for others who change the same rules, in milliseconds. */
  readonly waitMs?: number;
}

export interface SaveOptions extends ChangeOptions, SaveFacts {}

/**
 * Writes a record into its location, in place of older ones about the same question; or nothing, where an entry of the
 * location says all of it already. Throws HookwiseError `Storage` for a record that may not live there.
 */
export const saveDecision = (location: RulesLocation, record: DecisionRecord, options: SaveOptions): SaveOutcome => {
  // Before anything is made: a record that is refused leaves no trace.
  lineFor(location, record);
  return withRulesLock({ ...options, locations: [location] }, () => saveLocked(location, record, options));
};

/** Deletes the records that `remove` names; says how many. Lines that are no records stay. */
export const removeRecords = (
  location: RulesLocation,
  remove: (record: DecisionRecord) => boolean,
  options: ChangeOptions,
): number => withRulesLock({ ...options, locations: [location] }, () => removeLocked(location, remove, options));
