import { kindOf, kinds } from './characters.ts';
import { bareWord, type Command, type Loose, type Segment, type Word, wordOf } from './lex-state.ts';
import { markerAt } from './markers.ts';
import { type Piece, readValue } from './values.ts';

interface Found {
  readonly pieces: readonly Piece[];
  readonly start: number;
  readonly end: number;
}

// Expansions stand between the pieces.
const looseWord = (text: string, { pieces, start, end }: Found): Word => {
  const [only] = pieces;
  if (pieces.length === 1 && only?.start === start) return bareWord(text, { start, end: only.end, isSimple: false });
  const segments: Segment[] = [];
  let from = start;
  for (const piece of pieces) {
    if (piece.start > from) segments.push({ kind: 'kept', start: from, end: piece.start, quote: '' });
    segments.push({ kind: 'literal', start: piece.start, end: piece.end, quote: '' });
    from = piece.end;
  }
  if (end > from) segments.push({ kind: 'kept', start: from, end, quote: '' });
  return wordOf(text, segments, { from: start, to: end });
};

// How much of a command in front of the range says which program it calls.
const mostBefore = 64;
const newline = 10;
const backtick = 96;

const endsCommand = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if ((kindOf(code) & kinds.operator) !== 0) return markerAt(text, at) === at;
  return code === newline || code === backtick;
};

/**
 * Splits a range whose quoting is not certain: at blanks, operators and quotes. A quote with a blank behind it may
 * close or open, so an empty word stands for it: nothing behind it is taken for a value.
 */
export const looseCommands = (text: string, { from, to, before }: Loose): Command[] => {
  const commands: Command[] = [];
  let words: Word[] = before.length === 0 ? [] : before.slice(-mostBefore);
  const finish = (): void => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (endsCommand(text, at)) finish();
    else if ((kind & kinds.quote) !== 0) {
      if ((kindOf(text.charCodeAt(at + 1)) & (kinds.space | kinds.quote)) !== 0)
        words.push(bareWord(text, { start: at, end: at, isSimple: true }));
    } else if ((kind & (kinds.space | kinds.backslash)) === 0) {
      const { pieces, end } = readValue(text, at);
      if (end > at) words.push(looseWord(text, { pieces, end, start: at }));
      at = Math.max(at, end - 1);
    }
    at += 1;
  }
  finish();
  return commands;
};
