import type { Inside, PathTarget, ReadAssignment, ShellContext, ShellEffect, WordReading } from './model.ts';
import type { Input, Scope } from './scope.ts';
import type { Call, Walk } from './walk.ts';

/** How a text is read as shell code. */
export interface ShellOptions {
  readonly inside?: Inside;
  readonly positional?: readonly WordReading[];
  /** The code runs in this shell and changes it: `eval`, `source`. */
  readonly sameShell?: boolean;
  readonly input?: Input;
}

/** How words are read as a command. */
export interface CommandOptions {
  readonly input?: Input;
  readonly assignments?: readonly ReadAssignment[];
  readonly sameShell?: boolean;
}

/** What a program's reader may ask for and do. */
export interface Tools {
  readonly program: string;
  readonly call: Call;
  readonly walk: Walk;
  readonly scope: Scope;
  readonly context: ShellContext;
  readonly input: Input;
  target(word: WordReading): PathTarget;
  /** Reads a text as shell code that this program runs. */
  shell(code: WordReading, options?: ShellOptions): void;
  /** Reads words as a command that this program starts. */
  command(words: readonly WordReading[], options?: CommandOptions): void;
  /** Says what the program prints. */
  print(text: string): void;
}

/** Says what a program does with these arguments. */
export type ReadProgram = (args: readonly WordReading[], tools: Tools) => readonly ShellEffect[];

/** A program that the shell can start, by its names. */
export interface Program {
  readonly names: readonly string[];
  readonly read: ReadProgram;
}

/** A program with its space-separated names. */
export const program = (names: string, read: ReadProgram): Program => ({ names: names.split(' '), read });

/** Something runs that the text does not show. */
export const hidden = (why: string): ShellEffect => ({ kind: 'unknown', why, hidden: true });

/** Not in the tables. */
export const uncovered = (why: string): ShellEffect => ({ kind: 'unknown', why, hidden: false });

/** The text of a literal word. */
export const literalText = (word: WordReading | undefined): string | undefined =>
  word?.kind === 'literal' ? word.text : undefined;

export const word = (text: string): WordReading => ({ kind: 'literal', text });

/** The literal texts of words, gaps shown. */
export const textsOf = (words: readonly WordReading[]): string[] =>
  words.map((one) => (one.kind === 'dynamic' ? one.shape : one.text));
