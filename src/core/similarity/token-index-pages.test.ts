import { describe, expect, it } from 'vitest';
import { identityAt, pageBytes, pagedWords, pageWords, sealedBytes, sealPages } from './token-index-pages.ts';

const count = 5000;
const bytes = sealPages(Uint32Array.from({ length: count }, (_, place) => 2 ** 32 - 1 - place));
const open = (sealed = bytes) => pagedWords((position, length) => sealed.subarray(position, position + length));

describe('words in pages', () => {
  it('come back, all but the identity', () => {
    const words = open();
    const word = words.section(0, count);
    for (let place = 0; place < count; place += 1)
      if (place !== identityAt) expect(word(place)).toBe(2 ** 32 - 1 - place);
    expect([bytes.length, words.isDamaged()]).toEqual([sealedBytes(count), false]);
  });

  it.each([
    ['before a section', -1],
    ['behind it', 10],
    ['nowhere', Number.NaN],
  ])('%s are damage', (_, place) => {
    const words = open();
    const word = words.section(100, 10);
    expect([word(9), words.isDamaged()]).toEqual([2 ** 32 - 110, false]);
    expect([word(place), words.isDamaged(), word(9)]).toEqual([0, true, 0]);
  });

  it.each([0, 3, 17, Math.floor((count - 1) / pageWords)])(
    'show any change of a byte of page %d, and no other',
    (page) => {
      for (let place = 0; place < pageBytes; place += 1) {
        const changed = bytes.slice();
        const at = page * pageBytes + place;
        changed[at] = (changed[at] ?? 0) ^ (1 << (place % 8));
        const words = open(changed);
        if (page > 0) words.section(0, count)(0);
        expect(words.isDamaged()).toBe(page === 0);
        words.section(0, count)(Math.min(count - 1, page * pageWords + 5));
        expect(words.isDamaged()).toBe(true);
      }
    },
  );

  it('show where the end is missing', () => {
    for (const length of [0, 1, pageBytes - 1]) expect(open(bytes.subarray(0, length)).isDamaged()).toBe(true);
    const words = open(bytes.subarray(0, bytes.length - 1));
    expect(words.section(0, count)(count - 1)).toBe(0);
    expect(words.isDamaged()).toBe(true);
  });
});
