// @ts-check
/**
 * Measures exact memory by how much is remembered: the first look-up of a fresh process, an answer that is remembered,
 * the index made anew, and memory. Ratios to 1k entries are taken within one turn. Nothing here fails on a time.
 * Usage: node bench/memory.mjs [--large] [--json] [--quick]    (--large: also a million entries)
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { median, quantile, table } from './figures.mjs';
import { writeLines } from './memory-lines.mjs';
import { makePlace } from './place.mjs';

/** @typedef {import('./figures.mjs').Figure} Figure
 * @typedef {import('./place.mjs').Place} Place */

const repository = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const sizes = [1000, 10_000, 100_000, ...(args.includes('--large') ? [1_000_000] : [])];
const runs = args.includes('--quick') ? 7 : 21;
const answers = 40;

/** @param {number} size */
const named = (size) => (size >= 1_000_000 ? `${size / 1_000_000}M entries` : `${size / 1000}k entries`);

/** @param {readonly string[]} words
 * @param {Place} place */
const run = (words, place) => {
  const start = process.hrtime.bigint();
  const done = spawnSync(process.execPath, words, { env: place.env, maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${words.join(' ')}: ${done.stderr}`);
  return { us: Number(process.hrtime.bigint() - start) / 1000, text: done.stdout.toString().trim() };
};

/** @typedef {{ task: string, empty: string }} Children
 * @typedef {{ size: number, place: Place }} Sized */

/** @param {Children} children
 * @param {readonly Sized[]} places
 * @returns {Figure[]} */
const coldLookups = (children, places) => {
  /** @param {Sized} sized */
  const once = ({ size, place }) => {
    /** @type {{ us: number, said: string }} */
    const { us, said } = JSON.parse(run([children.task, 'lookup', place.home, '', `task ${size >> 1}`], place).text);
    if (said !== 'index 1') throw new Error(`the look-up among ${size}: ${said}`);
    return us;
  };
  for (const sized of places) once(sized);
  const turns = Array.from({ length: runs }, () => {
    const [first] = places;
    return { own: places.map(once), start: first === undefined ? 0 : run([children.empty], first.place).us };
  });
  const group = `The first look-up of a fresh process: open, find, close (${runs} runs in turn)`;
  return places.flatMap(({ size }, at) => {
    const own = turns.map((turn) => turn.own[at] ?? Number.NaN);
    const toFirst = turns.map((turn) => (turn.own[at] ?? Number.NaN) / (turn.own[0] ?? Number.NaN));
    const toStart = turns.map((turn) => (turn.own[at] ?? Number.NaN) / turn.start);
    return [
      { group, name: `${named(size)}: ratio to 1k`, median: median(toFirst), unit: 'x' },
      { group, name: `${named(size)}: ratio to starting Node`, median: median(toStart), unit: 'x' },
      { group, name: `${named(size)}: own work`, median: median(own), p99: quantile(own, 0.99), unit: 'us' },
    ];
  });
};

/** @param {Children} children
 * @param {readonly Sized[]} places
 * @param {{ group: string, root: (place: Place) => string }} how
 * @returns {Figure[]} */
const appends = (children, places, { group, root }) => {
  const measured = places.map(({ place }) => {
    const { text } = run([children.task, 'append', place.home, root(place), `${answers}`], place);
    /** @type {{ times: number[] }} */
    const { times } = JSON.parse(text);
    return times;
  });
  const first = median(measured[0] ?? []);
  return places.flatMap(({ size }, at) => {
    const times = measured[at] ?? [];
    return [
      { group, name: `${named(size)}: ratio to 1k`, median: median(times) / first, unit: 'x' },
      { group, name: `${named(size)}: one answer`, median: median(times), p99: quantile(times, 0.99), unit: 'us' },
    ];
  });
};

/** @param {Children} children
 * @param {readonly Sized[]} places
 * @param {{ group: string, root: (place: Place) => string }} how
 * @returns {Figure[]} */
const rebuilds = (children, places, { group, root }) =>
  places.flatMap(({ size, place }) => {
    const turns = size > 100_000 ? 1 : 3;
    const times = Array.from({ length: turns }, () => {
      /** @type {{ us: number, cpuUs: number, megabytes: number }} */
      const said = JSON.parse(run([children.task, 'rebuild', place.home, root(place)], place).text);
      return said;
    });
    const best = times.reduce((a, b) => (a.cpuUs < b.cpuUs ? a : b));
    return [
      {
        group,
        name: `${named(size)}: processor time`,
        median: best.cpuUs / 1000,
        unit: 'ms',
        note: `best of ${turns}`,
      },
      { group, name: `${named(size)}: processor time per entry`, median: best.cpuUs / size, unit: 'us' },
      { group, name: `${named(size)}: memory of the process`, median: best.megabytes, unit: 'MB' },
    ];
  });

/** @param {Place} place */
const noRoot = (place) => (place.home === '' ? 'unreachable' : '');
/** @param {Place} place */
const ownRoot = (place) => place.project;

/** @param {string} directory
 * @returns {Promise<Children>} */
const bundle = async (directory) => {
  await build({
    absWorkingDir: repository,
    entryPoints: ['bench/memory-child.mjs'],
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    logLevel: 'error',
  });
  const empty = join(directory, 'empty.cjs');
  writeFileSync(empty, '');
  return { task: join(directory, 'memory-child.cjs'), empty };
};

/** @param {Children} children
 * @param {readonly Sized[]} places
 * @returns {Figure[]} */
const inRepository = (children, places) => {
  const trusted = places.filter(({ size }) => size <= 100_000);
  for (const { size, place } of trusted) {
    writeLines(join(place.project, '.hookwise/rules/allow.jsonl'), size);
    run([children.task, 'trust', place.home, place.project, `${size}`], place);
  }
  return [
    ...rebuilds(children, trusted, { group: "The project's index made anew, every line trusted", root: ownRoot }),
    ...appends(children, trusted, {
      group: `An answer remembered for the project, with its trust (${answers} in one process)`,
      root: ownRoot,
    }),
  ];
};

const main = async () => {
  const directory = join(repository, '.tmp', `bench-memory-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  /** @type {Sized[]} */
  const places = [];
  try {
    const children = await bundle(directory);
    for (const size of sizes) {
      const place = makePlace();
      places.push({ size, place });
      writeLines(join(place.home, 'config/user/rules.jsonl'), size);
    }
    const figures = [
      ...rebuilds(children, places, { group: "The user's index made anew", root: noRoot }),
      ...coldLookups(children, places),
      ...appends(children, places, {
        group: `An answer remembered for the user (${answers} in one process, each on disk)`,
        root: noRoot,
      }),
      ...inRepository(children, places),
    ];
    const machine = { node: process.version, cores: cpus().length, platform: `${process.platform} ${process.arch}` };
    if (args.includes('--json')) console.log(JSON.stringify({ machine, figures }, null, 2));
    else console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.platform}\n\n${table(figures)}`);
  } finally {
    for (const { place } of places) place.remove();
    rmSync(directory, { recursive: true, force: true });
  }
};

main().catch((/** @type {unknown} */ thrown) => {
  console.error(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  process.exitCode = 1;
});
