import { isAlnum, startsWord, toLower } from './characters.ts';
import { compileDetector, type Detector } from './detectors.ts';
import { once, type Span } from './span.ts';

interface Entry {
  readonly keyword: string;
  readonly detector: Detector;
  readonly pattern: () => RegExp;
}

interface Index {
  /** By the first two characters, in lower case. */
  readonly byStart: ReadonlyMap<number, readonly Entry[]>;
  /** Keywords that do not start with a letter or digit, or stand inside their token. */
  readonly anywhere: readonly Entry[];
}

const startKey = (first: number, second: number): number => (toLower(first) << 7) | (toLower(second) & 127);

const buildIndex = (detectors: readonly Detector[]): Index => {
  const byStart = new Map<number, Entry[]>();
  const anywhere: Entry[] = [];
  for (const detector of detectors) {
    const pattern = once(() => compileDetector(detector));
    for (const keyword of detector.keywords) {
      const entry = { keyword, detector, pattern };
      const key = startKey(keyword.charCodeAt(0), keyword.charCodeAt(1));
      const bucket = byStart.get(key);
      if (detector.form === 'mark' || !isAlnum(keyword.charCodeAt(0))) anywhere.push(entry);
      else if (bucket) bucket.push(entry);
      else byStart.set(key, [entry]);
    }
  }
  return { byStart, anywhere };
};

const announces = ({ keyword, detector }: Entry, text: string, at: number): boolean =>
  detector.form === 'assigned'
    ? text.slice(at, at + keyword.length).toLowerCase() === keyword
    : text.startsWith(keyword, at);

const secretAt = ({ detector, pattern }: Entry, text: string, at: number): Span | undefined => {
  const from = at - detector.offset;
  if (from < 0) return undefined;
  const expression = pattern();
  expression.lastIndex = from;
  const indices = expression.exec(text)?.indices;
  const found = indices?.[1] ?? indices?.[0];
  return found && { start: found[0], end: found[1], kind: detector.id, slot: 'free' };
};

// The longest wins; among equals the first in the table.
const longestAt = (entries: readonly Entry[], text: string, at: number): Span | undefined => {
  let longest: Span | undefined;
  for (const entry of entries) {
    if (!announces(entry, text, at)) continue;
    const found = secretAt(entry, text, at);
    if (found && (!longest || found.end - found.start > longest.end - longest.start)) longest = found;
  }
  return longest;
};

const findAtWordStarts = (index: Index, text: string): Span[] => {
  const spans: Span[] = [];
  for (let at = 0; at + 1 < text.length; at += 1) {
    const first = text.charCodeAt(at);
    if (!isAlnum(first)) continue;
    const bucket = index.byStart.get(startKey(first, text.charCodeAt(at + 1)));
    if (!bucket || !startsWord(text, at)) continue;
    const found = longestAt(bucket, text, at);
    if (!found) continue;
    spans.push(found);
    // The name before a value may itself be announced again, but nothing starts inside a secret.
    if (found.start <= at) at = found.end - 1;
  }
  return spans;
};

const findAnywhere = (index: Index, text: string): Span[] => {
  const spans: Span[] = [];
  for (const entry of index.anywhere) {
    let at = text.indexOf(entry.keyword);
    while (at >= 0) {
      const found = secretAt(entry, text, at);
      if (found) spans.push(found);
      at = text.indexOf(entry.keyword, found ? Math.max(found.end, at + 1) : at + 1);
    }
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
