import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
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

describe('the log of answers', () => {
  const digests = ['a', 'b', 'c'].map((text) => lineDigest('allow.jsonl', text));
  const setup = () => {
    const state = join(scratch(), 'state');
    const open = (identity = '/a') => trustStore({ state, key, identity });
    const store = open();
    return { open, store, log: store.path.replace(/json$/, 'log') };
  };

  it('adds trust without touching what was trusted by command', () => {
    const { open, store } = setup();
    const before = store.trustSignature();
    for (const one of digests) store.addAnswered(one, mark);
    expect(store.trustSignature()).toBe(before);
    expect(digests.map((one) => open().isTrusted(one))).toEqual([true, true, true]);
    expect(digests.map(open().snapshot())).toEqual([true, true, true]);
    expect(open().list()).toEqual(new Map(digests.map((one) => [one, mark])));
    expect(open('/b').isTrusted(digests[0] ?? '')).toBe(false);
  });

  it('tells what came after a place in it', () => {
    const { store } = setup();
    const [one = '', two = '', three = ''] = digests;
    expect(store.answers.after(0)).toEqual({ digests: [], end: 0 });
    const first = store.addAnswered(one, mark);
    expect([first.before, first.end]).toEqual([0, store.answers.end()]);
    store.addAnswered(two, mark);
    const last = store.addAnswered(three, mark);
    expect(store.answers.after(first.end)).toEqual({ digests: [two, three], end: last.end });
    expect(store.answers.after(last.end)).toEqual({ digests: [], end: last.end });
    expect(store.answers.after(last.end + 1)).toBeUndefined();
  });

  it('goes into the file when trust is taken away or given by command', () => {
    const { open, store, log } = setup();
    const [one = '', two = '', three = ''] = digests;
    store.addAnswered(one, mark);
    store.addAnswered(two, mark);
    const before = store.trustSignature();
    store.removeTrusted([one]);
    expect(digests.map(open().isTrusted)).toEqual([false, true, false]);
    expect([store.trustSignature() === before, existsSync(log)]).toEqual([false, false]);
    store.addAnswered(three, mark);
    store.addTrusted([one], mark);
    expect([digests.map(open().isTrusted), existsSync(log)]).toEqual([[true, true, true], false]);
  });

  it('outlives a writer that was killed', () => {
    const { open, store, log } = setup();
    const [one = '', two = '', three = ''] = digests;
    store.addAnswered(one, mark);
    const { end } = store.addAnswered(two, mark);
    truncateSync(log, end - 9);
    expect(digests.map(open().isTrusted)).toEqual([true, false, false]);
    expect(open().problem()).toBeUndefined();
    store.addAnswered(three, mark);
    expect(digests.map(open().isTrusted)).toEqual([true, false, true]);
  });

  it('believes no line that was changed', () => {
    const { open, store, log } = setup();
    const [one = '', two = ''] = digests;
    store.addAnswered(one, mark);
    const whole = readFileSync(log);
    fc.assert(
      fc.property(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 127 }), (position, flip) => {
        const changed = Buffer.from(whole);
        changed[position] = (changed[position] ?? 0) ^ flip;
        writeFileSync(log, changed);
        expect(open().isTrusted(one)).toBe(false);
      }),
      { numRuns: 200 },
    );
    writeFileSync(log, whole.toString().replace(one, two));
    expect(open().isTrusted(two)).toBe(false);
    expect(open().problem()).toMatch(/1 lines that were not written by hookwise/);
    expect(open().list().size).toBe(0);
  });

  it('believes as many lines as there are', () => {
    const { open, store } = setup();
    const many = Array.from({ length: 100 }, (_, number) => lineDigest('allow.jsonl', `${number}`));
    for (const one of many) store.addAnswered(one, mark);
    expect(many.every(open().snapshot())).toBe(true);
    expect(open().isTrusted(digest)).toBe(false);
  });
});

const tryParse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};
