import { tierNames } from '../../core/model/verdict.ts';
import type { Project } from '../compose.ts';
import { canarySession } from './canary.ts';

type Entry = Pick<ReturnType<Project['audit']['read']>['entries'][number], 'time' | 'event'>;

/** A name with how often it came. */
export interface Count {
  readonly name: string;
  readonly count: number;
}

export interface Day {
  /** UTC. */
  readonly day: string;
  readonly calls: number;
  readonly asks: number;
  readonly asksPer100: number;
}

/** What a stretch of the audit log adds up to. */
export interface Tally {
  readonly calls: number;
  readonly verdicts: Readonly<Record<'allow' | 'deny' | 'ask' | 'none', number>>;
  /** Which stage decided, of the calls that got a verdict; `share` is its hit rate. */
  readonly tiers: readonly (Count & { readonly share: number })[];
  readonly days: readonly Day[];
  /** How questions reached people. */
  readonly askRoutes: readonly Count[];
  readonly askingRules: readonly Count[];
}

const mostRules = 10;

const rate = (part: number, whole: number, digits: number): number =>
  whole === 0 ? 0 : Number((part / whole).toFixed(digits));

const counter = () => {
  const counts = new Map<string, number>();
  return {
    add: (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1),
    of: (name: string) => counts.get(name) ?? 0,
    all: (): Count[] =>
      [...counts]
        .map(([name, count]) => ({ name, count }))
        .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
  };
};

/** Adds up the decisions in the log. Trials of the gate by hookwise itself do not count. */
export const tallyOf = (entries: readonly Entry[]): Tally => {
  const [verdicts, tiers, days, asks, routes, rules] = [
    counter(),
    counter(),
    counter(),
    counter(),
    counter(),
    counter(),
  ];
  for (const { time, event } of entries) {
    if (event['event'] !== 'decision' || event['session'] === canarySession) continue;
    const { verdict, tier, rule, asked } = event;
    const day = time.slice(0, 10);
    const isAsk = verdict === 'ask' || asked !== undefined;
    days.add(day);
    verdicts.add(String(verdict));
    if (typeof tier === 'string') tiers.add(tier);
    if (!isAsk) continue;
    asks.add(day);
    if (typeof asked === 'string') routes.add(asked);
    if (typeof rule === 'string') rules.add(rule);
  }
  const calls = days.all().reduce((sum, { count }) => sum + count, 0);
  const decided = tiers.all().reduce((sum, { count }) => sum + count, 0);
  const order = Object.values(tierNames);
  return {
    calls,
    verdicts: {
      allow: verdicts.of('allow'),
      deny: verdicts.of('deny'),
      ask: verdicts.of('ask'),
      none: verdicts.of('none'),
    },
    tiers: tiers
      .all()
      .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
      .map((each) => ({ ...each, share: rate(each.count, decided, 4) })),
    days: days
      .all()
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, count }) => ({
        day: name,
        calls: count,
        asks: asks.of(name),
        asksPer100: rate(100 * asks.of(name), count, 1),
      })),
    askRoutes: routes.all(),
    askingRules: rules.all().slice(0, mostRules),
  };
};
