import { createHmac } from 'node:crypto';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../files/scratch.cases.ts';
import { bulkDigests } from './bulk-digests.ts';
import { fewDigests } from './index-build.ts';
import { keyedDigest, loadUserKey, sameDigest, sealWith } from './user-key.ts';

describe('the user key', () => {
  it('is made once, for this user alone', () => {
    const state = join(scratch(), 'state');
    const key = loadUserKey(state);
    expect([...loadUserKey(state)]).toEqual([...key]);
    expect(statSync(join(state, 'key')).mode & 0o777).toBe(0o600);
    expect([...readFileSync(join(state, 'key'))]).toEqual([...key]);
    expect([...loadUserKey(join(scratch(), 'state'))]).not.toEqual([...key]);
  });

  it('is refused when it was cut or opened to others', () => {
    const state = join(scratch(), 'state');
    loadUserKey(state);
    chmodSync(join(state, 'key'), 0o622);
    expect(() => loadUserKey(state)).toThrow(/can be written by other users/);
    chmodSync(join(state, 'key'), 0o600);
    writeFileSync(join(state, 'key'), 'short');
    expect(() => loadUserKey(state)).toThrow(/key holds 5 bytes instead of 32/);
  });

  it('makes HMAC-SHA-256 digests', () => {
    const key = new Uint8Array(32).fill(7);
    const expected = createHmac('sha256', key).update('höh').digest('hex');
    expect(keyedDigest(key, 'höh')).toBe(expected);
    expect(Buffer.from(sealWith(key)(Buffer.from('höh'))).toString('hex')).toBe(expected);
    for (const text of ['höh', 'x'.repeat(6 * 1024 + 1), 'ü'.repeat(9000)]) {
      const native = createHmac('sha256', key).update(text).digest('hex');
      expect(keyedDigest(key, text)).toBe(native);
      for (const { keyed } of [bulkDigests(key), fewDigests(sealWith(key))])
        expect(Buffer.from(keyed(text), 'latin1').toString('hex')).toBe(native);
    }
    expect([sameDigest('ab', 'ab'), sameDigest('ab', 'aB'), sameDigest('ab', 'abc')]).toEqual([true, false, false]);
  });
});
