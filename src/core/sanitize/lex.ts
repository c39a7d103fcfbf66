import { isShellOperator, isSpace, kindOf, kinds } from './characters.ts';
import { giveUp, type Lexed, type Range, type State, type Word } from './lex-state.ts';
import { readWord } from './lex-word.ts';
import { markerAt } from './markers.ts';

const depthLimit = 12;
const heredocLimit = 8;
const none: readonly never[] = [];
const heredocDepthLimit = 3;
const newline = 10;
const backslash = 92;
const hash = 35;
const less = 60;
const greater = 62;
const open = 40;
const close = 41;

// Reads the inside of `$(…)`, `<(…)` or a subshell as commands of its own, up to its parenthesis.
const readNested = (state: State): void => {
  const { isInSubstitution } = state;
  state.depth += 1;
  if (state.depth > depthLimit) {
    giveUp(state);
    return;
  }
  state.isInSubstitution = true;
  readCommands(state, close);
  if (state.text.charCodeAt(state.at) !== close) giveUp(state);
  state.at += 1;
  state.depth -= 1;
  state.isInSubstitution = isInSubstitution;
};

const backtick = 96;

const readBackticks = (state: State): void => {
  if (state.isInBackticks) {
    giveUp(state);
    return;
  }
  state.isInBackticks = true;
  state.depth += 1;
  state.at += 1;
  readCommands(state, backtick);
  if (state.text.charCodeAt(state.at) !== backtick) giveUp(state);
  state.at += 1;
  state.depth -= 1;
  state.isInBackticks = false;
};

const readers = { readNested, readBackticks };

const heredocStart = /<<-?[ \t]*(?:'([^'\n]{1,60})'|"([^"\n]{1,60})"|\\?([\w.-]{1,60}))/y;

const readHeredocStart = (state: State): void => {
  heredocStart.lastIndex = state.at;
  const found = heredocStart.exec(state.text);
  const delimiter = found?.[1] ?? found?.[2] ?? found?.[3];
  if (delimiter === undefined || state.heredocs.length >= heredocLimit || state.depth > 0) {
    giveUp(state);
    return;
  }
  state.heredocs = [...state.heredocs, delimiter];
  state.at = heredocStart.lastIndex;
};

// The line that holds nothing but the delimiter and tabs in front of it; `undefined` when there is none.
const delimiterLine = ({ text, at, end }: State, delimiter: string): Range | undefined => {
  for (let found = text.indexOf(delimiter, at); found >= 0 && found < end; found = text.indexOf(delimiter, found + 1)) {
    const to = found + delimiter.length;
    const after = text.charCodeAt(to);
    if (to < text.length && after !== newline && after !== 13) continue;
    let from = found;
    while (from > at && text.charCodeAt(from - 1) === 9) from -= 1;
    if (from === at || text.charCodeAt(from - 1) === newline) return { from, to };
  }
  return undefined;
};

// A body is split as a text of its own: its quotes say nothing about what follows it.
const readHeredocBodies = (state: State): void => {
  const { heredocs } = state;
  state.heredocs = none;
  for (const delimiter of heredocs) {
    const line = state.heredocDepth < heredocDepthLimit ? delimiterLine(state, delimiter) : undefined;
    if (line === undefined) {
      giveUp(state);
      return;
    }
    const body = lex(state.text, { from: state.at, to: line.from, heredocDepth: state.heredocDepth + 1 });
    for (const command of body.commands) state.commands.push(command);
    for (const range of body.loose) state.loose.push(range);
    state.at = line.to;
  }
};

const readRedirection = (state: State): void => {
  const { text, at } = state;
  const next = text.charCodeAt(at + 1);
  if (text.charCodeAt(at) === less && next === less && text.charCodeAt(at + 2) !== less) {
    readHeredocStart(state);
    return;
  }
  if (next === open) {
    state.at += 2;
    readNested(state);
    return;
  }
  while (state.at < state.end && '<>&|'.includes(text.charAt(state.at))) state.at += 1;
  state.isRedirected = true;
};

const skipComment = (state: State): void => {
  const end = state.text.indexOf('\n', state.at);
  state.at = end < 0 || end > state.end ? state.end : end;
};

const beforeComment = kinds.space | kinds.operator;

const startsComment = ({ text, at }: State): boolean =>
  at === 0 || (kindOf(text.charCodeAt(at - 1)) & beforeComment) !== 0;

const readNextWord = (state: State, words: Word[]): void => {
  const word = readWord(state, readers);
  // Nothing is read where a backtick ends the outer substitution while an inner one is still open. The `)` of a
  // pattern would end the substitution too early.
  if (word === undefined || (state.isInSubstitution && word.plain === 'case')) {
    giveUp(state);
    return;
  }
  if (state.isRedirected) state.commands.push([word]);
  else words.push(word);
  state.isRedirected = false;
};

// Ends a command; the words of the next one.
const finish = (state: State, words: Word[]): Word[] => {
  state.isRedirected = false;
  if (words.length === 0) return words;
  state.commands.push(words);
  return [];
};

function readCommands(state: State, terminator: number): void {
  const { text, end } = state;
  let words: Word[] = [];
  while (state.isReliable && state.at < end) {
    const { at } = state;
    const code = text.charCodeAt(at);
    if (code === terminator) break;
    if (state.depth === 0 && !state.isRedirected) state.mark = at;
    if (code === newline) {
      words = finish(state, words);
      state.at += 1;
      if (state.heredocs.length > 0) readHeredocBodies(state);
    } else if (code === backslash && text.charCodeAt(at + 1) === newline) state.at += 2;
    else if (isSpace(code)) state.at += 1;
    else if (code === hash && startsComment(state)) skipComment(state);
    else if (!isShellOperator(code) || (code === less && markerAt(text, at) > at)) readNextWord(state, words);
    else if (code === less || code === greater) readRedirection(state);
    else {
      words = finish(state, words);
      state.at += 1;
      if (code === open) readNested(state);
    }
  }
  if (state.depth === 0) state.before = words;
  finish(state, words);
}

const noTerminator = -1;

/** How a range is read. `heredocDepth`: how many here-documents are around it. */
export interface Reading extends Range {
  readonly isEscaped?: boolean;
  readonly heredocDepth?: number;
}

/** Splits a range of a text into commands and words the way a shell does, as far as that is certain. */
export function lex(text: string, { from, to, isEscaped = false, heredocDepth = 0 }: Reading): Lexed {
  const state: State = {
    text,
    end: to,
    isEscaped,
    commands: [],
    loose: [],
    heredocs: none,
    heredocDepth,
    at: from,
    mark: from,
    before: none,
    isReliable: true,
    depth: 0,
    isInSubstitution: false,
    isInBackticks: false,
    isRedirected: false,
  };
  readCommands(state, noTerminator);
  if (!state.isReliable) state.loose.push({ from: state.mark, to, before: state.before });
  return { commands: state.commands, loose: state.loose };
}
