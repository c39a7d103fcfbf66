import { kindOf, kinds } from './characters.ts';
import { isCrowded, type Span, wholeText } from './span.ts';

const percent = 37;

const digitOf = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
};

/** The character that `%XX` at `at` stands for; -1 when there is none. */
const encodedAt = (text: string, at: number): number => {
  if (text.charCodeAt(at) !== percent) return -1;
  const [high, low] = [digitOf(text.charCodeAt(at + 1)), digitOf(text.charCodeAt(at + 2))];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
};

/** A part of a text with its percent-encoding taken away; `origins[i]` is where character `i` started. */
interface Decoded {
  readonly text: string;
  readonly origins: readonly number[];
}

const decode = (text: string, from: number, to: number): Decoded => {
  const origins: number[] = [];
  let decoded = '';
  let start = from;
  for (let at = from; at < to; at += 1) {
    origins.push(at);
    const code = encodedAt(text, at);
    if (code < 0) continue;
    decoded += text.slice(start, at) + String.fromCharCode(code);
    at += 2;
    start = at + 1;
  }
  origins.push(to);
  return { text: decoded + text.slice(start, to), origins };
};

const ends = kinds.space | kinds.quote;

const nextEncoded = (text: string, from: number): number => {
  let at = text.indexOf('%', from);
  while (at >= 0 && encodedAt(text, at) < 0) at = text.indexOf('%', at + 1);
  return at;
};

/** Finds secrets behind percent-encoding, in the words that have any; the encoded characters of one are the span. */
export const findInPercent = (text: string, find: (decoded: string) => readonly Span[]): Span[] => {
  const spans: Span[] = [];
  for (let first = nextEncoded(text, 0); first >= 0; ) {
    let [from, to] = [first, first];
    while (from > 0 && (kindOf(text.charCodeAt(from - 1)) & ends) === 0) from -= 1;
    while (to < text.length && (kindOf(text.charCodeAt(to)) & ends) === 0) to += 1;
    const { text: decoded, origins } = decode(text, from, to);
    for (const { start, end, kind } of find(decoded))
      spans.push({ start: origins[start] ?? from, end: origins[end] ?? to, kind, slot: 'free' });
    if (isCrowded(text, spans.length)) return wholeText(text);
    first = nextEncoded(text, to);
  }
  return spans;
};
