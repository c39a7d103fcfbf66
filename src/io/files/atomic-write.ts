import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';
import { errorCode } from './private-directory.ts';

const createOnly = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
const mostNames = 1000;

export interface WriteOptions {
  /** Permission bits of the new file; 0600 unless said otherwise. */
  readonly mode?: number;
  /** Whether the bytes must be on disk before this returns. */
  readonly durable: boolean;
}

/** Replaces `path` in one step: readers see the old bytes or the new ones, whatever happens in between. */
export const writeAtomic = (path: string, bytes: string | Uint8Array, options: WriteOptions): void => {
  const temporary = writeTemporary(path, bytes, options);
  try {
    renameSync(temporary, path);
    if (options.durable) syncDirectory(dirname(path));
  } catch (thrown) {
    removeIfThere(temporary);
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};

/** Creates `path` whole, or leaves the one that is there: the first writer wins. Says whether it was this one. */
export const writeExclusive = (path: string, bytes: string | Uint8Array, options: WriteOptions): boolean => {
  const temporary = writeTemporary(path, bytes, options);
  try {
    linkSync(temporary, path);
    if (options.durable) syncDirectory(dirname(path));
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') return false;
    if (!hasNoHardLinks(thrown)) throw errors.storage(`cannot create ${path}: ${messageOf(thrown)}`);
    return createDirectly(path, bytes, options);
  } finally {
    removeIfThere(temporary);
  }
};

const hasNoHardLinks = (thrown: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCode(thrown));

/** For file systems without hard links; readers there may meet an unfinished file and must try again. */
const createDirectly = (path: string, bytes: string | Uint8Array, options: WriteOptions): boolean => {
  try {
    fill(openSync(path, createOnly, options.mode ?? 0o600), bytes, options);
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') return false;
    throw errors.storage(`cannot create ${path}: ${messageOf(thrown)}`);
  }
};

const writeTemporary = (path: string, bytes: string | Uint8Array, options: WriteOptions): string => {
  let created = '';
  try {
    for (let attempt = 0; attempt < mostNames; attempt++) {
      const name = temporaryName(path, attempt);
      const descriptor = openIfFree(name, options.mode ?? 0o600);
      if (descriptor === undefined) continue;
      created = name;
      fill(descriptor, bytes, options);
      return name;
    }
  } catch (thrown) {
    if (created !== '') removeIfThere(created);
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
  throw errors.storage(
    `cannot write ${path}: ${dirname(path)} is full of left-over ${basename(path)} temporary files; delete them`,
  );
};

const temporaryName = (path: string, attempt: number): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}.${attempt}.tmp`);

const openIfFree = (name: string, mode: number): number | undefined => {
  try {
    return openSync(name, createOnly, mode);
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST') return undefined;
    throw thrown;
  }
};

const fill = (descriptor: number, bytes: string | Uint8Array, options: WriteOptions): void => {
  try {
    writeAll(descriptor, bytes);
    if (options.durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Writes every byte; one `write` may take only a part. */
export const writeAll = (descriptor: number, content: string | Uint8Array): void => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written, bytes.length - written);
};

/** Makes renames and new names in `directory` survive a power cut. */
export const syncDirectory = (directory: string): void => {
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Deletes a file; says whether there was one. */
export const removeIfThere = (path: string): boolean => {
  try {
    unlinkSync(path);
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return false;
    throw errors.storage(`cannot delete ${path}: ${messageOf(thrown)}`);
  }
};

const temporaryPattern = /^\.(.+)\.([0-9]+)\.[0-9]+\.tmp$/;

/** Deletes what killed writers of `path` left behind. Only for files whose writers hold a lock. */
export const sweepTemporary = (path: string): void => {
  for (const name of readdirSync(dirname(path))) {
    const [, target, writer] = temporaryPattern.exec(name) ?? [];
    if (target === basename(path) && Number(writer) !== process.pid && !isRunning(Number(writer))) {
      removeIfThere(join(dirname(path), name));
    }
  }
};

/** Whether some process has this id now. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errorCode(thrown) === 'EPERM';
  }
};
