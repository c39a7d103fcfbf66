/** What a WordPiece tokenizer needs to know: the vocabulary of a model and how its text was prepared. */
export interface WordPieceSettings {
  /** Numbers of pieces; pieces inside a word have the prefix. */
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly prefix: string;
  /** Longer words are unknown, in characters. */
  readonly longestWord: number;
  readonly unknown: string;
  /** Stands before and after every text. */
  readonly first: string;
  readonly last: string;
  readonly isLowerCase: boolean;
  readonly stripsAccents: boolean;
}

/** A text as numbers of pieces. */
export interface Pieces {
  readonly ids: readonly number[];
  /** Whether the text had more pieces than there was room for. */
  readonly isCut: boolean;
}

/** Splits text into at most `most` pieces, those before and after it included. */
export type Tokenizer = (text: string, most: number) => Pieces;

/** Longest text that is looked at, in UTF-16 code units: no model reads so many pieces of it. */
const longestText = 65_536;

/** A tokenizer that gives the same pieces as the one a BERT model was trained with. */
export const wordPieceTokenizer = (settings: WordPieceSettings): Tokenizer => {
  const { vocabulary, first, last, unknown } = settings;
  const [firstId, lastId, unknownId] = [first, last, unknown].map((piece) => vocabulary.get(piece) ?? 0);
  return (text, most) => {
    const room = Math.max(0, most - 2);
    const ids: number[] = [];
    let isCut = text.length > longestText;
    for (const word of words(normalise(text.slice(0, longestText), settings))) {
      ids.push(...(piecesOf(word, settings) ?? [unknownId ?? 0]));
      isCut ||= ids.length > room;
      if (ids.length > room) break;
    }
    return { ids: [firstId ?? 0, ...ids.slice(0, room), lastId ?? 0], isCut };
  };
};

/** Text without control characters, Chinese characters apart, in lower case and without accents where the model wants it. */
const normalise = (text: string, settings: WordPieceSettings): string => {
  const cleaned = text
    .replace(/[\t\n\r]/g, ' ')
    .replace(/\ufffd|\p{C}/gu, '')
    .replace(chinese, ' $& ');
  const plain = settings.stripsAccents ? cleaned.normalize('NFD').replace(/\p{Mn}/gu, '') : cleaned;
  // Character by character: a whole word in Greek would end in another sigma.
  return settings.isLowerCase ? Array.from(plain, (character) => character.toLowerCase()).join('') : plain;
};

const chinese =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

/** Words and single punctuation marks. */
const words = (text: string): readonly string[] => text.match(/[!-/:-@[-`{-~]|\p{P}|[^\s!-/:-@[-`{-~\p{P}]+/gu) ?? [];

/** The longest known pieces from left to right; nothing when some part is in no piece. */
const piecesOf = (word: string, settings: WordPieceSettings): readonly number[] | undefined => {
  const { vocabulary, prefix, longestWord } = settings;
  const characters = Array.from(word);
  if (characters.length > longestWord) return undefined;
  const ids: number[] = [];
  for (let start = 0; start < characters.length; ) {
    let end = characters.length;
    let id: number | undefined;
    for (; end > start && id === undefined; end--) {
      id = vocabulary.get((start === 0 ? '' : prefix) + characters.slice(start, end).join(''));
    }
    if (id === undefined) return undefined;
    ids.push(id);
    start = end + 1;
  }
  return ids;
};
