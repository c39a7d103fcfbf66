// @ts-check

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cosine, localEmbedder } from '../src/core/similarity/embedder.ts';
import { annIndex } from '../src/io/vectors/ann-index.ts';
import { openVectorFile } from '../src/io/vectors/vector-file.ts';
import { encodeVectors } from '../src/io/vectors/vectors.ts';
import { commandSource } from './call-corpus.mjs';
import { median, quantile } from './figures.mjs';

/** @typedef {import('./figures.mjs').Figure} Figure */
/** @typedef {{ name: string, unit: string, values: readonly { count: number, value: number, p99?: number, target?: number }[], note?: string }} Row */

const threshold = 0.85;
const queryCount = 100;
const coldRuns = 7;
const embedder = localEmbedder();

/** @param {string} text */
const embed = (text) => embedder.embed({ tool: 'Bash', text });

/** Milliseconds of each call.
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => unknown} work */
const timesOf = (items, work) =>
  items.map((item) => {
    const start = performance.now();
    work(item);
    return performance.now() - start;
  });

/** Microseconds of one embedding, warm.
 * @returns {Figure} */
const embedFigure = () => {
  const next = commandSource(1);
  const texts = Array.from({ length: 2000 }, next);
  for (let turn = 0; turn < 5; turn++) texts.forEach(embed);
  const batches = Array.from({ length: 40 }, (_, at) => texts.slice(at * 50, at * 50 + 50));
  const times = timesOf(batches, (batch) => batch.forEach(embed)).map((time) => (time * 1000) / 50);
  return {
    group: 'Built-in embedder',
    name: `one command, ${embedder.dimensions} dimensions`,
    median: median(times),
    p99: quantile(times, 0.99),
    unit: 'us',
    target: 40,
  };
};

/** The vectors of `count` commands, one after the other, without an object for each.
 * @param {number} count */
const vectorsOf = (count) => {
  const next = commandSource(7);
  const { dimensions } = embedder;
  const all = new Int8Array(count * dimensions);
  for (let row = 0; row < count; row++) all.set(embed(next()), row * dimensions);
  return {
    length: count,
    /** @param {number} row */
    at: (row) => (row < count ? all.subarray(row * dimensions, (row + 1) * dimensions) : undefined),
  };
};

const queries = (() => {
  const next = commandSource(99);
  return Array.from({ length: queryCount }, () => embed(next()));
})();

/** The best cosine of each query, by looking at everything; of fewer queries where that takes long.
 * @param {ReturnType<typeof vectorsOf>} vectors */
const bruteForce = (vectors) =>
  queries.slice(0, vectors.length > 100_000 ? queryCount / 10 : queryCount).map((query) => {
    let best = -1;
    for (let row = 0; row < vectors.length; row++) best = Math.max(best, cosine(query, vectors.at(row) ?? query));
    return best;
  });

/** What one fresh process says of itself: milliseconds for embedding, opening and searching.
 * @param {string} child
 * @param {string} path */
const coldTimes = (child, path) => {
  const runs = Array.from({ length: coldRuns }, () => {
    const { stdout, status } = spawnSync(process.execPath, [child, path], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${child} failed`);
    /** @type {{ embed: number, open: number, search: number }} */
    const times = JSON.parse(stdout);
    return times;
  });
  const middle = (/** @type {'embed' | 'open' | 'search'} */ part) => median(runs.map((run) => run[part]));
  return { embed: middle('embed'), open: middle('open'), search: middle('search') };
};

/** Everything about one size.
 * @param {number} count
 * @param {{ directory: string, child: string, graph: boolean, places: readonly string[] }} how */
const sizeFigures = async (count, how) => {
  const vectors = vectorsOf(count);
  const path = join(how.directory, `vectors-${count}`);
  const start = performance.now();
  writeFileSync(path, encodeVectors({ embedder, vectors }), { mode: 0o600 });
  const size = statSync(path).size;
  const encode = performance.now() - start;
  const cold = coldTimes(how.child, path);
  const file = openVectorFile(path);
  if (file === undefined) throw new Error('the index is damaged');
  const { index, close } = file;
  /** @param {Int8Array} query */
  const search = (query) => index.searchAbove(query, { threshold });
  const some = queries.slice(0, count > 100_000 ? queryCount / 4 : queryCount);
  timesOf(some.slice(0, 20), search);
  const fromFile = timesOf(some, search);
  const before = process.memoryUsage();
  const keepStart = performance.now();
  if (!index.keep(Number.POSITIVE_INFINITY)) throw new Error('there is no memory for the index');
  const keep = performance.now() - keepStart;
  const memory = process.memoryUsage().rss - before.rss;
  timesOf(some.slice(0, 20), search);
  const inMemory = timesOf(some, search);
  const best = bruteForce(vectors);
  /** @param {(query: Int8Array) => number | undefined} first */
  const recall = (first) =>
    best.filter((score, at) => first(queries[at] ?? new Int8Array(0)) === score).length / best.length;
  const found = {
    count,
    encode,
    cold,
    fromFile,
    inMemory,
    keep,
    memory: memory / 2 ** 20,
    bytes: size,
    recall: recall((query) => index.searchAbove(query, { threshold: -1, limit: 1 })?.[0]?.score),
    graph: how.graph ? await graphFigures({ vectors, path: `${path}.graph`, places: how.places, recall }) : undefined,
  };
  close();
  rmSync(path);
  return found;
};

/** The same of a graph, where the package for it is installed.
 * @param {{ vectors: ReturnType<typeof vectorsOf>, path: string, places: readonly string[], recall: (first: (query: Int8Array) => number | undefined) => number }} of */
const graphFigures = async ({ vectors, path, places, recall }) => {
  const options = { embedder, vectors, source: 'bench', places };
  const graph = await annIndex(options);
  const start = performance.now();
  graph.build();
  const build = performance.now() - start;
  timesOf(queries.slice(0, 20), (query) => graph.search(query, { threshold }));
  const search = timesOf(queries, (query) => graph.search(query, { threshold }));
  graph.save(path);
  const again = await annIndex(options);
  const [load = Number.NaN] = timesOf([path], (saved) => {
    if (!again.load(saved)) throw new Error('the graph is stale');
  });
  const bytes = statSync(path).size + readFileSync(`${path}.json`).length;
  rmSync(path);
  rmSync(`${path}.json`);
  return {
    build,
    search,
    load,
    bytes,
    recall: recall((query) => again.search(query, { threshold: -1, limit: 1 })[0]?.score),
  };
};

/** @typedef {Awaited<ReturnType<typeof sizeFigures>>} Sized */

/** What is shown of a size: name, unit, value, and a target where there is one.
 * @type {readonly { name: string, unit: string, of: (sized: Sized) => number | readonly number[] | undefined, target?: (count: number) => number | undefined }[]} */
const rows = [
  {
    name: 'query, index in memory',
    unit: 'ms',
    of: ({ inMemory }) => inMemory,
    target: (count) => (count <= 100_000 ? 5 : undefined),
  },
  { name: 'query, read from the file', unit: 'ms', of: ({ fromFile }) => fromFile },
  { name: 'recall@1 against brute force', unit: '', of: ({ recall }) => recall },
  { name: 'fresh process: embed', unit: 'ms', of: ({ cold }) => cold.embed },
  { name: 'fresh process: open the index', unit: 'ms', of: ({ cold }) => cold.open },
  { name: 'fresh process: first query', unit: 'ms', of: ({ cold }) => cold.search },
  { name: 'make the index', unit: 'ms', of: ({ encode }) => encode },
  { name: 'take it into memory', unit: 'ms', of: ({ keep }) => keep },
  { name: 'memory it takes', unit: 'MB', of: ({ memory }) => memory },
  { name: 'bytes for each entry', unit: '', of: ({ bytes, count }) => bytes / count },
  { name: 'graph: query', unit: 'ms', of: ({ graph }) => graph?.search },
  { name: 'graph: recall@1 against brute force', unit: '', of: ({ graph }) => graph?.recall },
  { name: 'graph: make it', unit: 'ms', of: ({ graph }) => graph?.build },
  { name: 'graph: load it', unit: 'ms', of: ({ graph }) => graph?.load },
  { name: 'graph: bytes for each entry', unit: '', of: ({ graph, count }) => graph && graph.bytes / count },
];

/** @param {number} count */
const shownCount = (count) => (count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1000}k`);

/** @param {readonly Sized[]} sizes
 * @returns {Figure[]} */
const figuresFrom = (sizes) =>
  rows.flatMap(({ name, unit, of, target }) => {
    /** @param {number | readonly number[]} value */
    const middle = (value) => (typeof value === 'number' ? value : median(value));
    const first = sizes[0] && of(sizes[0]);
    return sizes.flatMap((sized) => {
      const value = of(sized);
      const limit = target?.(sized.count);
      if (value === undefined) return [];
      const growth =
        first === undefined
          ? ''
          : `${(middle(value) / middle(first)).toFixed(1)} x ${shownCount(sizes[0]?.count ?? 0)}`;
      return [
        {
          group: `${name}`,
          name: shownCount(sized.count),
          median: middle(value),
          ...(typeof value === 'number' ? {} : { p99: quantile(value, 0.99) }),
          unit,
          ...(limit === undefined ? {} : { target: limit }),
          note: growth,
        },
      ];
    });
  });

/** Figures of tier 2b.
 * @param {{ counts: readonly number[], directory: string, child: string, graph: boolean, places: readonly string[] }} how
 * @returns {Promise<Figure[]>} */
export const embeddingFigures = async ({ counts, ...how }) => {
  const first = embedFigure();
  /** @type {Sized[]} */
  const sizes = [];
  for (const count of counts) sizes.push(await sizeFigures(count, how));
  return [first, ...figuresFrom(sizes)];
};
