// @ts-check
/**
 * How fast `hookwise scan` reads through files, as a ratio to reading them, and how much it reports.
 * Usage: node bench/scan.mjs [directory...]   (default: node_modules and src; at most 24 MB of each)
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from './figures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const named = process.argv.slice(2);
const directories = named.length > 0 ? named : ['node_modules', 'src'].map((name) => join(root, name));
const mostBytes = 24e6;
const rounds = 3;

/** @typedef {{ name: string, bytes: Buffer }} File */

/** Text files below a directory, links not followed.
 * @param {string} directory
 * @returns {File[]} */
const filesBelow = (directory) => {
  /** @type {File[]} */
  const files = [];
  let held = 0;
  const waiting = [directory];
  for (let at = waiting.pop(); at !== undefined && held < mostBytes; at = waiting.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isFile() || held >= mostBytes) continue;
      const bytes = readFileSync(path);
      if (bytes.subarray(0, 8000).includes(0)) continue;
      held += bytes.length;
      files.push({ name: relative(directory, path), bytes });
    }
  }
  return files;
};

/** @param {() => void} work
 * @returns {number} milliseconds of this process, whatever else the machine does */
const cost = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** @param {() => void} work */
const middle = (work) => median(Array.from({ length: rounds }, () => cost(work)));

/** What a secret looks like that is found by its looks. */
const fake = `ghp_${'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzCbD'}`;

/** @param {number} megabytes
 * @returns {File} one line, as a minifier leaves it */
const minified = (megabytes) => {
  const piece = 'function(a,b){return a(b[0],1)};var c=d?e:f;';
  const half = piece.repeat(Math.ceil((megabytes * 1e6) / piece.length / 2));
  return { name: 'line.min.js', bytes: Buffer.from(`${half}"${fake}";${half}`) };
};

const load = async () => {
  const directory = join(root, '.tmp', `bench-scan-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const outfile = join(directory, 'file-scan.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/io/scan/file-scan.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'error',
  });
  try {
    /** @type {typeof import('../src/io/scan/file-scan.ts')} */
    const module = await import(pathToFileURL(outfile).href);
    return module;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** @param {string} title
 * @param {readonly (string | number)[]} cells */
const row = (title, cells) =>
  console.log(`${title.padEnd(34)} ${cells.map((cell) => String(cell).padStart(12)).join('')}`);

const main = async () => {
  const { fileScanner } = await load();
  const scan = fileScanner();
  /** @param {readonly File[]} files */
  const found = (files) =>
    files.reduce((sum, { name, bytes }) => {
      const scanned = scan({ name, isRules: false, bytes: bytes.length, pieces: () => [bytes] });
      return sum + (scanned.kind === 'scanned' ? scanned.findings.length : 0);
    }, 0);
  /** @param {string} title
   * @param {readonly File[]} files
   * @param {string} [directory] */
  const measure = (title, files, directory) => {
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
    const scanning = middle(() => found(files));
    const reading =
      directory === undefined
        ? undefined
        : middle(() => {
            for (const { name } of files) readFileSync(join(directory, name));
          });
    row(title, [
      files.length,
      megabytes.toFixed(1),
      (megabytes / (scanning / 1000)).toFixed(1),
      reading === undefined ? '' : (scanning / reading).toFixed(0),
      found(files),
    ]);
    return scanning / megabytes;
  };
  const started = performance.now();
  row('', ['files', 'MB', 'MB/s', 'x reading', 'findings']);
  for (const directory of directories)
    measure(relative(root, directory) || directory, filesBelow(directory), directory);
  const small = measure('one line of 2 MB', [minified(2)]);
  const large = measure('one line of 8 MB', [minified(8)]);
  console.log(`\ngrowth of the time per MB from 2 to 8 MB in one line: ${(large / small).toFixed(2)} (linear: 1)`);
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in all, Node ${process.version}`);
};

await main();
