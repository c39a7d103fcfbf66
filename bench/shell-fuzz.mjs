// @ts-check
/**
 * Compares the reading of generated shell text with what bash really starts. Only stub programs and a handful of
 * harmless ones can be found, paths are relative, the environment is empty, and where the machine lets us there is no
 * network and no other user. Run it nightly.
 * Usage: node bench/shell-fuzz.mjs [--count=100000] [--seed=1]
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberOption, shellModules } from './shell-bundle.mjs';

const count = numberOption('count', 100_000);
const seed = numberOption('seed', 1);
const { covers, randomFrom, readShell, script, startedIn, stubCount, stubProgram } = await shellModules([
  'fuzz.generate.ts',
  'registry.ts',
]);

/** What the grammar uses besides the stubs. */
const helpers = ['bash', 'sh', 'env', 'cat', 'xargs', 'find', 'nice', 'timeout'];

/** @param {string} folder */
const installPrograms = (folder) => {
  for (let index = 0; index < stubCount; index += 1) {
    const file = join(folder, `p${index}`);
    writeFileSync(file, stubProgram);
    chmodSync(file, 0o755);
  }
  for (const name of helpers) {
    const found = ['/usr/bin', '/bin'].map((place) => join(place, name)).find((file) => existsSync(file));
    if (found === undefined) throw new Error(`${name} is needed in /usr/bin or /bin`);
    symlinkSync(found, join(folder, name));
  }
};

/** Programs in front of bash: no network and a user of its own where that works, and always an end. */
const enclosure = () => {
  const ends = ['/usr/bin/timeout', '-k', '1', '2'];
  const apart = ['/usr/bin/unshare', '--user', '--net', '--ipc'];
  const works = existsSync(apart[0] ?? '') && spawnSync(apart[0] ?? '', [...apart.slice(1), '/bin/true']).status === 0;
  return works ? [...apart, ...ends] : ends;
};

/** @param {{ source: string, folder: string, place: string, before: readonly string[] }} run
 * @returns {Promise<readonly { program: string, args: readonly string[] }[]>} */
const execute = ({ source, folder, place, before }) =>
  new Promise((resolve, reject) => {
    const log = join(place, 'log');
    mkdirSync(place);
    writeFileSync(log, '');
    const [first = '', ...rest] = [...before, join(folder, 'bash'), '-c', source];
    const child = spawn(first, rest, {
      cwd: place,
      stdio: 'ignore',
      timeout: 6000,
      env: { PATH: folder, HOME: place, FUZZ_LOG: log },
    });
    child.on('error', reject);
    child.on('close', () => {
      const started = startedIn(readFileSync(log, 'utf8'));
      rmSync(place, { recursive: true, force: true });
      resolve(started);
    });
  });

const base = mkdtempSync(join(tmpdir(), 'hookwise-fuzz-'));
const folder = join(base, 'programs');
mkdirSync(folder);
installPrograms(folder);
const before = enclosure();
const random = randomFrom(seed);
const context = { cwd: '/w', home: '/w', user: 'u', root: '/w' };
const totals = { done: 0, judged: 0, started: 0 };
/** @type {string[]} */
const missed = [];

const worker = async () => {
  while (totals.done < count) {
    totals.done += 1;
    const round = totals.done;
    const source = script(random, 3);
    const reading = readShell(source, context);
    const isSeen = !reading.unknowns.some((/** @type {{ hidden: boolean }} */ unknown) => unknown.hidden);
    if (isSeen) totals.judged += 1;
    for (const ran of await execute({ source, folder, place: join(base, `w${round}`), before })) {
      totals.started += 1;
      const found = reading.commands.some((/** @type {unknown} */ command) => covers(command, ran));
      if (!found && isSeen) missed.push(`${JSON.stringify(ran)} in ${JSON.stringify(source)}`);
    }
  }
};

try {
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.stdout.write(
  `${totals.done} scripts (seed ${seed}), ${totals.judged} understood well enough to judge, ${totals.started} programs started, ${missed.length} missed\n`,
);
for (const line of missed.slice(0, 20)) process.stdout.write(`  ${line}\n`);
process.exitCode = missed.length > 0 || totals.judged < totals.done / 4 ? 1 : 0;
