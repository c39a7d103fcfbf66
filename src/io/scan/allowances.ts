import { compileGlobs, globProblem } from '../../core/paths/glob.ts';
import type { Finding } from './finding.ts';
import { isRules } from './rules-path.ts';

/** A mark in a file that excuses what is found on its line: all of it, or the kinds it names. */
export interface Marker {
  readonly line: number;
  readonly kinds: readonly string[];
}

const markerText = /\bhookwise:allow-secret\b(?:\(([a-z0-9, -]{0,200})\))?/;

/** The mark of a line, if it has one. */
export const markerIn = (line: string, number: number): Marker | undefined => {
  if (!line.includes('hookwise:allow-secret')) return undefined;
  const found = markerText.exec(line);
  if (found === null) return undefined;
  const kinds = (found[1] ?? '').split(',').map((kind) => kind.trim());
  return { line: number, kinds: kinds.filter((kind) => kind !== '') };
};

/** The mark that excuses a finding: on its first line, or right above a secret of several lines, where no mark fits. */
export const markerFor = (
  { kind, line, endLine }: Pick<Finding, 'kind' | 'line' | 'endLine'>,
  markers: ReadonlyMap<number, Marker>,
): Marker | undefined =>
  [line, ...(endLine > line ? [endLine, line - 1] : [])]
    .map((number) => markers.get(number))
    .find((marker) => marker !== undefined && (marker.kinds.length === 0 || marker.kinds.includes(kind)));

/** One line of `.hookwise/scan-ignore`. */
export interface IgnoreEntry {
  readonly line: number;
  readonly kind: 'path' | 'finding';
  /** A glob, or a fingerprint. */
  readonly text: string;
}

/** What `.hookwise/scan-ignore` excuses. */
export interface IgnoreList {
  readonly entries: readonly IgnoreEntry[];
  /** The entry that leaves a file out. `path` is seen from the top of the repository, with slashes. */
  readonly forPath: (path: string) => IgnoreEntry | undefined;
  readonly forFinding: (fingerprint: string) => IgnoreEntry | undefined;
}

/** A file that says something else than it should; nothing of it is used then. */
export interface IgnoreProblem {
  readonly line: number;
  readonly reason: string;
}

const entryLine = /^(path|finding)\s+(\S.*?)(?:\s+#.*)?$/;

/** Reads `.hookwise/scan-ignore`: `path <glob>` and `finding <fingerprint>`, one a line, with `#` for comments. */
export const readIgnoreList = (text: string): IgnoreList | IgnoreProblem => {
  const entries: IgnoreEntry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, word, value = ''] = entryLine.exec(line) ?? [];
    if (word === undefined) return { line: index + 1, reason: 'expected "path <glob>" or "finding <fingerprint>"' };
    const entry: IgnoreEntry = { line: index + 1, kind: word === 'path' ? 'path' : 'finding', text: value };
    const reason = problemOf(entry);
    if (reason !== undefined) return { line: entry.line, reason };
    entries.push(entry);
  }
  return listOf(entries);
};

const problemOf = ({ kind, text }: IgnoreEntry): string | undefined => {
  if (kind === 'finding') return /^[0-9a-f]{32}$/.test(text) ? undefined : 'a fingerprint has 32 hexadecimal digits';
  if (/^[~/]/.test(text)) return 'globs are seen from the top of the repository: leave out the leading "/" or "~"';
  return globProblem(text)?.message;
};

const listOf = (entries: readonly IgnoreEntry[]): IgnoreList => {
  const globs = entries.filter(({ kind }) => kind === 'path');
  const matcher = compileGlobs(
    globs.map(({ text, line }) => ({ glob: text, scope: 'project', source: { file: '', line } })),
    { list: 'restrict', homes: [], mode: 'segment', foldCase: false },
  );
  const byFingerprint = new Map(
    entries.filter(({ kind }) => kind === 'finding').map((entry): [string, IgnoreEntry] => [entry.text, entry]),
  );
  return {
    entries,
    forPath: (path) => {
      // Rules are what the scan is there for: only the fingerprint of one finding can take something of them out.
      if (globs.length === 0 || isRules(path)) return undefined;
      const rule = matcher.match({ absolute: `/${path}`, relative: path });
      return globs.find(({ line }) => line === rule?.source?.line);
    },
    forFinding: (fingerprint) => byFingerprint.get(fingerprint),
  };
};

/** Nothing is excused. */
export const emptyIgnoreList: IgnoreList = listOf([]);
