import { kindOf as classOf, kinds, runEnd } from './characters.ts';
import { isMarker, isParameter, type Named, namedAt } from './named.ts';
import { isCredentialName, isCredentialParameter } from './names.ts';
import { isCrowded, once, type Span, wholeText } from './span.ts';
import { isCode, isHarmlessValue, isReference, type Value, valueReader } from './values.ts';

/** Whether a value is the start of a regular expression or a format, not a secret. */
export const isPattern = (value: string): boolean =>
  /^(?:\.[*+]|\[[\^\w]?|\(\?|\\[swdSWDb1-9]|%[sdvq]|\{\d*\})/.test(value);

// What stands in front of a name in a listing: nothing, a bracket, a bullet, an escaped line break.
const startsLine = (text: string, nameStart: number): boolean => {
  let at = nameStart;
  while (at > 0 && nameStart - at < 24 && ' \t"\'-'.includes(text.charAt(at - 1))) at -= 1;
  return at === 0 || '\n{,['.includes(text.charAt(at - 1)) || text.endsWith('\\n', at);
};

const isProse = (text: string, { end }: Value, literal: string): boolean =>
  /^[a-z]+$/i.test(literal) && /^[ \t]+[a-z(<]/i.test(text.slice(end, end + 4));

const isVersion = (literal: string): boolean =>
  literal.length < 40 && /^v?\d/i.test(literal) && /^[\d.]+(?:[-.][a-z0-9.]*)?$/i.test(literal.replace(/^v/i, ''));

// `name:value` is also a script, a tag or a place in a file.
const isOpaque = (literal: string): boolean =>
  literal.length >= 6 && (/\d/.test(literal) || literal.length >= 16 || /[!@#%^*]/.test(literal));

interface Assigned {
  readonly text: string;
  readonly named: Named;
  readonly value: Value;
}

// `name: value` and `name = value` also occur in sentences, listings and code.
const isUnquotedSecret = ({ text, named, value }: Assigned, literal: string): boolean => {
  const { start, operator, isSpaced } = named;
  if (text.charAt(value.end) === '(' || isPattern(literal) || /^\W{1,3}$/.test(literal)) return false;
  if (isSpaced) {
    if (isCode(literal) || isProse(text, value, literal)) return false;
    return startsLine(text, start) || literal.length >= 8 || (literal.length >= 6 && /[^a-z]/.test(literal));
  }
  if (operator !== ':') return true;
  return text.charAt(start - 1) !== '/' && !isVersion(literal) && isOpaque(literal);
};

const isSecret = (assigned: Assigned): boolean => {
  const { literal, pieces, quote } = assigned.value;
  const [first] = pieces;
  if (first === undefined) return false;
  // What is expanded behind the scheme of a URL is no secret.
  if (literal === undefined) return !isReference(assigned.text.slice(first.start, first.end));
  if (isHarmlessValue(literal)) return false;
  return quote !== '' ? !isPattern(literal) : isUnquotedSecret(assigned, literal);
};

const vagueNames = /^(?:key|auth|code|access|signature)$/i;

// A parameter with a name that says little is a credential when its value looks like one.
const isVagueSecret = (text: string, start: number): boolean => {
  const literal = text.slice(start, Math.min(runEnd(text, start, kinds.plain), start + 64));
  return literal.length >= 16 && /\d/.test(literal) && /[a-z]/i.test(literal);
};

const expansion = /(?:\$(?:\{!?)?|%)([A-Za-z_]\w*)|\$env:(\w+)(?!\w|\s*=)/gi;

/** The names a text expands: what a `$NAME` puts into a command is more than a credential. */
export const expandedNames = (text: string): ReadonlySet<string> => {
  const names = new Set<string>();
  if (!text.includes('$') && !text.includes('%')) return names;
  for (const [, name, environmentName] of text.matchAll(expansion)) names.add(environmentName ?? name ?? '');
  return names;
};

const kindOf = (text: string, named: Named): string => {
  if (isParameter(text, named)) return 'parameter';
  if (text.charAt(named.start) === '-') return 'option';
  if (!named.operator.startsWith(':') || named.operator === ':=' || named.operator === ':-') return 'assignment';
  return named.name.includes('-') ? 'header' : 'field';
};

const schemes =
  /(?:bearer|basic|token|digest|api-?key|negotiate|hmac|bot|splunk|genie-?key|sso-key|key|oauth|ssws|jwt|client-id)(?:\\?[ \t])+/iy;
const otherScheme = /[a-z][a-z0-9-]{1,30}(?:\\?[ \t]){1,3}(?=[^\s"'|;&]{8})/iy;
const opening = /(?:\\{0,3}["'])?(?:\\[ \t])?/y;

const endOf = (expression: RegExp, text: string, at: number): number => {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
};

interface Question {
  readonly text: string;
  readonly named: Named;
  readonly read: (at: number, stops: string) => Value;
}

// `Authorization: Bearer x`: the scheme stays.
const authorizationValue = ({ text, named: { valueStart }, read }: Question): Value | undefined => {
  const from = endOf(opening, text, valueStart);
  const known = endOf(schemes, text, from);
  const value = read(known > from ? known : endOf(otherScheme, text, from), '');
  return value.literal !== undefined && isHarmlessValue(value.literal) ? undefined : value;
};

const secretOf = (question: Question): Value | undefined => {
  const { text, named, read } = question;
  if (isMarker(text, named)) return undefined;
  const { name, valueStart } = named;
  if (/authorization$/i.test(name)) return authorizationValue(question);
  const isVague = isParameter(text, named) && vagueNames.test(name);
  const isName = isParameter(text, named) ? isCredentialParameter(name) : isCredentialName(name);
  if (!isName && !(isVague && isVagueSecret(text, valueStart))) return undefined;
  const value = read(valueStart, isParameter(text, named) ? '#' : '');
  return isSecret({ text, named, value }) ? value : undefined;
};

/** Finds what is assigned to a name that says it is a credential: `name=x`, `name: x`, `"name": "x"`, `?name=x`. */
export const findAssignments = (text: string): Span[] => {
  const spans: Span[] = [];
  const expanded = once(() => expandedNames(text));
  const read = valueReader(text);
  for (let at = 0; at < text.length; at += 1) {
    if ((classOf(text.charCodeAt(at)) & kinds.assign) === 0) continue;
    const named = namedAt(text, at);
    if (!named) continue;
    at += named.operator.length - 1;
    const value = secretOf({ text, named, read });
    if (!value) continue;
    const kind = /authorization$/i.test(named.name) ? 'header' : kindOf(text, named);
    const slot = kind === 'assignment' && expanded().has(named.name) ? 'free' : 'structural';
    for (const { start, end } of value.pieces) spans.push({ start, end, kind, slot });
    if (isCrowded(text, spans.length)) return wholeText(text);
    at = Math.max(at, value.end - 1);
  }
  return spans;
};
