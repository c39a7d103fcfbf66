import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { errors, messageOf } from '../../core/model/errors.ts';
import { errorCode, ownershipProblem } from './private-directory.ts';

/** `self`: only a file of this user that nobody else can write. `anyone`: any regular file that is not a link. */
export type FileOwner = 'self' | 'anyone';

/** Opens a regular file without following a link; `undefined` when there is none. The caller closes it. */
export const openChecked = (
  path: string,
  owner: FileOwner,
): { readonly descriptor: number; readonly stats: Stats } | undefined => {
  let descriptor: number;
  try {
    // O_NONBLOCK: a planted FIFO must not hang the hook.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK')
      throw errors.storage(`${path} is a symbolic link; replace it with a real file`);
    throw errors.storage(`cannot open ${path}: ${messageOf(thrown)}`);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw errors.storage(`${path} is not a regular file; move it away`);
    const problem = owner === 'self' ? ownershipProblem(path, stats) : undefined;
    if (problem !== undefined) throw errors.storage(problem);
    return { descriptor, stats };
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
};

/** The bytes of a checked file; `undefined` when it does not exist. Refuses files above `maxBytes`. */
export const readPrivate = (
  path: string,
  options: { readonly maxBytes: number; readonly owner?: FileOwner },
): Buffer | undefined => {
  const opened = openChecked(path, options.owner ?? 'self');
  if (opened === undefined) return undefined;
  try {
    return readWhole(opened.descriptor, { path, size: opened.stats.size, maxBytes: options.maxBytes });
  } finally {
    closeSync(opened.descriptor);
  }
};

/** Reads an open file from its start to its end. */
export const readWhole = (
  descriptor: number,
  file: { readonly path: string; readonly size: number; readonly maxBytes: number },
): Buffer => {
  if (file.size > file.maxBytes) {
    throw errors.storage(`${file.path} is larger than ${file.maxBytes} bytes; shorten it or move it away`);
  }
  try {
    return readUpTo(descriptor, { position: 0, length: file.size });
  } catch (thrown) {
    throw errors.storage(`cannot read ${file.path}: ${messageOf(thrown)}`);
  }
};

/** Reads `length` bytes at `position`; fewer when the file ends before. */
export const readUpTo = (descriptor: number, range: { readonly position: number; readonly length: number }): Buffer => {
  const bytes = Buffer.allocUnsafe(range.length);
  let filled = 0;
  while (filled < range.length) {
    const count = readSync(descriptor, bytes, filled, range.length - filled, range.position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
};
