import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scratch } from '../files/scratch.cases.ts';
import { type GrantStore, grantLifetimeMs, grantStore } from './grants.ts';
import { noon } from './stores.cases.ts';

const key = new Uint8Array(32).fill(5);
const callDigest = 'cd'.repeat(32);
const setup = (): { grants: GrantStore; directory: string; state: string } => {
  const state = join(scratch(), 'state');
  return { state, grants: grantStore({ state, key }), directory: join(state, 'grants') };
};
const mint = (grants: GrantStore): void => {
  grants.mint({ callDigest, sessionId: 's-1', actor: 'user:ada', now: noon });
};

describe('grants', () => {
  it('work once', () => {
    const { grants, directory } = setup();
    const request = { callDigest, sessionId: 's-1', now: noon + 1 };
    expect(grants.take(request)).toEqual({ kind: 'none', why: 'there is no grant' });
    mint(grants);
    expect(grants.take(request)).toMatchObject({ kind: 'granted', grant: { actor: 'user:ada', session_id: 's-1' } });
    expect(grants.take(request)).toEqual({ kind: 'none', why: 'there is no grant' });
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ['another session', { sessionId: 's-2', now: noon }, 'the grant is for another session'],
    ['ten minutes later', { sessionId: 's-1', now: noon + grantLifetimeMs }, 'the grant has expired'],
    ['long before it was made', { sessionId: 's-1', now: noon - 2 * grantLifetimeMs }, 'the grant has expired'],
  ])('are nothing for %s', (_name, request, why) => {
    const { grants } = setup();
    mint(grants);
    expect(grants.take({ callDigest, ...request })).toEqual({ kind: 'none', why });
    expect(grants.take({ callDigest, sessionId: 's-1', now: noon }).kind).toBe('granted');
  });

  it('cannot be moved to another call, made with another key, or changed', () => {
    const { grants, directory, state } = setup();
    mint(grants);
    const path = join(directory, `${callDigest}.json`);
    const whole = readFileSync(path);
    const other = 'ef'.repeat(32);
    writeFileSync(join(directory, `${other}.json`), whole, { mode: 0o600 });
    expect(grants.take({ callDigest: other, sessionId: 's-1', now: noon })).toEqual({
      kind: 'none',
      why: 'the grant is for another call',
    });
    const foreign = grantStore({ state, key: new Uint8Array(32) });
    expect(foreign.take({ callDigest, sessionId: 's-1', now: noon })).toMatchObject({
      kind: 'none',
      why: expect.stringMatching(/not signed/),
    });
    expect(() => grants.take({ callDigest: '../key', sessionId: 's-1', now: noon })).toThrow(/64 hexadecimal/);
    const noise = fc.oneof(
      fc.uint8Array(),
      fc.nat(whole.length - 2).map((cut) => new Uint8Array(whole.subarray(0, cut))),
      fc
        .tuple(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 255 }))
        .map(([position, flip]) => whole.map((byte, index) => (index === position ? byte ^ flip : byte))),
    );
    fc.assert(
      fc.property(noise, (bytes) => {
        writeFileSync(path, bytes, { mode: 0o600 });
        expect(grants.take({ callDigest, sessionId: 's-1', now: noon }).kind).toBe('none');
      }),
      { numRuns: 300 },
    );
  });

  it('are swept away when nobody came', () => {
    const { grants, directory } = setup();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const old = join(directory, `${'0'.repeat(64)}.json`);
    writeFileSync(old, '{}');
    utimesSync(old, new Date(noon - 3 * grantLifetimeMs), new Date(noon - 3 * grantLifetimeMs));
    mint(grants);
    expect(readdirSync(directory)).toEqual([`${callDigest}.json`]);
  });
});
