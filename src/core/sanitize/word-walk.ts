import { type Command, startsBare, type Word } from './lex-state.ts';
import type { OptionRule } from './option-rules.ts';
import type { Span } from './span.ts';
import type { Piece } from './values.ts';

/** The rules of the programs named so far in one command. */
export interface Rules {
  readonly programs: Set<string>;
  readonly active: Set<OptionRule>;
  /** Rules that need one more word. */
  readonly waiting: Set<OptionRule>;
}

/** What is found while the words of one text are walked. It changes in place: one lives as long as one call. */
export interface Walk {
  readonly text: string;
  readonly spans: Span[];
  /** The names the text expands. */
  readonly expanded: () => ReadonlySet<string>;
  /** Whether the word `set` is in the text. */
  readonly hasSetting: boolean;
  /** The quoting is not certain, so nothing is a structural slot. */
  isLoose: boolean;
  /** Where the part whose quoting is not certain starts. */
  looseFrom: number;
  /** The command that is walked, and the word in it. */
  words: Command;
  index: number;
  rules: Rules | undefined;
  /** How many quoted texts were read as commands. */
  nested: number;
}

/** The word behind the current one, or further on. */
export const wordAfter = ({ words, index }: Walk, distance = 1): Word | undefined => words[index + distance];

// Text with an operator in it is literal here, but only if the quoting was read right: then it is not shared.
const operator = /[;|&<>()\n\r`]/;

/** Whether a text holds what a shell would act on outside quotes. */
export const hasOperator = (text: string): boolean => operator.test(text);

/** Reports pieces of a secret. Of a part that could not be split, what stands in front of it was reported before. */
export const report = ({ text, spans, isLoose, looseFrom }: Walk, kind: string, pieces: readonly Piece[]): void => {
  for (const { start, end } of pieces) {
    if (isLoose && start < looseFrom) continue;
    const isFree = isLoose || hasOperator(text.slice(start, end));
    spans.push({ start, end, kind, slot: isFree ? 'free' : 'structural' });
  }
};

/** Reports what is assigned to a name; what the text puts into a command later is more than a credential. */
export const reportAssigned = (walk: Walk, name: string, pieces: readonly Piece[]): void => {
  if (!walk.expanded().has(name)) report(walk, 'assignment', pieces);
  else for (const { start, end } of pieces) walk.spans.push({ start, end, kind: 'assignment', slot: 'free' });
};

const dash = 45;

/** Whether a word is an option: quoted text that starts with a dash is not. */
export const isOptionLike = (word: Word): boolean =>
  word.plain.length > 1 && word.plain.charCodeAt(0) === dash && startsBare(word);
