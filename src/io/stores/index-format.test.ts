import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IndexRow, searchRows, sortRows } from './index-format.ts';

describe('searchRows', () => {
  const rowOf = (digest: Uint8Array, line: number): IndexRow => ({
    digest,
    line,
    verdict: 'allow',
    tier: 'Human',
    tool: 'Bash',
    role: 'r',
    file: 0,
    expiresMs: 0,
  });

  it('finds exactly the equal digests, however they are spread, in few steps', () => {
    const digest = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.uint8Array({ minLength: 1, maxLength: 1 }).map((tail) => Uint8Array.from([...new Array(31).fill(0), ...tail])),
    );
    fc.assert(
      fc.property(fc.array(digest, { maxLength: 600, size: 'max' }), digest, fc.nat(), (digests, other, pick) => {
        const rows = sortRows(digests.map(rowOf));
        for (const wanted of [digests[pick % Math.max(1, digests.length)] ?? other, other]) {
          let steps = 0;
          const rowAt = (number: number): IndexRow | undefined => {
            steps += 1;
            return rows[number];
          };
          const found = searchRows(rowAt, rows.length, wanted);
          const equal = rows.filter((row) => Buffer.compare(row.digest, wanted) === 0);
          expect(found).toEqual(equal);
          expect(steps).toBeLessThanOrEqual(4 + 12 + equal.length);
        }
      }),
      { numRuns: 100 },
    );
  });
});
