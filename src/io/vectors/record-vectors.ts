import { createHash } from 'node:crypto';
import type { DecisionRecord } from '../../core/model/record.ts';
import { cosine, type Embedder } from '../../core/similarity/embedder.ts';
import { appendVectors, encodeVectors, openVectors, type VectorIndex } from './vectors.ts';

/** A remembered decision and its vector. */
export interface EmbeddingEntry {
  readonly embedding: Int8Array;
  readonly record: DecisionRecord;
}

/** A remembered decision near a call. */
export interface EmbeddingNeighbour extends EmbeddingEntry {
  /** Cosine, from the threshold to 1. */
  readonly score: number;
}

/** Which records count; all of them unless said otherwise. */
export type Accepts = (record: DecisionRecord) => boolean;

/** Records with their vectors, in memory. It finds; it does not decide. */
export interface RecordVectors {
  /** Adds a record, in place of an older one about the same call in the same scope. */
  readonly put: (record: DecisionRecord, embedding: Int8Array) => void;
  /** Every record whose cosine reaches the threshold, best first, of equals the first added. */
  readonly nearest: (query: Int8Array, accepts?: Accepts) => readonly EmbeddingNeighbour[];
  /** Drops records; says how many. */
  readonly drop: (isGone: (record: DecisionRecord) => boolean) => number;
  readonly save: () => Uint8Array;
  /** Takes over an index of exactly these records; false, and nothing changes, where it is of others or damaged. */
  readonly load: (bytes: Uint8Array, records: Iterable<DecisionRecord>) => boolean;
}

interface State {
  readonly embedder: Pick<Embedder, 'name' | 'dimensions'>;
  readonly threshold: number;
  /** By document number; nothing where one was dropped. The index has the first `indexed` of them. */
  entries: (EmbeddingEntry | undefined)[];
  readonly places: Map<string, number>;
  bytes: Uint8Array;
  index: VectorIndex | undefined;
  indexed: number;
}

/** An empty memory for vectors of this embedder. */
export const recordVectors = (of: Pick<State, 'embedder' | 'threshold'>): RecordVectors => {
  const state: State = {
    ...of,
    entries: [],
    places: new Map(),
    bytes: new Uint8Array(0),
    index: undefined,
    indexed: 0,
  };
  return {
    put: (record, embedding) => {
      const question = questionOf(record);
      const older = state.places.get(question);
      if (older !== undefined) state.entries[older] = undefined;
      state.places.set(question, state.entries.push({ embedding, record }) - 1);
    },
    nearest: (query, accepts = () => true) => nearest(state, query, accepts),
    drop: (isGone) => drop(state, isGone),
    save: () => {
      rebuild(state);
      return encodeVectors({ ...contentOf(state), source: sourceOf(state.entries) });
    },
    load: (bytes, records) => load(state, bytes, records),
  };
};

/** Whether a record says something about one call: overrides and generalised entries hold for more than their text. */
export const isOfOneCall = (record: DecisionRecord): boolean =>
  record.pattern === undefined && record.slots === undefined;

/** What a later record about the same call in the same scope has in common with it. */
const questionOf = ({ scope, key, context, change, digest }: DecisionRecord): string =>
  JSON.stringify([scope, key.tool, key.role, context, change, digest, key.sanitized_input]);

/** So many entries are looked at one by one before the index is made again, or a tenth of it. */
const mostLoose = 256;

const nearest = (state: State, query: Int8Array, accepts: Accepts): readonly EmbeddingNeighbour[] => {
  const loose = state.entries.length - state.indexed;
  if (loose > Math.max(mostLoose, state.indexed / 10)) rebuild(state);
  const indexed = state.index?.searchAbove(query, { threshold: state.threshold });
  // Whatever is wrong with the index, the entries themselves are here.
  if (indexed === undefined) state.indexed = 0;
  const found = indexed ?? [];
  const near = found.flatMap(({ document, score }) => neighbour(state.entries[document], score));
  for (const entry of state.entries.slice(state.indexed)) {
    const score = entry === undefined ? 0 : cosine(query, entry.embedding);
    if (score >= state.threshold) near.push(...neighbour(entry, score));
  }
  // Documents come in the order in which they were added, and sorting keeps it among equals.
  return near.filter(({ record }) => accepts(record)).sort((a, b) => b.score - a.score);
};

const neighbour = (entry: EmbeddingEntry | undefined, score: number): EmbeddingNeighbour[] =>
  entry === undefined ? [] : [{ ...entry, score }];

const contentOf = ({ embedder, entries }: State) => ({
  embedder,
  vectors: { length: entries.length, at: (document: number) => entries[document]?.embedding },
});

/** Makes the index of all entries, without those that are gone. */
const rebuild = (state: State): void => {
  const entries = state.entries.filter((entry) => entry !== undefined);
  const added = entries.slice(state.indexed);
  const isLonger = entries.length === state.entries.length && state.index !== undefined;
  const vectors = { length: added.length, at: (document: number) => added[document]?.embedding };
  const longer = isLonger ? appendVectors(state.bytes, { vectors }) : undefined;
  state.entries = entries;
  adopt(state, longer ?? encodeVectors(contentOf(state)));
  state.places.clear();
  entries.forEach(({ record }, document) => {
    state.places.set(questionOf(record), document);
  });
};

const adopt = (state: State, bytes: Uint8Array): void => {
  state.bytes = bytes;
  state.index = openVectors((position, length) => bytes.subarray(position, position + length), bytes.byteLength);
  state.index?.keep(Number.POSITIVE_INFINITY);
  state.indexed = state.entries.length;
};

const drop = (state: State, isGone: (record: DecisionRecord) => boolean): number => {
  let count = 0;
  state.entries.forEach((entry, document) => {
    if (entry === undefined || !isGone(entry.record)) return;
    state.entries[document] = undefined;
    state.places.delete(questionOf(entry.record));
    count += 1;
  });
  return count;
};

/** Says which records an index is of, in which order. */
const sourceOf = (entries: Iterable<{ readonly record: DecisionRecord } | undefined>): string => {
  const hash = createHash('sha256');
  for (const entry of entries) if (entry !== undefined) hash.update(`${questionOf(entry.record)}\n`);
  return `records ${hash.digest('hex')}`;
};

const load = (state: State, bytes: Uint8Array, records: Iterable<DecisionRecord>): boolean => {
  const own = Uint8Array.from(bytes);
  const index = openVectors((position, length) => own.subarray(position, position + length), own.byteLength);
  const last = new Map<string, DecisionRecord>();
  for (const record of records) {
    if (!isOfOneCall(record)) continue;
    // A later record comes later in the order too, as it does when it is put.
    last.delete(questionOf(record));
    last.set(questionOf(record), record);
  }
  const wanted = [...last.values()].map((record) => ({ record }));
  const { name, dimensions } = state.embedder;
  if (index?.embedder !== name || index.dimensions !== dimensions || index.source !== sourceOf(wanted)) return false;
  const entries = wanted.map(({ record }, document) => ({ record, embedding: index.vector(document) }));
  const isWhole = (entry: { embedding: Int8Array | undefined }): boolean => entry.embedding !== undefined;
  if (index.count !== wanted.length || !entries.every(isWhole)) return false;
  state.entries = entries.flatMap(({ record, embedding }) => (embedding === undefined ? [] : [{ record, embedding }]));
  state.places.clear();
  wanted.forEach(({ record }, document) => {
    state.places.set(questionOf(record), document);
  });
  adopt(state, own);
  return true;
};
