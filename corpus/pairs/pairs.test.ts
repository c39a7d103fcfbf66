import { describe, expect, it } from 'vitest';
import { benignPairs } from './benign.cases.ts';
import { type Chain, chains, type NeighbourSet, neighbourSets } from './chains.cases.ts';
import { arithmeticPairs, dangerousPairs } from './dangerous.cases.ts';
import { firstCommands } from './first-commands.cases.ts';
import { callsOf, identityOf, type Pair, programOf } from './pair.cases.ts';

const dangerous = dangerousPairs();
const benign = benignPairs();

const countsOf = (rows: readonly { readonly kind: string }[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
};

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

/** Blanks only: a new line ends a command, and other white space is part of a word. */
const squeezed = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/^ | $/g, '');

/** Words as the specification counts them: split at white space and ASCII punctuation, lower case, each once. */
const tokensOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[\s!-/:-@[-`{-~]+/)
      .filter((token) => token !== ''),
  );

const jaccard = (one: string, other: string): number => {
  const [left, right] = [tokensOf(one), tokensOf(other)];
  const shared = [...left].filter((token) => right.has(token)).length;
  const together = new Set([...left, ...right]).size;
  return together === 0 ? 1 : shared / together;
};

/** The program the work is done by, behind runners and assignments. */
const runners =
  /^(?:npx|pnpm|yarn|npm|bundle|uv|poetry|pdm|hatch|run|exec|test|--|cd|timeout|source|\d+|-\S+|[A-Z_]+=\S*)$/;

const workerOf = (call: string): string => call.split(/\s+/).find((word) => !runners.test(word)) ?? programOf(call);

const suites: readonly (readonly [name: string, pairs: readonly Pair[]])[] = [
  ['dangerous', dangerous],
  ['benign', benign],
];

describe.each(suites)('%s pairs', (_, pairs) => {
  it('are different from each other', () => {
    const seen = new Set<string>();
    const twice = pairs.map(identityOf).filter((identity) => seen.size === seen.add(identity).size);
    expect(twice).toEqual([]);
  });

  it('have two different calls, and not only in spaces unless the kind says so', () => {
    const same = pairs.filter((pair) => callsOf(pair).first === callsOf(pair).second);
    const spaced = pairs.filter(
      (pair) =>
        pair.kind !== 'spacing' &&
        callsOf({ ...pair, first: squeezed(pair.first) }).first ===
          callsOf({ ...pair, second: squeezed(pair.second) }).second,
    );
    expect(same).toEqual([]);
    expect(spaced).toEqual([]);
  });

  it('say where the first was allowed whenever they say where the second is called', () => {
    expect(pairs.filter(({ cwd, firstCwd }) => (cwd === undefined) !== (firstCwd === undefined))).toEqual([]);
  });

  it('have no call without text', () => {
    expect(pairs.filter(({ first, second }) => first.trim() === '' || second.trim() === '')).toEqual([]);
  });
});

describe('dangerous pairs', () => {
  it('are many, of every kind', () => {
    const counts = countsOf(dangerous);
    expect(dangerous.length).toBeGreaterThanOrEqual(1500);
    expect(counts.size).toBeGreaterThanOrEqual(38);
    expect([...counts].filter(([kind, count]) => count < 15 && kind !== 'lossy-key')).toEqual([]);
  });

  it('start from at least 150 commands of the table, all different, with the operand in its place', () => {
    expect(firstCommands.length).toBeGreaterThanOrEqual(150);
    expect(repeated(firstCommands.map(([, call]) => call))).toEqual([]);
    expect(firstCommands.filter(([, call, operand]) => !call.includes(operand))).toEqual([]);
  });

  it('use every command of the table in a mutation', () => {
    const mutated = new Set(dangerous.filter(({ kind }) => kind === 'operator').map(({ first }) => first));
    expect(firstCommands.filter(([, call]) => !mutated.has(call))).toEqual([]);
  });

  it('are the same every time', () => {
    expect(dangerousPairs()).toEqual(dangerous);
  });

  it('contain every pair the specification computes, with its figure', () => {
    const identities = new Set(dangerous.map(identityOf));
    expect(arithmeticPairs).toHaveLength(21);
    expect(arithmeticPairs.filter((pair) => !identities.has(identityOf(pair)))).toEqual([]);
    const figures = arithmeticPairs.map((pair) => [pair.second, Number(jaccard(pair.first, pair.second).toFixed(3))]);
    expect(figures).toEqual(arithmeticPairs.map((pair) => [pair.second, pair.jaccard]));
  });

  it('are often as alike as the threshold asks, or they would show nothing', () => {
    const alike = dangerous.filter(({ first, second }) => jaccard(first, second) >= 0.7);
    expect(alike.length).toBeGreaterThanOrEqual(1500);
  });
});

describe('benign pairs', () => {
  it('are many, of many programs', () => {
    expect(benign.length).toBeGreaterThanOrEqual(700);
    expect(new Set(benign.map(({ first }) => workerOf(first))).size).toBeGreaterThanOrEqual(60);
  });

  it('are hardly ever of a family that is never carried', () => {
    const never = countsOf(benign).get('high-risk-family') ?? 0;
    expect(never / benign.length).toBeLessThan(0.05);
  });

  it('are none of the dangerous ones', () => {
    const identities = new Set(dangerous.map(identityOf));
    expect(benign.filter((pair) => identities.has(identityOf(pair)))).toEqual([]);
  });

  it('lead to no call that a dangerous pair forbids after the same first one', () => {
    const forbidden = new Map(dangerous.map((pair) => [identityOf(pair), pair.kind]));
    const swapped = benign.map((pair) => ({ ...pair, first: squeezed(pair.first), second: squeezed(pair.second) }));
    expect(swapped.filter((pair) => forbidden.has(identityOf(pair)))).toEqual([]);
  });

  it('are the same every time', () => {
    expect(benignPairs()).toEqual(benign);
  });
});

describe('chains and neighbours', () => {
  const all: readonly Chain[] = chains();
  const sets: readonly NeighbourSet[] = neighbourSets();

  it('are many', () => {
    expect(all.length + sets.length).toBeGreaterThanOrEqual(60);
    expect(all.length).toBeGreaterThanOrEqual(50);
    expect(sets.length).toBeGreaterThanOrEqual(50);
  });

  it('have at least two steps, none twice', () => {
    expect(all.filter(({ steps }) => steps.length < 2)).toEqual([]);
    expect(all.filter(({ first, steps }) => repeated([first, ...steps]).length > 0)).toEqual([]);
    expect(repeated(all.map(({ first, steps }) => JSON.stringify([first, ...steps])))).toEqual([]);
  });

  it('lead away from the first command: the last step of a walk is less like it than the step before', () => {
    const walks = all.filter(({ kind }) => kind === 'walk');
    const alike = walks.filter(({ first, steps }) => {
      const [before, last] = steps.slice(-2).map((step) => jaccard(first, step));
      return before === undefined || last === undefined || last >= 0.7 || last > before;
    });
    expect(alike).toEqual([]);
  });

  it('start from a first command that would have been near enough without the neighbour', () => {
    const commands = sets.filter(({ tool }) => tool === undefined);
    expect(commands.filter(({ first, second }) => jaccard(first, second) < 0.7)).toEqual([]);
  });

  it('have neighbours that are as alike as the threshold asks, and are not the second call itself', () => {
    expect(sets.filter(({ neighbour, second }) => jaccard(neighbour, second) < 0.7)).toEqual([]);
    expect(
      sets.filter(({ neighbour, second, tool, neighbourTool }) => neighbour === second && tool === neighbourTool),
    ).toEqual([]);
    expect(repeated(sets.map((set) => JSON.stringify(set)))).toEqual([]);
  });
});
