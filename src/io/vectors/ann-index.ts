import { renameSync, statSync } from 'node:fs';
import { errors, messageOf } from '../../core/model/errors.ts';
import { cosine, type Embedder } from '../../core/similarity/embedder.ts';
import { digestOf } from '../embedders/file-digest.ts';
import { loadPeer } from '../embedders/peer.ts';
import { removeIfThere, writeAtomic } from '../files/atomic-write.ts';
import { readPrivate } from '../files/read-private.ts';
import { readManifest, writtenManifest } from './ann-manifest.ts';
import type { SearchOptions, SimilarDocument } from './search.ts';
import type { Vectors } from './vectors.ts';

/** A graph over vectors that finds near ones without looking at all. What it misses is not found; what it finds is exact. */
export interface AnnIndex {
  /** Documents in it. */
  readonly count: () => number;
  /** Makes it anew from documents 0 to n-1. */
  readonly build: () => void;
  /** Adds the documents that came since, up to the number there are. */
  readonly insert: () => void;
  /** The documents whose exact cosine is at least the threshold among the candidates of the graph, best first. */
  readonly search: (
    query: Int8Array,
    options: Pick<SearchOptions, 'threshold' | 'limit'>,
  ) => readonly SimilarDocument[];
  /** Writes it to `path` and `path`.json. Throws HookwiseError `Storage`. */
  readonly save: (path: string) => void;
  /** Takes over what was saved there; false, and nothing changes, where it is stale, of other documents or damaged. */
  readonly load: (path: string) => boolean;
}

export interface AnnOptions {
  readonly embedder: Pick<Embedder, 'name' | 'dimensions'>;
  /** The vectors as they are, which may become more: candidates are scored with them. */
  readonly vectors: Vectors;
  /** What the documents are: a graph saved for another source is stale. */
  readonly source: string;
  /** Directories beside which the package may be installed. */
  readonly places?: readonly string[];
}

/** The package that makes graphs; the user installs it, hookwise does not depend on it. */
const peerName = 'usearch';

/**
 * How graphs are made. More connections and a wider search find more: with these the nearest of 100,000 commands is found
 * in 99 of 100 searches (see `bench/embedding.mjs`).
 */
const graph = { connectivity: 32, expansionAdd: 128, expansionSearch: 256 } as const;
/** Candidates of a search: so many are scored exactly. */
const candidates = 64;

/** As much of the package as is used. */
interface Graph {
  add(key: bigint, vector: Int8Array, threads: number): void;
  search(query: Int8Array, count: number, threads: number): { readonly keys: BigUint64Array };
  size(): number;
  save(path: string): void;
  load(path: string): void;
}
interface GraphSettings {
  readonly dimensions: number;
  readonly metric: 'cos';
  readonly quantization: 'i8';
  readonly connectivity: number;
  readonly expansion_add: number;
  readonly expansion_search: number;
  readonly multi: boolean;
}
type GraphPackage = { readonly Index: new (settings: GraphSettings) => Graph };

const isGraphPackage = (value: unknown): value is GraphPackage =>
  typeof value === 'object' && value !== null && 'Index' in value && typeof value.Index === 'function';

/** An empty graph over these vectors. Rejects with HookwiseError `Embedding` when the package is not installed. */
export const annIndex = async (options: AnnOptions): Promise<AnnIndex> => {
  const loaded = await loadPeer(peerName, options.places);
  if (!isGraphPackage(loaded)) throw errors.embedding(`the package ${peerName} is not one that hookwise knows`);
  const { embedder, vectors } = options;
  const empty = (): Graph =>
    new loaded.Index({
      dimensions: embedder.dimensions,
      metric: 'cos',
      quantization: 'i8',
      connectivity: graph.connectivity,
      expansion_add: graph.expansionAdd,
      expansion_search: graph.expansionSearch,
      multi: false,
    });
  let made = empty();
  const insert = (): void => addTo(made, vectors);
  return {
    count: () => made.size(),
    build: () => {
      made = empty();
      insert();
    },
    insert,
    search: (query, wanted) => search({ made, vectors }, query, wanted),
    save: (path) => save(made, path, options),
    load: (path) => {
      const found = load(empty, path, options);
      if (found !== undefined) made = found;
      return found !== undefined;
    },
  };
};

/** With one thread, so that the same documents give the same graph. */
const addTo = (made: Graph, vectors: Vectors): void => {
  for (let document = made.size(); document < vectors.length; document++) {
    const vector = vectors.at(document);
    if (vector === undefined) throw errors.indexBuild(`document ${document} has no vector`);
    made.add(BigInt(document), vector, 1);
  }
};

const search = (
  index: { readonly made: Graph; readonly vectors: Vectors },
  query: Int8Array,
  wanted: Pick<SearchOptions, 'threshold' | 'limit'>,
): readonly SimilarDocument[] => {
  const { made, vectors } = index;
  const { threshold, limit = candidates } = wanted;
  const count = Math.min(made.size(), Math.max(candidates, limit));
  if (count === 0) return [];
  return [...made.search(query, count, 1).keys]
    .flatMap((key) => {
      const vector = vectors.at(Number(key));
      return vector === undefined ? [] : [{ document: Number(key), score: cosine(query, vector) }];
    })
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit);
};

const save = (made: Graph, path: string, options: AnnOptions): void => {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    made.save(temporary);
    const content = {
      ...describe(options),
      count: made.size(),
      bytes: statSync(temporary).size,
      sha256: digestOf(temporary).sha256,
    };
    renameSync(temporary, path);
    writeAtomic(`${path}.json`, writtenManifest(content), { durable: false });
  } catch (thrown) {
    removeIfThere(temporary);
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};

const describe = ({ embedder, source }: AnnOptions) => ({
  embedder: embedder.name,
  dimensions: embedder.dimensions,
  source,
  graph: JSON.stringify(graph),
});

const mostManifestBytes = 16_384;

/** A graph in native code is read only when it is, byte for byte, what was saved. */
const load = (empty: () => Graph, path: string, options: AnnOptions): Graph | undefined => {
  const manifest = readManifest(readPrivate(`${path}.json`, { maxBytes: mostManifestBytes })?.toString('utf8') ?? '');
  if (manifest === undefined || manifest.count > options.vectors.length) return undefined;
  const wanted: Record<string, unknown> = describe(options);
  if (Object.entries(manifest).some(([name, value]) => name in wanted && wanted[name] !== value)) return undefined;
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size !== manifest.bytes || digestOf(path).sha256 !== manifest.sha256) return undefined;
  const made = empty();
  made.load(path);
  return made.size() === manifest.count ? made : undefined;
};
