import { closeSync, readSync } from 'node:fs';
import { openChecked } from '../files/read-private.ts';
import type { ReadBytes } from './format.ts';
import { openVectors, type VectorIndex } from './vectors.ts';

/** An index on disk. */
export interface VectorFile {
  readonly index: VectorIndex;
  readonly close: () => void;
}

/**
 * Opens an index of this user without reading more than its header; nothing when there is none or its header is damaged.
 * Throws HookwiseError `Storage` for a file that is not this user's alone.
 */
export const openVectorFile = (path: string): VectorFile | undefined => {
  const opened = openChecked(path, 'self');
  if (opened === undefined) return undefined;
  const { descriptor, stats } = opened;
  const close = (): void => closeSync(descriptor);
  const index = openVectors(readerOf(descriptor), stats.size);
  if (index === undefined) close();
  return index === undefined ? undefined : { index, close };
};

/** Reads into the same bytes again and again: fresh memory for every block would cost more than the search. */
const readerOf = (descriptor: number): ReadBytes => {
  let scratch = Buffer.alloc(0);
  return (position, length) => {
    if (scratch.length < length) scratch = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(descriptor, scratch, filled, length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return scratch.subarray(0, filled);
  };
};
