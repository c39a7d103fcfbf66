import { expect, it } from 'vitest';
import { judge, verdictOf, type World } from './world.cases.ts';

/** A call, what it must lead to (as `verdictOf` puts it), and the world where that differs from the usual one. */
export type Case = readonly [tool: string, input: unknown, expected: string, world?: World];

/** One test per case. */
export const run = (cases: readonly Case[]) => {
  it.each(
    cases.map(([tool, input, expected, world]) => ({ tool, input, expected, world, name: JSON.stringify(input) })),
  )('$tool $name → $expected', ({ tool, input, expected, world }) =>
    expect(verdictOf(judge(tool, input, world))).toBe(expected),
  );
};
