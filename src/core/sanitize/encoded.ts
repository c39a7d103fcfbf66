import type { Span } from './span.ts';

const sextetOf = (code: number): number => {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  return code === 47 || code === 95 ? 63 : -1;
};

const isPrintable = (code: number): boolean => (code >= 32 && code < 127) || (code >= 9 && code <= 13);

const sampleLength = 24;

/** The text of base64 or base64url; `undefined` when it does not start like a text. */
const decodeBase64 = (encoded: string): string | undefined => {
  let bits = 0;
  let held = 0;
  let seen = 0;
  let odd = 0;
  const codes: string[] = [];
  for (let at = 0; at < encoded.length; at += 1) {
    const value = sextetOf(encoded.charCodeAt(at));
    if (value < 0) break;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const code = (bits >> held) & 0xff;
    if (!isPrintable(code)) odd += 1;
    seen += 1;
    if (seen === sampleLength && odd > 3) return undefined;
    codes.push(String.fromCharCode(code));
  }
  return odd * 6 > codes.length ? undefined : codes.join('');
};

/** Shorter runs are not decoded. */
export const shortestBase64 = 40;

const base64Run =
  /(?:[A-Za-z0-9+/_-]{40,}(?:\r?\n|\\n)){0,2000}[A-Za-z0-9+/_-]{40,}={0,2}|(?:[A-Za-z0-9+/_-]{40,}(?:\r?\n|\\n)){1,2000}[A-Za-z0-9+/]{2,39}={1,2}/g;

const textOf = (run: string): string => run.replace(/\r?\n|\\n/g, '');

// A name or path may be glued to the front, so every alignment is tried.
const decodings = (run: string): string[] =>
  [0, 1, 2, 3].map((offset) => decodeBase64(run.slice(offset))).filter((text) => text !== undefined);

/** Finds base64 whose text holds a secret; the whole encoded run is the secret. */
export const findInBase64 = (text: string, holdsSecret: (decoded: string) => boolean): Span[] =>
  [...text.matchAll(base64Run)]
    .filter(([run]) => decodings(textOf(run)).some(holdsSecret))
    .map(({ index, 0: run }) => ({ start: index, end: index + run.length, kind: 'base64', slot: 'free' }));

/** A text with its percent-encoding taken away; `origins[i]` is where character `i` started. */
interface Decoded {
  readonly text: string;
  readonly origins: readonly number[];
}

const decodePercent = (text: string): Decoded => {
  const characters: string[] = [];
  const origins: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    origins.push(at);
    const hex = text.charCodeAt(at) === 37 ? text.slice(at + 1, at + 3) : '';
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      characters.push(String.fromCharCode(Number.parseInt(hex, 16)));
      at += 2;
    } else characters.push(text.charAt(at));
  }
  origins.push(text.length);
  return { text: characters.join(''), origins };
};

const percentPair = /%[0-9A-Fa-f]{2}/;

/** Finds secrets behind percent-encoding; the encoded characters of the secret are the span. */
export const findInPercent = (text: string, find: (decoded: string) => readonly Span[]): Span[] => {
  if (!text.includes('%') || !percentPair.test(text)) return [];
  const decoded = decodePercent(text);
  return find(decoded.text).map((span): Span => {
    const start = decoded.origins[span.start] ?? span.start;
    const end = decoded.origins[span.end] ?? text.length;
    return { start, end, kind: span.kind, slot: 'free' };
  });
};
