import { kindOf, kinds } from './characters.ts';
import { bareWord, giveUp, type Segment, type State, type Word, wordOf } from './lex-state.ts';
import { markerAt } from './markers.ts';
import { keptUntil } from './values.ts';

const dollar = 36;
const backtick = 96;
const backslash = 92;
const single = 39;
const double = 34;
const less = 60;

/** How what is run inside a word is read. */
export interface Readers {
  readonly readNested: (state: State) => void;
  readonly readBackticks: (state: State) => void;
}

// Reads the expansion, substitution or redaction at `state.at`; moves nothing when there is none.
const readKept = (state: State, { readNested, readBackticks }: Readers): boolean => {
  const { text, at } = state;
  const code = text.charCodeAt(at);
  if ((kindOf(code) & kinds.plain) !== 0) return false;
  if (code === backtick) readBackticks(state);
  else if (code === dollar && text.charCodeAt(at + 1) === 40) {
    state.at += 2;
    readNested(state);
  } else {
    const until = keptUntil(text, at);
    if (until === at) {
      if (code === dollar && text.charCodeAt(at + 1) === 123) giveUp(state);
      return false;
    }
    state.at = until;
  }
  return true;
};

// Pushes the text between two quotes; redactions in it are no part of it.
const pushQuoted = (text: string, { start, end }: Quoted, segments: Segment[]): void => {
  let from = start;
  for (let at = text.indexOf('<', start); at >= 0 && at < end; at = text.indexOf('<', at + 1)) {
    const until = markerAt(text, at);
    if (until === at) continue;
    segments.push({ kind: 'literal', start: from, end: at, quote: "'" });
    segments.push({ kind: 'kept', start: at, end: until, quote: "'" });
    from = until;
  }
  segments.push({ kind: 'literal', start: from, end, quote: "'" });
};

interface Quoted {
  readonly start: number;
  readonly end: number;
}

const readSingle = (state: State, segments: Segment[]): void => {
  const start = state.at + 1;
  const end = state.text.indexOf("'", start);
  if (end < 0 || end >= state.end) {
    giveUp(state);
    return;
  }
  pushQuoted(state.text, { start, end }, segments);
  state.at = end + 1;
};

// `$'…'`: a quote in it is written `\'`.
const readAnsi = (state: State, segments: Segment[]): void => {
  const { text } = state;
  const start = state.at + 2;
  let end = start;
  while (end < state.end && text.charCodeAt(end) !== single) end += text.charCodeAt(end) === backslash ? 2 : 1;
  if (end >= state.end || state.isEscaped) {
    giveUp(state);
    return;
  }
  pushQuoted(text, { start, end }, segments);
  state.at = end + 1;
};

const opensDouble = ({ text, at, isEscaped }: State): boolean =>
  isEscaped ? text.charCodeAt(at) === backslash && text.charCodeAt(at + 1) === double : text.charCodeAt(at) === double;

const readDouble = (state: State, segments: Segment[], readers: Readers): void => {
  const { text } = state;
  const width = state.isEscaped ? 2 : 1;
  state.at += width;
  let start = state.at;
  while (state.isReliable && state.at < state.end && !opensDouble(state)) {
    const before = state.at;
    if (readKept(state, readers)) {
      if (before > start) segments.push({ kind: 'literal', start, end: before, quote: '"' });
      segments.push({ kind: 'kept', start: before, end: state.at, quote: '"' });
      start = state.at;
    } else state.at += text.charCodeAt(before) === backslash ? 2 : 1;
  }
  if (state.at >= state.end) {
    giveUp(state);
    return;
  }
  segments.push({ kind: 'literal', start, end: state.at, quote: '"' });
  state.at += width;
};

const wordEnds = kinds.space | kinds.operator;

const endsWord = ({ text, at, isInBackticks }: State): boolean => {
  const code = text.charCodeAt(at);
  if ((kindOf(code) & wordEnds) !== 0) return code !== less || markerAt(text, at) === at;
  return isInBackticks && code === backtick;
};

const ends = kinds.space | kinds.operator | kinds.quote | kinds.backslash;
const brace = 123;

// Whether literal text outside quotes may end here.
const mayEndBare = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if ((kindOf(code) & ends) !== 0 || code === dollar) return true;
  return code === brace && text.charCodeAt(at + 1) === brace;
};

const readBare = (state: State, segments: Segment[]): void => {
  const { text, at, end } = state;
  let to = at + (text.charCodeAt(at) === backslash ? 2 : 1);
  while (to < end && !mayEndBare(text, to)) to += 1;
  state.at = Math.min(to, end);
  const last = segments.at(-1);
  const isContinued = last?.kind === 'literal' && last.quote === '' && last.end === at;
  if (isContinued) segments.pop();
  segments.push({ kind: 'literal', start: isContinued ? last.start : at, end: state.at, quote: '' });
};

const readWordPart = (state: State, segments: Segment[], readers: Readers): void => {
  const { text, at } = state;
  const code = text.charCodeAt(at);
  if ((kindOf(code) & kinds.plain) !== 0) readBare(state, segments);
  else if (code === dollar && text.charCodeAt(at + 1) === single) readAnsi(state, segments);
  else if (code === single) readSingle(state, segments);
  else if (code === double && state.isEscaped) giveUp(state);
  else if (opensDouble(state)) readDouble(state, segments, readers);
  else if (readKept(state, readers)) segments.push({ kind: 'kept', start: at, end: state.at, quote: '' });
  else readBare(state, segments);
};

/** Reads the word at `state.at`; `undefined` when there is none, or the quoting is not certain. */
export const readWord = (state: State, readers: Readers): Word | undefined => {
  const { text, at: start, end } = state;
  let at = start;
  while (at < end && (kindOf(text.charCodeAt(at)) & kinds.plain) !== 0) at += 1;
  state.at = at;
  if (at > start && (at >= end || endsWord(state))) return bareWord(text, { start, end: at, isSimple: true });
  const segments: Segment[] = at > start ? [{ kind: 'literal', start, end: at, quote: '' }] : [];
  while (state.isReliable && state.at < end && !endsWord(state)) readWordPart(state, segments, readers);
  if (!state.isReliable || state.at === start) return undefined;
  return wordOf(text, segments, { from: start, to: Math.min(state.at, end) });
};
