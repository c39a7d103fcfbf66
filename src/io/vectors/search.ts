import { type Blocks, blocksOf } from './blocks.ts';
import { decodeRow, type Layout, type ReadBytes } from './format.ts';
import { blockRows, type KernelMaker } from './kernel-places.ts';

/** A document near a query. */
export interface SimilarDocument {
  readonly document: number;
  /** Cosine, -1 to 1. */
  readonly score: number;
}

export interface SearchOptions {
  /** Least cosine. */
  readonly threshold: number;
  /** First document to look at; 0 unless said otherwise. */
  readonly from?: number;
  /** The document after the last one to look at; all unless said otherwise. */
  readonly to?: number;
  /** Most documents in the answer. */
  readonly limit?: number;
}

/** Looks through the rows of one index. */
export interface VectorSearch {
  readonly above: (query: Int8Array, options: SearchOptions) => readonly SimilarDocument[] | undefined;
  readonly vector: (document: number) => Int8Array | undefined;
  readonly keep: () => boolean;
}

/** Searches an index block by block. The loops are made at the first search. */
export const vectorSearch = (
  layout: Layout,
  how: { readonly read: ReadBytes; readonly loops: KernelMaker },
): VectorSearch => {
  let made: Blocks | undefined;
  const blocks = (): Blocks => {
    made ??= blocksOf(layout, how);
    return made;
  };
  return {
    above: (query, options) => {
      if (query.length !== layout.dimensions) {
        throw new RangeError(`the query has ${query.length} dimensions, the index ${layout.dimensions}`);
      }
      return searchAbove({ layout, blocks: blocks() }, query, options);
    },
    vector: (document) => vectorAt({ layout, read: how.read }, document),
    keep: () => blocks().keep(),
  };
};

/** What is being looked for, and what was found so far. */
interface Hunt {
  readonly blocks: Blocks;
  readonly from: number;
  readonly to: number;
  readonly square: number;
  readonly length: number;
  readonly restLength: number;
  readonly limit: number;
  threshold: number;
  found: SimilarDocument[];
}

const searchAbove = (
  index: { readonly layout: Layout; readonly blocks: Blocks },
  query: Int8Array,
  options: SearchOptions,
): readonly SimilarDocument[] | undefined => {
  const { layout, blocks } = index;
  const square = squareOf(query);
  const hunt: Hunt = {
    blocks,
    from: Math.max(0, options.from ?? 0),
    to: Math.min(layout.count, options.to ?? layout.count),
    square,
    length: Math.sqrt(square),
    restLength: Math.sqrt(squareOf(query.subarray(layout.leadBytes))),
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    threshold: options.threshold,
    found: [],
  };
  blocks.setQuery(query);
  const start = hunt.from - (hunt.from % blockRows);
  for (let first = start; first < hunt.to; first += blockRows) if (!huntIn(first, hunt)) return undefined;
  return best(hunt);
};

/** Rounding may take this much from the bound of a cosine; it takes a thousandth of it at most. */
const slack = 1e-9;

/** Collects what the block that starts at row `first` has; false when something in it is damaged. */
const huntIn = (first: number, hunt: Hunt): boolean => {
  const { blocks, restLength, from, to } = hunt;
  const near = blocks.near(first, { least: (hunt.threshold - slack) * hunt.length, restLength });
  for (const { row, product, square } of near ?? []) {
    const document = first + row;
    const squares = hunt.square * square;
    const score = squares === 0 ? 0 : product / Math.sqrt(squares);
    if (document >= from && document < to && score >= hunt.threshold) hunt.found.push({ document, score });
  }
  if (hunt.found.length > 2 * hunt.limit + blockRows) hunt.found = best(hunt);
  return near !== undefined;
};

/** Best first. What is not among them need not be looked for any more. */
const best = (hunt: Hunt): SimilarDocument[] => {
  hunt.found.sort((a, b) => b.score - a.score || a.document - b.document);
  const kept = hunt.found.slice(0, hunt.limit);
  const last = kept.at(-1);
  if (kept.length === hunt.limit && last !== undefined) hunt.threshold = Math.max(hunt.threshold, last.score);
  return kept;
};

const squareOf = (vector: Int8Array): number => vector.reduce((sum, value) => sum + value * value, 0);

/** The vector of one document, checked as in a search. */
const vectorAt = (
  index: { readonly layout: Layout; readonly read: ReadBytes },
  document: number,
): Int8Array | undefined => {
  const { layout, read } = index;
  if (!Number.isInteger(document) || document < 0 || document >= layout.count) return undefined;
  return decodeRow(layout, { read, row: document });
};
