import { isAlnum, kindOf, kinds, runEnd, toLower } from './characters.ts';
import { compileDetector, type Detector } from './detectors.ts';
import { isCrowded, once, type Span, wholeText } from './span.ts';

interface Entry {
  readonly keyword: string;
  /** The third character of the keyword, in lower case; -1 when it has only two. */
  readonly third: number;
  readonly detector: Detector;
  readonly pattern: () => RegExp;
}

interface Index {
  readonly buckets: readonly (readonly Entry[])[];
  /** The number of a bucket, counted from 1, by the first two characters of its keywords in lower case. */
  readonly bucketOf: Uint16Array;
  /** Keywords that do not start with a letter or digit, or stand inside their token. */
  readonly anywhere: readonly Entry[];
}

const startKey = (first: number, second: number): number => (toLower(first) << 7) | (toLower(second) & 127);

const entryOf = (keyword: string, detector: Detector, pattern: () => RegExp): Entry => ({
  keyword,
  third: keyword.length > 2 ? toLower(keyword.charCodeAt(2)) : -1,
  detector,
  pattern,
});

const buildIndex = (detectors: readonly Detector[]): Index => {
  const buckets: Entry[][] = [];
  const bucketOf = new Uint16Array(0x4000);
  const anywhere: Entry[] = [];
  for (const detector of detectors) {
    const pattern = once(() => compileDetector(detector));
    for (const keyword of detector.keywords) {
      const entry = entryOf(keyword, detector, pattern);
      if (detector.form === 'mark' || !isAlnum(keyword.charCodeAt(0))) {
        anywhere.push(entry);
        continue;
      }
      const key = startKey(keyword.charCodeAt(0), keyword.charCodeAt(1));
      const bucket = buckets[(bucketOf[key] ?? 0) - 1];
      if (bucket) bucket.push(entry);
      else bucketOf[key] = buckets.push([entry]);
    }
  }
  return { buckets, bucketOf, anywhere };
};

// What may stand in one token.
const inToken = kinds.encoded | kinds.plain | kinds.percent;
const shortestBody = 4;

const hasBody = (text: string, start: number): boolean => {
  for (let at = start; at < start + shortestBody; at += 1)
    if ((kindOf(text.charCodeAt(at)) & inToken) === 0) return false;
  return true;
};

const announces = ({ keyword, third, detector }: Entry, text: string, at: number): boolean => {
  if (third >= 0 && toLower(text.charCodeAt(at + 2)) !== third) return false;
  if (detector.form === 'assigned') return text.slice(at, at + keyword.length).toLowerCase() === keyword;
  return text.startsWith(keyword, at) && hasBody(text, at + keyword.length);
};

const secretAt = ({ detector, pattern }: Entry, text: string, at: number): Span | undefined => {
  const from = at - detector.offset;
  if (from < 0) return undefined;
  const expression = pattern();
  expression.lastIndex = from;
  const found = expression.exec(text);
  if (found === null) return undefined;
  // A group is the last part of its pattern.
  const end = expression.lastIndex;
  return { start: end - (found[1] ?? found[0]).length, end, kind: detector.id, slot: 'free' };
};

/** What came of the entries that a word is announced by; `tries` counts those that were looked at in vain. */
interface Looked {
  readonly longest: Span | undefined;
  readonly tries: number;
}

// The longest wins; among equals the first in the table.
const longestAt = (entries: readonly Entry[], text: string, at: number): Looked => {
  let longest: Span | undefined;
  let tries = 0;
  for (const entry of entries) {
    if (!announces(entry, text, at)) continue;
    const found = secretAt(entry, text, at);
    if (!found) tries += 1;
    else if (!longest || found.end - found.start > longest.end - longest.start) longest = found;
  }
  return { longest, tries };
};

// No word announces so many tokens and holds none.
const mostTries = 24;

// The end of a run that is taken for a secret: to look on would take too long.
const unread = (text: string, from: number, at: number): Span => ({
  start: from,
  end: runEnd(text, at, inToken),
  kind: 'unread',
  slot: 'free',
});

const backslash = 92;
const percent = 37;
const dash = 45;

// Where else a word may start in the run of letters and digits at `at`: behind the letter of an escape (`\n`, `%3D`) or
// of an option that is glued to its value (`-p`); `at` itself when nowhere.
const secondStart = (text: string, at: number): number => {
  switch (text.charCodeAt(at - 1)) {
    case backslash:
      return 'nrtbf'.includes(text.charAt(at)) ? at + 1 : at;
    case dash:
      return at === 1 || !isAlnum(text.charCodeAt(at - 2)) ? at + 1 : at;
    case percent:
      return at + 2;
  }
  return at;
};

/** Where looking for words stands. It changes in place. */
interface Search {
  readonly text: string;
  readonly index: Index;
  readonly spans: Span[];
  /** How often it was looked in vain since `run`. */
  tries: number;
  run: number;
}

// Looks at the word at `at`; the end of the secret it is, or `at`.
const lookAt = (search: Search, at: number): number => {
  const { text, index, spans } = search;
  const key = startKey(text.charCodeAt(at), text.charCodeAt(at + 1));
  const bucket = index.buckets[(index.bucketOf[key] ?? 0) - 1];
  if (bucket === undefined) return at;
  const { longest, tries } = longestAt(bucket, text, at);
  search.tries += tries;
  const found = longest ?? (search.tries > mostTries ? unread(text, search.run, at) : undefined);
  if (found === undefined) return at;
  spans.push(found);
  // The name before a value may itself be announced again, but nothing starts inside a secret.
  return found.start <= at ? found.end : at;
};

const findAtWordStarts = (index: Index, text: string): Span[] => {
  const search: Search = { text, index, spans: [], tries: 0, run: 0 };
  for (let at = 0; at < text.length; ) {
    const kind = kindOf(text.charCodeAt(at));
    if ((kind & kinds.alnum) === 0) {
      at += 1;
      if ((kind & inToken) === 0) [search.tries, search.run] = [0, at];
      continue;
    }
    // Where a token ends another may start, so what is behind it is looked at as a word of its own.
    const second = secondStart(text, at);
    let next = lookAt(search, at);
    if (next === at && second > at) next = lookAt(search, second);
    at = next > second ? next : runEnd(text, at, kinds.alnum);
    if (isCrowded(text, search.spans.length)) return wholeText(text);
  }
  return search.spans;
};

const findOne = (entry: Entry, text: string, first: number): Span[] => {
  const spans: Span[] = [];
  const { keyword, detector } = entry;
  let [tries, run, seen] = [0, 0, 0];
  for (let at = first; at >= 0; ) {
    for (; seen < at; seen += 1) if ((kindOf(text.charCodeAt(seen)) & inToken) === 0) [run, tries] = [seen + 1, 0];
    const found = at - run < detector.offset && detector.form === 'mark' ? undefined : secretAt(entry, text, at);
    if (!found) tries += 1;
    const hidden = tries > mostTries ? unread(text, run, at) : undefined;
    if (hidden) tries = 0;
    const span = found ?? hidden;
    if (span) spans.push(span);
    at = text.indexOf(keyword, span ? Math.max(span.end, at + 1) : at + 1);
  }
  return spans;
};

const findAnywhere = (index: Index, text: string): Span[] => {
  const spans: Span[] = [];
  for (const entry of index.anywhere) {
    const first = text.indexOf(entry.keyword);
    if (first >= 0) for (const span of findOne(entry, text, first)) spans.push(span);
  }
  return spans;
};

const findWith = (index: Index, text: string): Span[] => [
  ...findAtWordStarts(index, text),
  ...findAnywhere(index, text),
];

// A process that looks at one command never earns back what the whole index costs to build.
const narrowUses = 8;
const narrowLength = 4096;

const occurring = (detectors: readonly Detector[], text: string): Detector[] => {
  const lower = text.toLowerCase();
  return detectors.filter(({ form, keywords }) => {
    const searched = form === 'assigned' ? lower : text;
    return keywords.some((keyword) => searched.includes(keyword));
  });
};

/** Finds the tokens of a detector table. Nothing is built before the first call. */
export const keywordIndex = (detectors: () => readonly Detector[]): ((text: string) => Span[]) => {
  const table = once(detectors);
  const index = once(() => buildIndex(table()));
  let uses = 0;
  return (text) => {
    uses += 1;
    if (uses > narrowUses || text.length > narrowLength) return findWith(index(), text);
    const found = occurring(table(), text);
    return found.length === 0 ? [] : findWith(buildIndex(found), text);
  };
};
