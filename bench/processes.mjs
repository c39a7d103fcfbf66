// @ts-check
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, quantile } from './figures.mjs';
import { command, makePlace, payload, rulesText } from './place.mjs';

/** @typedef {import('./figures.mjs').Figure} Figure
 * @typedef {import('./place.mjs').Place} Place */

/** @param {Place} place
 * @param {readonly string[]} args
 * @param {string} input */
const run = (place, args, input) => {
  const start = process.hrtime.bigint();
  const done = spawnSync(process.execPath, args, { cwd: place.project, env: place.env, input, maxBuffer: 1 << 28 });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (done.error !== undefined) throw done.error;
  return { ms, status: done.status, stdout: done.stdout.toString('utf8'), stderr: done.stderr.toString('utf8') };
};

/** Runs of two programs in turn, so that what disturbs one disturbs the other.
 * @param {() => number} one
 * @param {() => number} other
 * @param {number} runs */
const inTurn = (one, other, runs) => {
  for (let warm = 0; warm < 2; warm++) {
    one();
    other();
  }
  return Array.from({ length: runs }, () => ({ one: one(), other: other() }));
};

/** A hook process from start to exit, against an empty script under the same Node.
 * @param {string} root
 * @param {number} runs
 * @returns {Figure[]} */
export const coldHook = (root, runs) => {
  const place = makePlace();
  try {
    place.write('config/user/rules.jsonl', rulesText(1000));
    const empty = join(place.top, 'empty.cjs');
    writeFileSync(empty, '');
    const hook = [join(root, 'dist/hookwise.cjs'), 'check'];
    /** @type {readonly [string, object, string][]} */
    const calls = [
      ['path deny', payload(place, 'Write', { file_path: 'tests/a.ts', content: 'x' }), 'deny'],
      ['exact hit', payload(place, 'Bash', { command: command(7) }), 'allow'],
      ['read', payload(place, 'Read', { file_path: 'src/a.ts' }), 'allow'],
    ];
    return calls.flatMap(([name, body, expected]) => {
      const input = JSON.stringify(body);
      const answer = run(place, hook, input);
      if (!answer.stdout.includes(`"permissionDecision":"${expected}"`))
        throw new Error(`${name}: expected ${expected}, got ${answer.stdout}${answer.stderr}`);
      const times = inTurn(
        () => run(place, [empty], input).ms,
        () => run(place, hook, input).ms,
        runs,
      );
      const ratios = times.map(({ one, other }) => other / one);
      const group = `A hook process, cold (${runs} runs in turn with an empty script)`;
      return [
        {
          group,
          name: `${name}: ratio to an empty script`,
          median: median(ratios),
          p99: quantile(ratios, 0.99),
          unit: 'x',
        },
        { group, name: `${name}: the empty script`, median: median(times.map(({ one }) => one)), unit: 'ms' },
        { group, name: `${name}: hookwise check`, median: median(times.map(({ other }) => other)), unit: 'ms' },
      ];
    });
  } finally {
    place.remove();
  }
};

/** The first look-up of a fresh process, by how much is remembered.
 * @param {string} child the bundled look-up program
 * @param {number} runs
 * @returns {Figure[]} */
export const coldLookup = (child, runs) => {
  const sizes = [1000, 10_000, 100_000];
  const places = sizes.map((size) => ({ size, place: makePlace() }));
  try {
    for (const { size, place } of places) place.write('config/user/rules.jsonl', rulesText(size));
    /** @param {(typeof places)[number]} one */
    const once = ({ size, place }) => {
      const { stdout, stderr } = run(place, [child, place.home, command(size >> 1)], '');
      const said = /^(index|rebuilt) (\d+)$/.exec(stdout.trim());
      if (said === null) throw new Error(`look-up among ${size}: ${stdout}${stderr}`);
      return { from: said[1], us: Number(said[2]) / 1000 };
    };
    const group = `The first exact look-up of a fresh process (${runs} runs)`;
    const built = places.map((one) => ({ size: one.size, us: once(one).us }));
    const times = Array.from({ length: runs }, () => places.map(once));
    const wrong = times.flat().filter(({ from }) => from !== 'index');
    if (wrong.length > 0) throw new Error('a look-up did not use the index');
    /** @param {number} column */
    const of = (column) => times.map((row) => row[column]?.us ?? Number.NaN);
    const base = of(0);
    return sizes.flatMap((size, column) => {
      const own = of(column);
      const ratios = own.map((us, turn) => us / (base[turn] ?? Number.NaN));
      const name = `${size / 1000}k entries`;
      return [
        { group, name: `${name}: ratio to 1k`, median: median(ratios), unit: 'x' },
        { group, name: `${name}: open, look up, close`, median: median(own), p99: quantile(own, 0.99), unit: 'us' },
        {
          group,
          name: `${name}: making the index`,
          median: (built[column]?.us ?? Number.NaN) / 1000,
          unit: 'ms',
          note: 'one run',
        },
      ];
    });
  } finally {
    for (const { place } of places) place.remove();
  }
};

/** @param {string} root
 * @returns {Figure[]} */
export const batchRows = (root) => {
  const place = makePlace();
  try {
    const rows = 4000;
    /** @param {number} number */
    const line = (number) => {
      const calls = [
        payload(place, 'Bash', { command: command(number) }),
        payload(place, 'Write', { file_path: `src/file-${number}.ts`, content: 'x' }),
        payload(place, 'Read', { file_path: `src/file-${number}.ts` }),
        payload(place, 'Edit', { file_path: `tests/file-${number}.ts`, old_string: 'a', new_string: 'b' }),
      ];
      return `${JSON.stringify(calls[number % calls.length])}\n`;
    };
    const many = Array.from({ length: rows }, (_, number) => line(number)).join('');
    const args = [join(root, 'dist/hookwise.cjs'), 'check', '--batch', '--dry-run'];
    const few = line(0);
    run(place, args, few);
    const perSecond = Array.from({ length: 3 }, () => {
      const start = run(place, args, few).ms;
      const { ms, stdout } = run(place, args, many);
      if (stdout.trim().split('\n').length !== rows) throw new Error('check --batch left rows out');
      return (rows / (ms - start)) * 1000;
    });
    const group = 'check --batch --dry-run';
    return [
      { group, name: `${rows} rows, without the start of the process`, median: median(perSecond), unit: 'rows/s' },
    ];
  } finally {
    place.remove();
  }
};

/** @param {string} root
 * @returns {Figure[]} */
export const bundleBytes = (root) =>
  ['hookwise.cjs', 'shell.cjs', 'cli.cjs', 'compile-policy.cjs', 'index.js'].map((file) => ({
    group: 'Built files',
    name: `dist/${file}`,
    median: statSync(join(root, 'dist', file)).size / 1024,
    unit: 'KB',
  }));
