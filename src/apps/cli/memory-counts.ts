import type { Verdict } from '../../core/model/verdict.ts';
import { countingLines, type Project, remembered, untrustedLines } from '../compose.ts';

/** How many entries in force say what. */
export type VerdictCounts = Record<Verdict, number>;

interface Choice {
  readonly now: number;
  /** Only entries that count for this role. */
  readonly role?: string;
}

/** The entries in force at each place of memory, in the order from the broadest to the narrowest. */
export const memoryCounts = (
  project: Project,
  { now, role }: Choice,
): readonly { readonly place: string; readonly counts: VerdictCounts; readonly untrusted: number }[] =>
  project.locations.map((location) => {
    const { entries, untrusted } = remembered(project, location);
    const counts: VerdictCounts = { allow: 0, deny: 0, ask: 0 };
    for (const entry of entries) {
      const isExpired = entry.expiresMs !== 0 && entry.expiresMs <= now;
      const isMeant = role === undefined || entry.role === role || entry.role === '*';
      if (!isExpired && isMeant) counts[entry.verdict] += 1;
    }
    return { place: location.kind, counts, untrusted };
  });

/** The sum over all places. */
export const totalOf = (places: readonly { readonly counts: VerdictCounts }[]): VerdictCounts =>
  places.reduce<VerdictCounts>(
    (sum, { counts }) => ({
      allow: sum.allow + counts.allow,
      deny: sum.deny + counts.deny,
      ask: sum.ask + counts.ask,
    }),
    { allow: 0, deny: 0, ask: 0 },
  );

/** `47 allow, 3 deny, 2 ask`. */
export const countsText = ({ allow, deny, ask }: VerdictCounts): string => `${allow} allow, ${deny} deny, ${ask} ask`;

/** What one place of memory holds. Every count is of single lines. */
export interface MemoryRow {
  readonly place: string;
  /** In force now, overrides included. */
  readonly counts: VerdictCounts;
  /** Of those: entries for a whole shape, and entries that end some day. */
  readonly shapes: VerdictCounts;
  readonly ending: VerdictCounts;
  readonly expired: VerdictCounts;
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
}

const none = (): VerdictCounts => ({ allow: 0, deny: 0, ask: 0 });

/** The entries of each place of memory with what is known of them, from the broadest place to the narrowest. */
export const memoryTable = (project: Project, now: number): MemoryRow[] =>
  project.locations.map((location) => {
    const { isTrusted } = project.trust;
    const row = { place: location.kind, counts: none(), shapes: none(), ending: none(), expired: none() };
    countingLines(location, isTrusted, ({ record }) => {
      const { decision, slots, expires_at: ends } = record;
      if (ends !== undefined && Date.parse(ends) <= now) row.expired[decision] += 1;
      else {
        row.counts[decision] += 1;
        if (ends !== undefined) row.ending[decision] += 1;
        if (slots !== undefined) row.shapes[decision] += 1;
      }
    });
    return { ...row, untrusted: untrustedLines(location, isTrusted).length };
  });

/** How many lines of any verdict. */
export const sumOf = ({ allow, deny, ask }: VerdictCounts): number => allow + deny + ask;
