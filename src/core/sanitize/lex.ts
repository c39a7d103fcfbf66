import { isPlain, isShellOperator, isSpace } from './characters.ts';
import { giveUp, type Lexed, type Segment, type State, type Word } from './lex-state.ts';
import { markerAt } from './markers.ts';
import { keptUntil } from './values.ts';

const depthLimit = 12;
const heredocLimit = 8;
const backtick = 96;

// Reads the inside of `$(…)`, `<(…)` or a subshell as commands of its own, up to its parenthesis.
const readNested = (state: State): void => {
  const { isInSubstitution } = state;
  state.depth += 1;
  if (state.depth > depthLimit) {
    giveUp(state);
    return;
  }
  state.isInSubstitution = true;
  readCommands(state, ')');
  if (state.text.charAt(state.at) !== ')') giveUp(state);
  state.at += 1;
  state.depth -= 1;
  state.isInSubstitution = isInSubstitution;
};

const readBackticks = (state: State): void => {
  if (state.isInBackticks) {
    giveUp(state);
    return;
  }
  state.isInBackticks = true;
  state.at += 1;
  readCommands(state, '`');
  if (state.text.charAt(state.at) !== '`') giveUp(state);
  state.at += 1;
  state.isInBackticks = false;
};

// The end of what is kept at `state.at`; moves nothing when there is none.
const readKept = (state: State): boolean => {
  const { text, at } = state;
  const character = text.charAt(at);
  if (character === '`') readBackticks(state);
  else if (text.startsWith('$(', at)) {
    state.at += 2;
    readNested(state);
  } else {
    const until = keptUntil(text, at);
    if (until === at) {
      if (text.startsWith('${', at)) giveUp(state);
      return false;
    }
    state.at = until;
  }
  return true;
};

const readSingle = (state: State, segments: Segment[]): void => {
  const start = state.at + 1;
  const end = state.text.indexOf("'", start);
  if (end < 0 || end >= state.end) {
    giveUp(state);
    return;
  }
  const until = (at: number): number => markerAt(state.text, at);
  let from = start;
  for (let at = state.text.indexOf('<', start); at >= 0 && at < end; at = state.text.indexOf('<', at + 1)) {
    if (until(at) === at) continue;
    segments.push({ kind: 'literal', start: from, end: at, quote: "'" });
    segments.push({ kind: 'kept', start: at, end: until(at), quote: "'" });
    from = until(at);
  }
  segments.push({ kind: 'literal', start: from, end, quote: "'" });
  state.at = end + 1;
};

const closesDouble = (state: State): boolean =>
  state.isEscaped ? state.text.startsWith('\\"', state.at) : state.text.charAt(state.at) === '"';

const readDouble = (state: State, segments: Segment[]): void => {
  const width = state.isEscaped ? 2 : 1;
  state.at += width;
  let start = state.at;
  const push = (kind: Segment['kind'], end: number): void => {
    if (end > start || kind === 'literal') segments.push({ kind, start, end, quote: '"' });
    start = end;
  };
  while (state.isReliable && state.at < state.end && !closesDouble(state)) {
    const before = state.at;
    if (readKept(state)) {
      const after = state.at;
      push('literal', before);
      push('kept', after);
    } else state.at += state.text.charAt(state.at) === '\\' ? 2 : 1;
  }
  if (state.at >= state.end) {
    giveUp(state);
    return;
  }
  push('literal', state.at);
  state.at += width;
};

const endsWord = (state: State): boolean => {
  const code = state.text.charCodeAt(state.at);
  if (state.isInBackticks && code === backtick) return true;
  return isSpace(code) || (isShellOperator(code) && markerAt(state.text, state.at) === state.at);
};

const readWordPart = (state: State, segments: Segment[]): void => {
  const { text, at } = state;
  const character = text.charAt(at);
  if (text.startsWith("$'", at)) {
    giveUp(state);
    return;
  }
  if (character === "'") {
    readSingle(state, segments);
    return;
  }
  if (character === '"' && state.isEscaped) {
    giveUp(state);
    return;
  }
  if (closesDouble(state)) {
    readDouble(state, segments);
    return;
  }
  const last = segments.at(-1);
  if (readKept(state)) {
    segments.push({ kind: 'kept', start: at, end: state.at, quote: '' });
    return;
  }
  state.at += character === '\\' ? 2 : 1;
  while (state.at < state.end && isPlain(text.charCodeAt(state.at))) state.at += 1;
  state.at = Math.min(state.at, state.end);
  const isContinued = last?.kind === 'literal' && last.quote === '' && last.end === at;
  if (isContinued) segments.pop();
  segments.push({ kind: 'literal', start: isContinued ? last.start : at, end: state.at, quote: '' });
};

const readWord = (state: State): Word => {
  const start = state.at;
  const segments: Segment[] = [];
  while (state.isReliable && state.at < state.end && !endsWord(state)) readWordPart(state, segments);
  return { start, end: Math.min(state.at, state.end), segments };
};

const heredocStart = /<<-?[ \t]*(?:'([^'\n]{1,60})'|"([^"\n]{1,60})"|\\?([\w.-]{1,60}))/y;

const readHeredocStart = (state: State): void => {
  heredocStart.lastIndex = state.at;
  const found = heredocStart.exec(state.text);
  const delimiter = found?.[1] ?? found?.[2] ?? found?.[3];
  if (delimiter === undefined || state.heredocs.length >= heredocLimit || state.depth > 0) {
    giveUp(state);
    return;
  }
  state.heredocs.push(delimiter);
  state.at = heredocStart.lastIndex;
};

// A body is split as a text of its own: its quotes say nothing about what follows it.
const readHeredocBodies = (state: State): void => {
  for (const delimiter of state.heredocs.splice(0)) {
    const from = state.at;
    const line = new RegExp(`^\\t*${delimiter.replace(/[.*+?^$|(){}[\]\\]/g, '\\$&')}$`, 'gm');
    line.lastIndex = from;
    const found = line.exec(state.text);
    if (!found || found.index >= state.end) {
      giveUp(state);
      return;
    }
    state.commands.push(...lex(state.text, { from, to: found.index }).commands);
    state.at = found.index + found[0].length;
  }
};

const readRedirection = (state: State): void => {
  const { text, at } = state;
  if (text.startsWith('<<', at) && text.charAt(at + 2) !== '<') {
    readHeredocStart(state);
    return;
  }
  if (text.charAt(at + 1) === '(') {
    state.at += 2;
    readNested(state);
    return;
  }
  while ('<>&|'.includes(text.charAt(state.at)) && state.at < state.end) state.at += 1;
  state.isRedirected = true;
};

const isRedirection = (character: string): boolean => character === '<' || character === '>';

const skipComment = (state: State): void => {
  const end = state.text.indexOf('\n', state.at);
  state.at = end < 0 || end > state.end ? state.end : end;
};

const readNewline = (state: State): void => {
  state.at += 1;
  if (state.heredocs.length > 0) readHeredocBodies(state);
};

const startsComment = ({ text, at }: State): boolean =>
  text.charAt(at) === '#' && (at === 0 || ' \t\n;&|('.includes(text.charAt(at - 1)));

const readNextWord = (state: State, words: Word[]): void => {
  const word = readWord(state);
  // A backtick ends the outer substitution while an inner one is still open.
  if (word.end === word.start) giveUp(state);
  if (!state.isReliable) return;
  // The `)` of a pattern would end the substitution too early.
  if (state.isInSubstitution && state.text.slice(word.start, word.end) === 'case') {
    giveUp(state);
    return;
  }
  if (state.isRedirected) state.commands.push([word]);
  else words.push(word);
  state.isRedirected = false;
};

function readCommands(state: State, terminator: '' | ')' | '`'): void {
  let words: Word[] = [];
  const finish = (): void => {
    if (words.length > 0) state.commands.push(words);
    words = [];
    state.isRedirected = false;
  };
  while (state.isReliable && state.at < state.end) {
    const { text, at } = state;
    const character = text.charAt(at);
    if (terminator !== '' && character === terminator) break;
    if (character === '\n') {
      finish();
      readNewline(state);
    } else if (text.startsWith('\\\n', at)) state.at += 2;
    else if (isSpace(text.charCodeAt(at))) state.at += 1;
    else if (startsComment(state)) skipComment(state);
    else if (!isShellOperator(text.charCodeAt(at)) || markerAt(text, at) > at) readNextWord(state, words);
    else if (isRedirection(character)) readRedirection(state);
    else {
      finish();
      state.at += 1;
      if (character === '(') readNested(state);
    }
  }
  finish();
}

/** Splits a range of a text into commands and words the way a shell does, as far as that is certain. */
export function lex(text: string, range: { from: number; to: number; isEscaped?: boolean }): Lexed {
  const state: State = {
    text,
    end: range.to,
    isEscaped: range.isEscaped ?? false,
    commands: [],
    heredocs: [],
    at: range.from,
    isReliable: true,
    depth: 0,
    isInSubstitution: false,
    isInBackticks: false,
    isRedirected: false,
  };
  readCommands(state, '');
  return { commands: state.commands, reliableEnd: state.isReliable ? range.to : Math.min(state.at, range.to) };
}
