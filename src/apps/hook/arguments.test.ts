import { describe, expect, it } from 'vitest';
import { readHookOptions } from './arguments.ts';

describe('the options of the hook', () => {
  const usual = { denyExit: 'block', errorExit: 'gate', deadlineMs: 115_000 };
  const cases: readonly [words: string, env: string | undefined, expected: unknown][] = [
    ['', undefined, usual],
    ['--deny-exit json', undefined, { ...usual, denyExit: 'json' }],
    ['--deny-exit=seed --error-exit=seed', undefined, { ...usual, denyExit: 'seed', errorExit: 'seed' }],
    ['--deadline 5000', undefined, { ...usual, deadlineMs: 5000 }],
    ['--deadline 1', undefined, { ...usual, deadlineMs: 50 }],
    ['--deadline 300000', undefined, { ...usual, deadlineMs: 300_000 }],
    ['', '5000', { ...usual, deadlineMs: 5000 }],
    ['', '99999999', usual],
    ['', 'soon', usual],
    ['--deadline 2000', '5000', { ...usual, deadlineMs: 2000 }],
    ['--deny-exit allow', undefined, '--deny-exit'],
    ['--deadline soon', undefined, '--deadline'],
    ['--deadline', undefined, '--deadline'],
    ['whatever', undefined, 'whatever'],
  ];
  it.each(cases)('%j with %j', (words, env, expected) => {
    expect(readHookOptions(words.split(' ').filter(Boolean), env)).toEqual(expected);
  });
});
