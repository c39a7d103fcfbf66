import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestHex, sealHex } from './digests.ts';

describe('digests', () => {
  test.each([0, 1, 6 * 1024, 6 * 1024 + 1, 50_000])('are the same whichever module makes them (%i bytes)', (length) => {
    const bytes = new Uint8Array(length).fill(65);
    const key = new Uint8Array(32).fill(1);
    expect(digestHex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(sealHex(key, bytes)).toBe(createHmac('sha256', key).update(bytes).digest('hex'));
  });
});
