import { isPlain, isShellOperator, isSpace } from './characters.ts';
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
  return segments.length > 1 && text.length < 400 && segments.every((part) => part.length < 60 && isPlainSegment(part));
};

/** Whether a literal in a credential slot is no credential: a switch, a type, a path, a reference. */
export const isHarmlessValue = (text: string): boolean =>
  text === '' || harmlessWords.has(text.toLowerCase()) || mask.test(text) || reference.test(text) || isPath(text);

/** Whether an unquoted value after `name: ` or `name = ` is code. */
export const isCode = (text: string): boolean => dottedName.test(text);

const dollar = 36;
const backslash = 92;
const backtick = 96;
const comma = 44;
const brace = 123;
const less = 60;
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

const endsValue = ({ text, stops }: Reading, at: number): boolean => {
  const code = text.charCodeAt(at);
  if (isSpace(code) || isQuote(code) || code === backtick || isShellOperator(code)) return true;
  if (stops.includes(text.charAt(at))) return true;
  if (code === comma) return /^,\s*["']?(?:[\w.-]{1,40}["']?[=:]|$|[\s}\]"'])/.test(text.slice(at, at + 48));
  if (code !== backslash) return false;
  return at + 1 >= text.length || /["'\s`nrt]/.test(text.charAt(at + 1));
};

// In single quotes `$x` after literal text belongs to the literal.
const isLiteralDollar = ({ text, from, quote }: Reading, at: number): boolean =>
  quote === "'" && at > from && text.charCodeAt(at) === dollar && text.charAt(at + 1) !== '(';

const readPieces = (reading: Reading): { pieces: Piece[]; end: number } => {
  const { text } = reading;
  const pieces: Piece[] = [];
  let start = reading.from;
  let at = reading.from;
  const close = (): void => {
    if (at > start) pieces.push({ start, end: at });
  };
  while (at < text.length) {
    if (isPlain(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const kept = isLiteralDollar(reading, at) ? at : keptUntil(text, at);
    if (kept > at) {
      close();
      start = kept;
      at = kept;
    } else if (endsValue(reading, at) || text.startsWith('$(', at)) break;
    else at += text.charCodeAt(at) === backslash ? 2 : 1;
  }
  at = Math.min(at, text.length);
  close();
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

const opening = /\\{0,3}(["'])/y;

// What closes a list or an object around an unquoted value.
const withoutClosers = (text: string, from: number, end: number): number => {
  let last = end;
  while (last > from && ',}].'.includes(text.charAt(last - 1))) last -= 1;
  return last;
};

/** Reads the value at `at`, with or without an opening quote. */
export const readValue = (text: string, at: number, stops = ''): Value => {
  const from = matchEnd(opening, text, at);
  const quote = from > at ? text.charAt(from - 1) : '';
  const { pieces, end } = readPieces({ text, from, stops, quote });
  const [only, ...others] = pieces;
  if (quote === '' && pieces.length > 0) {
    const last = pieces[pieces.length - 1];
    if (last) pieces[pieces.length - 1] = { start: last.start, end: withoutClosers(text, last.start, last.end) };
  }
  const whole = only && others.length === 0 && only.start === from && only.end === end;
  const trimmed = pieces.filter((piece) => piece.end > piece.start);
  return { pieces: trimmed, end, quote, literal: whole ? text.slice(from, trimmed[0]?.end ?? from) : undefined };
};
