import type { Word } from './lex-state.ts';
import type { Part } from './option-rules.ts';
import { isHarmlessValue, type Piece } from './values.ts';

/** A word with its text as the program gets it. What is not literal is a NUL. */
export interface Argument {
  readonly word: Word;
  readonly plain: string;
}

const unknownPart = '\0';

/** A word as an argument. */
export const argumentOf = (text: string, word: Word): Argument => ({
  word,
  plain: word.segments.reduce(
    (plain, { kind, start, end }) => plain + (kind === 'literal' ? text.slice(start, end) : unknownPart),
    '',
  ),
});

/** The literal pieces of a word from an offset in its plain text on. */
export const piecesFrom = ({ word, plain }: Argument, offset: number, end = plain.length): Piece[] => {
  const pieces: Piece[] = [];
  let seen = 0;
  for (const { kind, start, end: segmentEnd } of word.segments) {
    const length = kind === 'literal' ? segmentEnd - start : 1;
    const from = Math.max(offset - seen, 0);
    const to = Math.min(end - seen, length);
    if (kind === 'literal' && to > from) pieces.push({ start: start + from, end: start + to });
    seen += length;
  }
  return pieces;
};

const partStarts: Record<Exclude<Part, 'pairs'>, RegExp> = {
  whole: /^(?:pass:|plain:)?/,
  'after-colon': /^[^:]*:/,
  'after-comma': /^[^,]*,/,
  'after-percent': /^[^%]*%/,
  'after-slash': /^[^/@]*\//,
  'after-equals': /^[^=]*=/,
};

/** The values of `a=1; b=2`. */
export const pairPieces = (argument: Argument, offset: number): Piece[] => {
  const pieces: Piece[] = [];
  const pair = /([^=;\s]{1,80})=([^;]*)/g;
  pair.lastIndex = offset;
  for (let found = pair.exec(argument.plain); found; found = pair.exec(argument.plain)) {
    const [whole, name = '', value = ''] = found;
    if (/^(?:path|domain|expires|max-age|samesite)$/i.test(name)) continue;
    const end = found.index + whole.length;
    pieces.push(...piecesFrom(argument, end - value.length, end));
  }
  return pieces;
};

/** The part of a word that is the secret; nothing when it cannot be one. */
export const partPieces = (argument: Argument, offset: number, part: Part): Piece[] => {
  if (part === 'pairs') return pairPieces(argument, offset);
  const rest = argument.plain.slice(offset);
  const start = partStarts[part].exec(rest)?.[0].length;
  if (start === undefined) return [];
  const end = part === 'after-slash' && rest.includes('@') ? offset + rest.lastIndexOf('@') : argument.plain.length;
  const value = argument.plain.slice(offset + start, end);
  return isHarmlessValue(value) ? [] : piecesFrom(argument, offset + start, end);
};
