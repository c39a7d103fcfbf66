/** A part of a word. `kept` is an expansion, a substitution or a redaction: never part of a secret. */
export interface Segment {
  readonly kind: 'literal' | 'kept';
  readonly start: number;
  readonly end: number;
  readonly quote: '' | "'" | '"';
}

/** A word with its text as the program gets it. What is not literal is a NUL. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly plain: string;
  /** Its parts; `undefined` for one that is nothing but literal text without quotes. */
  readonly segments: readonly Segment[] | undefined;
  /** Nothing but letters, digits and signs that mean nothing in a shell: no `=`, `:` or `,`. */
  readonly isSimple: boolean;
}

/** Where a word without quotes and expansions stands. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly isSimple: boolean;
}

const unknownPart = '\0';

/** Makes a word of its parts. */
export const wordOf = (text: string, segments: readonly Segment[], { from, to }: Range): Word => {
  let plain = '';
  for (const { kind, start, end } of segments) plain += kind === 'literal' ? text.slice(start, end) : unknownPart;
  return { start: from, end: to, plain, segments, isSimple: false };
};

/** A word without quotes and expansions. */
export const bareWord = (text: string, { start, end, isSimple }: Place): Word => ({
  start,
  end,
  plain: text.slice(start, end),
  segments: undefined,
  isSimple,
});

/** The parts of a word. */
export const segmentsOf = ({ start, end, segments }: Word): readonly Segment[] =>
  segments ?? [{ kind: 'literal', start, end, quote: '' }];

/** Whether a word starts with text outside quotes. */
export const startsBare = ({ segments }: Word): boolean => segments === undefined || segments[0]?.quote === '';

/** Whether a word has a quoted part. */
export const hasQuotes = ({ segments }: Word): boolean => {
  if (segments === undefined) return false;
  for (const { quote } of segments) if (quote !== '') return true;
  return false;
};

/** The words between two separators. */
export type Command = readonly Word[];

/** A part of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A part of a text in which the quoting is not certain, and the words of its command in front of it. */
export interface Loose extends Range {
  readonly before: Command;
}

/** What was split into words, and the parts that could not be. */
export interface Lexed {
  readonly commands: readonly Command[];
  readonly loose: readonly Loose[];
}

/** Where reading stands. It changes in place: one state lives as long as one call of `lex`. */
export interface State {
  readonly text: string;
  readonly end: number;
  /** In the text of a double-quoted word a quote is written `\"`. */
  readonly isEscaped: boolean;
  readonly commands: Command[];
  readonly loose: Loose[];
  /** The delimiters of the here-documents that start on this line. */
  heredocs: readonly string[];
  /** How many here-documents are around this text. */
  readonly heredocDepth: number;
  at: number;
  /** What is being read that is in nothing else: where it starts, and the words of its command in front of it. */
  mark: number;
  before: Command;
  isReliable: boolean;
  depth: number;
  isInSubstitution: boolean;
  isInBackticks: boolean;
  /** The next word is the target of a redirection. */
  isRedirected: boolean;
}

/** Quoting is no longer certain: nothing more is read. */
export const giveUp = (state: State): void => {
  state.isReliable = false;
};
