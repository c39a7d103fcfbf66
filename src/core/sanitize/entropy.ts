import { kindOf, kinds, runEnd } from './characters.ts';
import { isCrowded, once, type Span, wholeText } from './span.ts';

/** When an unknown token counts as random. */
export interface EntropyLimits {
  readonly minLength: number;
  /** Bits per character; a token must have more. */
  readonly minEntropy: number;
}

export const defaultEntropyLimits: EntropyLimits = { minLength: 20, minEntropy: 4.0 };

/** Shannon entropy in bits per character. */
export const shannonEntropy = (text: string): number => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / total) * Math.log2(count / total);
  return Math.abs(bits);
};

// Longer tokens are judged by their start.
const longestSample = 256;

// `log2(n!)`-free form: bits = log2(n) - sum(count * log2(count)) / n, with the products in a table.
const products = once(() =>
  Float64Array.from({ length: longestSample + 1 }, (_, count) => (count === 0 ? 0 : count * Math.log2(count))),
);

/** Shannon entropy of ASCII text of at most `longestSample` characters. */
const asciiEntropy = (text: string): number => {
  const product = products();
  const counts = new Uint16Array(128);
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) & 127;
    const count = counts[code] ?? 0;
    counts[code] = count + 1;
    sum += (product[count + 1] ?? 0) - (product[count] ?? 0);
  }
  return Math.log2(text.length) - sum / text.length;
};

const isVowel = (code: number): boolean => 'aeiouy'.includes(String.fromCharCode(code | 32));

interface Looks {
  /** The average length of what is written in one kind of characters, a capital in front included. */
  readonly average: number;
  readonly longest: number;
  /** The share of what is made of words between separators. */
  readonly words: number;
}

// The end of the run of one kind of letters or digits that starts at `at`: `Abc`, `abc`, `ABC`, `123`.
const partEnd = (text: string, at: number): number => {
  const kind = kindOf(text.charCodeAt(at));
  if ((kind & kinds.digit) !== 0) return runEnd(text, at, kinds.digit);
  const isCapital = (kind & kinds.upper) !== 0;
  if (isCapital && (kindOf(text.charCodeAt(at + 1)) & kinds.lower) === 0) return runEnd(text, at, kinds.upper);
  return runEnd(text, at + 1, kinds.lower);
};

const isSeparated = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || (kindOf(text.charCodeAt(at)) & kinds.alnum) === 0;

const hasVowel = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) if (isVowel(text.charCodeAt(at))) return true;
  return false;
};

const looksOf = (text: string): Looks => {
  let [parts, characters, longest, words] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at));
    if ((kind & kinds.alnum) === 0) {
      at += 1;
      continue;
    }
    const end = partEnd(text, at);
    const length = end - at;
    const isWord = length >= 3 && length <= 21 && (kindOf(text.charCodeAt(end - 1)) & kinds.lower) !== 0;
    if (isWord && isSeparated(text, at - 1) && isSeparated(text, end) && hasVowel(text, at, end)) words += length;
    parts += 1;
    characters += length;
    longest = Math.max(longest, length);
    at = end;
  }
  return { average: parts === 0 ? Number.POSITIVE_INFINITY : characters / parts, longest, words: words / text.length };
};

// Text made by people changes between letters, digits and capitals seldom; random text does so all the time.
const isIrregular = ({ average, longest }: Looks): boolean => average < 3.4 || longest > 22;

const notRandom = /^(?:sha\d{1,3}-|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|\/\/|h1:)/i;
const isPathLike = (text: string): boolean =>
  text.includes('/') && text.split('/').some((part) => /^\.?[a-z][a-z_-]{2,}$/.test(part));

// A short token seldom has the entropy that its alphabet would allow; the change of characters tells more.
const shortTokenBits = 0.5;

/** Whether a token is random by entropy and by its looks; names, paths, digests and identifiers are not. */
const isRandom = (token: string, { minLength, minEntropy }: EntropyLimits): boolean => {
  const text = token.slice(0, longestSample);
  if (token.length < minLength) return false;
  const bits = asciiEntropy(text);
  if (bits <= minEntropy - shortTokenBits || notRandom.test(text) || isPathLike(text)) return false;
  const looks = looksOf(text);
  if (!isIrregular(looks) || looks.words >= 0.4) return false;
  return bits > minEntropy || (looks.average < 2 && /[0-9]/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text));
};

const afterDigestName =
  /(?:sha\d{1,3}|md5|blake\w{1,3}|integrity|checksum|digest|fingerprint|h1|etag|rev|commit|nonce)["']?\s?[:=-]\s?["']?$/i;
const hexSlot =
  /(?:auth|sig|signature|hmac|session|sid|cookie|salt|api|app|access|client|private|cred|key|token|secret)[\w-]{0,20}["']?\s?[:=]\s?["']?$/i;
const hexToken = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i;

const isQuote = (code: number): boolean => code === 34 || code === 39;

// `=`, `:` and `=>` stand in front of a value, with a blank, a quote and its backslashes between.
const standsAsValue = (text: string, start: number, end: number): boolean => {
  let at = start - 1;
  const quote = text.charCodeAt(at);
  if (isQuote(quote) && text.charCodeAt(end) === quote) return true;
  if (isQuote(quote)) at -= 1;
  for (let most = 2; most > 0 && text.charAt(at) === '\\'; most -= 1) at -= 1;
  if (text.charAt(at) === ' ' || text.charAt(at) === '\t') at -= 1;
  const operator = text.charAt(at);
  return operator === '=' || operator === ':' || (operator === '>' && text.charAt(at - 1) === '=');
};

const contextLength = 40;

const tokenKind = (token: string, before: string, limits: EntropyLimits): string | undefined => {
  if (hexToken.test(token)) return hexSlot.test(before) && !afterDigestName.test(before) ? 'hex' : undefined;
  return isRandom(token, limits) && !afterDigestName.test(before) ? 'entropy' : undefined;
};

/** Finds random tokens that are assigned to something or stand quoted by themselves. */
export const entropyFinder = (limits: EntropyLimits): ((text: string) => Span[]) => {
  const shortest = Math.max(1, Math.min(limits.minLength, 200));
  return (text) => {
    const spans: Span[] = [];
    for (let at = 0; at < text.length; at += 1) {
      if ((kindOf(text.charCodeAt(at)) & kinds.encoded) === 0) continue;
      const runStart = at;
      let end = runEnd(text, at, kinds.encoded);
      at = end;
      if (end - runStart < shortest) continue;
      for (let most = 2; most > 0 && text.charAt(end) === '='; most -= 1) end += 1;
      if (!standsAsValue(text, runStart, end)) continue;
      const token = text.slice(runStart, end);
      const kind = tokenKind(token, text.slice(Math.max(0, runStart - contextLength), runStart), limits);
      if (kind) spans.push({ start: runStart, end, kind, slot: 'free' });
      if (isCrowded(text, spans.length)) return wholeText(text);
    }
    return spans;
  };
};
