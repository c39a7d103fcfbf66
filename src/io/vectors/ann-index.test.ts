import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cosine, localEmbedder } from '../../core/similarity/embedder.ts';
import { exactGraphs, hasPeer, installPackage, peerPlaces } from '../embedders/peers.cases.ts';
import { type AnnIndex, type AnnOptions, annIndex } from './ann-index.ts';

const embedder = localEmbedder();
const vectorsOf = (from: number, to: number): Int8Array[] =>
  Array.from({ length: to - from }, (_, number) =>
    embedder.embed({ tool: 'Bash', text: `npm run task-${(from + number) % 37} -- --only part-${from + number}` }),
  );
const query = embedder.embed({ tool: 'Bash', text: 'npm run task-5 -- --only part-9999' });

const best = (vectors: readonly Int8Array[]): number => Math.max(...vectors.map((vector) => cosine(query, vector)));

/** The package itself, where it is installed, and a small one with the same interface. */
const packages: readonly string[] = ['stand-in', ...(hasPeer('usearch') ? ['usearch'] : [])];

describe.each(packages)('annIndex with %s', (which) => {
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'hookwise-ann-'));
    if (which === 'stand-in') installPackage(place, 'usearch', exactGraphs);
  });
  afterEach(() => {
    rmSync(place, { recursive: true });
  });

  const indexOf = (vectors: Int8Array[], change: Partial<AnnOptions> = {}): Promise<AnnIndex> => {
    const places = which === 'stand-in' ? [place] : peerPlaces;
    return annIndex({ embedder, vectors, source: 'these', places, ...change });
  };

  it('finds the best, scored exactly, and only what reaches the threshold', async () => {
    const vectors = vectorsOf(0, 800);
    const index = await indexOf(vectors);
    expect(index.search(query, { threshold: -1 })).toEqual([]);
    index.build();
    expect(index.count()).toBe(800);
    const found = index.search(query, { threshold: 0.85 });
    expect(found[0]?.score).toBe(best(vectors));
    for (const { document, score } of found) {
      expect(score).toBe(cosine(query, vectors[document] ?? query));
      expect(score).toBeGreaterThanOrEqual(0.85);
    }
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
    expect(index.search(query, { threshold: -1, limit: 3 })).toHaveLength(3);
    expect(index.search(query, { threshold: -1, limit: 200 })).toHaveLength(200);
    expect(index.search(query, { threshold: 1.01 })).toEqual([]);
  });

  it('takes in what came since', async () => {
    const vectors = vectorsOf(0, 300);
    const index = await indexOf(vectors);
    index.build();
    vectors.push(query, ...vectorsOf(300, 400));
    index.insert();
    expect(index.count()).toBe(401);
    expect(index.search(query, { threshold: 0.99 })[0]).toEqual({ document: 300, score: 1 });
  });

  it('saves, loads, and goes on from there', async () => {
    const vectors = vectorsOf(0, 300);
    const path = join(place, 'user.graph');
    const index = await indexOf(vectors);
    index.build();
    index.save(path);
    expect(readdirSync(place).filter((name) => name.startsWith('user'))).toEqual(['user.graph', 'user.graph.json']);
    const again = await indexOf(vectors);
    expect(again.load(path)).toBe(true);
    expect(again.search(query, { threshold: 0.5 })).toEqual(index.search(query, { threshold: 0.5 }));
    vectors.push(query);
    again.insert();
    expect(again.count()).toBe(301);
    expect(again.search(query, { threshold: 0.99 })).toEqual([{ document: 300, score: 1 }]);
  });

  it('gives the same file for the same documents', async () => {
    for (const name of ['a', 'b']) {
      const index = await indexOf(vectorsOf(0, 300));
      index.build();
      index.save(join(place, name));
    }
    expect(readFileSync(join(place, 'a')).equals(readFileSync(join(place, 'b')))).toBe(true);
  });

  it.each<[name: string, change: Partial<AnnOptions>, damage: (path: string) => void]>([
    ['another embedder', { embedder: { ...embedder, name: 'other-1' } }, () => undefined],
    ['another source', { source: 'those' }, () => undefined],
    ['fewer documents', { vectors: vectorsOf(0, 20) }, () => undefined],
    ['a graph that was cut', {}, (path) => truncateSync(path, 100)],
    ['a changed graph', {}, (path) => writeFileSync(path, readFileSync(path).fill(7, 300, 301))],
    ['no graph', {}, (path) => rmSync(path)],
    ['no manifest', {}, (path) => rmSync(`${path}.json`)],
    ['a damaged manifest', {}, (path) => writeFileSync(`${path}.json`, '{"v":1}')],
    ['a manifest that is no JSON', {}, (path) => writeFileSync(`${path}.json`, '{')],
    [
      'another version',
      {},
      (path) => writeFileSync(`${path}.json`, readFileSync(`${path}.json`, 'utf8').replace('"v":1', '"v":2')),
    ],
    [
      'a graph made in another way',
      {},
      (path) =>
        writeFileSync(`${path}.json`, readFileSync(`${path}.json`, 'utf8').replace('connectivity', 'something')),
    ],
  ])('does not load %s', async (_, change, damage) => {
    const vectors = vectorsOf(0, 40);
    const path = join(place, 'user.graph');
    const index = await indexOf(vectors);
    index.build();
    index.save(path);
    damage(path);
    const again = await indexOf(vectors, change);
    expect(again.load(path)).toBe(false);
    expect(again.count()).toBe(0);
  });

  it('says where it cannot write, and leaves nothing', async () => {
    const index = await indexOf(vectorsOf(0, 3));
    index.build();
    mkdirSync(join(place, 'user.graph'));
    expect(() => index.save(join(place, 'user.graph'))).toThrow('storage error: cannot write');
    expect(readdirSync(place).filter((name) => name.includes('tmp'))).toEqual([]);
  });
});

describe('annIndex', () => {
  it('knows the package by what it has', async () => {
    const place = mkdtempSync(join(tmpdir(), 'hookwise-ann-'));
    installPackage(place, 'usearch', 'exports.Other = 1;');
    await expect(annIndex({ embedder, vectors: [], source: '', places: [place] })).rejects.toMatchObject({
      kind: 'Embedding',
    });
    rmSync(place, { recursive: true });
  });

  it('needs a vector for every document', async () => {
    const place = mkdtempSync(join(tmpdir(), 'hookwise-ann-'));
    installPackage(place, 'usearch', exactGraphs);
    const vectors = { length: 2, at: () => undefined };
    const index = await annIndex({ embedder, vectors, source: '', places: [place] });
    expect(() => index.build()).toThrow('index build error: document 0 has no vector');
    rmSync(place, { recursive: true });
  });
});
