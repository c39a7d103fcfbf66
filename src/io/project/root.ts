import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** The directory whose policy applies, and the one under which its local state is kept. */
export interface Root {
  readonly root: string;
  readonly realRoot: string;
  /** The git common directory (shared by all work trees), or the root where there is no repository. */
  readonly stateKey: string;
  readonly isRepository: boolean;
}

/**
 * The git top level above `start`, found without running git; `start` itself where there is none. A work tree has
 * its own root and shares the state key of its repository.
 */
export const findRoot = (start: string): Root => {
  let at = existing(start);
  for (;;) {
    const marker = join(at, '.git');
    const found = lstatSync(marker, { throwIfNoEntry: false });
    if (found !== undefined)
      return { root: at, realRoot: real(at), stateKey: commonDirectory(marker), isRepository: true };
    if (at === '/') break;
    at = parentOf(at);
  }
  const root = trimmed(start);
  return { root, realRoot: real(root), stateKey: real(root), isRepository: false };
};

const join = (directory: string, name: string): string => (directory === '/' ? `/${name}` : `${directory}/${name}`);
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

const trimmed = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.replace(/\/+$/, '') || '/' : path;

/** The nearest ancestor that exists: a working directory may have been removed under the session. */
const existing = (path: string): string => {
  let at = trimmed(path);
  while (at !== '/' && statSync(at, { throwIfNoEntry: false }) === undefined) at = parentOf(at);
  return at;
};

const real = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};

/** `.git` is a directory, or in a work tree a file that names `<common>/worktrees/<name>`. */
const commonDirectory = (marker: string): string => {
  const found = statSync(marker, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return real(marker);
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(marker, 'utf8'))?.[1];
  if (named === undefined) return real(marker);
  const directory = named.startsWith('/') ? named : join(parentOf(marker), named);
  return real(directory.replace(/\/worktrees\/[^/]+\/?$/, ''));
};
