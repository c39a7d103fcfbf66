import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { entryKeyText } from '../../core/model/entry-key.ts';
import { scratch } from '../files/scratch.cases.ts';
import { entryDigest, openIndex, rebuildIndex } from './entry-index.ts';
import type { IndexTask } from './index-child.cases.ts';
import { saveDecision } from './rules-change.ts';
import { projectRules } from './rules-location.ts';
import { at, noon, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

const child = join(scratch(), 'index-child.cjs');

beforeAll(() => {
  const entry = new URL('./index-child.cases.ts', import.meta.url).pathname;
  buildSync({ entryPoints: [entry], outfile: child, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
});

const start = (task: IndexTask) => {
  const process = spawn(globalThis.process.execPath, [child, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  process.stdout.on('data', (chunk) => (output += chunk));
  process.stderr.on('data', (chunk) => (errors += chunk));
  const ended = new Promise<{ readonly lines: readonly string[]; readonly errors: string }>((resolve) =>
    process.on('close', () => resolve({ lines: output.split('\n').slice(0, -1), errors })),
  );
  const busy = new Promise<void>((resolve) =>
    process.stdout.on('data', () => {
      if (output.split('\n').length > 6) resolve();
    }),
  );
  return { process, ended, busy };
};

describe('an index that is kept up by processes which are killed at any moment', () => {
  it('finds every acknowledged answer, and says what an index made anew says', async () => {
    const top = scratch();
    const [root, state] = [join(top, 'repo'), join(top, 'state')];
    mkdirSync(root);
    const key = loadUserKey(state);
    const trust = trustStore({ state, key, identity: root });
    const location = projectRules(root);
    const open = () => openIndex({ location, state, key, trust, now: noon });
    saveDecision(location, record({ input: 'run seed' }), { state, trust, by: { who: 'x', when: at } });
    const acknowledged: string[] = [];
    const answeredBy: string[] = [];
    for (let round = 0; round < 6; round++) {
      const tasks: IndexTask[] = ['a', 'b', 'c'].map((name) => ({
        state,
        root,
        name: `${name}${round}`,
        mode: 'write',
      }));
      const running = [...tasks, { state, root, name: `r${round}`, mode: 'read' } as const].map(start);
      await Promise.all(running.map(({ busy }) => busy));
      await new Promise((resolve) => setTimeout(resolve, 3 * round));
      for (const { process } of running) process.kill('SIGKILL');
      const ended = await Promise.all(running.map((one) => one.ended));
      expect(ended.map(({ errors }) => errors)).toEqual(['', '', '', '']);
      for (const [at, { lines }] of ended.entries())
        for (const line of lines) {
          const [number = '', by = ''] = line.split(' ');
          answeredBy.push(by);
          if (at < tasks.length) acknowledged.push(`run ${tasks[at]?.name} ${number}`);
        }
      const digests = acknowledged.map((input) =>
        entryDigest(key, entryKeyText({ tool: 'Bash', input, context: 'root' })),
      );
      const index = open();
      const anew = rebuildIndex({ location, state: join(top, 'other'), key, trust, now: noon });
      const found = index.find(digests);
      expect(found).toHaveLength(acknowledged.length);
      expect(found).toEqual(anew.find(digests));
      expect([index.untrusted, index.problemCount]).toEqual([anew.untrusted, anew.problemCount]);
      index.close();
      anew.close();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(6 * 3 * 6);
    // Rebuilds are for what was killed half-way; nearly all look-ups find the index as it is.
    expect(answeredBy.filter((by) => by === 'index').length).toBeGreaterThan(answeredBy.length * 0.8);
    expect(readdirSync(join(state, 'index')).filter((name) => name.endsWith('.lock')).length).toBeLessThanOrEqual(1);
  });
});
