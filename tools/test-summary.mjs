// @ts-check
/**
 * Adds up the reports of several test runs. The last line is `N passed, N failed, N skipped`.
 * Usage: node tools/test-summary.mjs <directory> <run>=<expected skips> …
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./test-report.ts').Report} Report */

// A client that cannot be fetched is no fault of the change; such tests are listed and counted, and expected by nobody.
const excused = /^not installable here/;

/** @param {string} directory
 * @param {string} run
 * @returns {Report} */
const readReport = (directory, run) => {
  const file = join(directory, `${run}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  return { passed: 0, failed: [`the ${run} tests did not run to their end`], skipped: [] };
};

/** @param {string} directory
 * @param {string} wanted */
const summarise = (directory, wanted) => {
  const [run = '', expected = ''] = wanted.split('=');
  const { passed, failed, skipped } = readReport(directory, run);
  const unexcused = skipped.filter(({ reason }) => !excused.test(reason)).length;
  const lines = [
    ...failed.map((name) => `failed: ${name}`),
    ...skipped.map(({ name, reason }) => `skipped: ${name}: ${reason}`),
    ...(String(unexcused) === expected ? [] : [`${run}: ${unexcused} tests were skipped, expected ${expected}`]),
  ];
  return {
    lines,
    passed,
    failed: failed.length,
    skipped: skipped.length,
    isGood: failed.length === 0 && String(unexcused) === expected,
  };
};

const [directory = '', ...runs] = process.argv.slice(2);
if (directory === '' || runs.length === 0 || !runs.every((run) => /^[a-z0-9]+=\d+$/.test(run))) {
  throw new Error('usage: node tools/test-summary.mjs <directory> <run>=<expected skips> …');
}
const results = runs.map((run) => summarise(directory, run));
/** @param {'passed' | 'failed' | 'skipped'} count */
const total = (count) => results.reduce((sum, result) => sum + result[count], 0);
for (const line of results.flatMap((result) => result.lines)) console.log(line);
console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
process.exitCode = results.every((result) => result.isGood) ? 0 : 1;
