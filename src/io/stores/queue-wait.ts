import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { dirname } from 'node:path';

const pollMs = 200;

/**
 * Resolves to true once `path` exists, to false at `deadline` (epoch ms) or when `mayEnd` says that waiting is
 * pointless. Watches the directory, and looks every 200 ms besides: watches can be refused or silent.
 */
export const waitForFile = (options: {
  readonly path: string;
  readonly deadline: number;
  readonly mayEnd: () => boolean;
}): Promise<boolean> =>
  new Promise((resolve) => {
    let watcher: FSWatcher | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDone = false;
    const look = (): void => {
      clearTimeout(timer);
      if (isDone) return;
      const isFound = lstatSync(options.path, { throwIfNoEntry: false }) !== undefined;
      const remaining = options.deadline - Date.now();
      isDone = isFound || remaining <= 0 || options.mayEnd();
      if (!isDone) timer = setTimeout(look, Math.min(pollMs, remaining));
      else {
        watcher?.close();
        resolve(isFound);
      }
    };
    watcher = watchQuietly(dirname(options.path), look);
    look();
  });

/** A watch where the system grants one. Without it the polling does the work. */
const watchQuietly = (directory: string, changed: () => void): FSWatcher | undefined => {
  try {
    const watcher = watch(directory, changed);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
};
