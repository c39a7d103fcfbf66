import { describe, expect, test } from 'vitest';
import { constantCases } from './git-predicates.cases.ts';
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

test('every constant has cases', () => {
  expect(constantCases.map(([constant]) => constant).sort()).toEqual([...commandConstants].sort());
});

test('text that does not parse is matched roughly', () => {
  expect(matchesConstant(readShell('git push --force &&& (', context), 'git_push_force')).toBe(true);
  expect(matchesConstant(readShell('git push &&& (', context), 'git_push_force')).toBe(false);
});
