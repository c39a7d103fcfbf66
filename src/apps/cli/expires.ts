import { UsageError } from './command.ts';

/** The option that says when an entry ends. */
export const expiresOption = { expires: { type: 'string' } } as const;

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const isUnit = (text: string | undefined): text is keyof typeof unitMs => text !== undefined && text in unitMs;
const longestMs = 10 * 365 * unitMs.d;

/** Epoch milliseconds; a time of day needs its zone, since the entry may be read elsewhere. */
const timeFrom = (text: string, now: number): number => {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (isUnit(unit)) return now + Number(amount) * unitMs[unit];
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  const isDay = day !== undefined && new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return isDay ? Date.parse(text) : Number.NaN;
};

/**
 * When something ends: a period from `now` (epoch milliseconds) on, or a date, which ends as it begins, in UTC. The result
 * is ISO 8601. Throws a UsageError for what is neither, is past, or is more than ten years ahead.
 */
export const expiryTime = (text: string, now: number): string => {
  const time = timeFrom(text, now);
  if (time > now && time <= now + longestMs) return new Date(time).toISOString();
  throw new UsageError(
    '--expires must be a period (30m, 12h, 30d, 2w) or a date still to come (2030-12-31, 2030-12-31T18:00Z), at most ten years ahead',
  );
};
