import type { Verdict } from '../../core/model/verdict.ts';
import { type Project, remembered } from '../compose.ts';

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
