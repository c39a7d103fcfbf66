import { chmodSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localEmbedder } from '../../core/similarity/embedder.ts';
import { writeAtomic } from '../files/atomic-write.ts';
import { scratch } from '../files/scratch.cases.ts';
import { openVectorFile } from './vector-file.ts';
import { encodeVectors } from './vectors.ts';

const embedder = localEmbedder();
const vectors = Array.from({ length: 2500 }, (_, number) =>
  embedder.embed({ tool: 'Bash', text: `npm run task-${number % 50} -- --only part-${number}` }),
);
const written = (): string => {
  const path = join(scratch(), 'user.vectors');
  writeAtomic(path, encodeVectors({ embedder, vectors, source: 'rules 1' }), { durable: false });
  return path;
};
const query = vectors[1234] ?? new Int8Array(0);

describe('openVectorFile', () => {
  it('searches a file without taking it into memory', () => {
    const file = openVectorFile(written());
    expect(file?.index.source).toBe('rules 1');
    expect(file?.index.searchAbove(query, { threshold: 0.999 })?.[0]).toEqual({ document: 1234, score: 1 });
    expect(file?.index.searchAbove(query, { threshold: 0.85 })).toHaveLength(50);
    expect(file?.index.vector(1234)).toEqual(query);
    file?.close();
  });

  it('sees damage that comes later', () => {
    const path = written();
    const file = openVectorFile(path);
    truncateSync(path, 4000);
    expect(file?.index.searchAbove(query, { threshold: 0.85 })).toBeUndefined();
    expect(file?.index.keep(Number.POSITIVE_INFINITY)).toBe(false);
    file?.close();
  });

  it('opens nothing where there is nothing, or something else', () => {
    expect(openVectorFile(join(scratch(), 'none'))).toBeUndefined();
    const path = written();
    writeFileSync(path, readFileSync(path).subarray(1));
    expect(openVectorFile(path)).toBeUndefined();
  });

  it('refuses links and files that others may write', () => {
    const path = written();
    const link = join(scratch(), 'link');
    symlinkSync(path, link);
    expect(() => openVectorFile(link)).toThrow('is a symbolic link');
    chmodSync(path, 0o666);
    expect(() => openVectorFile(path)).toThrow('can be written by other users');
  });
});
