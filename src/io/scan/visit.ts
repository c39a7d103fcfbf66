import { resolve } from 'node:path';
import { messageOf } from '../../core/model/errors.ts';
import { type FilePath, joinPath, pathText } from './file-path.ts';
import type { FileToScan, ScannedFile } from './file-scan.ts';
import type { Finding } from './finding.ts';
import type { Git } from './git.ts';
import { encodingOf, linesOf } from './lines.ts';
import { isRules } from './rules-path.ts';
import { blobsOf, listStaged, type StagedFile, sizesOf } from './staged.ts';
import { walk } from './walk.ts';
import { withFile } from './work-tree.ts';

/** Where a file is, for people and for programs. */
export interface VisitedPath {
  /** As a person would write it where the scan was started. */
  readonly shown: FilePath;
  /** From the top of the repository; absolute for a file outside. */
  readonly name: FilePath;
}

/** What a scan came by. */
export type Visited = VisitedPath &
  (
    | { readonly kind: 'file'; readonly scanned: ScannedFile }
    | { readonly kind: 'skipped'; readonly why: string }
    | { readonly kind: 'unreadable'; readonly why: string }
  );

type ScanFile = (file: FileToScan) => ScannedFile;

/** A place to scan, and whether all in it is hookwise's own. */
export interface NamedPath {
  readonly path: string;
  readonly holdsRules: boolean;
}

/** Scans files of the work tree and of anywhere else. Relative paths are seen from `cwd`. */
export const scanPaths = function* (
  named: readonly NamedPath[],
  { cwd, root, scan }: { readonly cwd: string; readonly root: string; readonly scan: ScanFile },
): Generator<Visited> {
  const seen = new Set<string>();
  for (const { path, holdsRules } of named) {
    const start = Buffer.from(resolve(cwd, path));
    for (const walked of walk(start)) {
      const bytes = walked.path.toString('latin1');
      if (seen.has(bytes)) continue;
      seen.add(bytes);
      const rest = walked.path.subarray(start.length);
      const at = { shown: shownBelow(path, rest), name: fromTop(walked.path, root) };
      if (walked.kind === 'file') yield { ...at, ...scanOne(walked.path, { name: at.name, holdsRules, scan }) };
      else yield { ...at, kind: walked.kind, why: walked.why };
    }
  }
};

const shownBelow = (named: string, rest: Buffer): FilePath => {
  const below = rest[0] === 0x2f ? rest.subarray(1) : rest;
  if (below.length === 0) return Buffer.from(named);
  return joinPath(Buffer.from(named === '.' ? '' : named), below);
};

const fromTop = (path: FilePath, root: string): FilePath => {
  const top = Buffer.from(root === '/' ? root : `${root}/`);
  return path.subarray(0, top.length).equals(top) ? path.subarray(top.length) : path;
};

const scanOne = (
  path: FilePath,
  { name, holdsRules, scan }: { readonly name: FilePath; readonly holdsRules: boolean; readonly scan: ScanFile },
) => {
  const text = pathText(name);
  try {
    const scanned = withFile(path, (file) => scan({ ...file, name: text, isRules: holdsRules || isRules(text) }));
    return { kind: 'file' as const, scanned };
  } catch (thrown) {
    return { kind: 'unreadable' as const, why: messageOf(thrown) };
  }
};

const usualHeldBytes = 32 * 1024 * 1024;

/** How what is staged is scanned. */
export interface StagedOptions {
  readonly git: Git;
  /** `added`: only what touches a line that the last commit does not have in this file. */
  readonly lines: 'added' | 'all';
  readonly scan: ScanFile;
  /** How much staged text is held at once. */
  readonly heldBytes?: number;
}

/** Scans what is staged: the text that would be committed, not the one in the work tree. */
export const scanStaged = function* (
  paths: readonly string[],
  { git, lines, scan, heldBytes = usualHeldBytes }: StagedOptions,
): Generator<Visited> {
  const { files, unmerged } = listStaged(git, paths);
  const sizes = sizesOf(git, [...new Set(files.map(({ object }) => object))]);
  for (const path of unmerged) yield { shown: path, name: path, kind: 'unreadable', why: 'it is in conflict' };
  for (const group of groupsOf(files, sizes, heldBytes)) {
    const blobs = blobsOf(git, [...new Set(group.map(({ object }) => object))].filter(isHeld(sizes)));
    for (const file of group) {
      const at = { shown: file.path, name: file.path };
      const [bytes, size] = [blobs.get(file.object), sizes.get(file.object)];
      if (size === undefined) yield { ...at, kind: 'unreadable', why: `git has no object ${file.object}` };
      else
        yield {
          ...at,
          kind: 'file',
          scanned: added(scanBlob(file, { bytes, size }, scan), { file, bytes, git, lines }),
        };
    }
  }
};

/** No file beyond this is scanned from anywhere, so it need not be held either. */
const largestHeldBytes = 256 * 1024 * 1024;

const isHeld =
  (sizes: ReadonlyMap<string, number>) =>
  (object: string): boolean =>
    (sizes.get(object) ?? 0) <= largestHeldBytes;

/** Files that are read together. */
const groupsOf = function* (
  files: readonly StagedFile[],
  sizes: ReadonlyMap<string, number>,
  heldBytes: number,
): Generator<readonly StagedFile[]> {
  let group: StagedFile[] = [];
  let held = 0;
  for (const file of files) {
    const size = sizes.get(file.object) ?? 0;
    if (group.length > 0 && held + size > heldBytes) {
      yield group;
      [group, held] = [[], 0];
    }
    group.push(file);
    held += size;
  }
  if (group.length > 0) yield group;
};

const scanBlob = (
  { path }: StagedFile,
  { bytes, size }: { readonly bytes: Buffer | undefined; readonly size: number },
  scan: ScanFile,
): ScannedFile => {
  const name = pathText(path);
  return scan({ name, isRules: isRules(name), bytes: size, pieces: () => (bytes === undefined ? [] : [bytes]) });
};

interface Comparing {
  readonly file: StagedFile;
  readonly bytes: Buffer | undefined;
  readonly git: Git;
  readonly lines: 'added' | 'all';
}

const added = (scanned: ScannedFile, { file, bytes, git, lines }: Comparing): ScannedFile => {
  if (scanned.kind !== 'scanned' || lines === 'all' || file.before === undefined || bytes === undefined) return scanned;
  if (scanned.findings.length + scanned.excused.length === 0) return scanned;
  const before = blobsOf(git, [file.before]).get(file.before);
  if (before === undefined) return scanned;
  const isAdded = addedSince(before, bytes);
  return {
    ...scanned,
    findings: scanned.findings.filter(isAdded),
    excused: scanned.excused.filter(({ finding }) => isAdded(finding)),
  };
};

/** A line counts as added when no line of the text before is equal to it: moving a line does not add it. */
const addedSince = (before: Buffer, after: Buffer): ((finding: Finding) => boolean) => {
  const known = new Set(linesOf([before], encodingOf(before)));
  const lines = [...linesOf([after], encodingOf(after))];
  return ({ line, endLine }) => lines.slice(line - 1, endLine).some((text) => !known.has(text));
};
