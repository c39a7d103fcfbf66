/** Documents as sets of token numbers: the rarest token has the smallest number. */
export interface NumberedDocuments {
  /** The texts, by number. */
  readonly tokens: readonly string[];
  /** Where the list of each document starts in `lists`; one more than there are documents. */
  readonly starts: Uint32Array;
  /** The token numbers of all documents, ascending within each. */
  readonly lists: Uint32Array;
  /** How many documents have the token, by number. */
  readonly frequencies: Uint32Array;
}

interface GrowingWords {
  readonly push: (word: number) => void;
  readonly words: () => Uint32Array;
}

/** Words one after the other, in memory that doubles when it is full. */
const growingWords = (): GrowingWords => {
  let words = new Uint32Array(1024);
  let length = 0;
  const push = (word: number): void => {
    if (length === words.length) {
      const larger = new Uint32Array(2 * length);
      larger.set(words);
      words = larger;
    }
    words[length++] = word;
  };
  return { push, words: () => words.subarray(0, length) };
};

/**
 * Numbers every token from the rarest to the most frequent, those of equal frequency in the order they were met. Throws
 * `RangeError` past 16.7 million different tokens, which is what a `Map` holds.
 */
export const numberDocuments = (documents: Iterable<readonly string[]>): NumberedDocuments => {
  const met = new Map<string, number>();
  const frequencies: number[] = [];
  const lastDocument: number[] = [];
  const lists = growingWords();
  const starts = growingWords();
  let [document, length] = [0, 0];
  for (const tokens of documents) {
    starts.push(length);
    for (const token of tokens) {
      const number = met.get(token) ?? met.size;
      if (number === met.size) {
        met.set(token, number);
        frequencies.push(0);
        lastDocument.push(-1);
      }
      if (lastDocument[number] === document) continue;
      lastDocument[number] = document;
      frequencies[number] = (frequencies[number] ?? 0) + 1;
      lists.push(number);
      length += 1;
    }
    document += 1;
  }
  starts.push(length);
  return renumber({
    tokens: [...met.keys()],
    starts: starts.words(),
    lists: lists.words(),
    frequencies: Uint32Array.from(frequencies),
  });
};

const renumber = ({ tokens, starts, lists, frequencies }: NumberedDocuments): NumberedDocuments => {
  const byRarity = inOrderOf(frequencies);
  const renumbered = new Uint32Array(tokens.length);
  byRarity.forEach((old, number) => {
    renumbered[old] = number;
  });
  const moved = lists.map((old) => renumbered[old] ?? 0);
  for (let document = 0; document + 1 < starts.length; document++)
    moved.subarray(starts[document], starts[document + 1]).sort();
  return {
    tokens: Array.from(byRarity, (old) => tokens[old] ?? ''),
    starts,
    lists: moved,
    frequencies: byRarity.map((old) => frequencies[old] ?? 0),
  };
};

/**
 * The places of `keys` in ascending order of the keys; equal keys keep their order. A counting sort: linear in the keys
 * and in the largest key.
 */
export const inOrderOf = (keys: Uint32Array): Uint32Array => {
  let largest = 0;
  for (const key of keys) largest = Math.max(largest, key);
  const counts = new Uint32Array(largest + 1);
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  const next = runningSums(counts);
  const places = new Uint32Array(keys.length);
  keys.forEach((key, place) => {
    const at = next[key] ?? 0;
    places[at] = place;
    next[key] = at + 1;
  });
  return places;
};

/** The sum of everything before each place, and of everything at the end. */
export const runningSums = (amounts: Uint32Array): Uint32Array => {
  const sums = new Uint32Array(amounts.length + 1);
  let sum = 0;
  amounts.forEach((amount, place) => {
    sum += amount;
    sums[place + 1] = sum;
  });
  return sums;
};
