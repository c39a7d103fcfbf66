import { kindOf, kinds, runEnd } from './characters.ts';
import type { Span } from './span.ts';

/** Shorter runs are not decoded. */
export const shortestBase64 = 20;

// Fewer decoded characters hold no secret.
const shortestStretch = 12;
const shortestLine = 40;

const sextets = new Uint8Array(128).fill(64);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((character, value) => {
  sextets[character.charCodeAt(0)] = value;
});
sextets[45] = 62;
sextets[95] = 63;

const isText = (code: number): boolean => (code >= 32 && code < 127) || (code >= 9 && code <= 13);

/** A run of base64, without its line breaks; `origins[i]` is where character `i` stands, if it had any. */
interface Run {
  readonly start: number;
  readonly body: string;
  readonly origins: readonly number[] | undefined;
}

const placeOf = ({ start, origins }: Run, index: number): number => origins?.[index] ?? start + index;

const lineBreak = /\r?\n|\\n/y;
// A short last line has padding or does not look like a word.
const lastLine = /[A-Za-z0-9+/]{2,39}={1,2}|(?=[a-z/]{0,39}[A-Z0-9+])[A-Za-z0-9+/]{2,39}(?![A-Za-z0-9+/_.=-])/y;

const matchEnd = (expression: RegExp, text: string, at: number): number => {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
};

// Where the line behind a break ends; `at` when it does not belong to the run.
const nextLineEnd = (text: string, at: number): number => {
  const end = runEnd(text, at, kinds.encoded);
  return end - at >= shortestLine ? end : matchEnd(lastLine, text, at);
};

const runFrom = (text: string, start: number, firstEnd: number): { run: Run; end: number } => {
  let end = firstEnd;
  let body = '';
  let origins: number[] | undefined;
  for (let lineStart = start, lineEnd = firstEnd; ; ) {
    if (lineEnd - lineStart < shortestLine) break;
    const next = matchEnd(lineBreak, text, lineEnd);
    const nextEnd = next > lineEnd ? nextLineEnd(text, next) : next;
    if (nextEnd === next) break;
    if (!origins) {
      body = text.slice(start, firstEnd);
      origins = Array.from(body, (_, index) => start + index);
    }
    for (let at = next; at < nextEnd; at += 1) origins.push(at);
    body += text.slice(next, nextEnd);
    [lineStart, lineEnd, end] = [next, nextEnd, nextEnd];
  }
  return { run: { start, body: origins ? body : text.slice(start, firstEnd), origins }, end };
};

/** Characters of a run that decode to a text: `shift` is the bit at which its first byte starts. */
interface Stretch {
  readonly from: number;
  readonly bytes: number;
  readonly shift: number;
}

// A byte may start at three bits of a character; which of them depends on where the encoded text starts, and that may
// be anywhere, since a name or a path can be glued to its front. So all four alignments are followed at once.
const stretchesOf = (body: string): Stretch[] => {
  const stretches: Stretch[] = [];
  const lengths = [0, 0, 0, 0];
  const starts = [0, 0, 0, 0];
  const shifts = [0, 0, 0, 0];
  const close = (lane: number): void => {
    const bytes = lengths[lane] ?? 0;
    if (bytes >= shortestStretch) stretches.push({ from: starts[lane] ?? 0, bytes, shift: shifts[lane] ?? 0 });
    lengths[lane] = 0;
  };
  let value = sextets[body.charCodeAt(0)] ?? 64;
  for (let at = 0; at + 1 < body.length; at += 1) {
    const next = sextets[body.charCodeAt(at + 1)] ?? 64;
    const two = (value << 6) | next;
    for (let part = 0; part < 3; part += 1) {
      const lane = (at - part) & 3;
      const code = (two >> (4 - 2 * part)) & 0xff;
      const length = lengths[lane] ?? 0;
      // Text of two bytes a character has a zero behind each.
      if (next > 63 || !(isText(code) || (code === 0 && length > 0))) {
        if (length > 0) close(lane);
        continue;
      }
      if (length === 0) [starts[lane], shifts[lane]] = [at, 2 * part];
      lengths[lane] = length + 1;
    }
    value = next;
  }
  for (let lane = 0; lane < 4; lane += 1) close(lane);
  return stretches;
};

const decode = (body: string, { from, bytes, shift }: Stretch): string => {
  let decoded = '';
  let held = 6 - shift;
  let bits = (sextets[body.charCodeAt(from)] ?? 0) & ((1 << held) - 1);
  let at = from;
  for (let count = 0; count < bytes; count += 1) {
    while (held < 8) {
      at += 1;
      bits = (bits << 6) | (sextets[body.charCodeAt(at)] ?? 0);
      held += 6;
    }
    held -= 8;
    const code = (bits >> held) & 0xff;
    bits &= (1 << held) - 1;
    if (code !== 0) decoded += String.fromCharCode(code);
  }
  return decoded;
};

const spanOf = (run: Run, { from, bytes, shift }: Stretch, kind: string): Span => {
  const last = from + Math.ceil((shift + bytes * 8) / 6) - 1;
  const start = placeOf(run, from);
  return { start, end: placeOf(run, Math.min(last, run.body.length - 1)) + 1, kind, slot: 'free' };
};

const withPadding = (text: string, span: Span): Span => {
  let { end } = span;
  while (end - span.end < 2 && text.charAt(end) === '=') end += 1;
  return { ...span, end };
};

/**
 * Finds base64 whose text holds a secret; all of that text is the secret. What cannot be looked at, because too much
 * of it decodes in several ways, is taken for one.
 */
export const findInBase64 = (text: string, holdsSecret: (decoded: string) => boolean): Span[] => {
  const spans: Span[] = [];
  let budget = text.length + 256;
  for (let at = 0; at < text.length; at += 1) {
    if ((kindOf(text.charCodeAt(at)) & kinds.encoded) === 0) continue;
    const firstEnd = runEnd(text, at, kinds.encoded);
    if (firstEnd - at >= shortestBase64) {
      const { run, end } = runFrom(text, at, firstEnd);
      for (const stretch of stretchesOf(run.body)) {
        budget -= stretch.bytes;
        const kind = budget < 0 ? 'unread' : 'base64';
        if (budget < 0 || holdsSecret(decode(run.body, stretch)))
          spans.push(withPadding(text, spanOf(run, stretch, kind)));
      }
      at = end;
    } else at = firstEnd;
  }
  return spans;
};
