import type { Span } from '../../core/sanitize/span.ts';

/** Says where the secrets of a text are. */
export type Inspect = (text: string) => readonly Span[];

/** In UTF-16 code units. `overlap` is even and less than `length`. */
export interface WindowSize {
  readonly length: number;
  readonly overlap: number;
}

/** Half of the overlap is more than the longest stretch any detector looks back or ahead (2000, in a URL). */
export const usualWindow: WindowSize = { length: 32_768, overlap: 8192 };

/**
 * Looks at a text of any length in time linear in it. Each stretch is judged in a window in which half an overlap of
 * text stands before and behind it, so that a cut neither hides a secret nor makes one.
 */
export const inWindows =
  (inspect: Inspect, { length, overlap }: WindowSize = usualWindow): Inspect =>
  (text) => {
    if (text.length <= length) return inspect(text);
    const found: Span[] = [];
    for (let from = 0; ; from += length - overlap) {
      const to = Math.min(from + length, text.length);
      const isLast = to === text.length;
      const first = from === 0 ? 0 : from + overlap / 2;
      const end = isLast ? to : to - overlap / 2;
      for (const span of inspect(text.slice(from, to))) {
        const moved = { ...span, start: span.start + from, end: span.end + from };
        if (moved.end > first && moved.start < end) found.push(moved);
      }
      if (isLast) return joined(found);
    }
  };

/** What two windows saw of one secret becomes one span; its kind is that of the longer part. */
const joined = (spans: readonly Span[]): Span[] => {
  const merged: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else {
      const { kind, slot } = span.end - span.start > last.end - last.start ? span : last;
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind, slot };
    }
  }
  return merged;
};
