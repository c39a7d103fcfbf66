import { tierNames } from '../../core/model/verdict.ts';
import type { Project } from '../compose.ts';
import { canarySession } from './canary.ts';

type Entry = Pick<ReturnType<Project['audit']['read']>['entries'][number], 'time' | 'event'>;

/** A name with how often it came. */
export interface Count {
  readonly name: string;
  readonly count: number;
}

/** How often people were asked in a stretch of time. */
export interface Asking {
  readonly calls: number;
  readonly asks: number;
  readonly asksPer100: number;
}

/** What people answered in the queue. */
export interface Answers {
  readonly answered: number;
  readonly allowed: number;
  /** Of the answers to questions that came with advice: how many there were, and how many went against it. */
  readonly advised: number;
  readonly overridden: number;
  /** From 0 to 1; 0 where nothing was advised. */
  readonly overrideRate: number;
  /** The sessions that asked most. A session whose every question is allowed may be wearing somebody down. */
  readonly sessions: readonly { readonly session: string; readonly answered: number; readonly allowed: number }[];
}

/** What a stretch of the audit log adds up to. */
export interface Tally {
  readonly calls: number;
  readonly verdicts: Readonly<Record<'allow' | 'deny' | 'ask' | 'none', number>>;
  /** Which stage decided, of the calls that got a verdict; `share` is its hit rate. */
  readonly tiers: readonly (Count & { readonly share: number })[];
  /** By day, UTC. */
  readonly days: readonly (Asking & { readonly day: string })[];
  /** By the Monday that a week starts with, UTC. */
  readonly weeks: readonly (Asking & { readonly week: string })[];
  /** How questions reached people. */
  readonly askRoutes: readonly Count[];
  readonly askingRules: readonly Count[];
  readonly answers: Answers;
}

const mostRules = 10;
const mostSessions = 5;

/** Remembered shapes are found by the same stage as single calls; which of them it was, the rule tells. */
export const shapeTier = 'shape';

const tierOrder: readonly string[] = Object.values(tierNames).flatMap((name) =>
  name === tierNames.ExactCache ? [name, shapeTier] : [name],
);

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

type Counter = ReturnType<typeof counter>;

/** Adds up the decisions and answers in the log. Trials of the gate by hookwise itself do not count. */
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
    if (typeof tier === 'string') tiers.add(isShapeRule(rule) ? shapeTier : tier);
    if (!isAsk) continue;
    asks.add(day);
    if (typeof asked === 'string') routes.add(asked);
    if (typeof rule === 'string') rules.add(rule);
  }
  const decided = tiers.all().reduce((sum, { count }) => sum + count, 0);
  return {
    calls: days.all().reduce((sum, { count }) => sum + count, 0),
    verdicts: {
      allow: verdicts.of('allow'),
      deny: verdicts.of('deny'),
      ask: verdicts.of('ask'),
      none: verdicts.of('none'),
    },
    tiers: tiers
      .all()
      .sort((a, b) => tierOrder.indexOf(a.name) - tierOrder.indexOf(b.name))
      .map((each) => ({ ...each, share: rate(each.count, decided, 4) })),
    days: periods({ days, asks }, (day) => day).map(({ name, ...asking }) => ({ day: name, ...asking })),
    weeks: periods({ days, asks }, mondayOf).map(({ name, ...asking }) => ({ week: name, ...asking })),
    askRoutes: routes.all(),
    askingRules: rules.all().slice(0, mostRules),
    answers: answersOf(entries),
  };
};

const isShapeRule = (rule: unknown): boolean => typeof rule === 'string' && rule.startsWith('shape.');

const dayMs = 24 * 60 * 60 * 1000;

/** The first day of the week in which a day lies; both as `2026-03-02`. */
const mondayOf = (day: string): string => {
  const time = Date.parse(day);
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return new Date(time - sinceMonday * dayMs).toISOString().slice(0, 10);
};

/** Days put together under the name of their period, oldest first. */
const periods = (
  { days, asks }: { readonly days: Counter; readonly asks: Counter },
  nameOf: (day: string) => string,
): readonly (Asking & { readonly name: string })[] => {
  const found = new Map<string, { readonly calls: number; readonly asks: number }>();
  for (const { name: day, count } of days.all()) {
    const before = found.get(nameOf(day)) ?? { calls: 0, asks: 0 };
    found.set(nameOf(day), { calls: before.calls + count, asks: before.asks + asks.of(day) });
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sums]) => ({ name, ...sums, asksPer100: rate(100 * sums.asks, sums.calls, 1) }));
};

const answersOf = (entries: readonly Entry[]): Answers => {
  const [answered, allowed] = [counter(), counter()];
  let [advised, overridden] = [0, 0];
  for (const { event } of entries) {
    if (event['event'] !== 'answered') continue;
    const { session, verdict, advice } = event;
    answered.add(String(session));
    if (verdict === 'allow') allowed.add(String(session));
    if (advice === undefined) continue;
    advised += 1;
    if (advice !== verdict) overridden += 1;
  }
  const sum = (counts: Counter): number => counts.all().reduce((total, { count }) => total + count, 0);
  return {
    answered: sum(answered),
    allowed: sum(allowed),
    advised,
    overridden,
    overrideRate: rate(overridden, advised, 4),
    sessions: answered
      .all()
      .slice(0, mostSessions)
      .map(({ name, count }) => ({ session: name, answered: count, allowed: allowed.of(name) })),
  };
};
