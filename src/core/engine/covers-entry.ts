import { toolFamily } from '../model/entry-key.ts';
import type { Change, DecisionRecord, OverridePattern } from '../model/record.ts';
import type { Verdict } from '../model/verdict.ts';

/** How far an entry reaches, apart from the place where it is found. */
export interface Reach {
  readonly verdict: Verdict;
  readonly tool: string;
  readonly role: string;
  readonly change?: Change | undefined;
  /** Epoch milliseconds; 0 is never. */
  readonly expiresMs: number;
}

/** How far a record reaches. */
export const reachOf = (record: DecisionRecord): Reach => ({
  verdict: record.decision,
  tool: record.key.tool,
  role: record.key.role,
  change: record.change,
  expiresMs: record.expires_at === undefined ? 0 : Date.parse(record.expires_at),
});

/**
 * Whether an entry says everything that another one says which is found at the same place: same verdict, at least its
 * role, tools and changes, and for at least as long. An allow never stands in for an ask or a deny, nor they for it.
 */
export const reachCovers = (wide: Reach, narrow: Reach): boolean =>
  wide.verdict === narrow.verdict && reachesQuestion(wide, narrow);

/** Whether an ask or a deny answers every call that an allow found at the same place would, for as long. */
export const reachBeats = (restriction: Reach, allow: Reach): boolean =>
  restriction.verdict !== 'allow' && allow.verdict === 'allow' && reachesQuestion(restriction, allow);

const reachesQuestion = (wide: Reach, narrow: Reach): boolean =>
  (wide.verdict === 'allow' ? wide.tool === narrow.tool : toolFamily(wide.tool) === toolFamily(narrow.tool)) &&
  (wide.role === '*' || wide.role === narrow.role) &&
  (wide.change === undefined || wide.change === narrow.change) &&
  (wide.expiresMs === 0 || (narrow.expiresMs !== 0 && narrow.expiresMs <= wide.expiresMs));

/** An override with how far it reaches. */
export interface OverrideReach extends Reach {
  readonly pattern: OverridePattern;
}

/** Whether an override answers the call of a record; only an understanding of the call can tell. */
export type OverrideAnswers = (override: OverrideReach, record: DecisionRecord) => boolean;

/**
 * Whether an override says everything that a record says. An override on a whole tool covers all of the tool's
 * records. Other patterns cover asks and denies that they answer, and no allows: an exact allow holds for every
 * spelling of its call, a pattern only for spellings that it matches.
 */
export const overrideCovers = (wide: OverrideReach, record: DecisionRecord, answers?: OverrideAnswers): boolean => {
  const narrow = reachOf(record);
  const { change: _, ...anyChange } = wide;
  if (!reachCovers({ ...anyChange, tool: narrow.tool }, narrow)) return false;
  if (record.pattern !== undefined) return patternCovers(wide.pattern, record.pattern);
  if (isWholeTool(wide.pattern, record)) return true;
  return record.decision !== 'allow' && record.slots === undefined && answers?.(wide, record) === true;
};

/** Whether whatever one pattern matches is matched by another, as far as their texts alone tell. */
export const patternCovers = (wide: OverridePattern, narrow: OverridePattern): boolean => {
  if (wide.tool !== undefined && wide.tool !== narrow.tool) return false;
  if (wide.command === undefined && wide.file === undefined) return wide.tool !== undefined;
  return wide.command === narrow.command && wide.file === narrow.file;
};

/** An ask or a deny holds for the whole family of its tool, which a pattern for one tool does not reach. */
const isWholeTool = ({ tool, command, file }: OverridePattern, { key, decision }: DecisionRecord): boolean =>
  tool === key.tool &&
  command === undefined &&
  file === undefined &&
  (decision === 'allow' || toolFamily(tool) !== changesFiles);

const changesFiles = toolFamily('Write');
