import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareRow,
  isIntact,
  nameTable,
  type RowFields,
  readFields,
  rowBytes,
  saltOf,
  viewOf,
  wordsOf,
} from './index-format.ts';
import { firstRow } from './index-search.ts';
import { placeWaiting, rowSink } from './row-sink.ts';

const digest = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.uint8Array({ minLength: 1, maxLength: 1 }).map((tail) => Uint8Array.from([...new Array(31).fill(0), ...tail])),
);

const rowOf = (line: number): RowFields => ({
  line,
  verdict: 'allow',
  tier: 'Human',
  tool: 'Bash',
  role: 'r',
  file: 0,
  expiresMs: 0,
});

const placed = (digests: readonly Uint8Array[], seed = 7) => {
  const sink = rowSink();
  for (const [line, bytes] of digests.entries()) sink.add(rowOf(line), Buffer.from(bytes).toString('latin1'));
  const bytes = Buffer.alloc(digests.length * rowBytes);
  sink.place(viewOf(bytes), { start: 0, seed });
  return { sink, bytes, view: viewOf(bytes) };
};

describe('rowSink', () => {
  it('places rows in the order of their digests, equal ones as they came', () => {
    fc.assert(
      fc.property(fc.array(digest, { maxLength: 400, size: 'max' }), (digests) => {
        const { sink, view } = placed(digests);
        const expected = digests
          .map((bytes, line) => ({ bytes, line }))
          .sort((a, b) => Buffer.compare(a.bytes, b.bytes) || a.line - b.line);
        const lines = digests.map((_, at) => readFields(view, at * rowBytes, sink.table.names)?.line);
        expect(lines).toEqual(expected.map(({ line }) => line));
        expect([...sink.fields()].map(({ line }) => line)).toEqual(digests.map((_, line) => line));
        for (const [at, { bytes }] of expected.entries()) {
          expect(isIntact(view, at * rowBytes, saltOf(7, at))).toBe(true);
          expect(compareRow(view, at * rowBytes, wordsOf(Buffer.from(bytes).toString('hex')))).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps more rows than one chunk holds', () => {
    const spread = Array.from({ length: 9000 }, (_, line) => {
      const bytes = Buffer.alloc(32);
      bytes.writeUInt32BE(Math.imul(line, 0x9e3779b1) >>> 0, 0);
      return bytes;
    });
    const { view } = placed(spread);
    const heads = Array.from({ length: 9000 }, (_, at) => view.getUint32(at * rowBytes));
    expect(heads).toEqual([...heads].sort((a, b) => a - b));
  });

  it('knows at most 65,535 names', () => {
    const table = nameTable(['a']);
    expect([table.numberOf('a'), table.numberOf('b'), table.numberOf('a')]).toEqual([0, 1, 0]);
    for (let number = 2; number < 0xffff; number++) table.numberOf(`${number}`);
    expect(() => table.numberOf('one more')).toThrow(RangeError);
  });

  it('sorts what waits', () => {
    const target = Buffer.alloc(24);
    placeWaiting(target, ['ff'.repeat(8), '00'.repeat(8)], 8);
    expect(target.toString('hex')).toBe(`${'00'.repeat(8)}${'00'.repeat(8)}${'ff'.repeat(8)}`);
  });
});

describe('a row', () => {
  it('shows any change of a byte, and belongs to one place of one file', () => {
    const { bytes, view } = placed([new Uint8Array(32).fill(5), new Uint8Array(32).fill(9)]);
    expect(isIntact(view, rowBytes, saltOf(7, 1))).toBe(true);
    expect([isIntact(view, rowBytes, saltOf(7, 0)), isIntact(view, rowBytes, saltOf(8, 1))]).toEqual([false, false]);
    for (let at = 0; at < rowBytes; at++)
      for (const flip of [1, 0x80, 0xff]) {
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        expect(isIntact(view, 0, saltOf(7, 0))).toBe(false);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
      }
  });

  it('says nothing with a flag that is not known', () => {
    const { bytes, view, sink } = placed([new Uint8Array(32)]);
    expect(readFields(view, 0, sink.table.names)).toMatchObject({ line: 0, role: 'r' });
    bytes[51] = 0x10;
    expect(readFields(view, 0, sink.table.names)).toBeUndefined();
  });
});

describe('firstRow', () => {
  it('finds where equal digests begin, however they are spread, in few steps', () => {
    fc.assert(
      fc.property(fc.array(digest, { maxLength: 600, size: 'max' }), digest, fc.nat(), (digests, other, pick) => {
        const { view } = placed(digests);
        for (const wanted of [digests[pick % Math.max(1, digests.length)] ?? other, other]) {
          const words = wordsOf(Buffer.from(wanted).toString('hex'));
          let steps = 0;
          const compareAt = (rowNumber: number): number => {
            steps += 1;
            return compareRow(view, rowNumber * rowBytes, words);
          };
          const before = digests.filter((one) => Buffer.compare(one, wanted) < 0).length;
          expect(firstRow(compareAt, digests.length, words)).toBe(before);
          expect(steps).toBeLessThanOrEqual(4 + 11);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('says nothing when it meets damage', () => {
    expect(firstRow(() => undefined, 3, [0, 0, 0, 0, 0, 0, 0, 0])).toBeUndefined();
    expect(firstRow(() => undefined, 0, [])).toBe(0);
  });
});
