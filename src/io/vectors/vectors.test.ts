import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosine } from '../../core/similarity/embedder.ts';
import { columnBytes } from './format.ts';
import { fastestLoops } from './kernel.ts';
import { blockRows, type KernelMaker, mapFor } from './kernel-places.ts';
import { plainLoops } from './kernel-plain.ts';
import type { SearchOptions, SimilarDocument } from './search.ts';
import { appendVectors, encodeVectors, openVectors, openVectorsWith, type VectorIndex } from './vectors.ts';

/** Deterministic vectors, some of them alike, some of zeros. */
const vectorsFor = (shape: {
  readonly count: number;
  readonly dimensions: number;
  readonly seed: number;
}): Int8Array[] => {
  let state = shape.seed * 2 + 1;
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39;
    return (state >>> 8) & 0xffff;
  };
  const made: Int8Array[] = [];
  for (let row = 0; row < shape.count; row++) {
    const base = next() % 4 === 0 ? made[next() % Math.max(1, row)] : undefined;
    const vector = Int8Array.from({ length: shape.dimensions }, (_, at) => base?.[at] ?? (next() % 256) - 128);
    if (base !== undefined) vector[next() % shape.dimensions] = (next() % 256) - 128;
    made.push(next() % 50 === 0 ? vector.fill(0) : vector);
  }
  return made;
};

const bruteForce = (vectors: readonly Int8Array[], query: Int8Array, options: SearchOptions): SimilarDocument[] =>
  vectors
    .map((vector, document) => ({ document, score: cosine(vector, query) }))
    .filter(({ document, score }) => {
      const { threshold, from = 0, to = vectors.length } = options;
      return document >= from && document < to && score >= threshold;
    })
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, options.limit);

const embedderOf = (dimensions: number) => ({ name: 'test-1', dimensions });
const encoded = (vectors: readonly Int8Array[], dimensions: number): Buffer =>
  encodeVectors({ embedder: embedderOf(dimensions), vectors, source: 'of these' });

const open = (bytes: Uint8Array, loops: KernelMaker = fastestLoops): VectorIndex | undefined =>
  openVectorsWith(loops, {
    read: (position, length) => bytes.subarray(position, position + length),
    size: bytes.length,
  });

const opened = (bytes: Uint8Array, loops?: KernelMaker): VectorIndex => {
  const index = open(bytes, loops);
  if (index === undefined) throw new Error('the index is damaged');
  return index;
};

const dimensions = fc.constantFrom(1, 15, 16, 63, 128, 129, 192, 384);
const counts = fc.oneof(
  fc.nat({ max: 40 }),
  fc.constantFrom(blockRows - 1, blockRows, blockRows + 1, 2 * blockRows + 3),
);
const shape = fc.record({ count: counts, dimensions, seed: fc.nat({ max: 1000 }) });
const options = fc.record(
  {
    threshold: fc.constantFrom(-1, -0.2, 0, 0.1, 0.5, 0.85, 0.999, 1),
    from: fc.nat({ max: 2100 }),
    to: fc.nat({ max: 2100 }),
    limit: fc.constantFrom(0, 1, 2, 10, 3000),
  },
  { requiredKeys: ['threshold'] },
);

describe('openVectors', () => {
  it.each<[string, KernelMaker, boolean]>([
    ['with SIMD, from the file', fastestLoops, false],
    ['with SIMD, in memory', fastestLoops, true],
    ['without, from the file', plainLoops, false],
    ['without, in memory', plainLoops, true],
  ])('finds exactly what brute force finds, %s', (_, loops, isKept) => {
    fc.assert(
      fc.property(shape, options, fc.nat(), (of, wanted, pick) => {
        const vectors = vectorsFor(of);
        const index = opened(encoded(vectors, of.dimensions), loops);
        if (isKept) expect(index.keep(Number.POSITIVE_INFINITY)).toBe(true);
        const queries = [vectors[pick % Math.max(1, of.count)], vectorsFor({ ...of, count: 1, seed: 7777 })[0]];
        for (const query of queries) {
          if (query === undefined) continue;
          expect(index.searchAbove(query, wanted)).toEqual(bruteForce(vectors, query, wanted));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('uses SIMD where Node has it', () => {
    expect(fastestLoops(mapFor({ leadBytes: 64, restBytes: 128, columnBytes })).kind).toBe('simd');
  });

  it('gives back what it was made of', () => {
    fc.assert(
      fc.property(shape, (of) => {
        const vectors = vectorsFor(of);
        const index = opened(encoded(vectors, of.dimensions));
        const { embedder, dimensions, count, source } = index;
        expect({ embedder, dimensions, count, source }).toEqual({
          embedder: 'test-1',
          dimensions: of.dimensions,
          count: of.count,
          source: 'of these',
        });
        for (const document of [0, 1, of.count - 1, of.count >> 1]) {
          expect(index.vector(document)).toEqual(document >= 0 ? vectors[document] : undefined);
        }
        for (const document of [-1, of.count, 0.5, Number.NaN]) expect(index.vector(document)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it('reads in pieces that it needs no longer than until the next one', () => {
    const vectors = vectorsFor({ count: 3000, dimensions: 192, seed: 3 });
    const bytes = encoded(vectors, 192);
    const scratch = Buffer.alloc(300_000);
    let most = 0;
    const read = (position: number, length: number): Uint8Array => {
      most = Math.max(most, length);
      return scratch.fill(0xaa).subarray(0, bytes.copy(scratch, 0, position, position + length));
    };
    const index = openVectors(read, bytes.length);
    const query = vectors[1500] ?? new Int8Array(192);
    expect(index?.searchAbove(query, { threshold: 0.3 })).toEqual(bruteForce(vectors, query, { threshold: 0.3 }));
    expect(index?.vector(2047)).toEqual(vectors[2047]);
    expect(most).toBeLessThanOrEqual(blockRows * 192);
  });

  it('does not keep more than it may', () => {
    const bytes = encoded(vectorsFor({ count: 100, dimensions: 192, seed: 3 }), 192);
    expect(opened(bytes).keep(bytes.length - 1)).toBe(false);
    expect(opened(bytes).keep(bytes.length)).toBe(true);
  });

  it('refuses queries and vectors of the wrong length', () => {
    const index = opened(encoded([], 16));
    expect(() => index.searchAbove(new Int8Array(15), { threshold: 0 })).toThrow(RangeError);
    expect(() => encoded([new Int8Array(15)], 16)).toThrow(RangeError);
    expect(() => encoded([], 0)).toThrow(RangeError);
    expect(() => encoded([], 5000)).toThrow(RangeError);
    expect(() => encodeVectors({ embedder: { name: 'x'.repeat(600), dimensions: 8 }, vectors: [] })).toThrow(
      RangeError,
    );
  });
});

describe('appendVectors', () => {
  it('gives the same bytes as making the index anew', () => {
    fc.assert(
      fc.property(shape, counts, (of, more) => {
        const all = vectorsFor({ ...of, count: of.count + more });
        const old = encodeVectors({
          embedder: embedderOf(of.dimensions),
          vectors: all.slice(0, of.count),
          source: 'then',
        });
        const longer = appendVectors(old, { vectors: all.slice(of.count), source: 'now' });
        const anew = encodeVectors({ embedder: embedderOf(of.dimensions), vectors: all, source: 'now' });
        expect(longer?.equals(anew)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('does not build on damage', () => {
    const old = encoded(vectorsFor({ count: 10, dimensions: 192, seed: 3 }), 192);
    expect(appendVectors(old.subarray(1), { vectors: [] })).toBeUndefined();
    old[old.length - 5] = (old[old.length - 5] ?? 0) ^ 4;
    expect(appendVectors(old, { vectors: [] })).toBeUndefined();
  });
});

describe('damage', () => {
  const vectors = vectorsFor({ count: 1500, dimensions: 192, seed: 11 });
  const bytes = encoded(vectors, 192);
  const query = vectors[3] ?? new Int8Array(192);
  const everything = { threshold: -1 };

  it('is never taken for an answer', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (at, flip, isKept) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = (damaged[at] ?? 0) ^ flip;
          const index = open(damaged);
          if (isKept) index?.keep(Number.POSITIVE_INFINITY);
          expect(index?.searchAbove(query, everything)).toBeUndefined();
          const all = bruteForce(vectors, query, { threshold: 0.85 });
          expect([undefined, all]).toContainEqual(index?.searchAbove(query, { threshold: 0.85 }));
          const document = Math.floor(((at / bytes.length) * 1500) % 1500);
          expect([undefined, vectors[document]]).toContainEqual(index?.vector(document));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([0, 1, 7, 63, 64, 65, 127, 128, 129, 5000, bytes.length - 1])(
    'is seen in a file cut to %i bytes',
    (length) => {
      expect(open(bytes.subarray(0, length))).toBeUndefined();
    },
  );

  it('is seen where there is too much', () => {
    expect(open(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined();
  });

  it('is seen where rows have changed places', () => {
    const swapped = Buffer.from(bytes);
    const [one, other] = [swapped.length - 128, swapped.length - 256];
    swapped.copyWithin(one, other, one);
    expect(opened(swapped).searchAbove(query, everything)).toBeUndefined();
  });

  it('is seen where the file ends while it is read', () => {
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.boolean(), (end, isKept) => {
        const read = (position: number, length: number): Uint8Array =>
          bytes.subarray(position, Math.min(end, position + length));
        const index = openVectors(read, bytes.length);
        if (isKept) expect(index?.keep(Number.POSITIVE_INFINITY) ?? false).toBe(false);
        expect(index?.searchAbove(query, everything)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  it('of any kind is no index', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (any, hasMagic) => {
        const content = hasMagic ? Buffer.concat([bytes.subarray(0, 8), any]) : Buffer.from(any);
        expect(open(content)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
