import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import { recordFromJson } from '../../../core/model/record-from-json.ts';
import { lineDigest } from '../../compose.ts';
import { agent, type CliSandbox, verdictOf, within } from '../cli-sandbox.cases.ts';
import { type EntryChange, entry, places } from '../tidy.cases.ts';

const put = (sandbox: CliSandbox, file: string, changes: readonly EntryChange[]): void => {
  const lines = changes.map((change) => canonicalJson(entry(change)));
  sandbox.write(file, lines.map((line) => `${line}\n`).join(''));
  sandbox.project().trust.addTrusted(
    lines.map((line) => lineDigest(file, line)),
    { who: 'user:ada', when: 'now' },
  );
};

describe.concurrent('hookwise export --flat', () => {
  it(
    'writes one plain object per line, which loads back and decides the same',
    within(async (sandbox) => {
      put(sandbox, places.allow, [{ input: 'make all', metadata: { tier: 'Human', confidence: 1, reason: 'fine' } }]);
      put(sandbox, places.deny, [{ input: 'npm publish', decision: 'deny', role: '*' }]);
      put(sandbox, places.user, [{ tool: 'Write', input: '.env', file_path: '.env', decision: 'ask', scope: 'user' }]);
      const { code, out, err } = await sandbox.run(['export', '--flat']);
      expect([code, err]).toEqual([0, []]);
      const shared = { reason: '', timestamp: '2026-03-01T12:00:00.000Z' };
      expect(out.map((line) => JSON.parse(line))).toEqual([
        {
          command: 'make all',
          tool: 'Bash',
          role: 'tester',
          decision: 'allow',
          ...shared,
          reason: 'fine',
          scope: 'project',
        },
        { command: 'npm publish', tool: 'Bash', role: '*', decision: 'deny', ...shared, scope: 'project' },
        { file: '.env', tool: 'Write', role: 'tester', decision: 'ask', ...shared, scope: 'user' },
      ]);
      for (const line of out) expect(recordFromJson(JSON.parse(line), 'user').ok).toBe(true);
      for (const file of [places.allow, places.deny]) sandbox.write(file, '');
      sandbox.write(places.user, out.map((line) => `${line}\n`).join(''));
      expect(await verdictOf(sandbox, { command: 'make all' })).toBe('allow entry.user');
      expect(await verdictOf(sandbox, { command: 'npm publish', role: 'coder' })).toBe('deny entry.user');
    }),
  );

  it(
    'leaves out what has no plain form or is not in force, and says why',
    within(async (sandbox) => {
      put(sandbox, places.allow, [
        { input: 'fine' },
        { pattern: { command: 'make *' } },
        { input: 'cargo test <ANY:name>', slots: ['name'] },
        { input: 'old', expires_at: new Date(sandbox.now() - 1).toISOString() },
        { input: 'ends', expires_at: new Date(sandbox.now() + 1).toISOString() },
        { input: 'below', context: 'inside:lib' },
        { tool: 'Write', input: 'a', change: 'create' },
        { role: '*' },
        { input: `curl -H "Authorization: Bearer ${'a1B2c3D4'.repeat(5)}"` },
      ]);
      put(sandbox, places.deny, [
        { tool: 'Write', input: 'a', change: 'create', decision: 'deny', context: 'inside:lib' },
      ]);
      put(sandbox, places.here, [{ input: 'x', lossy: true, digest: 'ab'.repeat(32) }]);
      sandbox.write(places.ask, 'not a record\n');
      sandbox.write(places.user, `${canonicalJson(entry({ input: 'other', role: 'coder' }))}\n`);
      const { out, err } = await sandbox.run(['export', '--flat', '--role', 'tester']);
      expect(out.map((line) => Object.values(JSON.parse(line))[0])).toEqual(['fine', 'a']);
      expect(err.map((line) => line.replace(/^.*\/(\w+\.jsonl:\d+) is left out: /, '$1 '))).toEqual([
        'allow.jsonl:2 it is an override: matched by pattern, not by call',
        'allow.jsonl:3 it holds for every call of a shape',
        expect.stringMatching(/^allow\.jsonl:4 it expired at /),
        expect.stringMatching(/^allow\.jsonl:5 it ends at /),
        'allow.jsonl:6 it allows only calls made elsewhere (inside:lib)',
        'allow.jsonl:7 it allows only to create the file',
        'allow.jsonl:9 its call holds what looks like a secret',
        'ask.jsonl:1 is not valid JSON',
        'user.jsonl:1 part of its text was redacted',
      ]);
      expect(err.join('')).not.toContain('a1B2c3D4');
    }),
  );

  it(
    'leaves out what nobody trusted',
    within(async (sandbox) => {
      sandbox.write(places.allow, `${canonicalJson(entry())}\n`);
      expect(await sandbox.run(['export', '--flat'])).toMatchObject({
        out: [],
        err: [expect.stringMatching(/:1 is left out: it is not in force: nobody has trusted it here$/)],
      });
    }),
  );

  it(
    'writes a file of its own, and never over another',
    within(async (sandbox) => {
      put(sandbox, places.user, [{ input: 'a' }, { input: 'b' }]);
      const line = ['export', '--flat', '--scope', 'user', '--output', 'flat.jsonl'];
      expect((await sandbox.run(line)).out).toEqual([`Wrote 2 entries to ${sandbox.root}/flat.jsonl.`]);
      expect(sandbox.records('repo/flat.jsonl')).toHaveLength(2);
      expect(await sandbox.run(line)).toMatchObject({ code: 1, err: [expect.stringMatching(/is there already/)] });
    }),
  );

  it.each([
    [[], 2, /say --flat/],
    [['--flat', '--scope', 'role'], 2, /nothing is stored at role scope/],
    [['--flat', '--output', ''], 2, /names a file/],
  ] as const)(
    'refuses %j',
    within(async (sandbox, options, code, message) => {
      expect(await sandbox.run(['export', ...options])).toMatchObject({ code, err: [expect.stringMatching(message)] });
    }),
  );

  it(
    'is not for agents',
    within(async (sandbox) => {
      put(sandbox, places.user, [{ input: 'a' }]);
      expect(await sandbox.run(['export', '--flat'], { caller: agent('s-1') })).toMatchObject({ code: 1, out: [] });
    }),
  );
});
