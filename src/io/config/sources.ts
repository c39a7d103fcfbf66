import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/model/errors.ts';
import { digestHex } from './digests.ts';

/** One configuration file as it is now. */
export type SourceState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly why: string };

export const largestSource = 256 * 1024;

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // Nothing there at all: that is the ordinary case.
    return false;
  }
};

const readOpen = (descriptor: number, largest: number): SourceState => {
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) return { kind: 'unreadable', why: 'not a regular file' };
  const tooLarge = { kind: 'unreadable', why: `larger than ${largest / 1024} KiB` } as const;
  if (stat.size > largest) return tooLarge;
  // One byte more than there should be, so that a file that grows meanwhile is noticed.
  const buffer = new Uint8Array(stat.size + 1);
  let length = 0;
  for (let count = -1; count !== 0; length += count) {
    count = readSync(descriptor, buffer, length, buffer.length - length, null);
  }
  if (length > stat.size) return { kind: 'unreadable', why: 'it changed while it was read' };
  return { kind: 'bytes', bytes: buffer.subarray(0, length) };
};

/** Reads one source without waiting for pipes. A link to nowhere is not the same as no file: something is missing. */
export const readSource = (path: string, largest: number = largestSource): SourceState => {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') return { kind: 'unreadable', why: codeOf(thrown) || messageOf(thrown) };
    return isLink(path) ? { kind: 'unreadable', why: 'a link to nowhere' } : { kind: 'absent' };
  }
  try {
    return readOpen(descriptor, largest);
  } catch (thrown) {
    return { kind: 'unreadable', why: codeOf(thrown) || messageOf(thrown) };
  } finally {
    closeSync(descriptor);
  }
};

/** What stands for a state in the cache. */
export const markOf = (state: SourceState): string => {
  switch (state.kind) {
    case 'absent':
      return 'absent';
    case 'bytes':
      return digestHex(state.bytes);
    case 'unreadable':
      return `unreadable: ${state.why}`;
  }
};

export type ReadSource = (path: string) => SourceState;

/** The directory of project configuration: `.captain-hook` only where there is no `.hookwise`. */
export const projectDirectory = (root: string): '.hookwise' | '.captain-hook' => {
  const exists = (name: string): boolean => {
    try {
      lstatSync(join(root, name));
      return true;
    } catch (thrown) {
      // What cannot be looked at may be there; reading it will say so.
      return codeOf(thrown) !== 'ENOENT';
    }
  };
  return !exists('.hookwise') && exists('.captain-hook') ? '.captain-hook' : '.hookwise';
};
