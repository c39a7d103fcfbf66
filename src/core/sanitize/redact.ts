import { kindOf, kinds, runStart } from './characters.ts';
import { escapeMarkers, type Placeholder, placeholderFor } from './markers.ts';
import { type Findings, isCrowded, type Region, type Span, wholeText } from './span.ts';
import { mayStartProgram } from './survey.ts';

const isInside = ({ start, end }: Region, outer: Region): boolean => outer.start <= start && end <= outer.end;

const isSame = (one: Region, other: Region): boolean => one.start === other.start && one.end === other.end;

// The kind of a merged span is that of the first layer that found exactly it, else of the longest.
const merge = (cluster: readonly Span[], whole: Region): Span => {
  let exact: Span | undefined;
  let longest: Span | undefined;
  let [isExactSlot, isSlot, isDoubted] = [false, true, false];
  for (const span of cluster) {
    if (isSame(span, whole)) {
      exact ??= span;
      isExactSlot ||= span.slot === 'structural';
    }
    if (longest === undefined || span.end - span.start > longest.end - longest.start) longest = span;
    if (span.slot === 'free') {
      isSlot = false;
      isDoubted ||= slotKinds.has(span.kind);
    }
  }
  const isStructural = (isExactSlot || isSlot) && !isDoubted;
  return { ...whole, kind: (exact ?? longest)?.kind ?? 'unread', slot: isStructural ? 'structural' : 'free' };
};

// A slot that reports itself as free has a reason to.
const slotKinds: ReadonlySet<string> = new Set(['assignment', 'option', 'cookie', 'field', 'header']);

const byStart = (one: Region, other: Region): number => one.start - other.start;

/** One list of spans that do not overlap, in order. */
export const mergeFindings = (findings: readonly Findings[]): Span[] => {
  if (findings.length === 0) return [];
  // Sorting is stable, so spans that start together stay in the order of their layers.
  const ordered = findings.flatMap(({ spans }) => spans).sort(byStart);
  const merged: Span[] = [];
  let cluster: Span[] = [];
  let end = -1;
  const finish = (): void => {
    const [first] = cluster;
    if (first) merged.push(cluster.length === 1 ? first : merge(cluster, { start: first.start, end }));
  };
  for (const span of ordered) {
    if (span.start >= end) {
      finish();
      cluster = [];
    }
    cluster.push(span);
    end = Math.max(end, span.end);
  }
  finish();
  const regions = findings.flatMap((each) => each.regions);
  return regions.length === 0 ? merged : upgrade(merged, regions);
};

// Spans and regions are both in order, so one pass is enough.
const upgrade = (spans: readonly Span[], regions: readonly Region[]): Span[] => {
  const ordered = regions.toSorted(byStart);
  let next = 0;
  return spans.map((span) => {
    while ((ordered[next]?.end ?? Number.POSITIVE_INFINITY) < span.end) next += 1;
    const region = ordered[next];
    return region && isInside(span, region) ? { ...span, slot: 'structural' } : span;
  });
};

/** How a redacted text is written. */
export interface Writing {
  readonly placeholder: Placeholder;
  /** `keep` is for text that has been sanitised before: its redactions stay as they are. */
  readonly markers: 'escape' | 'keep';
}

/** Writes a text with its spans replaced. Text that looks like a redaction and is none is escaped. */
export const redact = (text: string, spans: readonly Span[], { placeholder, markers }: Writing): string => {
  const literal = markers === 'escape' ? escapeMarkers : (part: string): string => part;
  let written = '';
  let at = 0;
  for (const { start, end, kind } of spans) {
    written += literal(text.slice(at, start)) + placeholderFor(kind, placeholder);
    at = end;
  }
  return written + literal(text.slice(at));
};

// The redaction that stands in a text which is looked at again; the shortest there is.
const blank = placeholderFor('', 'plain');

// Where spans of a redacted text are in the text before; inside a redaction, at the edges of its span. Both lists are
// in order and without overlap.
const spansBefore = (spans: readonly Span[], found: readonly Span[]): Span[] => {
  let [next, shift] = [0, 0];
  // The place before of an offset; what came earlier was passed already.
  const placeOf = (offset: number, isEnd: boolean): number => {
    for (let span = spans[next]; span; span = spans[next]) {
      const from = span.start + shift;
      const to = from + blank.length;
      if (isEnd ? offset <= from : offset < from) break;
      if (offset < to) return isEnd ? span.end : span.start;
      next += 1;
      shift = to - span.end;
      if (offset === to && isEnd) return span.end;
    }
    return offset - shift;
  };
  return found.map((span) => ({ ...span, start: placeOf(span.start, false), end: placeOf(span.end, true) }));
};

const equals = 61;

// Whether the loss of a secret changes nothing around it, going by what stands in it.
const isSimple = (text: string, { start, end }: Region): boolean => {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if ((kindOf(code) & kinds.plain) === 0 && code !== equals) return false;
  }
  return !mayStartProgram(text, start);
};

const isBlankOrEnd = (text: string, at: number): boolean =>
  at < 0 || at >= text.length || (kindOf(text.charCodeAt(at)) & (kinds.space | kinds.operator)) !== 0;

const isQuote = (text: string, at: number): boolean => (kindOf(text.charCodeAt(at)) & kinds.quote) !== 0;

// A quote delimits when no word goes on behind it.
const endsBefore = (text: string, at: number): boolean =>
  isBlankOrEnd(text, at) || (isQuote(text, at) && (isBlankOrEnd(text, at + 1) || ',}]'.includes(text.charAt(at + 1))));

const startsAfter = (text: string, at: number): boolean =>
  isBlankOrEnd(text, at) ||
  (isQuote(text, at) && (isBlankOrEnd(text, at - 1) || '=:,[{'.includes(text.charAt(at - 1))));

// Whether a secret is a word, or all that stands behind `name=` or `name:` in one: without it the words are the same.
const isIsolated = (text: string, span: Span): boolean => {
  if (!endsBefore(text, span.end) || !isSimple(text, span)) return false;
  let { start } = span;
  if ((kindOf(text.charCodeAt(start - 1)) & kinds.assign) !== 0)
    start = runStart(text, start - 1, { kind: kinds.plain, most: 100 });
  return startsAfter(text, start - 1);
};

// A text that is decoded, or holds redactions already, is looked at again in any case.
const isSettled = (text: string, spans: readonly Span[]): boolean =>
  !/[%<\\]/.test(text) && spans.every((span) => isIsolated(text, span));

/** How many characters are looked at, all rounds together, before a text counts as lossy instead. */
const mostCharacters = 12_288;

/**
 * Looks again until nothing is found: what was replaced may have been what another secret was known by, and a text
 * that was sanitised must not hold one. Where that does not end soon, all of the text is taken for a secret; a long
 * text is looked at once and counts as lossy.
 */
export const findAll = (text: string, find: (text: string) => Span[]): readonly Span[] => {
  let spans = find(text);
  for (let round = 2; spans.length > 0 && !isSettled(text, spans); round += 1) {
    if (round > mostRounds || isCrowded(text, spans.length)) return wholeText(text);
    if (round * text.length > mostCharacters)
      return round > 2 ? wholeText(text) : spans.map((span) => ({ ...span, slot: 'free' }));
    const more = find(redact(text, spans, { placeholder: 'plain', markers: 'keep' }));
    if (more.length === 0) break;
    spans = mergeFindings([{ spans: [...spans, ...spansBefore(spans, more)], regions: [] }]);
  }
  return spans;
};

const mostRounds = 4;
