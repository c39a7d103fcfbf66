/** `code`: a programming language, where a secret is a text in quotes. `data`: everything else. */
export type Language = 'code' | 'data';

/** A finding with the line around it. */
export interface Found {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const codeFile =
  /\.(?:[cm]?[jt]sx?|py[iwx]?|java|kts?|scala|groovy|go|rs|rb|php|cs|fsx?|vb|swift|mm?|c|h|cc|cpp|cxx|hpp|hh|lua|dart|ex|exs|erl|clj[cs]?|hs|ml|vue|svelte|astro|sol|r|jl|zig|nim|proto|graphql)$/i;

/** What a file's name says about its text. */
export const languageOf = (path: string): Language => (codeFile.test(path) ? 'code' : 'data');

/** Kinds that are known by the place only: what stands there may be code, an example or a word. */
const placeKinds = new Set([
  'assignment',
  'field',
  'option',
  'header',
  'parameter',
  'cookie',
  'userinfo',
  'entropy',
  'hex',
]);

/** Whether a kind is known by what the secret looks like. */
export const isKnown = (kind: string): boolean => !placeKinds.has(kind);

/** In a URL the place alone is evidence, also outside quotes. */
const urlKinds = new Set(['userinfo', 'parameter']);

const shortest = 6;
/** A longer random text is an embedded file. */
const longestRandom = 512;
const longestWord = 20;

/**
 * Whether what was found is likely to be a secret and not code, an example or prose. Known tokens and private keys always
 * are. Meant for files of every kind; hookwise's own rules hold no code, so there everything counts.
 */
export const isPlausible = (found: Found, language: Language): boolean => {
  const { kind, text, start, end } = found;
  if (isKnown(kind)) return true;
  const value = text.slice(start, end);
  if (value.length < shortest || isExample(value)) return false;
  if (!/["'`]/.test(text.charAt(start - 1)) && !urlKinds.has(kind)) {
    if (isExpression(value, text.charAt(end)) || (language === 'code' && !isInQuotes(text, start))) return false;
  }
  if (kind === 'entropy' || kind === 'hex') return isRandomValue(found, value);
  return isLikelyValue(value, text.slice(Math.max(0, start - 48), start));
};

const example =
  /^(?:your|my|the|some|an?|this|insert|enter|replace)[-_ ]|example|placeholder|change[-_]?(?:me|it)|dummy|redacted|sample|todo|xxxx|^<.*>$|^\{\{|^%[\w(]|^\[[A-Z_ ]+\]$/i;

const isExample = (value: string): boolean => example.test(value) || /^(.)\1+$/.test(value);

/** A call, an index, a type, a dotted name, a number as a machine writes it. */
const isExpression = (value: string, next: string): boolean =>
  '([<{'.includes(next === '' ? ' ' : next) ||
  /[([{]/.test(value) ||
  /^[A-Za-z_$][A-Za-z_$]*(?:\??\.[A-Za-z_$]+)+$/.test(value) ||
  /^0[xb][0-9a-f]{1,16}$/i.test(value);

const isInQuotes = (text: string, at: number): boolean => {
  let quote = '';
  for (let index = Math.max(0, at - 4096); index < at; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') index += 1;
    else if (quote === '') quote = `"'\``.includes(character) ? character : '';
    else if (character === quote) quote = '';
  }
  return quote !== '';
};

const isRandomValue = ({ text, end }: Found, value: string): boolean =>
  value.length <= longestRandom && !isAlphabet(value) && !/^["'`]\s*:/.test(text.slice(end, end + 4));

/** Letters in their order: a table of characters. */
const isAlphabet = (value: string): boolean => {
  let steps = 0;
  for (let at = 1; at < value.length; at += 1) if (value.charCodeAt(at) === value.charCodeAt(at - 1) + 1) steps += 1;
  return steps * 2 > value.length;
};

const namesPassword = /pass|pwd|secret|psk/i;

/** `before` is what stands in front of the value on its line. */
const isLikelyValue = (value: string, before: string): boolean => {
  if (/[^\x20-\x7e]/.test(value)) return false;
  if (/\s/.test(value)) return /\d/.test(value) && namesPassword.test(before);
  if (/^[\d.]+$/.test(value)) return !value.includes('.') && namesPassword.test(before);
  if (/\d/.test(value)) return true;
  if (before.toLowerCase().includes(value.toLowerCase())) return false;
  return namesPassword.test(before) ? !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(value) : isNoName(value);
};

/** Words put together have runs of letters; random text changes all the time. */
const isNoName = (value: string): boolean =>
  value.length >= longestWord && value.length / (value.match(/[A-Z]?[a-z]+|[A-Z]+/g)?.length ?? 1) < 3;
