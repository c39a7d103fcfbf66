import { identityAt, type PagedWords, sealedBytes, type WordAt } from './token-index-pages.ts';

/**
 * The words of the index, in this order: a header; a directory from the hash of a token to its place in the dictionary;
 * the dictionary; the postings; the documents without tokens; where each document's list starts; the lists. Tokens are
 * numbered from the rarest to the most frequent, and a list is the number of a document and its token numbers, ascending.
 */
export interface IndexSizes {
  /** The directory has 2^bits places and one more, which is the end of the last. */
  readonly directoryBits: number;
  readonly dictionary: number;
  readonly postings: number;
  readonly emptyDocuments: number;
  readonly documents: number;
  readonly lists: number;
  readonly tokens: number;
  /** How many tokens the largest document has. */
  readonly largestDocument: number;
}

/** Where each section starts, and how many words there are. */
export interface IndexPlaces {
  readonly directory: number;
  readonly dictionary: number;
  readonly postings: number;
  readonly emptyDocuments: number;
  readonly starts: number;
  readonly lists: number;
  readonly end: number;
}

/** Words of the header. */
const headerWords = 16;
/** Words of a list before its tokens. */
export const listWords = 1;

/** `HWTOKENS` in the order of the bytes, then the version of the format. */
const magic: readonly number[] = [0x4f545748, 0x534e454b, 1];

/** Number, length of the text in code units, start and number of the groups of its postings; the text follows. */
export const entryWords = 4;
/** Size of the documents, place of the token in their lists, how many postings there are up to the end of the group. */
export const groupWords = 3;
/** Where the list of the document starts, and the signature of its token numbers. */
export const postingWords = 2;

/** How many places the directory has. */
export const directoryPlaces = (bits: number): number => 2 ** bits;

export const placesOf = (sizes: IndexSizes): IndexPlaces => {
  const directory = headerWords;
  const dictionary = directory + directoryPlaces(sizes.directoryBits) + 1;
  const postings = dictionary + sizes.dictionary;
  const emptyDocuments = postings + sizes.postings;
  const starts = emptyDocuments + sizes.emptyDocuments;
  const lists = starts + sizes.documents + 1;
  return { directory, dictionary, postings, emptyDocuments, starts, lists, end: lists + sizes.lists };
};

const afterIdentity = identityAt + 1;

/** Writes everything of the header but the identity. */
export const writeHeader = (words: Uint32Array, sizes: IndexSizes): void => {
  words.set(magic);
  const { directoryBits, dictionary, postings, emptyDocuments, documents, lists, tokens, largestDocument } = sizes;
  words.set(
    [directoryBits, dictionary, postings, emptyDocuments, documents, lists, tokens, largestDocument],
    afterIdentity,
  );
};

/** The header; `undefined` when this is no index, is of another version, or does not fit into `size` bytes exactly. */
export const readHeader = (words: PagedWords, size: number): IndexSizes | undefined => {
  const word = words.section(0, headerWords);
  if (words.isDamaged() || magic.some((expected, place) => word(place) !== expected)) return undefined;
  const sizes: IndexSizes = {
    directoryBits: word(afterIdentity),
    dictionary: word(afterIdentity + 1),
    postings: word(afterIdentity + 2),
    emptyDocuments: word(afterIdentity + 3),
    documents: word(afterIdentity + 4),
    lists: word(afterIdentity + 5),
    tokens: word(afterIdentity + 6),
    largestDocument: word(afterIdentity + 7),
  };
  return sealedBytes(placesOf(sizes).end) === size ? sizes : undefined;
};

/** The sections of an opened index, each read by its own places. */
export interface IndexSections {
  readonly sizes: IndexSizes;
  readonly words: PagedWords;
  readonly directory: WordAt;
  readonly dictionary: WordAt;
  readonly postings: WordAt;
  readonly emptyDocuments: WordAt;
  readonly starts: WordAt;
  readonly lists: WordAt;
}

export const sectionsOf = (words: PagedWords, sizes: IndexSizes): IndexSections => {
  const places = placesOf(sizes);
  return {
    sizes,
    words,
    directory: words.section(places.directory, directoryPlaces(sizes.directoryBits) + 1),
    dictionary: words.section(places.dictionary, sizes.dictionary),
    postings: words.section(places.postings, sizes.postings),
    emptyDocuments: words.section(places.emptyDocuments, sizes.emptyDocuments),
    starts: words.section(places.starts, sizes.documents + 1),
    lists: words.section(places.lists, sizes.lists),
  };
};

/** A 32-bit hash of the code units, spread well in its high bits. Not keyed: who crafts tokens can only make it slow. */
export const hashOf = (token: string): number => {
  let hash = 0x811c9dc5 ^ token.length;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** The place in the directory for a hash: its highest bits. Two shifts, because a shift by 32 is none. */
export const placeInDirectory = (hash: number, bits: number): number => (hash >>> 1) >>> (31 - bits);

/** How many words a text takes, two code units in each: that keeps every string apart, also ones that are no Unicode. */
export const textWords = (length: number): number => Math.ceil(length / 2);

/** The word of a text at `place`: the code unit there in the low half, the next in the high half. */
export const textWord = (text: string, place: number): number => {
  const low = text.charCodeAt(2 * place);
  const high = 2 * place + 1 < text.length ? text.charCodeAt(2 * place + 1) : 0;
  return (low | (high << 16)) >>> 0;
};
