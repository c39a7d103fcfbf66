import { entryWords, hashOf, type IndexSections, placeInDirectory, textWord, textWords } from './token-index-layout.ts';

/** A token that some document has. */
export interface IndexedToken {
  /** Its number: the rarer, the smaller. */
  readonly number: number;
  /** Where the groups of its postings start, and how many there are. */
  readonly start: number;
  readonly groups: number;
}

/** The token in the dictionary; `undefined` when no document has it. */
export const findToken = (sections: IndexSections, token: string): IndexedToken | undefined => {
  const { directory, dictionary, sizes, words } = sections;
  const place = placeInDirectory(hashOf(token), sizes.directoryBits);
  const end = directory(place + 1);
  for (let at = directory(place); at < end && !words.isDamaged(); ) {
    const length = dictionary(at + 1);
    if (length === token.length && isText(sections, { at: at + entryWords, token })) {
      return { number: dictionary(at), start: dictionary(at + 2), groups: dictionary(at + 3) };
    }
    at += entryWords + textWords(length);
  }
  return undefined;
};

const isText = ({ dictionary }: IndexSections, { at, token }: { at: number; token: string }): boolean => {
  for (let place = 0; place < textWords(token.length); place++)
    if (dictionary(at + place) !== textWord(token, place)) return false;
  return true;
};
