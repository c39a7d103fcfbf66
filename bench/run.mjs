// @ts-check
/**
 * Measures hookwise on this machine. Times are for reading: nothing here fails on a millisecond.
 * Usage: node bench/run.mjs [--json] [--quick]
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { isMet, table } from './figures.mjs';
import { batchRows, bundleBytes, coldHook, coldLookup } from './processes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const runs = args.includes('--quick') ? 9 : 25;

/** Bundles what imports the sources, since Node reads no TypeScript.
 * @param {string} directory */
const bundle = async (directory) => {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/in-process.mjs', 'bench/lookup-child.mjs'],
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
};

const overBudget = () => {
  /** @type {typeof import('./budgets.json')} */
  const { hook } = JSON.parse(readFileSync(join(root, 'bench/budgets.json'), 'utf8'));
  const { size } = statSync(join(root, hook.file));
  return size > hook.maximumBytes ? [`${hook.file}: ${size} bytes, the budget is ${hook.maximumBytes}`] : [];
};

/** @param {readonly import('./figures.mjs').Figure[]} figures */
const print = (figures) => {
  const machine = { node: process.version, cores: cpus().length, platform: `${process.platform} ${process.arch}` };
  const missed = [...figures.filter((figure) => isMet(figure) === false).map(({ name }) => name), ...overBudget()];
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
  if (!existsSync(join(root, 'dist/hookwise.cjs'))) throw new Error('dist is not there: run `npm run build` first');
  const directory = join(root, '.tmp', `bench-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  try {
    await bundle(directory);
    /** @type {typeof import('./in-process.mjs')} */
    const { inProcess } = await import(pathToFileURL(join(directory, 'in-process.mjs')).href);
    print([
      ...(await inProcess()),
      ...coldHook(root, runs),
      ...coldLookup(join(directory, 'lookup-child.mjs'), runs),
      ...batchRows(root),
      ...bundleBytes(root),
    ]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

main().catch((/** @type {unknown} */ thrown) => {
  console.error(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  process.exitCode = 1;
});
