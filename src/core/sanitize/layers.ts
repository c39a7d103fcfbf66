import { findInBase64, shortestBase64 } from './base64.ts';
import { isAlnum, kinds } from './characters.ts';
import { type Detector, detectorsOf, families } from './detectors.ts';
import { defaultEntropyLimits, type EntropyLimits, entropyFinder } from './entropy.ts';
import { findInJoined } from './joined.ts';
import { keywordIndex } from './keyword-index.ts';
import { findPrivateKeys } from './pem.ts';
import { findInPercent } from './percent.ts';
import { findInSlots, slotHint } from './slots.ts';
import { type Findings, isCrowded, type Span } from './span.ts';
import { type Survey, surveyOf } from './survey.ts';
import { findInDataSources, findInUrls } from './urls.ts';
import { mayCallProgram } from './word-options.ts';
import { findInWords } from './words.ts';

/** Looks for one class of secrets. */
export type Find = (text: string) => Findings;

/** The same, with what is known about the text already. */
export type SurveyedFind = (text: string, survey: Survey) => Findings;

/** A finder that surveys its texts itself. */
export const surveying =
  (find: SurveyedFind): Find =>
  (text) =>
    find(text, surveyOf(text));

const nothing: Findings = { spans: [], regions: [] };

const onlySpans = (spans: readonly Span[]): Findings => (spans.length === 0 ? nothing : { spans, regions: [] });

// Tokens are long and hold digits; most commands have no such word, and then no table is needed.
const mayHoldToken = (text: string, { withDigit, word, encoded }: Survey): boolean => {
  if (withDigit >= 12 || word >= 28 || encoded >= 40 || text.includes('hooks.')) return true;
  return word >= 20 && /[a-z][A-Z]/.test(text);
};

/** Known tokens and private keys, each in one piece. */
export const tokenFinder = (): SurveyedFind => {
  const find = keywordIndex(() => detectorsOf(families));
  return (text, survey) => {
    if (!mayHoldToken(text, survey)) return nothing;
    const spans = find(text);
    const keys = findPrivateKeys(text);
    return onlySpans(keys.length === 0 ? spans : [...spans, ...keys]);
  };
};

/** What `tokens` finds, also where quotes and backslashes split it. */
export const splitFinder = (tokens: SurveyedFind): SurveyedFind => {
  const findInWhole = (joined: string): readonly Span[] => tokens(joined, surveyOf(joined)).spans;
  return (text, survey) => {
    const found = tokens(text, survey);
    if (!survey.isSplit || isCrowded(text, found.spans.length)) return found;
    const joined = findInJoined(text, findInWhole);
    return joined.length === 0 ? found : onlySpans([...found.spans, ...joined]);
  };
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

const mayHoldUrl = (text: string, { seen }: Survey): boolean =>
  (seen & kinds.assign) !== 0 && ((seen & kinds.at) !== 0 || text.includes('jdbc:')) && urlHint.test(text);

const mayHoldSlot = (text: string, { seen, hasHint }: Survey): boolean =>
  (hasHint || ((seen & kinds.query) !== 0 && (seen & kinds.assign) !== 0)) && slotHint.test(text);

// What needs no knowledge of the quoting around it; also used on decoded text, where the quoting means nothing.
const findInText = (text: string, survey: Survey, hasSlot: boolean): Findings => {
  const hasUrl = mayHoldUrl(text, survey);
  if (!hasSlot && !hasUrl && !text.includes('chpasswd')) return nothing;
  const slots = findInSlots(text);
  if (!hasUrl) return onlySpans(slots);
  const urls = findInUrls(text);
  return { spans: [...slots, ...findInDataSources(text), ...urls.spans], regions: urls.regions };
};

const quoting = kinds.quote | kinds.backslash;

// Quoting only matters for values with a blank, for options and for programs with options of their own.
const needsWords = (text: string, { seen, hasOption, hasProgram }: Survey, hasSlot: boolean): boolean => {
  if (hasSlot && (hasOption || ((seen & quoting) !== 0 && (seen & kinds.assign) !== 0))) return true;
  return (hasSlot && text.includes(' set ')) || (hasProgram && mayCallProgram(text));
};

/** Structural credential slots. */
export const findStructural: SurveyedFind = (text, survey) => {
  const hasSlot = mayHoldSlot(text, survey);
  const found = findInText(text, survey, hasSlot);
  if (!needsWords(text, survey, hasSlot) || isCrowded(text, found.spans.length)) return found;
  const inWords = findInWords(text);
  return inWords.length === 0 ? found : { spans: [...found.spans, ...inWords], regions: found.regions };
};

/** Random tokens of unknown kinds. */
export const randomFinder = (limits: EntropyLimits = defaultEntropyLimits): SurveyedFind => {
  const find = entropyFinder(limits);
  return (text, { encoded }) => (encoded < limits.minLength ? nothing : onlySpans(find(text)));
};

/** Base64 and percent-encoding around what `tokens` and the slots find, decoded once. */
export const encodedFinder = (tokens: SurveyedFind): SurveyedFind => {
  const find = (text: string): readonly Span[] => {
    const survey = surveyOf(text);
    const inText = findInText(text, survey, mayHoldSlot(text, survey)).spans;
    return [...tokens(text, survey).spans, ...inText];
  };
  const holdsSecret = (decoded: string): boolean => find(decoded).length > 0;
  return (text, { encoded, seen }) => {
    const base64 = encoded < shortestBase64 ? [] : findInBase64(text, holdsSecret);
    const percent = (seen & kinds.percent) === 0 ? [] : findInPercent(text, find);
    return onlySpans(percent.length === 0 ? base64 : [...base64, ...percent]);
  };
};
