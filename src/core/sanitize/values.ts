import { isSpace, kindOf, kinds } from './characters.ts';
import { markerAt } from './markers.ts';

/** A stretch of literal text. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

const harmlessWords: ReadonlySet<string> = new Set(
  (
    'true false yes no on off none null nil undefined auto default required optional include omit inherit same-origin string ' +
    'number boolean any unknown str int bool bytes object void never basic digest ntlm bearer always prompt stdin - 0 1'
  ).split(' '),
);
const mask = /^(?:x{3,}|\*+|\.{2,})$/i;
const reference = /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|@|file:|env:|fd:|arn:|sha256:|valueFrom\b)/i;
const fileName =
  /^[\w@.-]{1,80}(?:[\\/][\w@.-]{1,80})*\.(?:pem|key|crt|cer|json|ya?ml|txt|env|p12|pfx|jks|pub|toml|ini|conf|cfg|gpg|asc|sh|ts|js|py)$/;
const dottedName = /^[A-Za-z_$][A-Za-z_]{0,40}(?:\.[A-Za-z_][A-Za-z_]{0,40}){1,8}$/;

const isPlainSegment = (segment: string): boolean =>
  /^[.@]?[A-Za-z]?[a-z0-9_.@-]*$/.test(segment) || /^[A-Z][A-Z0-9_.-]*$/.test(segment);

/** Whether a text can only be a path: it starts like one and all of its segments look like names. */
const isPath = (text: string): boolean => {
  if (fileName.test(text)) return true;
  if (!/^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/.test(text)) return false;
  const segments = text.replace(/^[A-Za-z]:|^~/, '').split(/[\\/]/);
  return segments.length > 1 && segments.every((part) => part.length < 60 && isPlainSegment(part));
};

// Longer ones hold more than a name.
const longestLook = 400;

/** Whether a value only says where something is: a URL, a file, a name in a store. */
export const isReference = (text: string): boolean => reference.test(text);

/** Whether a literal in a credential slot is no credential: a switch, a type, a path, a reference. */
export const isHarmlessValue = (text: string): boolean => {
  if (text === '' || isReference(text)) return true;
  if (text.length > longestLook) return false;
  return (text.length < 16 && harmlessWords.has(text.toLowerCase())) || mask.test(text) || isPath(text);
};

/** Whether an unquoted value after `name: ` or `name = ` is code. */
export const isCode = (text: string): boolean => text.length < longestLook && dottedName.test(text);

const dollar = 36;
const parenthesis = 40;
const backslash = 92;
const comma = 44;
const brace = 123;
const less = 60;
const dot = 46;
const closingBrace = 125;
const closingBracket = 93;
const isQuote = (code: number): boolean => code === 34 || code === 39;

const namedExpansion = /\$(?:env:)?(?:[A-Za-z_]\w{0,100}|[0-9@*#?$!-])|\$\{\{[^}]{0,200}\}\}|\$\{[^{}'"`\s]{0,200}\}/y;
const template = /\{\{[^{}]{0,200}\}\}/y;

const matchEnd = (expression: RegExp, text: string, at: number): number => {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
};

/** The end of the expansion (`$x`, `${x}`, `{{ x }}`) or marker that starts at `at`; `at` itself when there is none. */
export const keptUntil = (text: string, at: number): number => {
  switch (text.charCodeAt(at)) {
    case dollar:
      return matchEnd(namedExpansion, text, at);
    case brace:
      return matchEnd(template, text, at);
    case less:
      return markerAt(text, at);
  }
  return at;
};

interface Reading {
  readonly text: string;
  readonly from: number;
  /** More characters that end the value. */
  readonly stops: string;
  readonly quote: string;
}

const longestName = 40;
const isNameCharacter = (code: number): boolean => code === dot || (kindOf(code) & kinds.word) !== 0;

// A comma ends a value when another name, a blank, a quote, a bracket or nothing follows.
const endsAtComma = (text: string, comma: number): boolean => {
  let at = comma + 1;
  const next = text.charCodeAt(at);
  if (at >= text.length || isSpace(next) || isQuote(next) || next === closingBrace || next === closingBracket)
    return true;
  while (at - comma <= longestName && isNameCharacter(text.charCodeAt(at))) at += 1;
  if (at === comma + 1) return false;
  if (isQuote(text.charCodeAt(at))) at += 1;
  return (kindOf(text.charCodeAt(at)) & kinds.assign) !== 0;
};

const valueEnds = kinds.space | kinds.quote | kinds.operator;

const endsValue = ({ text, stops }: Reading, at: number): boolean => {
  const code = text.charCodeAt(at);
  if ((kindOf(code) & valueEnds) !== 0) return true;
  if (stops !== '' && stops.includes(text.charAt(at))) return true;
  if (code === comma) return endsAtComma(text, at);
  if (code !== backslash) return false;
  return at + 1 >= text.length || endsBehindBackslash(text.charCodeAt(at + 1));
};

const endsBehindBackslash = (code: number): boolean =>
  (kindOf(code) & (kinds.quote | kinds.space)) !== 0 || code === 110 || code === 114 || code === 116;

// In single quotes `$x` after literal text belongs to the literal.
const isLiteralDollar = ({ text, from, quote }: Reading, at: number): boolean =>
  quote === "'" && at > from && text.charCodeAt(at) === dollar && text.charCodeAt(at + 1) !== parenthesis;

const isSubstitution = (text: string, at: number): boolean =>
  text.charCodeAt(at) === dollar && text.charCodeAt(at + 1) === parenthesis;

const readPieces = (reading: Reading): { pieces: Piece[]; end: number } => {
  const { text } = reading;
  const pieces: Piece[] = [];
  let start = reading.from;
  let at = reading.from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if ((kindOf(code) & kinds.plain) !== 0) {
      at += 1;
      continue;
    }
    const kept = isLiteralDollar(reading, at) ? at : keptUntil(text, at);
    if (kept > at) {
      if (at > start) pieces.push({ start, end: at });
      start = kept;
      at = kept;
    } else if (endsValue(reading, at) || isSubstitution(text, at)) break;
    else at += code === backslash ? 2 : 1;
  }
  at = Math.min(at, text.length);
  if (at > start) pieces.push({ start, end: at });
  return { pieces, end: at };
};

/** A value as far as it is certain without knowing the quoting around it: no space, no operator, no quote. */
export interface Value {
  readonly pieces: readonly Piece[];
  readonly end: number;
  readonly quote: string;
  /** The literal text when nothing in the value is expanded, else `undefined`. */
  readonly literal: string | undefined;
}

// The end of an opening quote, with the backslashes in front of it; `at` when there is none.
const openingEnd = (text: string, at: number): number => {
  let end = at;
  while (end - at < 3 && text.charCodeAt(end) === backslash) end += 1;
  return isQuote(text.charCodeAt(end)) ? end + 1 : at;
};

// What closes a list or an object around an unquoted value.
const withoutClosers = (text: string, from: number, end: number): number => {
  let last = end;
  while (last > from && ',}].'.includes(text.charAt(last - 1))) last -= 1;
  return last;
};

interface Reach {
  readonly from: number;
  readonly quote: string;
  readonly pieces: Piece[];
  readonly end: number;
}

const makeValue = (text: string, { from, quote, pieces, end }: Reach): Value => {
  const [only] = pieces;
  const isWhole = pieces.length === 1 && only?.start === from && only.end === end;
  const last = pieces.at(-1);
  if (quote === '' && last) {
    const trimmed = withoutClosers(text, last.start, last.end);
    if (trimmed === last.start) pieces.pop();
    else if (trimmed < last.end) pieces[pieces.length - 1] = { start: last.start, end: trimmed };
  }
  return { pieces, end, quote, literal: isWhole ? text.slice(from, pieces[0]?.end ?? from) : undefined };
};

/** Reads the value at `at`, with or without an opening quote. */
export const readValue = (text: string, at: number, stops = ''): Value => {
  const from = openingEnd(text, at);
  const quote = from > at ? text.charAt(from - 1) : '';
  const { pieces, end } = readPieces({ text, from, stops, quote });
  return makeValue(text, { from, quote, pieces, end });
};

/**
 * Reads values of one text. What starts inside a value that was read ends where that one does, so a text is walked
 * once however many names stand in it.
 */
export const valueReader = (text: string): ((at: number, stops: string) => Value) => {
  let [known, knownEnd, knownStops] = [0, -1, ''];
  return (at, stops) => {
    const from = openingEnd(text, at);
    const quote = from > at ? text.charAt(from - 1) : '';
    if (quote === '' && at >= known && at < knownEnd && stops === knownStops)
      return makeValue(text, { from, quote, pieces: [{ start: at, end: knownEnd }], end: knownEnd });
    const { pieces, end } = readPieces({ text, from, stops, quote });
    const last = pieces.at(-1);
    if (last?.end === end && quote !== "'") [known, knownEnd, knownStops] = [last.start, end, stops];
    return makeValue(text, { from, quote, pieces, end });
  };
};
