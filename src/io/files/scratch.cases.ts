import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

afterAll(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

/** A fresh directory outside every repository, gone when the test file ends. */
export const scratch = (): string => {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'hookwise-stores-'));
  made.push(directory);
  return directory;
};
