import type { NearDocument } from './token-index-best.ts';
import { indexWords } from './token-index-encode.ts';
import { readHeader, sectionsOf } from './token-index-layout.ts';
import { numberDocuments } from './token-index-number.ts';
import { pagedWords, type ReadBytes, sealPages } from './token-index-pages.ts';
import { type NearQuery, nearDocuments } from './token-index-query.ts';

/** An inverted index of token sets, read page by page. */
export interface TokenIndex {
  /** How many documents there are; they are numbered from 0. */
  readonly documents: number;
  /**
   * Exactly the documents in the range whose Jaccard coefficient with the tokens reaches the threshold, best first, those
   * with one score by number. `tokens` is taken as a set. `undefined` from the first damage on.
   *
   * The cost follows the postings of the query's rarest tokens, of fitting sizes, within the range: usually few, but all
   * near-duplicates where there are many. Without a `limit` each of them is an object in the answer; with one, memory
   * follows the limit, and what cannot displace a kept document is not looked at.
   */
  readonly near: (tokens: readonly string[], query: NearQuery) => readonly NearDocument[] | undefined;
}

/**
 * The documents as one byte string for `openTokenIndex`; each list is taken as a set. The same documents in the same order give
 * the same bytes. About 140 bytes for a document of 8 tokens. Throws `RangeError` past 16.7 million different
 * tokens or where the bytes are more than one array holds.
 */
export const encodeTokenIndex = (documents: Iterable<readonly string[]>): Uint8Array =>
  sealPages(indexWords(numberDocuments(documents)));

/**
 * The index behind `read`, which is `size` bytes long; `undefined` when it is none, of another version, cut off or damaged
 * on its first page. Everything else is checked when it is read. What `read` throws passes through.
 */
export const openTokenIndex = (read: ReadBytes, size: number): TokenIndex | undefined => {
  const words = pagedWords(read);
  const sizes = readHeader(words, size);
  if (sizes === undefined) return undefined;
  const sections = sectionsOf(words, sizes);
  const near: TokenIndex['near'] = (tokens, query) => {
    const found = nearDocuments(sections, { ...query, tokens });
    return words.isDamaged() ? undefined : found;
  };
  return { documents: sizes.documents, near };
};
