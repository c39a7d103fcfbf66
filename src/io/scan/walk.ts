import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { messageOf } from '../../core/model/errors.ts';
import { errorCode } from '../files/private-directory.ts';
import { type FilePath, joinPath } from './file-path.ts';

/** What a walk comes by. Only `file` is to be read; the rest is named, so that nothing is left out in silence. */
export type Walked =
  | { readonly kind: 'file'; readonly path: FilePath }
  | { readonly kind: 'skipped'; readonly path: FilePath; readonly why: 'link' | 'no file' | 'left out' }
  | { readonly kind: 'unreadable'; readonly path: FilePath; readonly why: string };

/** Directories of other programs, looked into only when they are named. */
const leftOut = ['.git', 'node_modules'];

/** Every file at or below a path that somebody named, in the order of the names' bytes. Links are not followed. */
export const walk = (named: FilePath): Generator<Walked> => {
  const segments = named.toString('latin1').split('/');
  return at(named, new Set(leftOut.some((name) => segments.includes(name)) ? [] : leftOut));
};

/** The same, with nothing left out. */
export const walkAll = (start: FilePath): Generator<Walked> => at(start, new Set());

const at = function* (start: FilePath, omit: ReadonlySet<string>): Generator<Walked> {
  const found = statsOf(start);
  if (typeof found === 'string') yield { kind: 'unreadable', path: start, why: found };
  else if (found.isDirectory()) yield* below(start, omit);
  else if (found.isFile()) yield { kind: 'file', path: start };
  else yield { kind: 'skipped', path: start, why: found.isSymbolicLink() ? 'link' : 'no file' };
};

const statsOf = (path: FilePath): Stats | string => {
  try {
    return lstatSync(path);
  } catch (thrown) {
    return errorCode(thrown) === 'ENOENT' ? 'it is not there' : messageOf(thrown);
  }
};

const below = function* (directory: FilePath, omit: ReadonlySet<string>): Generator<Walked> {
  const names = namesIn(directory);
  if (typeof names === 'string') {
    yield { kind: 'unreadable', path: directory, why: names };
    return;
  }
  for (const name of names) {
    const path = joinPath(directory, name);
    if (omit.has(name.toString('latin1')) && isDirectory(path)) yield { kind: 'skipped', path, why: 'left out' };
    else yield* at(path, omit);
  }
};

const namesIn = (directory: FilePath): readonly Buffer[] | string => {
  try {
    return readdirSync(directory, { encoding: 'buffer' }).toSorted((one, other) => one.compare(other));
  } catch (thrown) {
    return messageOf(thrown);
  }
};

const isDirectory = (path: FilePath): boolean => {
  const found = statsOf(path);
  return typeof found !== 'string' && found.isDirectory();
};
