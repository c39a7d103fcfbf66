import { errors, type HookwiseError } from '../model/errors.ts';
import type { GlobRule } from '../model/policy.ts';
import { type Effort, type Groups, groupsOf, matchGroups, matchUnits } from './glob-match.ts';
import { type Alternative, readGlob, type Segment, type Unit } from './glob-pattern.ts';
import { comparable } from './normalise.ts';

export { escapeGlob } from './glob-pattern.ts';

/** A path as globs see it: absolute and normal, and relative to the project root where it lies inside. */
export interface GlobPath {
  readonly absolute: string;
  readonly relative?: string | undefined;
}

export interface GlobOptions {
  /**
   * What a match leads to. A name without wildcard and slash means the root only in an allow list and any depth in a
   * restriction; `dir/**` takes in `dir` itself only in a restriction.
   */
  readonly list: 'allow' | 'restrict';
  /** Directories that `~/` stands for. */
  readonly homes: readonly string[];
  /** `globset`: `*` and `?` also match slashes, and every pattern is tied to the root. */
  readonly mode: 'segment' | 'globset';
  /** Whether `A` and `a` are the same: always for protection, and where the file system ignores case. */
  readonly foldCase: boolean;
  /** Receives the number of comparisons. */
  readonly effort?: Effort;
  /** Splits and folds a path; several lists that are asked about the same path share one (`pathReader`). */
  readonly reader?: PathReader;
}

/** A list of globs, ready to be asked. */
export interface GlobMatcher {
  /** The first rule of the list that matches. */
  readonly match: (path: GlobPath) => GlobRule | undefined;
  readonly matchAll: (path: GlobPath) => readonly GlobRule[];
  /** The first root-anchored rule that would match if a subdirectory were the root (`packages/a/tests/x` for `tests/**`). */
  readonly matchesNested: (path: GlobPath) => GlobRule | undefined;
  /** The first rule about something strictly below this directory, as far as its fixed part tells (`~/.ssh/**` for `~`). */
  readonly anchoredBelow: (path: GlobPath) => GlobRule | undefined;
}

/** Why `glob` cannot be used, if so. */
export const globProblem = (glob: string): HookwiseError | undefined => {
  const read = readGlob(glob);
  return read.ok ? undefined : errors.globPattern(glob, read.error);
};

type Shape =
  | { readonly kind: 'segments'; readonly groups: Groups; readonly nested: Groups | undefined }
  | { readonly kind: 'flat'; readonly variants: readonly (readonly Unit[])[] };

interface Pattern {
  readonly rule: GlobRule;
  readonly order: number;
  readonly of: 'relative' | 'absolute';
  /** Literal segments before the first wildcard. */
  readonly fixed: readonly string[];
  readonly shape: Shape;
}

const deep: Segment = { kind: 'deep' };
const anyName: Segment = { kind: 'wild', units: [{ kind: 'one' }, { kind: 'run' }] };
const slash: Unit = { kind: 'char', char: '/' };

const splitPath = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const charsOf = (text: string): Unit[] => [...text].map((char) => ({ kind: 'char', char }));

/** Characters are folded together with their neighbours: some compose, some become two. */
const foldUnits = (units: readonly Unit[], foldCase: boolean): readonly Unit[] => {
  const folded: Unit[] = [];
  let text = '';
  const flush = () => {
    folded.push(...charsOf(comparable(text, { ignoreCase: foldCase })));
    text = '';
  };
  for (const unit of units) {
    if (unit.kind === 'char') text += unit.char;
    else {
      flush();
      folded.push(unit.kind === 'set' && foldCase ? { ...unit, ranges: bothCases(unit.ranges) } : unit);
    }
  }
  flush();
  return folded;
};

type Ranges = readonly (readonly [string, string])[];

/** Single characters and ASCII ranges in lower case too, since folded text is lower case. */
const bothCases = (ranges: Ranges): Ranges => {
  const lower = ranges.flatMap(([from, to]): Ranges => {
    const char = comparable(from, { ignoreCase: true });
    if (from === to) return [[char, char]];
    const start = from > 'A' ? from : 'A';
    const end = to < 'Z' ? to : 'Z';
    return start <= end ? [[start.toLowerCase(), end.toLowerCase()]] : [];
  });
  return [...ranges, ...lower];
};

const foldSegment = (segment: Segment, foldCase: boolean): Segment => {
  switch (segment.kind) {
    case 'deep':
      return segment;
    case 'literal':
      return { kind: 'literal', text: comparable(segment.text, { ignoreCase: foldCase }) };
    case 'wild':
      return { kind: 'wild', units: foldUnits(segment.units, foldCase) };
  }
};

/** Where a pattern starts, and the segments from there. */
const anchored = (alternative: Alternative, homes: readonly string[]): readonly (readonly Segment[])[] => {
  if (alternative.anchor !== 'home') return [alternative.segments];
  const literal = (text: string): Segment => ({ kind: 'literal', text });
  return homes.map((home) => [...splitPath(home).map(literal), ...alternative.segments]);
};

/** Segment semantics: a lone name may stand at any depth, and a final `**` needs something below it in an allow list. */
const spread = (segments: readonly Segment[], list: GlobOptions['list'], isRelative: boolean): readonly Segment[] => {
  const only = segments[0];
  if (isRelative && segments.length === 1 && only !== undefined) {
    if (only.kind === 'wild' || (only.kind === 'literal' && list === 'restrict')) return [deep, only];
  }
  const below = list === 'allow' && segments.length > 1 && segments.at(-1)?.kind === 'deep';
  return below ? [...segments.slice(0, -1), anyName, deep] : segments;
};

const unitsOf = (segment: Segment): readonly Unit[] => {
  switch (segment.kind) {
    case 'deep':
      return [{ kind: 'run' }];
    case 'literal':
      return charsOf(segment.text);
    case 'wild':
      return segment.units;
  }
};

/** `globset` semantics: each `**` between slashes also stands for nothing. */
const flatVariants = (segments: readonly Segment[], list: GlobOptions['list']): readonly (readonly Unit[])[] => {
  let variants: (readonly Unit[])[] = [[]];
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1;
    const units = unitsOf(segment);
    const joined = variants.map((variant) => [...variant, ...units, ...(isLast ? [] : [slash])]);
    const skips = segment.kind === 'deep' && !isLast;
    const own = segment.kind === 'deep' && isLast && index > 0 && list === 'restrict';
    variants = [...joined, ...(skips ? variants : []), ...(own ? variants.map((variant) => variant.slice(0, -1)) : [])];
  });
  return variants;
};

const fixedOf = (segments: readonly Segment[]): readonly string[] => {
  const fixed: string[] = [];
  for (const segment of segments) {
    if (segment.kind !== 'literal') break;
    fixed.push(segment.text);
  }
  return fixed;
};

const patternsOf = (rule: GlobRule, order: number, options: GlobOptions): readonly Pattern[] => {
  const read = readGlob(rule.glob);
  if (!read.ok) throw errors.globPattern(rule.glob, read.error);
  return read.value.flatMap((alternative) => {
    const isRelative = alternative.anchor === 'root';
    return anchored(alternative, options.homes).map((plain): Pattern => {
      const segments = plain.map((segment) => foldSegment(segment, options.foldCase));
      const isTied = isRelative && segments.length > 1 && segments[0]?.kind !== 'deep';
      const whole = spread(segments, options.list, isRelative);
      const shape: Shape =
        options.mode === 'globset'
          ? { kind: 'flat', variants: flatVariants(segments, options.list) }
          : { kind: 'segments', groups: groupsOf(whole), nested: isTied ? groupsOf([deep, ...whole]) : undefined };
      const fixed = options.mode === 'segment' && whole[0]?.kind === 'deep' ? [] : fixedOf(segments);
      return { rule, order, of: isRelative ? 'relative' : 'absolute', fixed, shape };
    });
  });
};

export interface ReadPath {
  readonly text: string;
  readonly segments: readonly string[];
}

/** A path as globs compare it, with or without case. */
export type PathReader = (path: string, foldCase: boolean) => ReadPath;

const mostRemembered = 32;

/** A reader that remembers the paths it read last: a call asks many lists about few paths. */
export const pathReader = (): PathReader => {
  const known = [new Map<string, ReadPath>(), new Map<string, ReadPath>()] as const;
  return (path, foldCase) => {
    const memory = known[foldCase ? 1 : 0];
    const found = memory.get(path);
    if (found !== undefined) return found;
    if (memory.size >= mostRemembered) memory.clear();
    const read = readPath(path, foldCase);
    memory.set(path, read);
    return read;
  };
};

const readPath = (path: string, foldCase: boolean): ReadPath => {
  const segments = splitPath(comparable(path, { ignoreCase: foldCase }));
  return { text: segments.join('/'), segments };
};

const matches = (pattern: Pattern, path: ReadPath, effort: Effort): boolean =>
  pattern.shape.kind === 'segments'
    ? matchGroups(pattern.shape.groups, path.segments, effort)
    : pattern.shape.variants.some((units) => matchUnits(units, path.text, effort));

const matchesBelow = (pattern: Pattern, path: ReadPath, effort: Effort): boolean =>
  pattern.shape.kind === 'segments' &&
  pattern.shape.nested !== undefined &&
  matchGroups(pattern.shape.nested, path.segments, effort) &&
  !matchGroups(pattern.shape.groups, path.segments, effort);

const liesBelow = (pattern: Pattern, path: ReadPath, effort: Effort): boolean => {
  effort.steps += path.segments.length;
  return (
    pattern.fixed.length > path.segments.length &&
    path.segments.every((segment, index) => segment === pattern.fixed[index])
  );
};

interface Index {
  /** Patterns by their first segment, where that is fixed. */
  readonly byName: ReadonlyMap<string, readonly Pattern[]>;
  readonly others: readonly Pattern[];
}

const indexOf = (patterns: readonly Pattern[]): Index => {
  const byName = new Map<string, Pattern[]>();
  const others: Pattern[] = [];
  for (const pattern of patterns) {
    const [name] = pattern.fixed;
    if (name === undefined) others.push(pattern);
    else byName.set(name, [...(byName.get(name) ?? []), pattern]);
  }
  return { byName, others };
};

const candidates = ({ byName, others }: Index, path: ReadPath): readonly Pattern[] => {
  const named = byName.get(path.segments[0] ?? '');
  return named === undefined ? others : [...named, ...others];
};

interface Question {
  readonly select: (index: Index, path: ReadPath) => readonly Pattern[];
  readonly test: (pattern: Pattern, path: ReadPath, effort: Effort) => boolean;
}

const all = ({ byName, others }: Index): readonly Pattern[] => [...[...byName.values()].flat(), ...others];

const matching: Question = { select: candidates, test: matches };
const nested: Question = { select: all, test: matchesBelow };
const below: Question = { select: all, test: liesBelow };

const inOrder = (found: readonly Pattern[]): readonly GlobRule[] => [
  ...new Set([...found].sort((a, b) => a.order - b.order).map((pattern) => pattern.rule)),
];

const first = (found: readonly Pattern[]): GlobRule | undefined => inOrder(found)[0];

/** Prepares a list of globs; throws the error that `globProblem` gives for a glob that cannot be used. */
export const compileGlobs = (rules: readonly GlobRule[], options: GlobOptions): GlobMatcher => {
  const effort = options.effort ?? { steps: 0 };
  const reader = options.reader ?? readPath;
  const patterns = rules.flatMap((rule, order) => patternsOf(rule, order, options));
  const relative = indexOf(patterns.filter((pattern) => pattern.of === 'relative'));
  const absolute = indexOf(patterns.filter((pattern) => pattern.of === 'absolute'));
  const hits = ({ select, test }: Question, path: GlobPath): readonly Pattern[] => {
    const ask = (index: Index, spelled: string): readonly Pattern[] => {
      const read = reader(spelled, options.foldCase);
      return select(index, read).filter((pattern) => test(pattern, read, effort));
    };
    const found = ask(absolute, path.absolute);
    return path.relative === undefined ? found : [...found, ...ask(relative, path.relative)];
  };
  return {
    match: (path) => first(hits(matching, path)),
    matchAll: (path) => inOrder(hits(matching, path)),
    matchesNested: (path) => first(hits(nested, path)),
    anchoredBelow: (path) => first(hits(below, path)),
  };
};
