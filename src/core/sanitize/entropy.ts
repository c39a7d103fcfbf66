import type { Span } from './span.ts';

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

const longestSample = 512;
const isWord = (part: string): boolean => /^[A-Z]?[a-z]{3,20}$/.test(part) && /[aeiouy]/.test(part);

// The share of a text that is made of words between separators.
const wordShare = (text: string): number => {
  const words = text.split(/[-_/+=.]/).filter(isWord);
  return words.reduce((sum, part) => sum + part.length, 0) / text.length;
};

// Text made by people changes between letters, digits and capitals seldom; random text does so all the time.
const isIrregular = (text: string): boolean => {
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g) ?? [];
  const characters = runs.reduce((sum, run) => sum + run.length, 0);
  return runs.length > 0 && (characters / runs.length < 3.4 || runs.some((run) => run.length > 22));
};

const notRandom = /^(?:sha\d{1,3}-|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|\/\/|h1:)/i;
const isPathLike = (text: string): boolean =>
  text.includes('/') && text.split('/').some((part) => /^\.?[a-z][a-z_-]{2,}$/.test(part));

/** Whether a token is random by entropy and by its looks; names, paths, digests and identifiers are not. */
const isRandom = (token: string, { minLength, minEntropy }: EntropyLimits): boolean => {
  const text = token.slice(0, longestSample);
  if (token.length < minLength || notRandom.test(text) || isPathLike(text)) return false;
  return shannonEntropy(text) > minEntropy && isIrregular(text) && wordShare(text) < 0.4;
};

const afterDigestName =
  /(?:sha\d{1,3}|md5|blake\w{1,3}|integrity|checksum|digest|fingerprint|h1|etag|rev|commit|nonce)["']?\s?[:=-]\s?["']?$/i;
const afterOperator = /(?:[=:]|=>)[ \t]?\\{0,2}["']?$/;
const hexSlot =
  /(?:auth|sig|signature|hmac|session|sid|cookie|salt|api|app|access|client|private|cred|key|token|secret)[\w-]{0,20}["']?\s?[:=]\s?["']?$/i;
const hexToken = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i;

const standsAsValue = (before: string, text: string, end: number): boolean => {
  if (afterOperator.test(before)) return true;
  const quote = before.at(-1);
  return (quote === '"' || quote === "'") && text.charAt(end) === quote;
};

const contextLength = 40;

const kindOf = (token: string, before: string, limits: EntropyLimits): string | undefined => {
  if (afterDigestName.test(before)) return undefined;
  if (hexToken.test(token)) return hexSlot.test(before) ? 'hex' : undefined;
  return isRandom(token, limits) ? 'entropy' : undefined;
};

/** Finds random tokens that are assigned to something or stand quoted by themselves. */
export const entropyFinder = (limits: EntropyLimits): ((text: string) => Span[]) => {
  const run = new RegExp(`[A-Za-z0-9+/_-]{${Math.max(1, Math.min(limits.minLength, 200))},}={0,2}`, 'g');
  return (text) => {
    const spans: Span[] = [];
    for (const { index, 0: token } of text.matchAll(run)) {
      const end = index + token.length;
      const before = text.slice(Math.max(0, index - contextLength), index);
      const kind = standsAsValue(before, text, end) ? kindOf(token, before, limits) : undefined;
      if (kind) spans.push({ start: index, end, kind, slot: 'free' });
    }
    return spans;
  };
};
