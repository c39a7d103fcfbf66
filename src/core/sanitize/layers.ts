import { isAlnum, measureRuns } from './characters.ts';
import { type Detector, detectorsOf, families } from './detectors.ts';
import { findInBase64, findInPercent, shortestBase64 } from './encoded.ts';
import { defaultEntropyLimits, type EntropyLimits, entropyFinder } from './entropy.ts';
import { keywordIndex } from './keyword-index.ts';
import { findPrivateKeys } from './pem.ts';
import { findInSlots, slotHint } from './slots.ts';
import type { Findings, Span } from './span.ts';
import { findInDataSources, findInUrls } from './urls.ts';
import { findInWords, mayCallProgram } from './words.ts';

/** Looks for one class of secrets. */
export type Find = (text: string) => Findings;

const nothing: Findings = { spans: [], regions: [] };

const onlySpans = (spans: readonly Span[]): Findings => (spans.length === 0 ? nothing : { spans, regions: [] });

// Tokens are long and hold digits; most commands have no such word, and then no table is needed.
const mayHoldToken = (text: string): boolean => {
  const { withDigit, word, encoded } = measureRuns(text);
  if (withDigit >= 12 || word >= 28 || encoded >= 40 || text.includes('hooks.')) return true;
  return word >= 20 && /[a-z][A-Z]/.test(text);
};

/** Known tokens and private keys. */
export const tokenFinder = (): Find => {
  const find = keywordIndex(() => detectorsOf(families));
  return (text) => (mayHoldToken(text) ? onlySpans([...find(text), ...findPrivateKeys(text)]) : nothing);
};

const trimEnd = (text: string, span: Span): Span => {
  let { end } = span;
  while (end > span.start && !isAlnum(text.charCodeAt(end - 1)) && text.charAt(end - 1) !== '=') end -= 1;
  return { ...span, end };
};

const anyBody = '[A-Za-z0-9_.+/=~-]{4,}';

/** Words that start with one of the prefixes given; a redaction ends where the word does. */
export const prefixFinder = (prefixes: readonly string[]): Find => {
  const keywords = prefixes.filter((prefix) => prefix.length > 1 && !prefix.startsWith('-----BEGIN'));
  const detector: Detector = { id: 'prefix', form: 'token', keywords, body: anyBody, offset: 0 };
  const find = keywordIndex(() => [detector]);
  const findKeys = keywords.length < prefixes.length ? findPrivateKeys : (): Span[] => [];
  return (text) => onlySpans([...find(text).map((span) => trimEnd(text, span)), ...findKeys(text)]);
};

const urlHint = /:\/\/[^\s/]{0,200}[:@]|jdbc:|@(?:tcp|unix)\(/;

// What needs no knowledge of the quoting around it; also used on decoded text, where the quoting means nothing.
const findInText: Find = (text) => {
  const hasSlot = slotHint.test(text);
  const hasUrl = urlHint.test(text);
  if (!hasSlot && !hasUrl && !text.includes('chpasswd')) return nothing;
  const urls = hasUrl ? findInUrls(text) : nothing;
  const spans = [...findInSlots(text), ...(hasUrl ? findInDataSources(text) : [])];
  return { spans: [...spans, ...urls.spans], regions: urls.regions };
};

const credentialOption =
  /(?:^|[\s"'])--?[\w-]{0,40}?(?:pass|pwd|secret|token|key|cred|auth|jwt|bearer|psk|pw)|-(?:pass|pw|auth)/i;

// Quoting only matters for values with a space, for options and for programs with options of their own.
const needsWords = (text: string): boolean => {
  if (mayCallProgram(text)) return true;
  if (!slotHint.test(text)) return false;
  return credentialOption.test(text) || / set\s/.test(text) || (/["'\\]/.test(text) && /[=:]/.test(text));
};

/** Structural credential slots. */
export const findStructural: Find = (text) => {
  const found = findInText(text);
  if (!needsWords(text)) return found;
  return { spans: [...found.spans, ...findInWords(text)], regions: found.regions };
};

/** Random tokens of unknown kinds. */
export const randomFinder = (limits: EntropyLimits = defaultEntropyLimits): Find => {
  const find = entropyFinder(limits);
  return (text) => (measureRuns(text).encoded < limits.minLength ? nothing : onlySpans(find(text)));
};

/** Base64 and percent-encoding around what `tokens` and the slots find, decoded once. */
export const encodedFinder = (tokens: Find): Find => {
  const find = (text: string): readonly Span[] => [...tokens(text).spans, ...findInText(text).spans];
  const holdsSecret = (decoded: string): boolean => find(decoded).length > 0;
  return (text) => {
    const base64 = measureRuns(text).encoded < shortestBase64 ? [] : findInBase64(text, holdsSecret);
    return onlySpans([...base64, ...findInPercent(text, find)]);
  };
};
