import { UsageError } from './command.ts';

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The start of a period: `30d`, `12h`, `45m`, `2w` before now, or a date. ISO 8601, UTC. */
export const sinceTime = (text: string, now: number): string => {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return new Date(now - Number(count) * (unitMs[unit] ?? 0)).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError('--since takes a period (30d, 12h, 45m, 2w) or a date (2026-03-01)');
  return new Date(time).toISOString();
};

/** How long something has lasted, in its two largest units. */
export const duration = (ms: number): string => {
  const secs = Math.max(0, Math.floor(ms / 1000));
  const [days, hours, minutes] = [Math.floor(secs / 86_400), Math.floor(secs / 3600) % 24, Math.floor(secs / 60) % 60];
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`;
  return minutes > 0 ? `${minutes}m` : `${secs}s`;
};
