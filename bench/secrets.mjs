// @ts-check
/**
 * What the sanitiser costs: ordinary commands against a loop over every detector, and the worst of many 10 KB texts that
 * are made to be slow. Also recall over the detectors' own samples and false alarms on ordinary texts.
 * Usage: node bench/secrets.mjs
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from './figures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const load = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hookwise-secrets-'));
  try {
    const contents = [
      "export { sanitize } from './src/core/sanitize/sanitize.ts';",
      "export { compileDetector, detectorsOf, families } from './src/core/sanitize/detectors.ts';",
      "export { lookingCalls, manualCalls } from './src/core/shell/everyday.cases.ts';",
      "export { appSamples } from './src/core/sanitize/detectors/samples-apps.cases.ts';",
      "export { infraSamples } from './src/core/sanitize/detectors/samples-infra.cases.ts';",
      "export { expand } from './src/core/sanitize/detectors/expand.cases.ts';",
    ].join('\n');
    const outfile = join(directory, 'secrets.mjs');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
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

const {
  sanitize,
  compileDetector,
  detectorsOf,
  families,
  lookingCalls,
  manualCalls,
  appSamples,
  infraSamples,
  expand,
} = await load();

/** @type {readonly string[]} */
const ordinary = [...lookingCalls, ...manualCalls];
/** @type {readonly RegExp[]} */
const loop = detectorsOf(families).map(
  (/** @type {any} */ detector) => new RegExp(compileDetector(detector).source, 'gi'),
);

/** @param {() => void} work @param {number} turns */
const microseconds = (work, turns) => {
  for (let turn = 0; turn < 3; turn++) work();
  const times = Array.from({ length: turns }, () => {
    const start = performance.now();
    work();
    return (performance.now() - start) * 1000;
  });
  return median(times);
};

const sanitizeAll = () => {
  for (const text of ordinary) sanitize(text);
};
const loopOverAll = () => {
  for (const text of ordinary) for (const pattern of loop) text.match(pattern);
};
const own = microseconds(sanitizeAll, 15) / ordinary.length;
const naive = microseconds(loopOverAll, 5) / ordinary.length;
console.log(
  `ordinary commands (${ordinary.length}): ${own.toFixed(2)} us each; a loop over ${loop.length} patterns ${naive.toFixed(0)} us; ratio ${(own / naive).toFixed(4)} (target 0.02)`,
);

/** @type {readonly [string, string][]} */
const samples = [...appSamples, ...infraSamples];
const missed = samples.filter(([, sample]) => {
  const text = expand(sample).replace(/[[\]]/g, '');
  return sanitize(text).spans.length === 0;
});
console.log(
  `samples found: ${samples.length - missed.length} of ${samples.length}${missed.length === 0 ? '' : `; missed ${missed.map(([id]) => id).join(', ')}`}`,
);
const alarms = ordinary.filter((text) => sanitize(text).spans.length > 0);
console.log(`ordinary commands with a finding: ${alarms.length} of ${ordinary.length}`);

const pieces = [
  '"',
  "'",
  '\\',
  '`',
  '=',
  ':',
  ' ',
  '--token ',
  'password=',
  '-p ',
  'https://',
  'a:b@',
  '%41',
  '%',
  'sk-',
  'ghp_',
  'AKIA',
  'eyJ',
  '-----BEGIN ',
  'Bearer ',
  '{"key":"',
  '$(',
  '<<EOF\n',
  'aB3',
  'A'.repeat(39),
  'YWJj',
  '\n',
  '&',
  '?token=',
  'xoxb-1-',
  'export A=',
  '-u a:',
  'mysql -p',
  'abc.',
  '_',
  '-',
  '0123456789abcdef',
];
const texts = pieces.flatMap((first) =>
  ['', ...pieces].map((second) => (first + second).repeat(10_240).slice(0, 10_240)),
);
for (const text of texts.slice(0, 50)) sanitize(text);
const timed = texts.map((text) => {
  const times = [0, 1, 2].map(() => {
    const start = performance.now();
    sanitize(text);
    return performance.now() - start;
  });
  return { text, ms: Math.min(...times) };
});
timed.sort((a, b) => b.ms - a.ms);
console.log(
  `${timed.length} texts of 10 KB made to be slow: worst ${timed[0]?.ms.toFixed(2)} ms (target 2), median ${median(timed.map(({ ms }) => ms)).toFixed(3)} ms, above 2 ms: ${timed.filter(({ ms }) => ms > 2).length}`,
);
for (const { text, ms } of timed.slice(0, 5))
  console.log(`  ${ms.toFixed(2)} ms  ${JSON.stringify(text.slice(0, 60))}`);
