import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../model/record.ts';
import type { ScopeLevel, Verdict } from '../model/verdict.ts';
import { exactCache } from './exact-cache.ts';
import type { LookupKey } from './record-match.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');

type Change = Partial<DecisionRecord> & { readonly role?: string; readonly tool?: string; readonly input?: string };

const record = (decision: Verdict, change: Change = {}): DecisionRecord => {
  const { role = 'coder', tool = 'Bash', input = 'npm test', ...rest } = change;
  return {
    v: 1,
    key: { sanitized_input: input, tool, role },
    decision,
    metadata: { tier: 'Human', confidence: 1, reason: '' },
    timestamp: '2026-03-01T12:00:00.000Z',
    scope: 'project',
    session_id: 's1',
    ...rest,
  };
};

const key = (change: Partial<LookupKey> = {}): LookupKey => ({
  sanitized_input: 'npm test',
  tool: 'Bash',
  role: 'coder',
  ...change,
});

const cacheOf = (records: readonly DecisionRecord[], now = noon) => {
  const cache = exactCache({ now: () => now });
  cache.loadFrom(records);
  return cache;
};

const digest = 'ab'.repeat(32);

const lookups: [name: string, records: DecisionRecord[], asked: Partial<LookupKey>, found: Verdict | undefined][] = [
  ['the same call', [record('allow')], {}, 'allow'],
  ['another command', [record('allow')], { sanitized_input: 'npm test -- x' }, undefined],
  ['another role', [record('allow')], { role: 'docs' }, undefined],
  ['every role', [record('ask', { role: '*' })], { role: 'docs' }, 'ask'],
  ['a deny for everybody beats an allow for the role', [record('allow'), record('deny', { role: '*' })], {}, 'deny'],
  ['a deny for the role beats an allow for everybody', [record('allow', { role: '*' }), record('deny')], {}, 'deny'],
  [
    'an allow in one scope never replaces a deny in another',
    [record('deny', { scope: 'org' }), record('allow')],
    {},
    'deny',
  ],
  ['an allow of another tool', [record('allow', { tool: 'Write' })], { tool: 'Edit' }, undefined],
  ['an ask of the same tool family', [record('ask', { tool: 'Write' })], { tool: 'Edit' }, 'ask'],
  ['an allow made at the root, asked below it', [record('allow')], { context: 'inside:lib' }, undefined],
  [
    'an allow made below the root, there',
    [record('allow', { context: 'inside:lib' })],
    { context: 'inside:lib' },
    'allow',
  ],
  [
    'a deny without a context, outside, of the user',
    [record('deny', { scope: 'user' })],
    { context: 'outside' },
    'deny',
  ],
  [
    'an allow for creating, of a modification',
    [record('allow', { change: 'create' })],
    { change: 'modify' },
    undefined,
  ],
  ['an allow for creating, of an unknown change', [record('allow', { change: 'create' })], {}, undefined],
  ['a deny for creating, of an unknown change', [record('deny', { change: 'create' })], {}, 'deny'],
  ['an allow that lost text to redaction, without a digest', [record('allow', { lossy: true, digest })], {}, undefined],
  ['an allow that lost text, by its digest', [record('allow', { lossy: true, digest })], { digest }, 'allow'],
  ['a deny that lost text, by its text', [record('deny', { lossy: true, digest })], {}, 'deny'],
  ['an allow that has expired', [record('allow', { expires_at: '2026-03-01T11:59:59Z' })], {}, undefined],
  ['an allow that will expire', [record('allow', { expires_at: '2026-03-01T12:00:01Z' })], {}, 'allow'],
  ['an override', [record('allow', { pattern: { command: 'npm *' } })], {}, undefined],
  ['an entry for a shape of that text', [record('deny', { slots: ['name'] })], {}, undefined],
  ['an exact entry beside one for a shape', [record('allow'), record('deny', { slots: ['name'] })], {}, 'allow'],
  ['a deny and an ask that a merge left', [record('deny'), record('ask'), record('allow')], {}, 'deny'],
];

describe('exactCache', () => {
  it.each(lookups)('%s', (_, records, asked, found) => {
    expect(cacheOf(records).lookup(key(asked))?.decision).toBe(found);
    expect(cacheOf(records.toReversed()).lookup(key(asked))?.decision).toBe(found);
  });

  it('gives the record for the exact role where both say the same', () => {
    const records = [record('deny', { role: '*' }), record('deny')];
    expect(cacheOf(records).lookup(key())?.key.role).toBe('coder');
    expect(cacheOf(records.toReversed()).lookup(key())?.key.role).toBe('coder');
  });

  it('keeps the last of two records about the same call in the same scope', () => {
    const cache = cacheOf([record('deny')]);
    cache.insert(record('allow'));
    expect(cache.lookup(key())?.decision).toBe('allow');
    expect(cache.stats().totalEntries).toBe(1);
  });

  it.each<[ScopeLevel]>([['org'], ['user']])('keeps records of scope %s beside those of the project', (scope) => {
    expect(cacheOf([record('allow', { scope }), record('allow')]).stats().totalEntries).toBe(2);
  });

  it('counts entries, hits and misses', () => {
    const cache = cacheOf([record('allow'), record('deny', { input: 'b' }), record('ask', { input: 'c', role: '*' })]);
    for (const input of ['npm test', 'c', 'nothing']) cache.lookup(key({ sanitized_input: input }));
    expect(cache.stats()).toEqual({
      totalEntries: 3,
      allowEntries: 1,
      denyEntries: 1,
      askEntries: 1,
      hits: 2,
      misses: 1,
    });
  });

  it('forgets one role, and everything', () => {
    const cache = cacheOf([record('allow'), record('allow', { role: 'docs' }), record('ask', { role: '*' })]);
    expect(cache.invalidateRole('coder')).toBe(1);
    expect(cache.lookup(key())?.decision).toBe('ask');
    expect(cache.invalidateAll()).toBe(2);
    expect(cache.lookup(key())).toBeUndefined();
  });
});
