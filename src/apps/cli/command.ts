import type { ParseArgsConfig } from 'node:util';
import type { Caller } from '../../io/process/caller.ts';
import type { Surroundings } from '../compose.ts';

/** The values of a command's options: `true` for a flag, text for the rest; absent when not given. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** What a command gets. */
export interface Invocation {
  readonly options: OptionValues;
  readonly words: readonly string[];
  readonly surroundings: Surroundings;
  readonly cwd: string;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Every word of the command line after the program's name, the command's own name first. */
  readonly line?: readonly string[];
  /** Who started this process; found out by itself when not given. */
  readonly caller?: () => Caller;
  /** Asks the person at the terminal; asks there by itself when not given. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** 0 done, 1 refused or failed, 2 called wrongly. */
export type ExitCode = 0 | 1 | 2;

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name, e.g. `<id> [--scope <scope>]`. */
  readonly usage: string;
  readonly examples: readonly string[];
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Whether words beside options are taken. */
  readonly takesWords: boolean;
  readonly run: (invocation: Invocation) => ExitCode | Promise<ExitCode>;
}

/** The text of an option, or nothing when it was not given. */
export const textOption = (options: OptionValues, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** Called wrongly: the message says what is missing, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
