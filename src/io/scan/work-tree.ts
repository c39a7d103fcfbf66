import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errors } from '../../core/model/errors.ts';
import type { FilePath } from './file-path.ts';
import { pathText } from './file-path.ts';

/** An open file of the work tree. */
export interface OpenFile {
  readonly bytes: number;
  readonly pieces: () => Iterable<Buffer>;
}

const pieceBytes = 256 * 1024;

/** Opens a regular file for the time of `use`; a link is not followed. Throws what the file system throws, and `Io`. */
export const withFile = <T>(path: FilePath, use: (file: OpenFile) => T): T => {
  // O_NONBLOCK: a FIFO that took the place of the file must not hang the scan.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw errors.io(`${pathText(path)} is not a regular file`);
    return use({ bytes: stats.size, pieces: () => piecesOf(descriptor) });
  } finally {
    closeSync(descriptor);
  }
};

const piecesOf = function* (descriptor: number): Generator<Buffer> {
  for (;;) {
    const bytes = Buffer.allocUnsafe(pieceBytes);
    const count = readSync(descriptor, bytes, 0, bytes.length, null);
    if (count === 0) return;
    yield bytes.subarray(0, count);
  }
};
