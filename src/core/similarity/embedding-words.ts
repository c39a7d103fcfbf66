import { markerAt } from '../sanitize/markers.ts';

/** One simple command of a shell text, as far as an embedding cares. */
export interface WordList {
  readonly words: string[];
  /** `>file`, `2>&1`, `<<`: the operator with what it points to, where that is not data. */
  readonly redirects: string[];
  /** Files that are redirected to or from, and texts fed in. */
  readonly fed: string[];
  /** What the shell would fill in outside single quotes: `$` for a variable or command, `*` for file names. */
  readonly fills: Set<'$' | '*'>;
}

/** What was read of a text. Never the authority on what a shell would do: the shell analysis is. */
export interface ReadWords {
  readonly commands: readonly WordList[];
  /** What joins the commands (`|`, `&&`, `;`, `$(`), in order. */
  readonly joints: readonly string[];
  /** Where reading stopped because a limit was reached; the length of the text otherwise. */
  readonly end: number;
}

/** Text is read this far, in UTF-16 code units; what follows counts as one hash. */
const mostCharacters = 8192;
const mostWords = 400;
const deepest = 16;

interface Frame {
  readonly closer: string;
  readonly command: Draft;
  readonly isQuoted: boolean;
}

interface Draft extends WordList {
  word: string;
  /** A word may be empty (`''`) and still be one. */
  hasWord: boolean;
  pending: string;
}

interface Reading {
  readonly text: string;
  readonly limit: number;
  readonly commands: WordList[];
  readonly joints: string[];
  readonly frames: Frame[];
  readonly heredocs: string[];
  at: number;
  count: number;
  command: Draft;
  inDouble: boolean;
}

const draft = (): Draft => ({
  words: [],
  redirects: [],
  fed: [],
  fills: new Set(),
  word: '',
  hasWord: false,
  pending: '',
});

/** Splits a shell text into commands and words in one pass. Takes any text; never fails. */
export const readWords = (text: string): ReadWords => {
  const reading: Reading = {
    text,
    limit: Math.min(text.length, mostCharacters),
    commands: [],
    joints: [],
    frames: [],
    heredocs: [],
    at: 0,
    count: 0,
    command: draft(),
    inDouble: false,
  };
  while (reading.at < reading.limit && reading.count < mostWords) step(reading);
  endCommand(reading);
  for (let frame = reading.frames.pop(); frame !== undefined; frame = reading.frames.pop()) {
    reading.command = frame.command;
    endCommand(reading);
  }
  return { commands: reading.commands, joints: reading.joints, end: Math.min(reading.at, text.length) };
};

const step = (reading: Reading): void => {
  const character = reading.text.charAt(reading.at);
  if (closesFrame(reading, character)) closeFrame(reading);
  else if (character === '\\') escaped(reading);
  else if (character === '`') openFrame(reading, { opener: '$(', closer: '`', length: 1 });
  else if (character === '$') dollar(reading);
  else if (character === '"') toggleDouble(reading);
  else if (reading.inDouble) takeQuoted(reading);
  else unquoted(reading, character);
};

const unquoted = (reading: Reading, character: string): void => {
  if (character === "'") single(reading);
  else if (character === ' ' || character === '\t' || character === '\r') {
    reading.at += 1;
    endWord(reading);
  } else if (character === '#' && !reading.command.hasWord) comment(reading);
  else if (character === '<' || character === '>') redirect(reading);
  else if (jointSigns.has(character)) joint(reading, character);
  else plain(reading);
};

const jointSigns = new Set(['\n', ';', '|', '&', '(', ')']);

const toggleDouble = (reading: Reading): void => {
  reading.inDouble = !reading.inDouble;
  reading.command.hasWord = true;
  reading.at += 1;
};

const takeQuoted = (reading: Reading): void => {
  let end = reading.at + 1;
  while (end < reading.limit && !special(reading.text.charCodeAt(end))) end += 1;
  take(reading, end - reading.at);
};

/** Ordinary characters in one go. */
const plain = (reading: Reading): void => {
  const { text, limit, command } = reading;
  let end = reading.at;
  do {
    const code = text.charCodeAt(end);
    if (code === asterisk || code === questionMark) command.fills.add('*');
    end += 1;
  } while (end < limit && !special(text.charCodeAt(end)));
  take(reading, end - reading.at);
};

const asterisk = 42;
const questionMark = 63;

const specials = new Set(['\\', '`', '$', '"', "'", ' ', '\t', '\r', '\n', '#', '<', '>', ';', '|', '&', '(', ')']);
const isSpecial: readonly boolean[] = Array.from({ length: 128 }, (_, code) => specials.has(String.fromCharCode(code)));
const special = (code: number): boolean => code < 128 && isSpecial[code] === true;

const take = (reading: Reading, length: number): void => {
  reading.command.word += reading.text.slice(reading.at, reading.at + length);
  reading.command.hasWord = true;
  reading.at += length;
};

const escaped = (reading: Reading): void => {
  if (reading.text.charAt(reading.at + 1) === '\n') {
    reading.at += 2;
    return;
  }
  reading.at += 1;
  take(reading, 1);
};

const single = (reading: Reading): void => {
  const close = reading.text.indexOf("'", reading.at + 1);
  const isClosed = close !== -1 && close < reading.limit;
  reading.at += 1;
  take(reading, (isClosed ? close : reading.limit) - reading.at);
  reading.at += isClosed ? 1 : 0;
};

const comment = (reading: Reading): void => {
  const end = reading.text.indexOf('\n', reading.at);
  reading.at = end === -1 ? reading.limit : end;
};

const dollar = (reading: Reading): void => {
  reading.command.fills.add('$');
  if (reading.text.charAt(reading.at + 1) !== '(') take(reading, 1);
  else openFrame(reading, { opener: '$(', closer: ')', length: 2 });
};

const closesFrame = (reading: Reading, character: string): boolean =>
  !reading.inDouble && reading.frames.at(-1)?.closer === character;

const openFrame = (reading: Reading, kind: { opener: string; closer: string; length: number }): void => {
  if (reading.frames.length >= deepest) {
    take(reading, kind.length);
    return;
  }
  reading.joints.push(kind.opener);
  reading.command.word += '$';
  reading.command.hasWord = true;
  reading.frames.push({ closer: kind.closer, command: reading.command, isQuoted: reading.inDouble });
  reading.command = draft();
  reading.inDouble = false;
  reading.at += kind.length;
};

const closeFrame = (reading: Reading): void => {
  endCommand(reading);
  const frame = reading.frames.pop();
  if (frame !== undefined) {
    reading.command = frame.command;
    reading.inDouble = frame.isQuoted;
  }
  reading.at += 1;
};

const endWord = (reading: Reading): void => {
  const { command } = reading;
  if (!command.hasWord) return;
  reading.count += 1;
  if (command.pending === '') command.words.push(command.word);
  else endRedirect(reading);
  command.word = '';
  command.hasWord = false;
};

/** Where output is thrown away or joined says how a command runs; any other target is data. */
const endRedirect = ({ command, heredocs }: Reading): void => {
  const { pending, word } = command;
  const isHeredoc = pending.endsWith('<<-') || (pending.endsWith('<<') && !pending.endsWith('<<<'));
  const isFixed = word === '/dev/null' || pending.endsWith('&');
  command.pending = '';
  command.redirects.push(isFixed ? pending + word : pending);
  if (isHeredoc) heredocs.push(word);
  else if (!isFixed) command.fed.push(word);
};

const endCommand = (reading: Reading): void => {
  endWord(reading);
  const { command } = reading;
  if (command.pending !== '') command.redirects.push(command.pending);
  if (command.words.length + command.redirects.length > 0) {
    const { words, redirects, fed, fills } = command;
    reading.commands.push({ words, redirects, fed, fills });
  }
  reading.command = draft();
};

const redirectSigns = ['<<<', '<<-', '&>>', '<<', '>>', '>|', '>&', '<&', '<>', '&>', '<', '>'];

const redirect = (reading: Reading): void => {
  const { text, at, command } = reading;
  const marker = markerAt(text, at);
  if (marker > at) take(reading, marker - at);
  else if (text.charAt(at + 1) === '(') openFrame(reading, { opener: '<(', closer: ')', length: 2 });
  else startRedirect(reading, command);
};

const startRedirect = (reading: Reading, command: Draft): void => {
  const { text, at } = reading;
  const sign = redirectSigns.find((candidate) => text.startsWith(candidate, at)) ?? '>';
  const descriptor = command.hasWord && /^\d$/.test(command.word) ? command.word : '';
  if (descriptor !== '') {
    command.word = '';
    command.hasWord = false;
  }
  endWord(reading);
  command.pending = descriptor + sign;
  reading.at += sign.length;
};

const joints = ['&&', '||', '|&', ';;'];

const joint = (reading: Reading, character: string): void => {
  const { text, at } = reading;
  if (text.startsWith('&>', at)) {
    startRedirect(reading, reading.command);
    return;
  }
  const sign = joints.find((candidate) => text.startsWith(candidate, at)) ?? character;
  const before = reading.commands.length;
  endCommand(reading);
  reading.at += sign.length;
  // A newline after a newline, or at the end, joins nothing.
  if (sign !== '\n' || reading.commands.length > before) reading.joints.push(sign === '\n' ? ';' : sign);
  if (sign === '\n') skipHeredocs(reading);
};

/** Bodies are data of the command that reads them. */
const skipHeredocs = (reading: Reading): void => {
  const { text } = reading;
  const reader = reading.commands.at(-1);
  for (let delimiter = reading.heredocs.shift(); delimiter !== undefined; delimiter = reading.heredocs.shift()) {
    const start = reading.at;
    while (reading.at < reading.limit) {
      const newline = text.indexOf('\n', reading.at);
      const end = newline === -1 ? text.length : newline;
      const isLast = text.slice(reading.at, end).trim() === delimiter;
      const bodyEnd = reading.at;
      reading.at = end + 1;
      if (!isLast && newline !== -1) continue;
      reader?.fed.push(text.slice(start, isLast ? bodyEnd : end));
      break;
    }
  }
};
