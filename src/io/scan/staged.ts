import { errors } from '../../core/model/errors.ts';
import type { FilePath } from './file-path.ts';
import { type Git, outputOf } from './git.ts';

/** A file as it is staged. */
export interface StagedFile {
  /** From the top of the repository. */
  readonly path: FilePath;
  /** The object that would be committed. */
  readonly object: string;
  /** The object that the last commit has in its place. */
  readonly before?: string;
}

/** What differs between the index and the last commit, deletions apart. */
export interface Staged {
  readonly files: readonly StagedFile[];
  /** Files in conflict: nothing is staged for them yet. */
  readonly unmerged: readonly FilePath[];
}

const listing = [
  ...['diff', '--cached', '--raw', '-z', '--no-abbrev', '--diff-filter=ACMRTU', '--find-renames'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '-O/dev/null'],
];

/** Everything that is staged, or what of it lies at or below `paths`. Works before the first commit too. Throws `Io`. */
export const listStaged = (git: Git, paths: readonly string[]): Staged => {
  const fields = fieldsOf(outputOf(git, [...listing, '--', ...paths]));
  const files: StagedFile[] = [];
  const unmerged: FilePath[] = [];
  for (let field = fields.next(); field.done !== true; field = fields.next()) {
    const change = changeIn(field.value.toString('latin1'));
    const first = nextPath(fields);
    const path = change.isMoved ? nextPath(fields) : first;
    if (change.status === 'U') unmerged.push(path);
    else if (change.object !== undefined) {
      const before = change.before === undefined ? {} : { before: change.before };
      files.push({ path, object: change.object, ...before });
    }
  }
  return { files, unmerged };
};

const fieldsOf = function* (bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    if (end < 0) throw errors.io('git diff ended in the middle of a name');
    yield bytes.subarray(start, end);
    start = end + 1;
  }
};

const nextPath = (fields: Iterator<Buffer>): FilePath => {
  const next = fields.next();
  if (next.done === true) throw errors.io('git diff left out a name');
  return next.value;
};

interface Change {
  readonly status: string;
  readonly isMoved: boolean;
  readonly object: string | undefined;
  readonly before: string | undefined;
}

// `:<mode before> <mode> <object before> <object> <status>[<score>]`
const changeLine = /^:\d{6} (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])\d*$/;
const submodule = '160000';

const changeIn = (text: string): Change => {
  const [, mode, before = '', object = '', status] = changeLine.exec(text) ?? [];
  if (status === undefined) throw errors.io('git diff answered in a form that is not known');
  return {
    status,
    isMoved: status === 'R' || status === 'C',
    object: mode === submodule ? undefined : present(object),
    before: present(before),
  };
};

const present = (object: string): string | undefined => (/^0+$/.test(object) ? undefined : object);

/** How many bytes each object has; one that is not there is left out. */
export const sizesOf = (git: Git, objects: readonly string[]): ReadonlyMap<string, number> => {
  if (objects.length === 0) return new Map();
  const output = outputOf(git, ['cat-file', '--batch-check'], `${objects.join('\n')}\n`).toString('latin1');
  return new Map(
    output.split('\n').flatMap((line): [string, number][] => {
      const [, object, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(line) ?? [];
      return object === undefined ? [] : [[object, Number(size)]];
    }),
  );
};

/** The bytes of each object that is there. To be asked for about as many as memory is meant to hold. */
export const blobsOf = (git: Git, objects: readonly string[]): ReadonlyMap<string, Buffer> => {
  const blobs = new Map<string, Buffer>();
  if (objects.length === 0) return blobs;
  const output = outputOf(git, ['cat-file', '--batch'], `${objects.join('\n')}\n`);
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const [, object, size] = /^([0-9a-f]{40,64}) \w+ (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (object === undefined) continue;
    blobs.set(object, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
};

/** The object of a staged file, by its path from the top of the repository. */
export const stagedObject = (git: Git, path: string): string | undefined => {
  const run = git(['rev-parse', '--verify', '--quiet', `:${path}`]);
  const object = run.out.toString('latin1').trim();
  return run.code === 0 && /^[0-9a-f]{40,64}$/.test(object) ? object : undefined;
};
