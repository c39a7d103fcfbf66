import { readFileSync, realpathSync, statSync } from 'node:fs';
import { errors } from '../../core/model/errors.ts';
import { writeAtomic, writeExclusive } from './atomic-write.ts';
import { errorCode } from './private-directory.ts';

/**
 * Replaces the text of a file that people and other programs edit too: a link stays a link, the permission bits stay,
 * and a file that is no longer as it was read is left alone. `seen` is that text, nothing for a file that is to be new.
 */
export const replaceFile = (path: string, text: string, seen: string | undefined): void => {
  if (seen === undefined) {
    if (writeExclusive(path, text, { durable: true })) return;
    throw errors.storage(`${path} appeared while this ran; nothing was written, run it again`);
  }
  const real = realpathSync(path);
  if (readFileSync(real, 'utf8') !== seen)
    throw errors.storage(`${path} changed while this ran; nothing was written, run it again`);
  writeAtomic(real, text, { durable: true, mode: statSync(real).mode & 0o777 });
};

/** The text of a file, or nothing when there is none. */
export const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
};
