import {
  directoryPlaces,
  entryWords,
  hashOf,
  type IndexPlaces,
  type IndexSizes,
  listWords,
  placeInDirectory,
  placesOf,
  textWord,
  textWords,
  writeHeader,
} from './token-index-layout.ts';
import { type NumberedDocuments, runningSums } from './token-index-number.ts';
import { type PostingsPlan, planPostings, writePostings } from './token-index-postings.ts';

/** All words of an index. Throws `RangeError` when they are more than one array holds. */
export const indexWords = (documents: NumberedDocuments): Uint32Array => {
  const plan = planPostings(documents);
  const sizes: IndexSizes = {
    directoryBits: bitsFor(documents.tokens.length),
    dictionary: documents.tokens.reduce((sum, token) => sum + entrySize(token), 0),
    postings: plan.starts[documents.tokens.length] ?? 0,
    emptyDocuments: plan.emptyDocuments.length,
    documents: documents.starts.length - 1,
    lists: documents.lists.length + listWords * (documents.starts.length - 1),
    tokens: documents.tokens.length,
    largestDocument: plan.largestDocument,
  };
  const places = placesOf(sizes);
  const words = new Uint32Array(places.end);
  writeHeader(words, sizes);
  writeDictionary(words, { tokens: documents.tokens, plan, places, bits: sizes.directoryBits });
  writePostings(words.subarray(places.postings, places.emptyDocuments), { documents, plan });
  words.set(plan.emptyDocuments, places.emptyDocuments);
  documents.starts.forEach((start, document) => {
    const end = documents.starts[document + 1];
    words[places.starts + document] = start + listWords * document;
    if (end === undefined) return;
    const at = places.lists + start + listWords * document;
    words[at] = document;
    words.set(documents.lists.subarray(start, end), at + listWords);
  });
  return words;
};

const mostDirectoryBits = 24;

const entrySize = (token: string): number => entryWords + textWords(token.length);

/** About as many places as tokens, so that a place leads to few entries. */
const bitsFor = (tokens: number): number => Math.min(mostDirectoryBits, Math.ceil(Math.log2(Math.max(1, tokens))));

interface Dictionary {
  readonly tokens: readonly string[];
  readonly plan: PostingsPlan;
  readonly places: IndexPlaces;
  readonly bits: number;
}

/** The entries by their place in the directory, and the directory. */
const writeDictionary = (words: Uint32Array, { tokens, plan, places, bits }: Dictionary): void => {
  const placeOf = Uint32Array.from(tokens, (token) => placeInDirectory(hashOf(token), bits));
  const taken = new Uint32Array(directoryPlaces(bits));
  tokens.forEach((token, number) => {
    const place = placeOf[number] ?? 0;
    taken[place] = (taken[place] ?? 0) + entrySize(token);
  });
  const next = runningSums(taken);
  words.set(next, places.directory);
  tokens.forEach((token, number) => {
    const place = placeOf[number] ?? 0;
    const at = places.dictionary + (next[place] ?? 0);
    words.set([number, token.length, plan.starts[number] ?? 0, plan.groups[number] ?? 0], at);
    for (let word = 0; word < textWords(token.length); word++) words[at + entryWords + word] = textWord(token, word);
    next[place] = (next[place] ?? 0) + entrySize(token);
  });
};
