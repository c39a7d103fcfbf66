import { kindOf, kinds } from './characters.ts';
import { type Findings, isCrowded, type Region, type Span, wholeText } from './span.ts';
import { keptUntil } from './values.ts';

const longestAuthority = 2000;

interface Authority {
  readonly start: number;
  /** The first `:`, -1 when there is none. */
  readonly colon: number;
  /** The last `@`. */
  readonly at: number;
}

const urlEnds = kinds.space | kinds.operator | kinds.quote | kinds.backslash;
const dollar = 36;

interface Scan {
  readonly text: string;
  readonly from: number;
  readonly stops: string;
  readonly colon: number;
}

// Walks to the end of the authority, remembering the first colon and the last `@`.
const scanFor = ({ text, from, stops, colon: known }: Scan): { colon: number; at: number; end: number } => {
  let colon = known;
  let found = -1;
  let at = from;
  while (at < text.length && at - from < longestAuthority) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if ((kind & kinds.alnum) !== 0) {
      at += 1;
      continue;
    }
    const kept = keptUntil(text, at);
    if (kept > at) {
      at = kept;
      continue;
    }
    const character = text.charAt(at);
    if ((kind & urlEnds) !== 0 || '{}'.includes(character) || stops.includes(character)) break;
    if (code === dollar && text.startsWith('$(', at)) break;
    if (character === ':' && at > from && text.startsWith('://', at)) break;
    if (character === ':' && colon < 0) colon = at;
    if (character === '@') found = at;
    at += 1;
  }
  return { colon, at: found, end: at };
};

const authorityAt = (text: string, start: number): Authority | undefined => {
  const { colon, at, end } = scanFor({ text, from: start, stops: '/?#', colon: -1 });
  if (at >= 0) return { start, colon: colon < at ? colon : -1, at };
  // A password may hold `/`, `?` or `#` as they are: then what follows the colon is no port.
  const port = colon < 0 ? '' : text.slice(colon + 1, end);
  if (port === '' || /^[\d*]*$|[${]/.test(port) || !'/?#'.includes(text.charAt(end))) return undefined;
  const later = scanFor({ text, from: end, stops: '@', colon });
  const isHost = text.charAt(later.end) === '@' && /^[A-Za-z0-9[]/.test(text.charAt(later.end + 1));
  return isHost ? { start, colon, at: later.end } : undefined;
};

// `docker://image:tag@sha256:…`
const isDigest = (text: string, at: number): boolean => /^sha(?:256|384|512):/.test(text.slice(at + 1, at + 9));

const literalPieces = (text: string, start: number, end: number): Region[] => {
  const pieces: Region[] = [];
  let from = start;
  let at = start;
  while (at < end) {
    const kept = keptUntil(text, at);
    if (kept > at) {
      if (at > from) pieces.push({ start: from, end: at });
      from = kept;
    }
    at = kept > at ? kept : at + 1;
  }
  if (end > from) pieces.push({ start: from, end });
  return pieces;
};

const isTokenLike = (user: string): boolean =>
  user.length >= 20 && /\d/.test(user) && /[a-z]/i.test(user) && /^[\w.~%+=-]+$/.test(user);

const isPublicPassword = (password: string): boolean =>
  /^(?:x-oauth-basic|x-access-token|oauth2?|git|)$/.test(password);

const findingsOf = (text: string, { start, colon, at }: Authority): Findings => {
  const userEnd = colon < 0 ? at : colon;
  const user = text.slice(start, userEnd);
  const spans: Span[] = [];
  const add = (pieces: readonly Region[]): void => {
    for (const piece of pieces) spans.push({ ...piece, kind: 'userinfo', slot: 'structural' });
  };
  if (isTokenLike(user)) add([{ start, end: userEnd }]);
  if (colon >= 0 && !isPublicPassword(text.slice(colon + 1, at))) add(literalPieces(text, colon + 1, at));
  return { spans, regions: [{ start, end: at }] };
};

/** Finds passwords and tokens in front of the host of a URL; scheme, user, host and path stay. */
export const findInUrls = (text: string): Findings => {
  const spans: Span[] = [];
  const regions: Region[] = [];
  for (let mark = text.indexOf('://'); mark >= 0; mark = text.indexOf('://', mark + 3)) {
    const authority = authorityAt(text, mark + 3);
    if (!authority || isDigest(text, authority.at)) continue;
    const found = findingsOf(text, authority);
    spans.push(...found.spans);
    regions.push(...found.regions);
    if (isCrowded(text, spans.length)) return { spans: wholeText(text), regions: [] };
  }
  return { spans, regions };
};

const longestSecret = 200;
// Ends a password that stands in front of an `@`.
const secretEnds = kinds.space | kinds.operator | kinds.quote | kinds.at;

const endsSecret = (code: number): boolean => (kindOf(code) & secretEnds) !== 0 || code === dollar;

// `user:password@tcp(host)`: read backwards from the `@`.
const goPassword = (text: string, at: number): Span | undefined => {
  let start = at;
  while (start > 0 && at - start < longestSecret && !endsSecret(text.charCodeAt(start - 1))) {
    if (text.charAt(start - 1) === '/') return undefined;
    start -= 1;
  }
  const colon = text.indexOf(':', start);
  if (colon <= start || colon + 1 >= at) return undefined;
  return { start: colon + 1, end: at, kind: 'userinfo', slot: 'structural' };
};

const oracleThin = /jdbc:oracle:[a-z]{1,8}:[\w$]{1,64}\//y;

// `jdbc:oracle:thin:user/password@host`
const oraclePassword = (text: string, at: number): Span | undefined => {
  oracleThin.lastIndex = at;
  if (!oracleThin.test(text)) return undefined;
  const start = oracleThin.lastIndex;
  let end = start;
  while (end - start < longestSecret && end < text.length && !endsSecret(text.charCodeAt(end))) end += 1;
  if (text.charAt(end) !== '@' || end === start) return undefined;
  return { start, end, kind: 'userinfo', slot: 'structural' };
};

const dataSources: readonly (readonly [mark: string, find: (text: string, at: number) => Span | undefined])[] = [
  ['@tcp(', goPassword],
  ['@unix(', goPassword],
  ['jdbc:oracle:', oraclePassword],
];

/** Finds passwords in data source names that are no URLs. */
export const findInDataSources = (text: string): Span[] => {
  const spans: Span[] = [];
  for (const [mark, find] of dataSources) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
      const found = find(text, at);
      if (found) spans.push(found);
    }
  }
  return spans;
};
