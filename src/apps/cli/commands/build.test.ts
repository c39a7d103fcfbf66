import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { revision, startModelServer } from '../../../io/embedders/model-server.cases.ts';
import { agent, type CliSandbox, filed, script, verdictOf, within } from '../cli-sandbox.cases.ts';

const built = async (sandbox: CliSandbox, ...words: string[]) => {
  const ran = await sandbox.run(['build', '--json', ...words]);
  return { ...ran, places: JSON.parse(ran.out[0] ?? '').places };
};

describe.concurrent('hookwise build', () => {
  it(
    'makes every index anew, and says how much went where',
    within(async (sandbox) => {
      await sandbox.run(['approve', await filed(sandbox)]);
      await sandbox.run(['deny', await filed(sandbox, { command: 'make all' }), '--scope', 'user']);
      const { places, code, err } = await built(sandbox);
      expect([code, err]).toEqual([0, []]);
      expect(places).toMatchObject([
        { place: 'project', entries: 1, similar: { calls: 1 } },
        { place: 'repository-user', entries: 0, similar: { calls: 0 } },
        { place: 'user', entries: 1, similar: { calls: 1 } },
      ]);
      for (const { exact, similar } of [places[0], places[2]])
        for (const { files, bytes, ms, problem } of [exact, similar]) {
          expect(files.length).toBeGreaterThan(0);
          for (const file of files) expect(existsSync(file)).toBe(true);
          expect(bytes).toBeGreaterThan(0);
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(problem).toBeUndefined();
        }
      const { out } = await sandbox.run(['build']);
      expect(out[0]).toMatch(/^project +exact +1 entry +[\d.]+ ms +[\d.]+ K?B +\/.*\.idx$/);
      expect(out[1]).toMatch(/^ +similar +1 call +[\d.]+ ms +[\d.]+ K?B +\/.*\/repo\/\.hookwise\/\.index\/$/);
    }),
  );

  it(
    'replaces indexes that are damaged or gone, and nothing decided changes',
    within(async (sandbox) => {
      await sandbox.run(['approve', await filed(sandbox)]);
      const { places } = await built(sandbox);
      const [{ exact, similar }] = places;
      for (const file of [...exact.files, ...similar.files]) writeFileSync(file, 'nothing', { mode: 0o600 });
      rmSync(similar.files[0]);
      expect((await built(sandbox)).places[0]).toMatchObject({
        entries: 1,
        exact: { bytes: exact.bytes },
        similar: { bytes: similar.bytes },
      });
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toBe('allow entry.project');
    }),
  );

  it(
    'does one scope when told so',
    within(async (sandbox) => {
      const { places } = await built(sandbox, '--scope', 'user');
      expect(places).toMatchObject([{ place: 'repository-user' }, { place: 'user' }]);
      expect((await sandbox.run(['build', '--scope', 'org'])).out).toEqual(['There is no such place of memory here.']);
      expect(await sandbox.run(['build', '--scope', 'all'])).toMatchObject({ code: 2 });
    }),
  );

  it(
    'says what cannot be read, and goes on with the rest',
    within(async (sandbox) => {
      await sandbox.run(['approve', await filed(sandbox)]);
      sandbox.write('own/config/user/rules.jsonl', '');
      chmodSync(sandbox.at('own/config/user'), 0o777);
      const { places, code, err } = await built(sandbox);
      expect(code).toBe(1);
      expect(err).toEqual([expect.stringMatching(/^hookwise build: user: .*own\/config\/user/)]);
      expect(places).toMatchObject([{ entries: 1 }, {}, { exact: { problem: expect.any(String) } }]);
    }),
  );

  it(
    'fetches a model when told to, and from nowhere otherwise',
    within(async (sandbox) => {
      const server = await startModelServer();
      try {
        const named = ['--model', 'owner/tiny', '--revision', revision, '--pooling', 'mean', '--from', server.url];
        expect(await sandbox.run(['build', ...named])).toMatchObject({
          code: 2,
          err: ['--model, --revision, --pooling, --from: only together with --fetch-model'],
        });
        const wrong = await sandbox.run(['build', '--fetch-model', '--pooling', 'max']);
        expect(wrong).toMatchObject({ code: 2, err: [expect.stringMatching(/cls or mean/)] });
        const asAgent = { caller: agent('s-1') };
        expect(await sandbox.run(['build', '--fetch-model', ...named], asAgent)).toMatchObject({ code: 1 });
        expect(server.asked).toEqual([]);
        const ran = await sandbox.run(['build', '--fetch-model', ...named]);
        expect(ran).toMatchObject({ code: 0 });
        expect(ran.out[0]).toMatch(/^Fetched owner\/tiny at a{12}: [\d.]+ KB, in .*own\/state\/models\./);
        expect(ran.out.join('\n')).toMatch(/^project +exact/m);
        expect(existsSync(sandbox.at(`own/state/models/${revision}/model.onnx`))).toBe(true);
      } finally {
        await server.close();
      }
      const gone = await sandbox.run(['build', '--fetch-model', '--from', 'ftp://x']);
      expect(gone).toMatchObject({ code: 1, err: [expect.stringMatching(/models are fetched over https/)] });
    }),
  );

  it(
    'is not for agents; scripts may',
    within(async (sandbox) => {
      expect(await sandbox.run(['build'], { caller: agent('s-1') })).toMatchObject({ code: 1, out: [] });
      expect(await sandbox.run(['build'], { caller: script })).toMatchObject({ code: 0 });
      expect(await verdictOf(sandbox, { command: 'hookwise build' })).toBe('deny control.build');
    }),
  );
});
