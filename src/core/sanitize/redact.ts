import { escapeMarkers, type Placeholder, placeholderFor } from './markers.ts';
import type { Findings, Region, Span } from './span.ts';

const isInside = ({ start, end }: Region, outer: Region): boolean => outer.start <= start && end <= outer.end;

const isSame = (one: Region, other: Region): boolean => one.start === other.start && one.end === other.end;

// The kind of a merged span is that of the first layer that found exactly it.
const merge = (cluster: readonly Span[], whole: Region): Span => {
  const exact = cluster.filter((span) => isSame(span, whole));
  const longest = cluster.reduce((best, span) => (span.end - span.start > best.end - best.start ? span : best));
  const isStructural =
    exact.some((span) => span.slot === 'structural') || cluster.every((span) => span.slot === 'structural');
  const doubted = cluster.some((span) => span.slot === 'free' && slotKinds.has(span.kind));
  return { ...whole, kind: (exact[0] ?? longest).kind, slot: isStructural && !doubted ? 'structural' : 'free' };
};

// A slot that reports itself as free has a reason to.
const slotKinds: ReadonlySet<string> = new Set(['assignment', 'option', 'cookie', 'field', 'header']);

/** One list of spans that do not overlap, in order. */
export const mergeFindings = (findings: readonly Findings[]): Span[] => {
  const spans = findings.flatMap((found) => found.spans);
  if (spans.length === 0) return [];
  const regions = findings.flatMap((found) => found.regions);
  // Sorting is stable, so spans that start together stay in the order of their layers.
  const ordered = spans.toSorted((one, other) => one.start - other.start);
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
  return regions.length === 0 ? merged : upgrade(merged, regions);
};

// Spans and regions are both in order, so one pass is enough.
const upgrade = (spans: readonly Span[], regions: readonly Region[]): Span[] => {
  const ordered = regions.toSorted((one, other) => one.start - other.start);
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

// Where offsets of a redacted text were in the text before; inside a redaction, at the edges of its span.
const spanBefore = (spans: readonly Span[], found: Span): Span => {
  let shift = 0;
  let { start, end } = found;
  for (const span of spans) {
    const from = span.start + shift;
    const to = from + placeholderFor(span.kind, 'typed').length;
    if (from >= found.end) break;
    if (found.start >= to) start = found.start - (to - span.end);
    else if (found.start >= from) start = span.start;
    end = found.end >= to ? found.end - (to - span.end) : span.end;
    shift = to - span.end;
  }
  return { ...found, start, end };
};

const mostRounds = 4;

/**
 * Looks again until nothing is found: what was replaced may have been what another secret was known by, and a text
 * that was sanitised must not hold one.
 */
export const findAll = (text: string, find: (text: string) => Span[]): Span[] => {
  let spans = find(text);
  for (let round = 1; round < mostRounds && spans.length > 0; round += 1) {
    const more = find(redact(text, spans, { placeholder: 'typed', markers: 'keep' }));
    if (more.length === 0) break;
    const found = more.map((span) => spanBefore(spans, span));
    spans = mergeFindings([{ spans: [...spans, ...found], regions: [] }]);
  }
  return spans;
};
