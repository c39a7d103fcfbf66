import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** Builds the program with its command line, for all tests of a file; returns where `hookwise.cjs` is once it is built. */
export const builtProgram = (): (() => string) => {
  let directory = '';
  beforeAll(() => {
    directory = build();
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return () => join(directory, 'hookwise.cjs');
};

const build = (): string => {
  const outdir = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-program-')));
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  buildSync({
    entryPoints: { hookwise: source('../hook/main.ts'), cli: source('./main.ts') },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outdir,
    outExtension: { '.js': '.cjs' },
    define: { BUILD: '"test"', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    logLevel: 'error',
  });
  return outdir;
};
