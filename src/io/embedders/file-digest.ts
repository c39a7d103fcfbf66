import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** SHA-256 (hexadecimal) and size of a file, read piece by piece. */
export const digestOf = (path: string): { readonly bytes: number; readonly sha256: string } => {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1 << 20);
  const descriptor = openSync(path, 'r');
  let bytes = 0;
  try {
    for (let count = readSync(descriptor, piece); count > 0; count = readSync(descriptor, piece)) {
      hash.update(piece.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(descriptor);
  }
  return { bytes, sha256: hash.digest('hex') };
};
