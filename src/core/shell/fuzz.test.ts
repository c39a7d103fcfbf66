import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers, type Ran, randomFrom, script, startedIn, stubCount, stubProgram } from './fuzz.generate.ts';
import { readShell } from './registry.ts';

const rounds = Number(process.env['HOOKWISE_FUZZ'] ?? 120);
const seed = Number(process.env['HOOKWISE_FUZZ_SEED'] ?? 20_261);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-fuzz-'));
  for (let index = 0; index < stubCount; index += 1) {
    const file = join(folder, `p${index}`);
    writeFileSync(file, stubProgram);
    chmodSync(file, 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const execute = (source: string): readonly Ran[] => {
  const work = mkdtempSync(join(folder, 'w'));
  const log = join(work, 'log');
  writeFileSync(log, '');
  // `timeout` ends the whole group: a generated loop may have no end.
  spawnSync('timeout', ['-k', '1', '2', 'bash', '-c', source], {
    cwd: work,
    timeout: 5000,
    input: '',
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: work, FUZZ_LOG: log },
  });
  return startedIn(readFileSync(log, 'utf8'));
};

test('what bash starts is among what the reading says is started', { timeout: 600_000 }, () => {
  const random = randomFrom(seed);
  const missed: string[] = [];
  let judged = 0;
  let started = 0;
  for (let round = 0; round < rounds; round += 1) {
    const source = script(random, 3);
    const context = { cwd: '/w', home: '/w', user: 'u', root: '/w' };
    const reading = readShell(source, context);
    const isSeen = !reading.unknowns.some((unknown) => unknown.hidden);
    if (isSeen) judged += 1;
    for (const ran of execute(source)) {
      started += 1;
      const found = reading.commands.some((command) => covers(command, ran));
      if (!found && isSeen) missed.push(`${JSON.stringify(ran)} in ${JSON.stringify(source)}`);
    }
  }
  expect(missed).toEqual([]);
  expect(judged).toBeGreaterThan(rounds / 4);
  expect(started).toBeGreaterThan(rounds / 2);
});
