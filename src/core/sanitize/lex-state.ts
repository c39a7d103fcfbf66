/** A part of a word. `kept` is an expansion, a substitution or a redaction: never part of a secret. */
export interface Segment {
  readonly kind: 'literal' | 'kept';
  readonly start: number;
  readonly end: number;
  readonly quote: '' | "'" | '"';
}

export interface Word {
  readonly start: number;
  readonly end: number;
  readonly segments: readonly Segment[];
}

/** The words between two separators. */
export type Command = readonly Word[];

/** `reliableEnd` is where the quoting stopped being certain; nothing behind it was split. */
export interface Lexed {
  readonly commands: readonly Command[];
  readonly reliableEnd: number;
}

/** Where reading stands. It changes in place: one state lives as long as one call of `lex`. */
export interface State {
  readonly text: string;
  readonly end: number;
  /** In the text of a double-quoted word a quote is written `\"`. */
  readonly isEscaped: boolean;
  readonly commands: Command[];
  readonly heredocs: string[];
  at: number;
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
