import type { DecisionRecord } from '../model/record.ts';
import { type OverrideAnswers, overrideCovers, reachCovers, reachOf } from './covers-entry.ts';
import { type CallShape, type Places, placesCovering, placesOf } from './covers-places.ts';

/** What is known about the call of a record besides the record. */
export interface CallFacts {
  readonly shape?: CallShape | undefined;
  readonly overrideAnswers?: OverrideAnswers | undefined;
}

/** Whether one record of a location says everything that another one would. Both are taken to count. */
export const recordCovers = (
  wide: DecisionRecord,
  narrow: DecisionRecord,
  { shape, overrideAnswers }: CallFacts = {},
): boolean => {
  if (wide.pattern !== undefined)
    return overrideCovers({ ...reachOf(wide), pattern: wide.pattern }, narrow, overrideAnswers);
  return reachCovers(reachOf(wide), reachOf(narrow)) && meet(placesOf(wide), placesCovering(narrow, shape));
};

const meet = (found: Places, asked: Places): boolean =>
  (found.digest !== undefined && found.digest === asked.digest) ||
  found.texts.some((text) => asked.texts.includes(text));
