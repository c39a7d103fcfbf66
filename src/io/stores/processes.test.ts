import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { entryKeyText } from '../../core/model/entry-key.ts';
import { scratch } from '../files/scratch.cases.ts';
import { auditLog } from './audit.ts';
import { entryDigest, openIndex } from './entry-index.ts';
import { grantStore } from './grants.ts';
import { untrustedLines } from './index-rows.ts';
import { queueStore } from './queue.ts';
import { saveDecision } from './rules-change.ts';
import { readRules } from './rules-file.ts';
import { projectRules } from './rules-location.ts';
import { sessionStore } from './sessions.ts';
import type { ChildTask } from './store-child.cases.ts';
import { at, noon, pending, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

const child = join(scratch(), 'child.cjs');
const callDigest = 'ef'.repeat(32);

beforeAll(() => {
  const entry = new URL('./store-child.cases.ts', import.meta.url).pathname;
  buildSync({ entryPoints: [entry], outfile: child, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
});

interface Ended {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
}

const start = (task: ChildTask): { process: ChildProcess; ended: Promise<Ended> } => {
  const process = spawn(globalThis.process.execPath, [child, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  process.stdout?.on('data', (chunk) => (output += chunk));
  process.stderr?.on('data', (chunk) => (errors += chunk));
  return { process, ended: new Promise((resolve) => process.on('close', (code) => resolve({ output, errors, code }))) };
};

const setup = (): { state: string; root: string } => {
  const top = scratch();
  mkdirSync(join(top, 'repo'));
  return { state: join(top, 'state'), root: join(top, 'repo') };
};

describe('fifty processes at once', () => {
  it('lose nothing, answer once, and share one key', async () => {
    const place = setup();
    const queue = queueStore(place);
    const item = queue.enqueue(pending(), noon);
    // Only the key of the children signs: they race to make it, and the grant is minted with whichever won.
    const warm = Array.from({ length: 4 }, (_, number) =>
      start({ ...place, name: `w${number}`, mode: 'once', queueId: '', callDigest }),
    );
    for (const { ended } of warm) expect(await ended).toMatchObject({ code: 0, errors: '' });
    const key = loadUserKey(place.state);
    grantStore({ state: place.state, key }).mint({ callDigest, sessionId: 's-1', actor: 'user:ada', now: noon });

    const names = Array.from({ length: 50 }, (_, number) => `p${number}`);
    const children = names.map((name) => start({ ...place, name, mode: 'once', queueId: item.id, callDigest }));
    const ended = await Promise.all(children.map((one) => one.ended));
    expect(ended.filter(({ code, errors }) => code !== 0 || errors !== '')).toEqual([]);
    const results = ended.map(({ output }) => JSON.parse(output));
    expect([
      results.filter(({ answered }) => answered).length,
      results.filter(({ granted }) => granted).length,
    ]).toEqual([1, 1]);

    const { registered, disabled } = sessionStore({ state: place.state, sanitize: (text) => text }).list();
    expect([registered.size, disabled.size]).toEqual([54, 54]);
    const location = projectRules(place.root);
    const inputs: string[] = [];
    expect(readRules(location, (line) => inputs.push(line.record.key.sanitized_input)).problems).toEqual([]);
    expect(inputs).toHaveLength(54);
    const trust = trustStore({ state: place.state, key, identity: place.root });
    const index = openIndex({ ...place, location, key, trust, now: noon });
    const digests = names.map((name) =>
      entryDigest(key, entryKeyText({ tool: 'Bash', input: `run ${name}`, context: 'root' })),
    );
    expect([index.find(digests).length, index.untrusted]).toEqual([50, 0]);
    expect(auditLog({ state: place.state, key }).verify()).toEqual({ ok: true, lines: 108, problems: [] });
    const winner = names[results.findIndex(({ answered }) => answered)];
    expect(queue.takeResponse(item.id)?.actor).toBe(winner);
    for (const directory of ['sessions', 'locks', 'log', 'trust', 'queue', 'grants']) {
      expect(readdirSync(join(place.state, directory)).filter((name) => /\.(lock|tmp)|taken/.test(name))).toEqual([]);
    }
  });
});

describe('writers killed at any moment', () => {
  it('leave stores that can be read and written, with everything they acknowledged', async () => {
    const place = setup();
    const key = loadUserKey(place.state);
    const location = projectRules(place.root);
    const trust = trustStore({ state: place.state, key, identity: place.root });
    const log = auditLog({ state: place.state, key });
    const acknowledged: string[] = [];
    let appended = 0;
    for (let round = 0; round < 8; round++) {
      const names = [`a${round}`, `b${round}`, `c${round}`];
      const writers = names.map((name) => start({ ...place, name, mode: 'loop', queueId: '', callDigest }));
      await Promise.race(writers.map(({ process }) => once(process.stdout ?? process, 'data')));
      await new Promise((resolve) => setTimeout(resolve, 13 * round));
      for (const { process } of writers) process.kill('SIGKILL');
      const ended = await Promise.all(writers.map((one) => one.ended));
      expect(ended.map(({ errors }) => errors)).toEqual(['', '', '']);
      ended.forEach(({ output }, index) => {
        const whole = output.split('\n').slice(0, -1);
        for (const number of whole) acknowledged.push(`${names[index]}-${number}`);
      });

      appended += 1;
      log.append({ name: 'tester', round }, at);
      const verified = log.verify();
      expect([verified.ok, verified.problems.filter(({ kind }) => kind === 'broken')]).toEqual([true, []]);
      saveDecision(location, record({ input: `round ${round}` }), {
        state: place.state,
        trust,
        by: { who: 'x', when: at },
      });
      const seen = new Map<string, number>();
      const { problems } = readRules(location, ({ record: { key: call } }) =>
        seen.set(call.sanitized_input, (seen.get(call.sanitized_input) ?? 0) + 1),
      );
      expect(problems.filter(({ reason }) => reason !== 'is not valid JSON')).toEqual([]);
      const index = openIndex({ ...place, location, key, trust, now: noon });
      expect(index.problemCount).toBe(problems.length);
      // An allow that a killed writer had just overruled: the deny is already there.
      for (const { source, statement } of untrustedLines(location, trust.isTrusted)) {
        const call = statement.replace('allows tester: Bash ', '');
        const found = index.find([entryDigest(key, entryKeyText({ tool: 'Bash', input: call, context: 'root' }))]);
        expect([source.line, call, found.map(({ verdict }) => verdict)]).toEqual([source.line, call, ['deny']]);
      }
      index.close();
    }
    const { registered, broken } = sessionStore({ state: place.state, sanitize: (text) => text }).list();
    expect([acknowledged.filter((name) => !registered.has(name)), broken]).toEqual([[], []]);
    expect(acknowledged.length).toBeGreaterThan(0);
    const logged = new Set(log.read({ limit: 1_000_000 }).entries.map(({ event }) => `${event.name}-${event.call}`));
    expect(acknowledged.filter((name) => !logged.has(name))).toEqual([]);
    expect(log.verify().lines).toBeGreaterThanOrEqual(acknowledged.length + appended);
    const rules = ['allow', 'deny'].map((name) => readFileSync(join(location.path, `${name}.jsonl`), 'utf8')).join('');
    const stems = new Set(acknowledged.map((name) => name.replace(/[0-9]+$/, (number) => String(Number(number) % 3))));
    expect([...stems].filter((stem) => !rules.includes(`"run ${stem}"`))).toEqual([]);
  });
});
