import type { ArithmeticExpression, CommandExpansionPart, ProcessSubstitutionPart, Word } from 'unbash';
import type { ShellContext, WordReading } from './model.ts';
import type { Piece } from './pieces.ts';
import type { Scope } from './scope.ts';

/** Whether a written word may become many words there, or stays one. */
export type WordPlace = 'many' | 'single';

/** What reading a word needs from whoever walks the tree. */
export interface WordReader {
  readonly context: ShellContext;
  readonly scope: Scope;
  /** The words that a written word becomes. */
  words(word: Word): WordReading[];
  /** A word where the shell neither splits nor expands braces and patterns. */
  single(word: Word): WordReading;
  /** The pieces of a word before they are put together. */
  pieces(word: Word, place?: WordPlace): Piece[];
  /** Reads the commands of a substitution and says what it prints, as far as known. */
  substitute(part: CommandExpansionPart): WordReading;
  /** Reads the commands of a process substitution; the word is a path to a pipe. */
  pipe(part: ProcessSubstitutionPart): WordReading;
  arithmetic(expression: ArithmeticExpression | undefined): void;
  note(why: string, text: string, options: { readonly hidden: boolean }): void;
  /** Counts characters that are data, not shell text. */
  data(characters: number): void;
}
