/**
 * One piece of a printed command. `end` is the `;` after a statement; `line` the line break between two statements of
 * the whole text, whose printed form is decided when everything has been seen.
 */
export interface Token {
  readonly kind: 'word' | 'end' | 'line';
  readonly text: string;
}

/** A word of a printed command: where it stands among the tokens, and its value when nothing in it is computed. */
export interface PrintedWord {
  readonly at: number;
  readonly value: string | undefined;
}

/** A member of a pipeline that could be a plain filter. */
export interface PrintedStage {
  readonly name: string;
  readonly words: readonly PrintedWord[];
}

/** A source text being printed: how far it has been passed over, and what was printed. */
export interface Sheet {
  readonly source: string;
  readonly tokens: Token[];
  /** Pipelines whose output and status nothing in the text uses; a member that can be no filter is undefined. */
  readonly pipelines: (readonly (PrintedStage | undefined)[])[];
  at: number;
  /** Where the last word ended. */
  wordEnd: number;
  depth: number;
  /** Why the text is not understood well enough. */
  trouble: string | undefined;
  /** The name of a command is quoted: an alias that ends in a blank may reach over it from the command before. */
  hasQuotedName: boolean;
  /** A line ended that is not printed as such, or a command was left out. */
  isRejoined: boolean;
  /** Nothing in it can end a line early, so that a line break is the same as `;`. */
  isCalm: boolean;
  /** Characters and nodes passed over: the measure of work. */
  steps: number;
}

export const sheetOf = (source: string, isCalm: boolean): Sheet => ({
  source,
  tokens: [],
  pipelines: [],
  at: 0,
  wordEnd: -1,
  depth: 0,
  trouble: undefined,
  hasQuotedName: false,
  isRejoined: false,
  isCalm,
  steps: 0,
});

export const giveUp = (sheet: Sheet, why: string): void => {
  sheet.trouble ??= why;
};

export const print = (sheet: Sheet, text: string): void => {
  sheet.tokens.push({ kind: 'word', text });
};

const move = (sheet: Sheet, to: number): void => {
  sheet.steps += to - sheet.at;
  sheet.at = to;
};

const isContinued = (sheet: Sheet): boolean => sheet.source.startsWith('\\\n', sheet.at);

const isBlank = (letter: string): boolean => letter === ' ' || letter === '\t';

/** Passes over blanks and line continuations. */
const passBlanks = (sheet: Sheet): void => {
  for (;;) {
    if (isBlank(sheet.source.charAt(sheet.at))) move(sheet, sheet.at + 1);
    else if (isContinued(sheet)) move(sheet, sheet.at + 2);
    else return;
  }
};

// What stands right behind a word without a blank belongs to it, unless it is an operator.
const standsApart = (sheet: Sheet): boolean =>
  sheet.at !== sheet.wordEnd || ';&|<>)'.includes(sheet.source.charAt(sheet.at));

const passComment = (sheet: Sheet): void => {
  const before = sheet.source.charAt(sheet.at - 1);
  // Behind a process substitution without a blank it is a part of the word.
  if (sheet.at === sheet.wordEnd || !(before === '' || ' \t\n;&|()'.includes(before)))
    giveUp(sheet, 'not surely a comment');
  const end = sheet.source.indexOf('\n', sheet.at);
  move(sheet, end < 0 ? sheet.source.length : end);
};

/** Passes over everything between two statements; true when a line ended. */
export const passBreaks = (sheet: Sheet): boolean => {
  let isBroken = false;
  for (;;) {
    passBlanks(sheet);
    const letter = sheet.source.charAt(sheet.at);
    if (letter === '#') passComment(sheet);
    else if (letter === '\n') move(sheet, sheet.at + 1);
    else return isBroken;
    if (letter !== '\n') continue;
    isBroken = true;
    sheet.isRejoined ||= sheet.tokens.length > 0;
  }
};

/** Whether a text comes next, after blanks. */
export const comes = (sheet: Sheet, text: string): boolean => {
  passBlanks(sheet);
  return sheet.source.startsWith(text, sheet.at);
};

/** Passes over a text that must come next, after blanks. */
export const passText = (sheet: Sheet, text: string): void => {
  if (comes(sheet, text) && standsApart(sheet)) move(sheet, sheet.at + text.length);
  else giveUp(sheet, `no ${text} where one must be`);
};

/** Passes over a text that must come next and prints it. */
export const copyText = (sheet: Sheet, text: string): void => {
  passText(sheet, text);
  print(sheet, text);
};

/** Passes over a part of the tree that must come next, after blanks; its source text. */
export const passNode = (sheet: Sheet, node: { readonly pos: number; readonly end: number }): string => {
  passBlanks(sheet);
  if (sheet.at !== node.pos || node.end < node.pos || !standsApart(sheet)) {
    giveUp(sheet, 'something stands between two words');
    return '';
  }
  move(sheet, node.end);
  sheet.wordEnd = node.end;
  return sheet.source.slice(node.pos, node.end);
};

/** Tokens with every line break decided: kept where a line can end early, else the same as `;`. */
export const settled = (sheet: Sheet, tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token, index): Token[] => {
    if (token.kind !== 'line' || !sheet.isCalm) return [token];
    return tokens[index - 1]?.text === '&' ? [] : [{ kind: 'end', text: ';' }];
  });

/** The text of tokens: words a blank apart. */
export const joined = (tokens: readonly Token[]): string => {
  let isStart = true;
  const parts: string[] = [];
  for (const token of tokens) {
    parts.push(token.kind === 'word' && !isStart ? ` ${token.text}` : token.text);
    isStart = token.kind === 'line';
  }
  return parts.join('');
};
