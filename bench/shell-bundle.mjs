// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Loads modules of src/core/shell, since Node reads no TypeScript.
 * @param {readonly string[]} files
 * @returns {Promise<any>}
 */
export const shellModules = async (files) => {
  const directory = mkdtempSync(join(tmpdir(), 'hookwise-shell-'));
  const outfile = join(directory, 'shell.mjs');
  try {
    await build({
      stdin: {
        contents: files.map((file) => `export * from './src/core/shell/${file}';`).join('\n'),
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/**
 * The value of `--name=value` on the command line.
 * @param {string} name
 * @param {number} fallback
 */
export const numberOption = (name, fallback) => {
  const given = process.argv.slice(2).find((argument) => argument.startsWith(`--${name}=`));
  const value = given === undefined ? fallback : Number(given.slice(name.length + 3));
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`);
  return value;
};
