import { describe, expect, test } from 'vitest';
import { compatibilityCases, constantCases } from './git-predicates.cases.ts';
import { commandConstants, matchesConstant } from './git-predicates.ts';
import { readShell } from './registry.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

describe.each(constantCases)('%s', (constant, positives, negatives) => {
  test.each(positives)('matches %j', (source) =>
    expect(matchesConstant(readShell(source, context), constant)).toBe(true),
  );
  test.each(negatives)('does not match %j', (source) =>
    expect(matchesConstant(readShell(source, context), constant)).toBe(false),
  );
});

describe('the compatibility table', () => {
  test.each(compatibilityCases)('%s, %j: %s', (constant, source, right) => {
    expect(matchesConstant(readShell(source, context), constant)).toBe(right);
  });

  test('is whole', () => {
    expect(compatibilityCases.filter(([, , right]) => right)).toHaveLength(38);
    expect(compatibilityCases.filter(([, , right]) => !right)).toHaveLength(21);
    expect(new Set(compatibilityCases.map(([constant]) => constant)).size).toBe(10);
  });
});

test('every constant has cases', () => {
  expect(constantCases.map(([constant]) => constant).sort()).toEqual([...commandConstants].sort());
});

test('text that does not parse is matched roughly', () => {
  expect(matchesConstant(readShell('git push --force &&& (', context), 'git_push_force')).toBe(true);
  expect(matchesConstant(readShell('git push &&& (', context), 'git_push_force')).toBe(false);
});
