import { lstatSync } from 'node:fs';

/** Whether the file system at `directory` ignores case, told by looking the directory up under another spelling. */
export const ignoresCase = (directory: string): boolean => {
  const swapped = directory.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (swapped === directory) return false;
  const original = lstatSync(directory, { throwIfNoEntry: false, bigint: true });
  const other = lstatSync(swapped, { throwIfNoEntry: false, bigint: true });
  return original !== undefined && other !== undefined && original.ino === other.ino && original.dev === other.dev;
};
