import { lstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';

const writableByOthers = 0o022;

/** The code of a file system error (`ENOENT`), or an empty text. */
export const errorCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** What is wrong with who owns or may write `path`, with the way to put it right; nothing when it is ours alone. */
export const ownershipProblem = (path: string, stats: Pick<Stats, 'uid' | 'mode'>): string | undefined => {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  if (stats.uid !== uid) {
    return `${path} belongs to user ${stats.uid}, not to user ${uid}; move it away, or give it back with: chown ${uid} '${path}'`;
  }
  if ((stats.mode & writableByOthers) !== 0) {
    return `${path} can be written by other users; close it with: chmod go-w '${path}'`;
  }
  return undefined;
};

/** Makes sure that `path` is a directory of this user that nobody else can write; refuses loudly otherwise. */
export const ensurePrivateDirectory = (path: string): void => {
  if (checkPrivateDirectory(path)) return;
  try {
    makeParents(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST')
      throw errors.storage(`cannot create the directory ${path}: ${messageOf(thrown)}`);
  }
  if (!checkPrivateDirectory(path)) throw errors.storage(`the directory ${path} disappeared while it was created`);
};

/**
 * Makes the directories on the way, one by one. `mkdir -p` as Node 20 does it never ends where the system says "no such
 * file" to every attempt (below /proc, say).
 */
const makeParents = (path: string): void => {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) return;
  makeParents(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown;
  }
};

/** Whether the private directory exists. Throws when something else, or somebody else's, is in its place. */
export const checkPrivateDirectory = (path: string): boolean => {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    throw errors.storage(`cannot look at ${path}: ${messageOf(thrown)}`);
  }
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) throw errors.storage(`${path} is a symbolic link; replace it with a real directory`);
  if (!stats.isDirectory()) throw errors.storage(`${path} is not a directory; move it away`);
  const problem = ownershipProblem(path, stats);
  if (problem !== undefined) throw errors.storage(problem);
  return true;
};
