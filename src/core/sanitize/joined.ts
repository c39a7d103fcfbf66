import { kindOf, kinds } from './characters.ts';
import type { Span } from './span.ts';

// No shorter word holds a token.
const shortestToken = 12;

/** Words without what they are split by, one a line; `origins[i]` is where character `i` stands. */
interface Joined {
  text: string;
  readonly origins: number[];
}

// A quote with a sign that joins two literals, a quote, a backslash, a line that goes on.
const joint = /["']\s{0,3}[+.]\s{0,3}["']|\\\r?\n|["'`\\]/y;

const inToken = kinds.plain | kinds.encoded;

// The end of the joints at `at`, and whether a word goes on behind them.
const jointEnd = (text: string, at: number): number => {
  let end = at;
  for (let most = 8; most > 0; most -= 1) {
    joint.lastIndex = end;
    if (!joint.test(text)) break;
    end = joint.lastIndex;
  }
  return (kindOf(text.charCodeAt(end)) & inToken) !== 0 ? end : at;
};

// Reads the word at `start`; adds it when it is split and long enough.
const readJoined = (text: string, start: number, joined: Joined): number => {
  let word = '';
  let from = start;
  let at = start;
  const before = joined.origins.length;
  const take = (to: number): void => {
    word += text.slice(from, to);
    for (let index = from; index < to; index += 1) joined.origins.push(index);
  };
  while (at < text.length) {
    if ((kindOf(text.charCodeAt(at)) & inToken) !== 0) {
      at += 1;
      continue;
    }
    const next = jointEnd(text, at);
    if (next === at) break;
    take(at);
    from = next;
    at = next;
  }
  if (word === '' || word.length + at - from < shortestToken) {
    joined.origins.length = before;
    return at;
  }
  take(at);
  joined.text += `${word}\n`;
  joined.origins.push(at);
  return at;
};

// The parts of a span between what splits it; nothing when it is not split.
const partsOf = ({ origins }: Joined, { start, end, kind }: Span): Span[] => {
  const parts: Span[] = [];
  let from = start;
  for (let at = start + 1; at <= end; at += 1) {
    if (at < end && origins[at] === (origins[at - 1] ?? 0) + 1) continue;
    parts.push({ start: origins[from] ?? 0, end: (origins[at - 1] ?? 0) + 1, kind, slot: 'free' });
    from = at;
  }
  return parts.length > 1 ? parts : [];
};

/** Finds secrets that quotes, backslashes or line ends split: `"ghp_""abc"`, `gh\p_abc`. The signs themselves stay. */
export const findInJoined = (text: string, find: (joined: string) => readonly Span[]): Span[] => {
  const joined: Joined = { text: '', origins: [] };
  for (let at = 0; at < text.length; at += 1)
    if ((kindOf(text.charCodeAt(at)) & inToken) !== 0) at = readJoined(text, at, joined);
  if (joined.text === '') return [];
  const spans: Span[] = [];
  for (const span of find(joined.text)) for (const part of partsOf(joined, span)) spans.push(part);
  return spans;
};
