import { describe, expect, it } from 'vitest';
import { type Decided, judgeAfter, outcomeOf, type Tried } from '../carry.cases.ts';
import { benignPairs } from './benign.cases.ts';
import { chains, neighbourSets } from './chains.cases.ts';
import { dangerousPairs } from './dangerous.cases.ts';
import type { Pair } from './pair.cases.ts';

/** Thousands of whole judgements take a while on a busy machine. */
const timeout = 240_000;

/** What has nothing to do with any pair. */
const others = [
  'make docs',
  'mix ecto.migrate',
  'npx cspell docs/everything.md',
  'bats test/everything.bats',
  'sqlfluff lint sql/everything.sql',
  'gh run view 7 --log',
].map((command) => ({ command }));

const firstOf = (pair: Pair): Decided => {
  const [tool, role, cwd] = [pair.firstTool ?? pair.tool, pair.firstRole ?? pair.role, pair.firstCwd ?? pair.cwd];
  return { ...call({ tool, role, cwd }), command: pair.first };
};

const secondOf = (pair: Pair): Tried => ({ ...call(pair), command: pair.second });

const call = ({ tool, role, cwd }: { readonly [name in 'tool' | 'role' | 'cwd']?: string | undefined }) => ({
  ...(tool === undefined ? {} : { tool }),
  ...(role === undefined ? {} : { role }),
  ...(cwd === undefined ? {} : { cwd }),
});

/** Whether the first call's permission, and nothing else, lets the second one pass. */
const isCarried = (pair: Pair, more: readonly { readonly command: string }[], asShape = false): boolean => {
  const outcome = outcomeOf(judgeAfter([{ ...firstOf(pair), asShape }, ...more], secondOf(pair)));
  return /^allow (?:TokenJaccard|EmbeddingSimilarity|ExactCache)$/.test(outcome);
};

const listed = (pairs: readonly Pair[]): string[] =>
  pairs.map(({ kind, first, second }) => `${kind}: ${first} → ${second}`);

describe('dangerous pairs', () => {
  const pairs = dangerousPairs();
  it('alone: none is carried', { timeout }, () => {
    expect(pairs.length).toBeGreaterThan(1000);
    expect(listed(pairs.filter((pair) => isCarried(pair, [])))).toEqual([]);
  });
  it('among others: none is carried', { timeout }, () => {
    const some = pairs.filter((_, number) => number % 5 === 0);
    expect(listed(some.filter((pair) => isCarried(pair, others)))).toEqual([]);
  });
  it('kept as a shape: none is carried', { timeout }, () => {
    expect(listed(pairs.filter((pair) => isCarried(pair, [], true)))).toEqual([]);
  });
});

describe('benign pairs', () => {
  it('are carried, at least seven in ten', { timeout }, () => {
    const pairs = benignPairs();
    const carried = pairs.filter((pair) => {
      const outcome = outcomeOf(judgeAfter([firstOf(pair)], secondOf(pair)));
      return outcome.startsWith('allow');
    });
    expect(carried.length / pairs.length).toBeGreaterThanOrEqual(0.7);
  });
});

const everAllowed = (outcome: string): boolean => outcome.startsWith('allow');

describe('chains', () => {
  it.each(chains())('$kind: $first → $steps', ({ first, steps, last }) => {
    const end = steps.at(-1) ?? '';
    const alone = outcomeOf(judgeAfter([{ command: first }], { command: end }));
    // What was carried is remembered nowhere; were it logged as a decision, its tier would keep it from seeding.
    const logged = steps.slice(0, -1).map((command) => ({ command, tier: 'TokenJaccard' as const }));
    const after = outcomeOf(judgeAfter([{ command: first }, ...logged], { command: end }));
    expect(after).toBe(alone);
    if (last === 'never') expect(everAllowed(after)).toBe(false);
  });
});

describe('neighbours that were denied or are asked each time', () => {
  it.each(neighbourSets())('$kind: $first, $neighbour ($neighbourVerdict) → $second', (set) => {
    const { first, neighbour, neighbourVerdict, second, tool, neighbourRole } = set;
    const decided: Decided[] = [
      { ...call({ tool: set.firstTool ?? tool }), command: first },
      {
        ...call({ tool: set.neighbourTool ?? tool, role: neighbourRole }),
        command: neighbour,
        verdict: neighbourVerdict,
      },
    ];
    const outcome = outcomeOf(judgeAfter(decided, { ...call({ tool }), command: second }));
    expect(everAllowed(outcome) && !outcome.endsWith('PathPolicy')).toBe(false);
  });
});
