import type { Embedder } from '../../core/similarity/embedder.ts';
import {
  blockAt,
  decodeHeader,
  encodeBlock,
  encodeHeader,
  type Layout,
  layoutFor,
  type ReadBytes,
  sizeOf,
} from './format.ts';
import { fastestLoops } from './kernel.ts';
import { blockRows, type KernelMaker } from './kernel-places.ts';
import { type SearchOptions, type SimilarDocument, vectorSearch } from './search.ts';

/** Vectors by document number; an array is one. */
export interface Vectors {
  readonly length: number;
  readonly at: (document: number) => Int8Array | undefined;
}

/** An open index. Whatever has to be read for an answer and is not what was written makes that answer `undefined`. */
export interface VectorIndex {
  /** Name of the embedder that made the vectors. */
  readonly embedder: string;
  /** What the documents are, as it was given when the index was made. */
  readonly source: string;
  readonly dimensions: number;
  readonly count: number;
  /**
   * Every document whose cosine to the query is at least the threshold: best first, of equals the first one. The cosine
   * is that of the quantised vectors, exact. `from` and `to` (excluded) limit the documents looked at, `limit` the answer.
   */
  readonly searchAbove: (query: Int8Array, options: SearchOptions) => readonly SimilarDocument[] | undefined;
  /** The vector of one document. */
  readonly vector: (document: number) => Int8Array | undefined;
  /** Holds the index in memory for many searches, if it has at most that many bytes and is whole; says whether it does. */
  readonly keep: (mostBytes: number) => boolean;
}

/** What an index is made of. */
export interface VectorContent {
  readonly embedder: Pick<Embedder, 'name' | 'dimensions'>;
  readonly vectors: Vectors;
  /** Says what the documents are (a digest of them, say), so that an index of others can be told; 512 bytes at most. */
  readonly source?: string;
}

/** An index of documents 0 to n-1 as bytes. Throws `RangeError` for a vector of the wrong length. */
export const encodeVectors = ({ embedder, vectors, source = '' }: VectorContent): Buffer => {
  const { name, dimensions } = embedder;
  const layout = layoutFor({ embedder: name, dimensions, count: vectors.length, source });
  const bytes = Buffer.alloc(sizeOf(layout));
  encodeHeader(layout).copy(bytes);
  encodeRows(layout, { bytes, vectors, from: 0 });
  return bytes;
};

/** Adds documents behind those of an index without working out the old ones again; `undefined` where that is damaged. */
export const appendVectors = (old: Uint8Array, added: Omit<VectorContent, 'embedder'>): Buffer | undefined => {
  const read: ReadBytes = (position, length) => old.subarray(position, position + length);
  const layout = decodeHeader(read, old.byteLength);
  const index = openVectors(read, old.byteLength);
  if (layout === undefined || index === undefined) return undefined;
  const { vectors, source = '' } = added;
  const longer = layoutFor({ ...layout, count: layout.count + vectors.length, source });
  const bytes = Buffer.alloc(sizeOf(longer));
  encodeHeader(longer).copy(bytes);
  const whole = layout.count - (layout.count % blockRows);
  const end = blockAt(layout, whole).columns;
  bytes.set(old.subarray(layout.headerBytes, end), longer.headerBytes);
  const tail = Array.from({ length: layout.count - whole }, (_, row) => index.vector(whole + row));
  if (tail.includes(undefined)) return undefined;
  const at = (document: number): Int8Array | undefined =>
    document < layout.count ? tail[document - whole] : vectors.at(document - layout.count);
  encodeRows(longer, { bytes, vectors: { length: longer.count, at }, from: whole });
  return bytes;
};

const encodeRows = (layout: Layout, what: { bytes: Buffer; vectors: Vectors; from: number }): void => {
  const { bytes, vectors } = what;
  for (let first = what.from; first < layout.count; first += blockRows) {
    const { rows, columns } = blockAt(layout, first);
    const block = Array.from({ length: rows }, (_, row) => vectors.at(first + row));
    encodeBlock(layout, { target: bytes.subarray(columns), first, vectors: checked(layout, block) });
  }
};

const checked = (layout: Layout, vectors: readonly (Int8Array | undefined)[]): Int8Array[] =>
  vectors.map((vector) => {
    if (vector?.length === layout.dimensions) return vector;
    throw new RangeError(`a vector has ${vector?.length ?? 'no'} dimensions, not ${layout.dimensions}`);
  });

/** Opens an index of `size` bytes; `undefined` when its header is not what was written or the size does not fit. */
export const openVectors = (read: ReadBytes, size: number): VectorIndex | undefined =>
  openVectorsWith(fastestLoops, { read, size });

/** The same with chosen loops. */
export const openVectorsWith = (
  loops: KernelMaker,
  file: { readonly read: ReadBytes; readonly size: number },
): VectorIndex | undefined => {
  const { read, size } = file;
  const layout = decodeHeader(read, size);
  if (layout === undefined) return undefined;
  const search = vectorSearch(layout, { read, loops });
  return {
    embedder: layout.embedder,
    source: layout.source,
    dimensions: layout.dimensions,
    count: layout.count,
    searchAbove: search.above,
    vector: search.vector,
    keep: (mostBytes) => size <= mostBytes && search.keep(),
  };
};
