import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensurePrivateDirectory } from './private-directory.ts';

it('makes every directory on the way, closed to others', () => {
  const top = mkdtempSync(join(tmpdir(), 'hookwise-private-'));
  ensurePrivateDirectory(join(top, 'a/b/c'));
  ensurePrivateDirectory(join(top, 'a/b/c'));
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(top, path)).mode & 0o777, path).toBe(0o700);
  rmSync(top, { recursive: true });
});

it('refuses a place where nothing can be made, instead of trying for ever', () => {
  // `mkdir` below /proc answers "no such file" however often it is asked; elsewhere a missing device does.
  expect(() => ensurePrivateDirectory('/proc/hookwise/state')).toThrow(/storage error: cannot create the directory/);
});
