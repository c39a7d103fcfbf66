// @ts-check
/**
 * What the similarity tiers carry from an allowed call to another one, over the pair suites: guarded mode beside seed
 * mode. Usage: node bench/pairs.mjs [--show=0]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { numberOption } from './shell-bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const show = numberOption('show', 0);

const load = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hookwise-pairs-'));
  try {
    const contents = [
      "export * from './corpus/carry.cases.ts';",
      "export * from './corpus/pairs/dangerous.cases.ts';",
      "export * from './corpus/pairs/benign.cases.ts';",
    ].join('\n');
    const outfile = join(directory, 'pairs.mjs');
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

const { judgeAfter, outcomeOf, dangerousPairs, benignPairs } = await load();

/** @typedef {{ first: string, second: string, kind: string } & Record<string, string | undefined>} Pair */

/** @param {Pair} pair @param {'first' | 'second'} which */
const callIn = (pair, which) => {
  const own = (/** @type {string} */ name) =>
    (which === 'first' ? pair[`first${name[0]?.toUpperCase()}${name.slice(1)}`] : undefined) ?? pair[name];
  const given = ['tool', 'role', 'cwd'].flatMap((name) => (own(name) === undefined ? [] : [[name, own(name)]]));
  return { ...Object.fromEntries(given), command: pair[which] };
};

/** The tier that lets the second call pass, if one does. @param {Pair} pair @param {string} mode */
const carrier = (pair, mode) => {
  const outcome = outcomeOf(judgeAfter([callIn(pair, 'first')], callIn(pair, 'second'), { mode }));
  return /^allow (TokenJaccard|EmbeddingSimilarity|ExactCache)$/.exec(outcome)?.[1];
};

/** @param {string} title @param {readonly Pair[]} pairs */
const report = (title, pairs) => {
  for (const mode of ['guarded', 'seed']) {
    /** @type {Map<string, number>} */
    const tiers = new Map();
    const carried = pairs.filter((pair) => {
      const tier = carrier(pair, mode);
      if (tier !== undefined) tiers.set(tier, (tiers.get(tier) ?? 0) + 1);
      return tier !== undefined;
    });
    const parts = [...tiers].map(([tier, count]) => `${tier} ${count}`).join(', ');
    const share = ((100 * carried.length) / pairs.length).toFixed(1);
    console.log(
      `${title}, ${mode}: ${carried.length} of ${pairs.length} carried (${share} %)${parts ? `: ${parts}` : ''}`,
    );
    for (const { kind, first, second } of carried.slice(0, show)) console.log(`  ${kind}: ${first}  ->  ${second}`);
  }
};

report('dangerous pairs', dangerousPairs());
report('benign pairs', benignPairs());
