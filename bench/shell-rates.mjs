// @ts-check
/**
 * How well shell text is understood: corpora made from the case tables by mutation, and the time a reading takes.
 * Nothing of it is run. Usage: node bench/shell-rates.mjs [--seed=1] [--per-case=12] [--show=0]
 */
import { performance } from 'node:perf_hooks';
import { median, quantile } from './figures.mjs';
import { numberOption, shellModules } from './shell-bundle.mjs';

const seed = numberOption('seed', 1);
const perCase = numberOption('per-case', 12);
const show = numberOption('show', 0);
const shell = await shellModules([
  'registry.ts',
  'verdict.ts',
  'fuzz.generate.ts',
  'bypasses.cases.ts',
  'verdict.cases.ts',
  'holes-places.cases.ts',
  'holes-code.cases.ts',
  'everyday.cases.ts',
]);
const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };
const random = shell.randomFrom(seed);

/** @typedef {(call: string) => string} Mutation */

/** @param {string} call */
const quoted = (call) => `'${call.replaceAll("'", "'\\''")}'`;

/** Ways to write the same thing, or to put it somewhere else, that leave it as harmless as it was.
 * @type {readonly Mutation[]} */
const wholeLines = [
  (call) => call,
  (call) => ` ${call}`,
  (call) => `ls && ${call}`,
  (call) => `git status; ${call}`,
  (call) => `${call}\nls`,
  (call) => `ls\n${call}`,
  (call) => `( ${call}\n)`,
  (call) => `{ ${call}\n}`,
  (call) => `if true; then ${call}\nfi`,
  (call) => `for x in 1; do ${call}\ndone`,
  (call) => `bash -c ${quoted(call)}`,
  (call) => `set -u; ${call}`,
  (call) => `time { ${call}\n}`,
];

/** Ways that need the call to end with its line, and something to be in it.
 * @type {readonly Mutation[]} */
const plain = [
  ...wholeLines,
  (call) => `${call} # note`,
  (call) => `echo start && ${call} || true`,
  (call) => `${call} &\nwait`,
];

/** Ways to hide a call. @type {readonly Mutation[]} */
const hiding = [
  ...wholeLines,
  (call) => `echo "$(${call}\n)"`,
  (call) => `x=$(${call}\n)`,
  (call) => `cat <(${call}\n)`,
  (call) => `eval ${quoted(call)}`,
  (call) => `sh -ec ${quoted(call)}`,
  (call) => `env bash -c ${quoted(call)}`,
  (call) => `nohup sh -c ${quoted(call)} &`,
  (call) => `timeout 5 bash -c ${quoted(call)}`,
  (call) => `f() { ${call}\n}; f`,
  (call) => `trap ${quoted(call)} EXIT`,
  (call) => `while true; do ${call}\nbreak; done`,
  (call) => `case x in x) ${call}\n;; esac`,
  (call) => `false || { ${call}\n}`,
  (call) => `ls | { ${call}\n}`,
  (call) => `coproc { ${call}\n}`,
  (call) => `bash <<'END_OF_CALL'\n${call}\nEND_OF_CALL`,
  (call) => `echo ${quoted(call)} | bash`,
  (call) => `bash <<< ${quoted(call)}`,
  (call) => `find . -maxdepth 0 -exec bash -c ${quoted(call)} \\;`,
  (call) => `xargs -I{} bash -c ${quoted(call)} < list`,
  (call) => `code=${quoted(call)}; eval "$code"`,
  (call) => `: "\${y:=$(${call}\n)}"`,
  (call) => `[[ -n $(${call}\n) ]]`,
  (call) => `bash -c ${quoted(`bash -c ${quoted(call)}`)}`,
  (call) => call.replace(/^[a-z]{2,}/, (name) => `${name.slice(0, 1)}""${name.slice(1)}`),
  (call) => call.replace(/^[a-z]{2,}/, (name) => `\\${name}`),
];

/** @param {readonly string[]} calls
 * @param {readonly Mutation[]} mutations */
const mutated = (calls, mutations) => {
  const all = new Set();
  for (const call of calls)
    for (let turn = 0; turn < perCase; turn += 1) {
      const fitting = mutations === plain && /<<|#/.test(call) ? wholeLines.slice(0, 6) : mutations;
      const once = random.pick(fitting)(call);
      all.add(random.below(4) === 0 ? random.pick(wholeLines)(once) : once);
    }
  return [...all];
};

/** @param {string} call
 * @returns {{ verdict: string, complete: boolean }} */
const judge = (call) => {
  const reading = shell.readShell(call, context);
  return { verdict: shell.builtinVerdict(reading, context).verdict ?? 'open', complete: reading.complete };
};

/** @typedef {{ denied: readonly string[], asked: readonly string[], guarded: readonly string[], allowed: readonly string[] }} Holes */
/** @type {readonly Holes[]} */
const holes = [...shell.placeHoles, ...shell.codeHoles];
/** @type {readonly (readonly [string, string, string])[]} */
const bypasses = shell.bypassCases;
/** @param {string} right */
const bypassesOf = (right) => bypasses.filter((row) => row[2] === right).map((row) => row[1]);

/** Damaged text may become sound when it is wrapped, and arguments that are not known become none.
 * @param {string} call */
const isSound = (call) =>
  !/\$\{?[@*1]/.test(call) &&
  !shell.readShell(call, context).unknowns.some((/** @type {{ why: string }} */ { why }) => /parse/.test(why));

const dangerous = mutated([...shell.deniedCalls, ...bypassesOf('deny'), ...holes.flatMap((one) => one.denied)], hiding);
const asked = [...shell.askedCalls, ...bypassesOf('ask'), ...holes.flatMap((one) => one.asked)];
const doubtful = mutated(asked.filter(isSound), hiding);
const harmless = mutated([...shell.allowedCalls, ...shell.lookingCalls, ...holes.flatMap((one) => one.allowed)], plain);
const manual = mutated(shell.manualCalls, plain);

/** @param {readonly string[]} calls
 * @param {(judged: { verdict: string, complete: boolean }) => boolean} holds */
const matching = (calls, holds) => calls.filter((call) => holds(judge(call)));

/** @param {number} part
 * @param {number} whole */
const percent = (part, whole) => `${((part / whole) * 100).toFixed(2)} %`;

/** @param {string} title
 * @param {readonly string[]} found
 * @param {readonly string[]} all */
const report = (title, found, all) => {
  process.stdout.write(
    `${title.padEnd(44)} ${percent(found.length, all.length).padStart(9)}  ${found.length} of ${all.length}\n`,
  );
};

const allowedDanger = matching(dangerous, ({ verdict }) => verdict === 'allow');
const allowedAbuse = [...allowedDanger, ...matching(doubtful, ({ verdict }) => verdict === 'allow')];
const openDanger = matching(dangerous, ({ verdict }) => verdict === 'open');
const stopped = matching(harmless, ({ verdict }) => verdict !== 'allow');
const puzzling = matching(manual, ({ complete }) => !complete);
report('abuse silently allowed', allowedAbuse, [...dangerous, ...doubtful]);
report('dangerous allowed (must be 0)', allowedDanger, dangerous);
report('dangerous left open', openDanger, dangerous);
report(
  'dangerous refused outright',
  matching(dangerous, ({ verdict }) => verdict === 'deny'),
  dangerous,
);
report(
  'harmless allowed',
  matching(harmless, ({ verdict }) => verdict === 'allow'),
  harmless,
);
report(
  'harmless refused',
  matching(harmless, ({ verdict }) => verdict === 'deny'),
  harmless,
);
report(
  'manual pages understood',
  matching(manual, ({ complete }) => complete),
  manual,
);
for (const call of [...allowedAbuse, ...openDanger].slice(0, 40)) process.stdout.write(`  ! ${JSON.stringify(call)}\n`);
for (const call of [...stopped.slice(0, show), ...puzzling.slice(0, show)])
  process.stdout.write(`  ? ${JSON.stringify(call)}\n`);

/** Median microseconds for one reading, warm. @param {string} call */
const readingTime = (call) => {
  for (let turn = 0; turn < 20; turn += 1) shell.readShell(call, context);
  /** @type {number[]} */
  const times = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const started = performance.now();
    shell.readShell(call, context);
    times.push((performance.now() - started) * 1000);
  }
  return median(times);
};

const times = [...shell.lookingCalls, ...shell.manualCalls].map(readingTime);
process.stdout.write(
  `reading a typical command (target 30 µs): median ${median(times).toFixed(1)} µs, 90 % ${quantile(times, 0.9).toFixed(1)} µs, 99 % ${quantile(times, 0.99).toFixed(1)} µs\n`,
);
/** Texts that are long or deep on purpose: each must get its answer within 250 ms. @type {readonly [name: string, text: string][]} */
const hostile = [
  ['1 MB of padding', `${' '.repeat(1_000_000)}ls`],
  ['1 MB in one word', `echo ${'a'.repeat(1_000_000)}`],
  ['50 000 words', `echo${' "x y"'.repeat(50_000)}`],
  ['5 000 nested $(', `echo ${'$('.repeat(5000)}ls${')'.repeat(5000)}`],
  ['2 000 segments', 'ls; '.repeat(2000)],
  ['braces, eight deep', `echo ${'{1..9}'.repeat(8)}`],
];
for (const [name, text] of hostile) {
  const started = performance.now();
  shell.builtinVerdict(shell.readShell(text, context), context);
  const took = performance.now() - started;
  process.stdout.write(
    `${name.padEnd(20)}${took.toFixed(0).padStart(6)} ms (target 250)${took > 250 ? '  MISSED' : ''}\n`,
  );
}
process.exitCode = allowedDanger.length > 0 ? 1 : 0;
