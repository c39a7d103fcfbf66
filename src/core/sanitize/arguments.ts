import type { Range, Word } from './lex-state.ts';
import { segmentsOf } from './lex-state.ts';
import type { Part } from './option-rules.ts';
import { isHarmlessValue, type Piece } from './values.ts';

// The literal pieces of a word for parts of its plain text, in order; both are walked once.
const piecesIn = (word: Word, parts: readonly Range[]): Piece[] => {
  const pieces: Piece[] = [];
  let next = 0;
  let seen = 0;
  for (const { kind, start, end } of segmentsOf(word)) {
    const length = kind === 'literal' ? end - start : 1;
    for (let part = parts[next]; part && part.from < seen + length; part = parts[next]) {
      const from = Math.max(part.from - seen, 0);
      const to = Math.min(part.to - seen, length);
      if (kind === 'literal' && to > from) pieces.push({ start: start + from, end: start + to });
      if (part.to > seen + length) break;
      next += 1;
    }
    seen += length;
  }
  return pieces;
};

/** The literal pieces of a word from an offset in its plain text on. */
export const piecesFrom = (word: Word, from: number, to = word.plain.length): Piece[] => piecesIn(word, [{ from, to }]);

const partStarts: Record<Exclude<Part, 'pairs'>, RegExp> = {
  whole: /^(?:pass:|plain:)?/,
  'after-colon': /^[^:]*:/,
  'after-comma': /^[^,]*,/,
  'after-percent': /^[^%]*%/,
  'after-slash': /^[^/@]*\//,
  'after-equals': /^[^=]*=/,
};

const harmlessPairs = /^(?:path|domain|expires|max-age|samesite)$/i;
const longestName = 80;

/** The values of `a=1; b=2`. */
export const pairPieces = (word: Word, offset: number): Piece[] => {
  const { plain } = word;
  const parts: Range[] = [];
  let equals = plain.indexOf('=', offset);
  for (let at = offset; equals >= 0; ) {
    const semicolon = plain.indexOf(';', at);
    const to = semicolon < 0 ? plain.length : semicolon;
    const name = equals < to ? plain.slice(Math.max(at, equals - longestName), equals).trim() : '';
    if (name !== '' && !harmlessPairs.test(name)) parts.push({ from: equals + 1, to });
    at = to + 1;
    if (equals < at) equals = plain.indexOf('=', at);
  }
  return piecesIn(word, parts);
};

/** The part of a word that is the secret; nothing when it cannot be one. */
export const partPieces = (word: Word, offset: number, part: Part): Piece[] => {
  if (part === 'pairs') return pairPieces(word, offset);
  const rest = word.plain.slice(offset);
  const start = partStarts[part].exec(rest)?.[0].length;
  if (start === undefined) return [];
  const end = part === 'after-slash' && rest.includes('@') ? offset + rest.lastIndexOf('@') : word.plain.length;
  const value = word.plain.slice(offset + start, end);
  return isHarmlessValue(value) ? [] : piecesFrom(word, offset + start, end);
};
