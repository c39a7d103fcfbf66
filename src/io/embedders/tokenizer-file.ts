import { fail, ok, type Result } from '../../core/model/result.ts';
import type { WordPieceSettings } from './wordpiece.ts';

/** Reads `tokenizer.json` as models are published with it; only WordPiece vocabularies. */
export const readTokenizer = (text: string): Result<WordPieceSettings, string> => {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return fail('tokenizer.json is no JSON');
  }
  const model = fieldOf(file, 'model');
  const vocabulary = fieldOf(model, 'vocab');
  const type = fieldOf(model, 'type');
  if (type !== undefined && type !== 'WordPiece') return fail(`a tokenizer of type ${String(type)} is not supported`);
  if (typeof vocabulary !== 'object' || vocabulary === null) return fail('tokenizer.json has no vocabulary');
  const numbers = new Map<string, number>();
  for (const [piece, id] of Object.entries(vocabulary)) {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return fail('the vocabulary has a wrong number');
    numbers.set(piece, id);
  }
  return withSpecials({ ...preparation(fieldOf(file, 'normalizer')), ...pieces(model), vocabulary: numbers });
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;

/** How BERT prepares text, where the file does not say otherwise. */
const preparation = (normalizer: unknown): Pick<WordPieceSettings, 'isLowerCase' | 'stripsAccents'> => {
  const isLowerCase = fieldOf(normalizer, 'lowercase') !== false;
  const accents = fieldOf(normalizer, 'strip_accents');
  return { isLowerCase, stripsAccents: typeof accents === 'boolean' ? accents : isLowerCase };
};

const pieces = (model: unknown): Pick<WordPieceSettings, 'prefix' | 'longestWord' | 'unknown' | 'first' | 'last'> => {
  const prefix = fieldOf(model, 'continuing_subword_prefix');
  const longest = fieldOf(model, 'max_input_chars_per_word');
  const unknown = fieldOf(model, 'unk_token');
  return {
    prefix: typeof prefix === 'string' ? prefix : '##',
    longestWord: typeof longest === 'number' ? longest : 100,
    unknown: typeof unknown === 'string' ? unknown : '[UNK]',
    first: '[CLS]',
    last: '[SEP]',
  };
};

const withSpecials = (settings: WordPieceSettings): Result<WordPieceSettings, string> => {
  const { vocabulary, unknown, first, last } = settings;
  const missing = [unknown, first, last].find((piece) => !vocabulary.has(piece));
  return missing === undefined ? ok(settings) : fail(`the vocabulary has no ${missing}`);
};
