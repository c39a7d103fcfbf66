import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scratch } from '../files/scratch.cases.ts';
import { at } from './stores.cases.ts';
import { lineDigest, trustStore } from './trust.ts';

const key = new Uint8Array(32).fill(1);
const digest = lineDigest('allow.jsonl', '{"a":1}');
const mark = { who: 'user:ada', when: at };

describe('trust', () => {
  it('is remembered per repository and line', () => {
    const state = join(scratch(), 'state');
    const store = trustStore({ state, key, identity: '/a/.git' });
    const before = store.trustSignature();
    store.addTrusted([digest], mark);
    const again = trustStore({ state, key, identity: '/a/.git' });
    expect([
      before === again.trustSignature(),
      again.isTrusted(digest),
      again.isTrusted(lineDigest('deny.jsonl', '{"a":1}')),
    ]).toEqual([false, true, false]);
    expect(trustStore({ state, key, identity: '/b/.git' }).isTrusted(digest)).toBe(false);
    store.removeTrusted([digest]);
    expect(again.isTrusted(digest)).toBe(false);
  });

  it('does not follow a file to another repository or another user', () => {
    const state = join(scratch(), 'state');
    const own = trustStore({ state, key, identity: '/a/.git' });
    const other = trustStore({ state, key, identity: '/b/.git' });
    own.addTrusted([digest], mark);
    writeFileSync(other.path, readFileSync(own.path), { mode: 0o600 });
    expect([other.isTrusted(digest), other.problem()]).toEqual([
      false,
      expect.stringMatching(/nothing in it is trusted/),
    ]);
    const foreign = trustStore({ state, key: new Uint8Array(32).fill(2), identity: '/a/.git' });
    expect(foreign.isTrusted(digest)).toBe(false);
  });

  it('takes only whole digests', () => {
    const store = trustStore({ state: join(scratch(), 'state'), key, identity: '/a' });
    expect(() => store.addTrusted(['abc'], mark)).toThrow(/not a line digest/);
  });

  it('trusts nothing after any change to the file', () => {
    const state = join(scratch(), 'state');
    trustStore({ state, key, identity: '/a' }).addTrusted([digest], mark);
    const path = trustStore({ state, key, identity: '/a' }).path;
    const whole = readFileSync(path);
    mkdirSync(dirname(path), { recursive: true });
    fc.assert(
      fc.property(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 255 }), (position, flip) => {
        const changed = Buffer.from(whole);
        changed[position] = (changed[position] ?? 0) ^ flip;
        writeFileSync(path, changed);
        const store = trustStore({ state, key, identity: '/a' });
        // A change that leaves the same JSON (spacing) is no change.
        const isSame = JSON.stringify(tryParse(changed)) === JSON.stringify(tryParse(whole));
        expect(store.isTrusted(digest)).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });
});

const tryParse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};
