import type { Segment, Unit } from './glob-pattern.ts';

/** Counts the comparisons of one match, so that tests can prove that work grows with the length and no faster. */
export interface Effort {
  steps: number;
}

const widthAt = (text: string, index: number): number => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);

const inRanges = (ranges: readonly (readonly [string, string])[], char: string): boolean =>
  ranges.some(([from, to]) => from <= char && char <= to);

/** How many UTF-16 units of `text` the pattern unit takes at `index`; 0 when it does not match. */
const taken = (unit: Unit, text: string, index: number): number => {
  switch (unit.kind) {
    case 'char':
      return text.startsWith(unit.char, index) ? unit.char.length : 0;
    case 'one':
      return widthAt(text, index);
    case 'set': {
      const width = widthAt(text, index);
      return inRanges(unit.ranges, text.slice(index, index + width)) !== unit.negated ? width : 0;
    }
    case 'run':
      return 0;
  }
};

/** Whether `units` match all of `text`. Only the last run is ever retried, so the work is at most |units| × |text|. */
export const matchUnits = (units: readonly Unit[], text: string, effort: Effort): boolean => {
  let at = 0;
  let index = 0;
  let retryAt = -1;
  let retryIndex = 0;
  while (index < text.length) {
    effort.steps += 1;
    const unit = units[at];
    const width = unit === undefined ? 0 : taken(unit, text, index);
    if (unit?.kind === 'run') {
      at += 1;
      retryAt = at;
      retryIndex = index;
    } else if (width > 0) {
      at += 1;
      index += width;
    } else if (retryAt >= 0) {
      at = retryAt;
      retryIndex += 1;
      index = retryIndex;
    } else return false;
  }
  return units.slice(at).every((unit) => unit.kind === 'run');
};

/** Segments between two `**`; the first and the last group are tied to the ends of the path. */
export type Groups = readonly (readonly Segment[])[];

/** Splits a pattern at its `**`. */
export const groupsOf = (segments: readonly Segment[]): Groups => {
  const groups: Segment[][] = [[]];
  for (const segment of segments) {
    if (segment.kind === 'deep') groups.push([]);
    else groups.at(-1)?.push(segment);
  }
  return groups;
};

const matchSegment = (segment: Segment | undefined, text: string | undefined, effort: Effort): boolean => {
  effort.steps += 1;
  if (segment === undefined || text === undefined) return false;
  switch (segment.kind) {
    case 'deep':
      return true;
    case 'literal':
      return segment.text === text;
    case 'wild':
      return matchUnits(segment.units, text, effort);
  }
};

const matchesAt = (group: readonly Segment[], path: readonly string[], from: number, effort: Effort): boolean => {
  for (let index = group.length - 1; index >= 0; index -= 1) {
    if (!matchSegment(group[index], path[from + index], effort)) return false;
  }
  return true;
};

/** Whether the pattern matches all segments of `path`; each group takes its first place, which is enough. */
export const matchGroups = (groups: Groups, path: readonly string[], effort: Effort): boolean => {
  const first = groups[0] ?? [];
  if (groups.length === 1) return path.length === first.length && matchesAt(first, path, 0, effort);
  const last = groups.at(-1) ?? [];
  const end = path.length - last.length;
  if (end < first.length || !matchesAt(last, path, end, effort) || !matchesAt(first, path, 0, effort)) return false;
  let from = first.length;
  for (const group of groups.slice(1, -1)) {
    while (from + group.length <= end && !matchesAt(group, path, from, effort)) from += 1;
    if (from + group.length > end) return false;
    from += group.length;
  }
  return true;
};
