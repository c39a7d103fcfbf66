import { describe, expect, test } from 'vitest';
import { bypassCases } from './bypasses.cases.ts';
import { readShell } from './registry.ts';
import { allowedCalls, askedCalls, deniedCalls } from './verdict.cases.ts';
import { builtinVerdict } from './verdict.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

const verdictOf = (source: string): string => builtinVerdict(readShell(source, context), context).verdict ?? 'open';

// Where a refusal is right, a question is acceptable; never the other way round.
const acceptable = (right: string): readonly string[] => (right === 'deny' ? ['deny', 'ask'] : [right]);

describe('known bypasses', () => {
  test.each(bypassCases)('%s: %j', (_kind, source, right) => {
    expect(acceptable(right)).toContain(verdictOf(source));
  });

  test('a refusal is a refusal in nearly all of them', () => {
    const denied = bypassCases.filter(([, , right]) => right === 'deny');
    const exact = denied.filter(([, source]) => verdictOf(source) === 'deny');
    expect(exact.length).toBe(denied.length);
  });
});

describe('more of each class', () => {
  test.each(deniedCalls)('refused: %j', (source) => expect(['deny', 'ask']).toContain(verdictOf(source)));
  test.each(askedCalls)('asked: %j', (source) => expect(verdictOf(source)).toBe('ask'));
  test.each(allowedCalls)('allowed: %j', (source) => expect(verdictOf(source)).toBe('allow'));

  test('nearly all refusals are outright', () => {
    const weaker = deniedCalls.filter((source) => verdictOf(source) !== 'deny');
    expect(weaker.length).toBeLessThanOrEqual(deniedCalls.length / 50);
  });
});
