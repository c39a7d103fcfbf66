import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalCommand } from './canonical.ts';
import { harmless, loosened, prelude } from './canonical-scripts.cases.ts';
import { randomFrom } from './fuzz.generate.ts';
import { readShell } from './registry.ts';

const rounds = Number(process.env['HOOKWISE_FUZZ'] ?? 120) * 4;
const seed = Number(process.env['HOOKWISE_FUZZ_SEED'] ?? 20_263);

const context = { cwd: '/w', home: '/w', user: 'u', root: '/w' };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'canonical-bash-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Every script runs in a folder of its own, in a shell that finds no programs.
const driver = `${prelude}
# What a member of a pipeline writes to no one is lost either way, and must not end it sooner or later.
trap '' PIPE
for d in "$@"; do
  (
    builtin cd "$d" || builtin exit
    HOME=$d
    v='one two'
    . ../../script-of-"\${d##*/}"
  ) >"$d.out" 2>/dev/null 3>/dev/null </dev/null
  builtin printf 'status %s' "$?" >>"$d.out"
done
`;

// Members of a pipeline run side by side, so the order of their lines is open.
const inOrder = (text: string, isPiped = false): string => (isPiped ? text.split('\n').sort().join('\n') : text);

interface Scripts {
  readonly texts: readonly string[];
  readonly isPiped: readonly boolean[];
}

const runAll = (name: string, { texts, isPiped }: Scripts): readonly string[] => {
  const base = join(folder, name);
  mkdirSync(base);
  const places = texts.map((text, index) => {
    const place = join(base, `${index}`);
    mkdirSync(place);
    for (const input of ['i1', 'i 2', 'j1']) writeFileSync(join(place, input), `of ${input}\n`);
    writeFileSync(join(folder, `script-of-${index}`), text);
    return place;
  });
  writeFileSync(join(folder, 'driver'), driver);
  const { signal } = spawnSync('/bin/bash', ['--noprofile', '--norc', join(folder, 'driver'), ...places], {
    cwd: base,
    env: { PATH: '/nonexistent', LC_ALL: 'C.UTF-8' },
    input: '',
    timeout: 120_000,
  });
  expect(signal).toBeNull();
  return places.map((place, index) => {
    const written = readdirSync(place)
      .sort()
      .map((file) => `${file}: ${inOrder(readFileSync(join(place, file), 'utf8'), isPiped[index])}`);
    const shown = inOrder(readFileSync(`${place}.out`, 'utf8'), isPiped[index]).replaceAll(place, '~');
    // The shell's own messages say in which line something failed.
    return [shown, ...written]
      .join('\n')
      .replaceAll(place, '~')
      .replace(/line(\W{1,2})\d+:/g, 'line:');
  });
};

test('bash does the same for a text and its one form', { timeout: 300_000 }, () => {
  const random = randomFrom(seed);
  const scripts = Array.from({ length: rounds }, () => harmless(random)(2));
  const texts = scripts.map((script) => {
    let text = script;
    for (let times = random.below(5); times > 1; times -= 1) text = loosened(text, random);
    return text;
  });
  const forms = texts.map((text) => canonicalCommand(text, { ...context, reading: readShell(text, context) }));
  const changed = texts.flatMap((text, index) => (forms[index] === text ? [] : [index]));
  // Stand-ins that were in the text are escaped, which is not meant to be run; what runs behind the back has no end.
  const runnable = changed.filter((index) => !/ANY:| &(?:\s|$)/.test(forms[index] ?? ''));
  const run = (name: string, from: readonly string[], indexes: readonly number[]): readonly string[] => {
    const isPiped = indexes.map((index) => texts[index]?.includes('|') === true);
    return runAll(name, { texts: indexes.map((index) => from[index] ?? ''), isPiped });
  };
  const outcomes = new Set<string>();
  let wrong = runnable;
  // Members of a pipeline race: what really differs differs every time.
  for (let turn = 0; turn < 3 && wrong.length > 0; turn += 1) {
    const [before, after] = [run(`texts-${turn}`, texts, wrong), run(`forms-${turn}`, forms, wrong)];
    for (const outcome of before) outcomes.add(outcome);
    wrong = wrong.filter((_index, at) => before[at] !== after[at]);
  }
  expect(wrong.map((index) => [texts[index], forms[index]])).toEqual([]);
  console.log(`${rounds} scripts, ${runnable.length} changed and run, ${outcomes.size} different outcomes`);
  expect(runnable.length).toBeGreaterThan(rounds / 6);
  expect(outcomes.size).toBeGreaterThan(runnable.length / 2);
});
