// @ts-check
/**
 * The token index against a comparison with every document: build, first answer of a fresh process, warm answers, growth.
 * Usage: node bench/jaccard.mjs [--large] [--seed=1]
 */
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, quantile } from './figures.mjs';
import { numberOption } from './shell-bundle.mjs';

/** @typedef {typeof import('../src/core/similarity/token-index.ts') & typeof import('../src/core/similarity/tokens.ts') & typeof import('../src/core/similarity/token-jaccard.ts')} Similarity */
/** @typedef {readonly { document: number, score: number }[]} Answer */

const root = fileURLToPath(new URL('..', import.meta.url));
const self = fileURLToPath(import.meta.url);
const seed = numberOption('seed', 1);
const sizes = [1000, 10_000, 100_000, ...(process.argv.includes('--large') ? [1_000_000] : [])];
/** How many commands are asked for: comparing all takes long where there are many. @param {number} size */
const questionCount = (size) => (size > 100_000 ? 16 : size > 10_000 ? 60 : 200);
const threshold = 0.7;
/** The heap that a build may use, in MiB. */
const heapLimit = 1500;

/** @param {number} start */
const randomFrom = (start) => {
  let state = (start * 2654435761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  /** @param {number} limit */
  const below = (limit) => Math.floor(next() * limit);
  // Names are used unevenly: a few of them all the time, most of them once.
  /** @param {number} limit */
  const skewed = (limit) => Math.floor(limit ** next()) - 1;
  /** @template T @param {readonly T[]} values @returns {T} */
  const pick = (values) => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
  return { below, skewed, pick };
};

const areas = 'auth api billing core search users orders mail reports cache jobs web admin export import sync'.split(
  ' ',
);
const things = 'handler service model view client parser store router schema worker loader config index test'.split(
  ' ',
);

/** A command as agents write them. @param {ReturnType<typeof randomFrom>} random @param {number} names */
const commandFrom = (random, names) => {
  const name = () => `${random.pick(areas)}_${random.pick(things)}${random.skewed(names)}`;
  const path = () => `src/${random.pick(areas)}/${name()}.ts`;
  /** @type {readonly (() => string)[]} */
  const templates = [
    () => `pytest tests/${random.pick(areas)}/test_${name()}.py`,
    () => `pytest -x -k ${name()} tests/${random.pick(areas)}`,
    () => `npm run ${random.pick(['build', 'test', 'lint'])} -- --filter ${name()}`,
    () => `npx vitest run ${path()}`,
    () => `git diff HEAD~${random.below(9)} -- ${path()}`,
    () =>
      `git commit -m "${random.pick(['fix', 'add', 'move'])} ${name()} in ${random.pick(areas)} (${random.skewed(names)})"`,
    () => `git add ${path()} ${path()}`,
    () => `grep -rn "${name()}" src/${random.pick(areas)} --include=*.ts | head -${random.below(90)}`,
    () => `sed -n ${random.below(900)},${random.below(900)}p ${path()}`,
    () => `docker compose -f deploy/${random.pick(areas)}.yml up -d ${name()}`,
    () => `kubectl get pods -n ${random.pick(areas)} -l app=${name()}`,
    () => `curl -s http://localhost:${3000 + random.below(99)}/v1/${random.pick(areas)}/${random.skewed(names)}`,
    () => `cargo test --package ${name()} -- --nocapture`,
    () => `mkdir -p build/${random.pick(areas)}/${name()}`,
  ];
  return random.pick(templates)();
};

/** The commands that are remembered. @param {number} count */
const remembered = function* (count) {
  const random = randomFrom(seed);
  for (let number = 0; number < count; number++) yield commandFrom(random, count);
};

/** The commands that are asked for: known ones, known ones with an operand changed, and new ones. @param {number} size @param {number} count */
const asked = (size, count) => {
  const random = randomFrom(seed + 1);
  const step = Math.max(1, Math.floor(size / count));
  const known = [...remembered(size)].filter((_, number) => number % step === 0);
  return known.slice(0, count).map((command, number) => {
    if (number % 4 === 0) return command;
    return number % 2 === 0 ? commandFrom(random, size) : command.replace(/\d+/, `${random.below(size)}`);
  });
};

/** @param {() => unknown} work */
const microseconds = (work) => {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1000;
};

/** @param {string} file */
const readerOf = (file) => {
  const descriptor = openSync(file, 'r');
  const counts = { reads: 0 };
  // One buffer for all reads: the index keeps copies.
  let buffer = Buffer.allocUnsafe(4096);
  /** @param {number} position @param {number} length */
  const read = (position, length) => {
    if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
    const read = readSync(descriptor, buffer, 0, length, position);
    counts.reads += 1;
    return buffer.subarray(0, read);
  };
  return { read, counts, size: fstatSync(descriptor).size, close: () => closeSync(descriptor) };
};

/** @param {Similarity} similarity @param {string} file */
const openFile = (similarity, file) => {
  const reader = readerOf(file);
  const index = similarity.openTokenIndex(reader.read, reader.size);
  if (index === undefined) throw new Error('no index');
  return { index, ...reader };
};

// What a fresh process does.

/** @param {Similarity} similarity @param {{ size: string, file: string }} task */
const buildIndex = ({ encodeTokenIndex, tokenize }, { size, file }) => {
  const lists = function* () {
    for (const command of remembered(Number(size))) yield tokenize(command);
  };
  const generating = microseconds(() => {
    for (const _ of lists());
  });
  /** @type {Uint8Array} */
  let bytes = new Uint8Array(0);
  const whole = microseconds(() => {
    bytes = encodeTokenIndex(lists());
  });
  writeFileSync(file, bytes);
  return { ms: (whole - generating) / 1000, bytes: bytes.length, rssMiB: process.resourceUsage().maxRSS / 1024 };
};

/** @param {Similarity} similarity @param {{ command: string, file: string }} task */
const answerOnce = (similarity, { command, file }) => {
  const before = process.memoryUsage.rss();
  const tokens = similarity.tokenize(command);
  let reads = 0;
  const cpu = process.cpuUsage();
  const us = microseconds(() => {
    const { index, counts, close } = openFile(similarity, file);
    index.near(tokens, { threshold, limit: 64 });
    close();
    reads = counts.reads;
  });
  const { user, system } = process.cpuUsage(cpu);
  return { us, cpuUs: user + system, reads, rssKiB: (process.memoryUsage.rss() - before) / 1024 };
};

/** @param {string} task @param {{ bundle: string, input: object, flags?: readonly string[] }} how @returns {any} */
const inFreshProcess = (task, { bundle, input, flags = [] }) => {
  const done = spawnSync(
    process.execPath,
    [...flags, self, `--seed=${seed}`, '--task', task, bundle, JSON.stringify(input)],
    {
      encoding: 'utf8',
    },
  );
  if (done.status !== 0) throw new Error(`${task}: ${done.stderr}`);
  return JSON.parse(done.stdout);
};

// What is printed.

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);

/** @param {number} value */
const shown = (value) => (value >= 100 ? Math.round(value).toString() : value.toPrecision(3));

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {Similarity} similarity @param {readonly (readonly string[])[]} lists @param {readonly string[]} tokens @returns {Answer} */
const bruteForce = ({ jaccardCoefficient }, lists, tokens) =>
  lists
    .map((list, document) => ({ document, score: jaccardCoefficient(tokens, list) }))
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || a.document - b.document);

/** The time of every question, answered by an index and by comparing all. @param {{ questions: readonly (readonly string[])[], byIndex: (tokens: readonly string[]) => unknown, byComparing: (tokens: readonly string[]) => unknown }} how */
const compared = ({ questions, byIndex, byComparing }) => {
  for (const tokens of questions.slice(0, 3)) byComparing(tokens);
  for (let round = 0; round < 20; round++) for (const tokens of questions) byIndex(tokens);
  const slow = questions.map((tokens) => microseconds(() => byComparing(tokens)));
  const fast = questions.map((tokens) => microseconds(() => byIndex(tokens)));
  // The middle of the questions, so that one that was interrupted does not count.
  const ratios = fast.map((time, number) => time / (slow[number] ?? Number.NaN));
  return { slow, fast, ratio: median(ratios), mean: sum(fast) / sum(slow) };
};

/** @param {number} size */
const recordsOf = (size) =>
  Array.from(
    remembered(size),
    (input, number) =>
      /** @type {const} */ ({
        v: 1,
        key: { sanitized_input: input, tool: 'Bash', role: `role${number}` },
        decision: 'allow',
        metadata: { tier: 'Human', confidence: 1, reason: '' },
        timestamp: '2026-01-01T00:00:00.000Z',
        scope: 'user',
        session_id: 'bench',
      }),
  );

/** The memory that grows entry by entry. @param {Similarity} similarity @param {number} size @param {readonly string[]} commands */
const incremental = (similarity, size, commands) => {
  const records = recordsOf(size);
  const memory = similarity.tokenJaccard({ threshold, minTokens: 1 });
  const inserting = microseconds(() => memory.loadFrom(records));
  const lists = records.map(({ key }) => similarity.tokenize(key.sanitized_input));
  for (const command of commands) {
    const expected = bruteForce(similarity, lists, similarity.tokenize(command));
    const found = memory.nearest(command).map(({ record, score }) => `${record.key.role} ${score}`);
    if (found.join() !== expected.map(({ document, score }) => `role${document} ${score}`).join())
      throw new Error(`other answers: ${command}`);
  }
  const { fast, ratio } = compared({
    questions: commands.map((command) => [command]),
    byIndex: ([command = '']) => memory.nearest(command),
    byComparing: ([command = '']) => bruteForce(similarity, lists, similarity.tokenize(command)),
  });
  return { insertUs: inserting / size, medianUs: median(fast), ratio };
};

/** @typedef {{ warm: number, brute: number, cold: number }} Base */

/** @param {Similarity} similarity @param {{ size: number, bundle: string, directory: string, base: Base | undefined }} how */
const measure = (similarity, { size, bundle, directory, base }) => {
  const file = join(directory, `jaccard-${size}.bin`);
  const built = inFreshProcess('build', {
    bundle,
    input: { size, file },
    flags: [`--max-old-space-size=${heapLimit}`],
  });
  const lists = Array.from(remembered(size), (command) => similarity.tokenize(command));
  const commands = asked(size, questionCount(size));
  const questions = commands.map((command) => similarity.tokenize(command));
  const { index, close } = openFile(similarity, file);
  /** @type {number[]} */
  const found = [];
  for (const tokens of questions) {
    const expected = bruteForce(similarity, lists, tokens);
    const answer = index.near(tokens, { threshold });
    if (JSON.stringify(answer) !== JSON.stringify(expected)) throw new Error(`other answers: ${tokens.join(' ')}`);
    found.push(expected.length);
  }
  const { slow, fast, ratio, mean } = compared({
    questions,
    byIndex: (tokens) => index.near(tokens, { threshold }),
    byComparing: (tokens) => bruteForce(similarity, lists, tokens),
  });
  close();
  const cold = commands.slice(0, 21).map((command) => inFreshProcess('answer', { bundle, input: { command, file } }));
  const coldUs = median(cold.map(({ us }) => us));
  const now = { warm: median(fast), brute: median(slow), cold: coldUs };
  const first = base ?? now;
  /** @param {keyof Base} name */
  const growth = (name) => `${shown(now[name] / first[name])} x`;
  print(`\n${size} documents, ${shown(sum(lists.map((list) => list.length)) / size)} tokens each`);
  print(
    `  build            ${shown(built.ms)} ms, ${built.bytes} bytes (${shown(built.bytes / size)} a document), peak ${shown(built.rssMiB)} MiB with a heap of at most ${heapLimit} MiB`,
  );
  print(
    `  fresh process    open and answer ${shown(coldUs)} us median, ${shown(
      quantile(
        cold.map(({ us }) => us),
        0.9,
      ),
    )} us 90 %, ${shown(median(cold.map(({ cpuUs }) => cpuUs)))} us of processor time, ${median(cold.map(({ reads }) => reads))} reads, ${shown(median(cold.map(({ rssKiB }) => rssKiB)))} KiB more memory`,
  );
  print(
    `  warm             ${shown(now.warm)} us median, ${shown(sum(fast) / fast.length)} us mean; comparing all ${shown(now.brute)} us median`,
  );
  print(
    `  ratio            ${ratio.toFixed(4)} of comparing all in the median (target 0.1: ${ratio <= 0.1 ? 'met' : 'MISSED'}), ${mean.toFixed(4)} in all, identical answers to ${questions.length} questions, ${shown(sum(found) / found.length)} found on average`,
  );
  print(`  growth from ${sizes[0]}  fresh ${growth('cold')}, warm ${growth('warm')}, comparing all ${growth('brute')}`);
  if (size <= 100_000) {
    const { insertUs, medianUs, ratio: inMemory } = incremental(similarity, size, commands.slice(0, 30));
    print(
      `  in memory        insert ${shown(insertUs)} us, answer ${shown(medianUs)} us median, ratio ${inMemory.toFixed(4)}, identical answers`,
    );
  }
  return first;
};

/** Many documents that are equally near: the answer is as long as they are many, unless it is limited. @param {Similarity} similarity @param {number} size */
const allAlike = ({ encodeTokenIndex, openTokenIndex, tokenize }, size) => {
  const bytes = encodeTokenIndex(Array.from({ length: size }, (_, number) => tokenize(`pytest tests/${number}`)));
  const index = openTokenIndex((position, length) => bytes.subarray(position, position + length), bytes.length);
  if (index === undefined) throw new Error('no index');
  const tokens = tokenize('pytest tests/new');
  /** @param {number | undefined} limit */
  const time = (limit) => {
    const query = { threshold: 0.5, ...(limit === undefined ? {} : { limit }) };
    if (index.near(tokens, query)?.length !== (limit ?? size)) throw new Error('not all of them');
    return median(Array.from({ length: 9 }, () => microseconds(() => index.near(tokens, query))));
  };
  const [few, all] = [time(64), time(undefined)];
  print(
    `\n${size} documents, all as near: the 64 best ${shown(few)} us, all of them ${shown(all)} us, ratio ${(few / all).toFixed(4)}`,
  );
};

const main = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hookwise-jaccard-'));
  try {
    const bundle = join(directory, 'similarity.mjs');
    await build({
      stdin: {
        contents: ['token-index', 'tokens', 'token-jaccard']
          .map((file) => `export * from './src/core/similarity/${file}.ts';`)
          .join('\n'),
        resolveDir: root,
        loader: 'ts',
      },
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    });
    /** @type {Similarity} */
    const similarity = await import(pathToFileURL(bundle).href);
    print(`Node ${process.version}, threshold ${threshold}, seed ${seed}`);
    /** @type {Base | undefined} */
    let base;
    for (const size of sizes) base = measure(similarity, { size, bundle, directory, base });
    allAlike(similarity, 100_000);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** @param {readonly string[]} given */
const child = async ([task = '', bundle = '', input = '']) => {
  /** @type {Similarity} */
  const similarity = await import(pathToFileURL(bundle).href);
  const done = (task === 'build' ? buildIndex : answerOnce)(similarity, JSON.parse(input));
  process.stdout.write(JSON.stringify(done));
};

const taskAt = process.argv.indexOf('--task');
(taskAt === -1 ? main() : child(process.argv.slice(taskAt + 1))).catch((/** @type {unknown} */ thrown) => {
  console.error(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  process.exitCode = 1;
});
