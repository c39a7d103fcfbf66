import { isAlnum } from './characters.ts';
import { isCredentialName, isCredentialParameter } from './names.ts';
import type { Span } from './span.ts';
import { isCode, isHarmlessValue, readValue, type Value } from './values.ts';

interface Named {
  readonly text: string;
  readonly name: string;
  readonly nameStart: number;
  readonly operator: string;
  readonly valueStart: number;
  readonly isSpaced: boolean;
  readonly value: Value;
}

const isNameCharacter = (code: number): boolean => isAlnum(code) || code === 95 || code === 45 || code === 46;

const nameStartOf = (text: string, at: number): number => {
  let start = at;
  while (start > 0 && at - start < 64 && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
};

// The operator of a marker (`<SECRET:`) is none.
const isMarker = (text: string, nameStart: number): boolean =>
  text.charAt(nameStart - 1) === '<' ||
  text.slice(Math.max(0, nameStart - 9), nameStart).endsWith('<LITERAL:') ||
  text.slice(Math.max(0, nameStart - 8), nameStart) === 'LITERAL:';

const isParameter = ({ text, nameStart }: Named): boolean => /[?&]/.test(text.charAt(nameStart - 1));

/** Whether a value is the start of a regular expression or a format, not a secret. */
export const isPattern = (value: string): boolean =>
  /^(?:\.[*+]|\[[\^\w]?|\(\?|\\[swdSWDb1-9]|%[sdvq]|\{\d*\})/.test(value);

const startsLine = (text: string, nameStart: number): boolean =>
  /(?:^|[\n{,[]|\\n|^---)[ \t"'-]*$/.test(text.slice(Math.max(0, nameStart - 24), nameStart)) || nameStart === 0;

const isProse = ({ text, value }: Named, literal: string): boolean =>
  /^[a-z]+$/i.test(literal) && /^[ \t]+[a-z(]/i.test(text.slice(value.end, value.end + 4));

// `name: value` and `name = value` also occur in sentences, listings and code.
const isUnquotedSecret = (named: Named, literal: string): boolean => {
  const { text, nameStart, operator, isSpaced, value } = named;
  if (text.charAt(value.end) === '(' || isPattern(literal) || /^\W{1,3}$/.test(literal)) return false;
  if (isSpaced) {
    if (isCode(literal) || isProse(named, literal)) return false;
    return startsLine(text, nameStart) || (literal.length >= 6 && /[^a-z]/.test(literal)) || literal.length >= 8;
  }
  if (operator !== ':') return true;
  if (text.charAt(nameStart - 1) === '/' || /^v?\d[\d.]*(?:[-.][a-z0-9.]*)?$/i.test(literal)) return false;
  return literal.length >= 6 && (/\d/.test(literal) || literal.length >= 16);
};

const isSecret = (named: Named): boolean => {
  const { value } = named;
  if (value.pieces.length === 0) return false;
  if (value.literal === undefined) return true;
  if (isHarmlessValue(value.literal)) return false;
  return value.quote !== '' ? !isPattern(value.literal) : isUnquotedSecret(named, value.literal);
};

// A parameter with a name that says little is a credential when its value looks like one.
const isVagueParameter = (name: string, { literal }: Value): boolean =>
  /^(?:key|auth|code|access|signature)$/i.test(name) &&
  literal !== undefined &&
  literal.length >= 16 &&
  /\d/.test(literal) &&
  /[a-z]/i.test(literal);

const isNamedSecret = (named: Named): boolean => {
  const { name, value } = named;
  const isName = isParameter(named)
    ? isCredentialParameter(name) || isVagueParameter(name, value)
    : isCredentialName(name);
  return isName && !isMarker(named.text, named.nameStart) && isSecret(named);
};

const expansion = /(?:\$(?:\{!?)?|%)([A-Za-z_]\w*)|\$env:(\w+)(?!\w|\s*=)/gi;

/** The names a text expands: what a `$NAME` puts into a command is more than a credential. */
export const expandedNames = (text: string): ReadonlySet<string> => {
  const names = new Set<string>();
  if (!text.includes('$') && !text.includes('%')) return names;
  for (const [, name, environmentName] of text.matchAll(expansion)) names.add(environmentName ?? name ?? '');
  return names;
};

const kindOf = (named: Named): string => {
  if (isParameter(named)) return 'parameter';
  if (named.text.charAt(named.nameStart) === '-') return 'option';
  if (!named.operator.startsWith(':') || named.operator === ':=' || named.operator === ':-') return 'assignment';
  return named.name.includes('-') ? 'header' : 'field';
};

const isBlank = (code: number): boolean => code === 32 || code === 9;
const closers = '"\'\\]';
const operators = /:=|=>|:-|={1,3}(?!>)|:(?![:/]\/?)/y;

const skipBack = (
  _text: string,
  { from, most, accepts }: { from: number; most: number; accepts: (at: number) => boolean },
): number => {
  let at = from;
  while (at > 0 && from - at < most && accepts(at - 1)) at -= 1;
  return at;
};

const namesCredential =
  /pass|pwd|secret|token|key|cred|auth|jwt|bearer|psk|otp|pat|sig|hmac|sid|session|code|access|verifier|pw/i;

// The name in front of an operator: what closes it (`"`, `']`) and blanks may stand between.
const nameBefore = (text: string, operatorStart: number): { name: string; nameStart: number; isSpaced: boolean } => {
  const blank = skipBack(text, { from: operatorStart, most: 4, accepts: (at) => isBlank(text.charCodeAt(at)) });
  const nameEnd = skipBack(text, { from: blank, most: 6, accepts: (at) => closers.includes(text.charAt(at)) });
  const nameStart = nameStartOf(text, nameEnd);
  const name = text.slice(nameStart, nameEnd).replace(/^[-.]+/, '');
  return { name, nameStart, isSpaced: blank < operatorStart };
};

const namedAt = (text: string, operatorStart: number): Named | undefined => {
  operators.lastIndex = operatorStart;
  const operator = operators.exec(text)?.[0];
  if (operator === undefined) return undefined;
  // `+=`, `?=`
  const isCompound = '+?'.includes(text.charAt(operatorStart - 1));
  const { name, nameStart, isSpaced: isSpacedBefore } = nameBefore(text, operatorStart - (isCompound ? 1 : 0));
  if (!namesCredential.test(name)) return undefined;
  const operatorEnd = operatorStart + operator.length;
  let valueStart = operatorEnd;
  while (valueStart - operatorEnd < 4 && isBlank(text.charCodeAt(valueStart))) valueStart += 1;
  const isSpaced = isSpacedBefore || valueStart > operatorEnd;
  const value = readValue(text, valueStart, isSpaced ? '' : '#');
  return { text, name, nameStart, operator, valueStart, isSpaced, value };
};

const schemes =
  /(?:bearer|basic|token|digest|api-?key|negotiate|hmac|bot|splunk|genie-?key|sso-key|key|oauth|ssws|jwt|client-id)(?:\\?[ \t])+/iy;
const otherScheme = /[a-z][a-z0-9-]{1,30}(?:\\?[ \t]){1,3}(?=[^\s"'|;&]{8})/iy;
const opening = /(?:\\{0,3}["'])?(?:\\[ \t])?/y;

const endOf = (expression: RegExp, text: string, at: number): number => {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
};

// `Authorization: Bearer x`: the scheme stays.
const authorizationValue = ({ text, valueStart, nameStart }: Named): Value | undefined => {
  if (isMarker(text, nameStart)) return undefined;
  const from = endOf(opening, text, valueStart);
  const known = endOf(schemes, text, from);
  const value = readValue(text, known > from ? known : endOf(otherScheme, text, from));
  return value.literal !== undefined && isHarmlessValue(value.literal) ? undefined : value;
};

const spansOf = ({ value, kind, slot }: { value: Value; kind: string; slot: Span['slot'] }): Span[] =>
  value.pieces.map(({ start, end }) => ({ start, end, kind, slot }));

/** Finds what is assigned to a name that says it is a credential: `name=x`, `name: x`, `"name": "x"`, `?name=x`. */
export const findAssignments = (text: string): Span[] => {
  const spans: Span[] = [];
  const expanded = expandedNames(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 61 && code !== 58) continue;
    const named = namedAt(text, at);
    if (!named) continue;
    at += named.operator.length - 1;
    const isHeader = /authorization$/i.test(named.name);
    const value = isHeader ? authorizationValue(named) : isNamedSecret(named) ? named.value : undefined;
    if (!value) continue;
    const kind = isHeader ? 'header' : kindOf(named);
    const slot = kind === 'assignment' && expanded.has(named.name) ? 'free' : 'structural';
    spans.push(...spansOf({ value, kind, slot }));
    at = Math.max(at, value.end - 1);
  }
  return spans;
};
