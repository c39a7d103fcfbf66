// @ts-check
/**
 * Measures the embedding tier on this machine: the built-in embedder, the exact index, and a graph where the package for
 * it is installed. Times are for reading: nothing here fails on a millisecond.
 * Usage: node bench/embedding.mjs [--json] [--large | --counts=1000,50000] [--graph] [directory with packages that users install]
 */
import { mkdirSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { isMet, table } from './figures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const chosen = args.find((arg) => arg.startsWith('--counts='))?.slice('--counts='.length);
const usual = [1000, 10_000, 100_000, ...(args.includes('--large') ? [1_000_000] : [])];
const counts = chosen === undefined ? usual : chosen.split(',').map(Number);

/** Bundles what imports the sources, since Node reads no TypeScript. The child is one small file, as the hook is.
 * @param {string} directory */
const bundle = async (directory) => {
  const shared = /** @type {const} */ ({
    absWorkingDir: root,
    outdir: directory,
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  await build({
    ...shared,
    entryPoints: ['bench/embedding-figures.mjs'],
    outExtension: { '.js': '.mjs' },
    format: 'esm',
  });
  await build({
    ...shared,
    entryPoints: ['bench/embedding-child.mjs'],
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
  });
};

/** @param {readonly import('./figures.mjs').Figure[]} figures */
const print = (figures) => {
  const machine = { node: process.version, cores: cpus().length, platform: `${process.platform} ${process.arch}` };
  const missed = figures.filter((figure) => isMet(figure) === false).map(({ group, name }) => `${group}: ${name}`);
  if (args.includes('--json')) {
    console.log(JSON.stringify({ machine, figures, missed }, null, 2));
    return;
  }
  console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.platform}\n`);
  console.log(table(figures));
  console.log(
    missed.length === 0 ? '\nEvery target is met.' : `\nMissed:\n${missed.map((one) => `  ${one}`).join('\n')}`,
  );
};

const main = async () => {
  const directory = join(root, '.tmp', `bench-embedding-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  try {
    await bundle(directory);
    /** @type {typeof import('./embedding-figures.mjs')} */
    const { embeddingFigures } = await import(pathToFileURL(join(directory, 'embedding-figures.mjs')).href);
    const child = join(directory, 'embedding-child.cjs');
    const places = args.filter((arg) => !arg.startsWith('--')).map((place) => resolve(place));
    print(await embeddingFigures({ counts, directory, child, graph: args.includes('--graph'), places }));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

main().catch((/** @type {unknown} */ thrown) => {
  console.error(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  process.exitCode = 1;
});
