import { kindOf, kinds } from './characters.ts';
import { hintTables, nextTrail } from './survey.ts';

const dot = 46;
const dash = 45;
const equals = 61;
const colon = 58;
const greater = 62;
const slash = 47;
const plus = 43;
const question = 63;
const longestName = 64;

const isNameCharacter = (code: number): boolean => code === dot || (kindOf(code) & kinds.word) !== 0;
const isBlank = (code: number): boolean => code === 32 || code === 9;
// `"`, `'`, `\` and `]`
const isCloser = (code: number): boolean => code === 34 || code === 39 || code === 92 || code === 93;

/** A name with an operator behind it: `name=`, `name: `, `"name" =>`, `name']=`. */
export interface Named {
  readonly name: string;
  readonly start: number;
  readonly operator: string;
  readonly valueStart: number;
  readonly isSpaced: boolean;
}

// The end of the operator at `at`: `=`, `==`, `=>`, `:`, `:=`, `:-`; `at` itself when it is none (`::`, `://`).
const operatorEnd = (text: string, at: number): number => {
  const next = text.charCodeAt(at + 1);
  if (text.charCodeAt(at) === colon) {
    if (next === equals || next === dash) return at + 2;
    return next === colon || next === slash ? at : at + 1;
  }
  if (next === greater) return at + 2;
  let end = at + 1;
  while (end - at < 3 && text.charCodeAt(end) === equals) end += 1;
  return text.charCodeAt(end) === greater ? end - 1 : end;
};

interface Place {
  readonly start: number;
  readonly end: number;
  readonly isSpaced: boolean;
}

// What closes the name (`"`, `']`) and blanks may stand between it and the operator.
const nameBefore = (text: string, operator: number): Place => {
  let at = operator;
  while (at > 0 && operator - at < 4 && isBlank(text.charCodeAt(at - 1))) at -= 1;
  const isSpaced = at < operator;
  const closed = at;
  while (at > 0 && closed - at < 6 && isCloser(text.charCodeAt(at - 1))) at -= 1;
  const end = at;
  while (at > 0 && end - at < longestName && isNameCharacter(text.charCodeAt(at - 1))) at -= 1;
  return { start: at, end, isSpaced };
};

const pwTrail = (16 << 5) | 23;

const mayNameCredential = (text: string, { start, end }: Place): boolean => {
  const { parameters } = hintTables();
  let trail = 0;
  for (let at = start; at < end; at += 1) {
    trail = nextTrail(trail, text.charCodeAt(at));
    if (parameters[trail] === 1 || (trail & 0x3ff) === pwTrail) return true;
  }
  return false;
};

/** The name that the `=` or `:` at `at` belongs to; nothing when it is certain not to name a credential. */
export const namedAt = (text: string, at: number): Named | undefined => {
  const before = text.charCodeAt(at - 1);
  // `+=`, `?=`
  const place = nameBefore(text, before === plus || before === question ? at - 1 : at);
  if (place.start === place.end || !mayNameCredential(text, place)) return undefined;
  const end = operatorEnd(text, at);
  if (end === at) return undefined;
  let valueStart = end;
  while (valueStart - end < 4 && isBlank(text.charCodeAt(valueStart))) valueStart += 1;
  let from = place.start;
  while (from < place.end && (text.charCodeAt(from) === dash || text.charCodeAt(from) === dot)) from += 1;
  return {
    name: text.slice(from, place.end),
    start: place.start,
    operator: text.slice(at, end),
    valueStart,
    isSpaced: place.isSpaced || valueStart > end,
  };
};

/** Whether the name is that of a parameter of a URL or a form. */
export const isParameter = (text: string, { start }: Named): boolean => {
  const before = text.charAt(start - 1);
  return before === '?' || before === '&';
};

/** Whether the operator belongs to a redaction (`<SECRET:`), so that it names nothing. */
export const isMarker = (text: string, { start }: Named): boolean =>
  text.charAt(start - 1) === '<' || text.endsWith('LITERAL:', start);
