import { findAssignments, isPattern } from './assignments.ts';
import type { Span } from './span.ts';
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
    pattern: /<[\w.:-]{0,40}(?:password|token|secret|apikey|privatekey|passphrase)>/gi,
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
    if (value.literal !== undefined && !accepts(value.literal)) continue;
    for (const { start, end } of value.pieces) spans.push({ start, end, kind, slot: 'structural' });
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
    let slot: Span['slot'] = 'structural';
    cookiePair.lastIndex = cookieStart.lastIndex;
    for (let pair = cookiePair.exec(text); pair; pair = cookiePair.exec(text)) {
      const { pieces, end } = readValue(text, cookiePair.lastIndex);
      if (!cookieSwitches.test(pair[1] ?? ''))
        for (const piece of pieces) spans.push({ ...piece, kind: 'cookie', slot });
      slot = 'free';
      cookieStart.lastIndex = Math.max(cookieStart.lastIndex, end);
      if (text.charAt(end) !== ';') break;
      cookiePair.lastIndex = end + 1;
    }
  }
  return spans;
};

const chpasswd = /([\w.-]{1,64}:)([^\s"'`$;|&<>()]{1,200})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3})?chpasswd)/g;

const findPasswordLines = (text: string): Span[] =>
  text.includes('chpasswd')
    ? [...text.matchAll(chpasswd)].map(({ index, 0: whole, 1: user = '' }) => {
        return { start: index + user.length, end: index + whole.length, kind: 'field', slot: 'free' };
      })
    : [];

/** Finds the values of credential slots that can be told from the text alone, whatever quoting is around them. */
export const findInSlots = (text: string): Span[] => {
  const lower = text.toLowerCase();
  const hasOperator = text.includes('=') || text.includes(':');
  return [
    ...(hasOperator ? findAssignments(text) : []),
    ...slotPatterns.flatMap((slot) => (lower.includes(slot.hint) ? findPattern(text, slot) : [])),
    ...(hasOperator && lower.includes('cookie') ? findCookies(text) : []),
    ...findPasswordLines(text),
  ];
};
