import { findAssignments, isPattern } from './assignments.ts';
import { kindOf, kinds } from './characters.ts';
import { isCrowded, type Span, wholeText } from './span.ts';
import { isHarmlessValue, readValue } from './values.ts';

/** Quick test: without one of these no slot but a URL can be in a text. */
export const slotHint =
  /pass(?!es?\b|ing)|pwd|secret|token|key|cred|auth|jwt|bearer|psk|_otp|_pat|[?&;](?:x-\w+-)?(?:sig|sid|hmac|session|code|access)|verifier|_pw|cookie|identified/i;

interface SlotPattern {
  readonly kind: string;
  /** Lower case; the pattern is only tried when the text holds it. */
  readonly hint: string;
  /** Ends where the value starts. */
  readonly pattern: RegExp;
  readonly isSecret: (literal: string) => boolean;
}

const isAny = (literal: string): boolean => !isHarmlessValue(literal);
const isOpaque = (literal: string): boolean =>
  literal.length >= 8 && !isPattern(literal) && (/\d/.test(literal) || literal.length >= 20);

/** Places that are known by what stands in front of them. */
const slotPatterns: readonly SlotPattern[] = [
  { kind: 'header', hint: 'bearer', pattern: /\bbearer(?:\\?[ \t]){1,3}/gi, isSecret: isOpaque },
  { kind: 'field', hint: 'login', pattern: /\blogin[ \t]{1,4}\S{1,100}\s{1,4}password[ \t]{1,4}/gi, isSecret: isAny },
  {
    kind: 'field',
    hint: " '",
    pattern: /(?<![\w-])(?:identified[ \t]{1,4}by|password)[ \t]{1,4}(?=')/gi,
    isSecret: isAny,
  },
  {
    kind: 'field',
    hint: '</',
    pattern: /<(?!SECRET:|LITERAL:)[\w.:-]{0,40}(?:password|token|secret|apikey|privatekey|passphrase)>/gi,
    isSecret: isAny,
  },
  {
    kind: 'option',
    hint: '--',
    pattern: /["']--?[\w-]{0,40}(?:password|token|secret|api-?key|passwd)["'],[ \t]{0,3}/gi,
    isSecret: isAny,
  },
];

const findPattern = (text: string, { kind, pattern, isSecret: accepts }: SlotPattern): Span[] => {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const value = readValue(text, pattern.lastIndex);
    // What is expanded says nothing about the rest.
    if (!value.pieces.some(({ start, end }) => accepts(text.slice(start, end)))) continue;
    for (const { start, end } of value.pieces) spans.push({ start, end, kind, slot: 'structural' });
    if (isCrowded(text, spans.length)) return wholeText(text);
  }
  return spans;
};

const cookieStart = /\b(?:set-)?cookie\\{0,3}["']?[ \t]{0,3}:[ \t]{0,3}(?:\\{0,3}["'])?/gi;
const cookiePair = /[ \t]{0,2}([\w.!%*+~-]{1,100})=/y;
const cookieSwitches = /^(?:path|domain|expires|max-age|samesite|secure|httponly)$/i;

// Only the first value is certain to belong to the header: after `;` a command may follow.
const findCookies = (text: string): Span[] => {
  const spans: Span[] = [];
  cookieStart.lastIndex = 0;
  while (cookieStart.exec(text)) {
    if (isCrowded(text, spans.length)) return wholeText(text);
    let slot: Span['slot'] = 'structural';
    cookiePair.lastIndex = cookieStart.lastIndex;
    for (let pair = cookiePair.exec(text); pair; pair = cookiePair.exec(text)) {
      const { pieces, end } = readValue(text, cookiePair.lastIndex);
      if (!cookieSwitches.test(pair[1] ?? ''))
        for (const { start, end: pieceEnd } of pieces) spans.push({ start, end: pieceEnd, kind: 'cookie', slot });
      slot = 'free';
      cookieStart.lastIndex = Math.max(cookieStart.lastIndex, end);
      if (text.charAt(end) !== ';') break;
      cookiePair.lastIndex = end + 1;
    }
  }
  return spans;
};

const longestPassword = 200;
// Ends a `user:password` that is given to `chpasswd`.
const passwordEnds = kinds.space | kinds.quote | kinds.operator;

// `echo "user:password" | sudo chpasswd`: read backwards from the program.
const passwordBefore = (text: string, program: number): Span | undefined => {
  const pipe = /["']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3})?$/.exec(text.slice(Math.max(0, program - 20), program));
  if (!pipe) return undefined;
  const end = program - pipe[0].length;
  let start = end;
  while (start > 0 && end - start < longestPassword && (kindOf(text.charCodeAt(start - 1)) & passwordEnds) === 0)
    start -= 1;
  const colon = text.indexOf(':', start);
  if (colon <= start || colon + 1 >= end || text.charAt(colon + 1) === '$') return undefined;
  return { start: colon + 1, end, kind: 'field', slot: 'free' };
};

const findPasswordLines = (text: string): Span[] => {
  const spans: Span[] = [];
  for (let at = text.indexOf('chpasswd'); at >= 0; at = text.indexOf('chpasswd', at + 8)) {
    const found = passwordBefore(text, at);
    if (found) spans.push(found);
  }
  return spans;
};

const addSpans = (to: Span[], spans: readonly Span[]): void => {
  for (const span of spans) to.push(span);
};

/** Finds the values of credential slots that can be told from the text alone, whatever quoting is around them. */
export const findInSlots = (text: string): Span[] => {
  const lower = text.toLowerCase();
  const hasOperator = text.includes('=') || text.includes(':');
  const spans = hasOperator ? findAssignments(text) : [];
  for (const slot of slotPatterns) if (lower.includes(slot.hint)) addSpans(spans, findPattern(text, slot));
  if (hasOperator && lower.includes('cookie')) addSpans(spans, findCookies(text));
  if (lower.includes('chpasswd')) addSpans(spans, findPasswordLines(text));
  return spans;
};
