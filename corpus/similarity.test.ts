import { describe, expect, it } from 'vitest';
import { type CarryWorld, type Decided, judgeAfter, outcomeOf, type Tried } from './carry.cases.ts';
import { root } from './world.cases.ts';

const outcomeAfter = (decided: readonly Decided[], call: Tried, world?: CarryWorld): string =>
  outcomeOf(judgeAfter(decided, call, world));

const allowed = (command: string, more: Partial<Decided> = {}): Decided => ({ command, ...more });

describe('an allow is carried to a call that differs in data only', () => {
  it.each([
    ['npx vitest run src/a.test.ts -t "adds two numbers"', 'npx vitest run src/b.test.ts -t "adds two numbers"'],
    [
      'git add src/a.ts && git commit -m "fix: the first thing"',
      'git add src/b.ts && git commit -m "fix: the second thing"',
    ],
    ['python -m pytest -x tests/unit/test_a.py', 'python -m pytest -x tests/unit/test_b.py'],
  ])('%s → %s', (first, second) =>
    expect(outcomeAfter([allowed(first)], { command: second })).toMatch(/^allow (TokenJaccard|EmbeddingSimilarity)$/),
  );
});

describe('nothing is carried', () => {
  const first = 'npx vitest run src/a.test.ts -t "adds two numbers"';
  const second = 'npx vitest run src/b.test.ts -t "adds two numbers"';
  it('to another role', () =>
    expect(outcomeAfter([allowed(first, { role: 'tester' })], { command: second })).toBe('open'));
  it('to another directory', () =>
    expect(outcomeAfter([allowed(first)], { command: second, cwd: `${root}/packages/web` })).toBe('open'));
  it('from a call outside the project', () =>
    expect(outcomeAfter([allowed(first, { cwd: '/tmp' })], { command: second, cwd: '/tmp' })).toBe('open'));
  it('from what a model decided', () =>
    expect(outcomeAfter([allowed(first, { tier: 'Supervisor' })], { command: second })).toBe('open'));
  it('from what was itself carried', () =>
    expect(outcomeAfter([allowed(first, { tier: 'TokenJaccard' })], { command: second })).toBe('open'));
  it('when similarity is off', () =>
    expect(outcomeAfter([allowed(first)], { command: second }, { mode: 'off' })).toBe('open'));
  it('when a denied call is like it', () =>
    expect(
      outcomeAfter(
        [allowed(first), allowed('npx vitest run src/c.test.ts -t "adds two numbers"', { verdict: 'deny' })],
        {
          command: second,
        },
      ),
    ).toBe('open'));
  it('when a call that is asked each time is like it, which makes this one a question', () =>
    expect(
      outcomeAfter(
        [allowed(first), allowed('npx vitest run src/c.test.ts -t "adds two numbers"', { verdict: 'ask' })],
        {
          command: second,
        },
      ),
    ).toMatch(/^ask/));
  it('to a call with a secret in it', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';
    expect(outcomeAfter([allowed('git commit -m "one thing"')], { command: `git commit -m "${secret}"` })).toBe('open');
  });
  it('to a link that leads out of the project', () =>
    expect(
      outcomeAfter(
        [allowed(first)],
        { command: second },
        { disk: { [`${root}/src/b.test.ts`]: { real: '/etc/b.test.ts' } } },
      ),
    ).toBe('open'));
  it('to a place that cannot be looked at', () =>
    expect(
      outcomeAfter(
        [allowed(first)],
        { command: second },
        { disk: { [`${root}/src/b.test.ts`]: { type: 'unreadable' } } },
      ),
    ).toBe('open'));
  it('to a change of a file that the role may not write', () =>
    expect(
      outcomeAfter([allowed('prettier --write --no-color docs/a.md', { role: 'docs' })], {
        command: 'prettier --write --no-color src/b.ts',
        role: 'docs',
      }),
    ).not.toMatch(/^allow/));
});

describe('a shape that a person keeps', () => {
  const kept = allowed('npx vitest run src/a.test.ts', { asShape: true });
  it('holds for other data', () =>
    expect(outcomeAfter([kept], { command: 'npx vitest run src/other/b.test.ts' })).toBe('allow ExactCache'));
  it('holds for nothing else', () => {
    for (const command of [
      'npx vitest run src/b.test.ts --update',
      'npx vitest run ../b.test.ts',
      'npx vitest run src/b.test.ts && npm publish',
      'npx vitest run src/b.test.ts > src/x',
      'npx vitest src/b.test.ts',
      'npx vitest run .github/b.test.ts',
    ])
      expect([command, outcomeAfter([kept], { command })]).not.toEqual([command, 'allow ExactCache']);
  });
  it('denied, is denied for all data', () =>
    expect(outcomeAfter([{ ...kept, verdict: 'deny' }], { command: 'npx vitest run src/b.test.ts' })).toBe(
      'deny ExactCache',
    ));
  it('is no neighbour', () =>
    expect(
      outcomeAfter([allowed('npx vitest run src/a.test.ts -t x', { asShape: true })], {
        command: 'npx vitest run src/b.test.ts',
      }),
    ).toBe('open'));
});
