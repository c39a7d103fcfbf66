import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../core/model/decision.ts';
import { adapters } from './all.ts';

const decision = (verdict: Decision['verdict']): Decision => ({
  verdict,
  ruleId: 'some.rule',
  tier: 'Default',
  scope: 'builtin',
  confidence: 1,
  why: 'because',
  clear: '',
});

it('every agent folder is in the list, and nothing else', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(adapters.map(({ name }) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe.each(adapters.map((adapter) => ({ adapter, name: adapter.name })))('$name', ({ adapter, name }) => {
  it('has captured payloads', () => {
    expect(readdirSync(join(import.meta.dirname, name, 'fixtures')).length).toBeGreaterThan(0);
  });

  it('never throws on what comes in', () => {
    fc.assert(fc.property(fc.jsonValue(), (payload) => void adapter.decode(payload)));
  });

  it('says nothing when it has no opinion', () => {
    expect(adapter.encode({ kind: 'silent' }, { denyExit: 'block' })).toMatchObject({ stdout: '', exitCode: 0 });
  });

  it.each(['allow', 'ask', 'deny'] as const)(
    'writes %s as one JSON object, and only a deny leaves with another code than 0',
    (verdict) => {
      const reply = adapter.encode({ kind: 'verdict', decision: decision(verdict) }, { denyExit: 'block' });
      expect(JSON.stringify(JSON.parse(reply.stdout))).toContain(`"${verdict}"`);
      expect(reply.exitCode !== 0).toBe(verdict === 'deny');
    },
  );
});
