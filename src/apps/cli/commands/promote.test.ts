import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import { agent, type CliSandbox, enqueue, filed, script, verdictOf, within } from '../cli-sandbox.cases.ts';
import { entry } from '../tidy.cases.ts';

const userFile = 'repo/.hookwise/.user/user.jsonl';
const globalFile = 'own/config/user/rules.jsonl';
const allowFile = 'repo/.hookwise/rules/allow.jsonl';

/** An answer of one's own, kept for this repository or for every one. */
const answered = async (sandbox: CliSandbox, command: string, place: readonly string[] = ['--here']): Promise<void> => {
  const learn = {
    sanitized_input: command,
    tool: 'Bash',
    role: 'tester',
    context: 'root',
    lossy: false,
    digest: 'cd'.repeat(32),
  } as const;
  await sandbox.run(['approve', enqueue(sandbox, { sanitized_input: command, learn }), ...place]);
};

describe.concurrent('hookwise promote', () => {
  it(
    'moves an entry after showing it, with who decided and who promoted',
    within(async (sandbox) => {
      await sandbox.run(['approve', await filed(sandbox, { command: 'make all' }), '--here']);
      const decidedAt = new Date(sandbox.now()).toISOString();
      sandbox.pass(3_600_000);
      const ran = await sandbox.run(['promote', 'make all', '--to', 'project'], { yes: true });
      expect(ran).toMatchObject({ code: 0, err: [], asked: [expect.stringMatching(/^Move 1 of your entries to /)] });
      expect(ran.out).toEqual([
        '--- .hookwise/.user/user.jsonl:1',
        '+++ .hookwise/rules/allow.jsonl',
        expect.stringMatching(/^- \{.*"sanitized_input":"make all".*"scope":"user"/),
        expect.stringMatching(/^\+ \{.*"sanitized_input":"make all".*promoted by user:ada.*"scope":"project"/),
        'Moved 1 entry.',
      ]);
      expect(sandbox.read(userFile)).toBe('');
      expect(sandbox.records(allowFile)).toMatchObject([
        {
          actor: 'user:ada',
          timestamp: decidedAt,
          scope: 'project',
          metadata: { reason: expect.stringContaining('promoted by user:ada at') },
        },
      ]);
      expect(await verdictOf(sandbox, { command: 'make all', session: 's-5' })).toBe('allow entry.project');
    }),
  );

  it(
    'changes nothing after a no',
    within(async (sandbox) => {
      await answered(sandbox, 'make all');
      const before = sandbox.read(userFile);
      const ran = await sandbox.run(['promote', 'make all', '--to', 'project']);
      expect(ran).toMatchObject({ code: 1, asked: [expect.anything()] });
      expect(sandbox.read(userFile)).toBe(before);
      expect(() => sandbox.read(allowFile)).toThrow();
    }),
  );

  it(
    'finds entries of the repository first, then those for every repository',
    within(async (sandbox) => {
      await answered(sandbox, 'make one', ['--scope', 'user']);
      await answered(sandbox, 'make two');
      await answered(sandbox, 'other');
      const { out, code } = await sandbox.run(['promote', 'make', '--to', 'project', '--yes']);
      expect(code).toBe(0);
      expect(out.filter((line) => line.startsWith('---'))).toEqual([
        '--- .hookwise/.user/user.jsonl:1',
        `--- ${sandbox.at(globalFile)}:1`,
      ]);
      expect(sandbox.records(allowFile)).toHaveLength(2);
      expect(sandbox.records(userFile)).toMatchObject([{ key: { sanitized_input: 'other' } }]);
      expect(sandbox.read(globalFile)).toBe('');
    }),
  );

  it(
    'takes one line by its place, and to the organisation',
    within(async (sandbox) => {
      sandbox.write('own/config/config.yml', 'default_org: acme\n');
      for (const command of ['make one', 'make two']) await answered(sandbox, command);
      await sandbox.run(['promote', '.hookwise/.user/user.jsonl:2', '--to', 'org', '--yes']);
      expect(sandbox.records('own/config/org/acme/rules/allow.jsonl')).toMatchObject([
        { key: { sanitized_input: 'make two' }, scope: 'org' },
      ]);
      expect(sandbox.records(userFile)).toMatchObject([{ key: { sanitized_input: 'make one' } }]);
    }),
  );

  it(
    'leaves what only this person can use, and says why',
    within(async (sandbox) => {
      const learn = { sanitized_input: 'run', tool: 'Bash', role: 'tester', digest: 'cd'.repeat(32) } as const;
      for (const change of [
        { context: 'root', lossy: true },
        { context: 'outside', lossy: false },
      ] as const)
        await sandbox.run(['approve', enqueue(sandbox, { learn: { ...learn, ...change } })]);
      await sandbox.run(['override', '--role', '*', '--command', 'run', '--allow', '--scope', 'user']);
      const before = sandbox.read(userFile);
      const ran = await sandbox.run(['promote', 'run', '--to', 'project', '--yes']);
      expect(ran).toMatchObject({ code: 1, out: [] });
      expect(ran.err).toEqual([
        expect.stringMatching(/user\.jsonl:1 stays: part of its text was redacted/),
        expect.stringMatching(/user\.jsonl:2 stays: the call is made outside the project/),
        expect.stringMatching(/rules\.jsonl:1 stays: it allows every role/),
      ]);
      expect(sandbox.read(userFile)).toBe(before);
    }),
  );

  it(
    'keeps who decided, when, on which call, and what it ends at; an expired entry stays',
    within(async (sandbox) => {
      const ends = new Date(sandbox.now() + 1000).toISOString();
      const lines = [
        entry({ input: 'cargo test <ANY:name>', slots: ['name'], actor: 'user:bob', call: 'q-1', expires_at: ends }),
        entry({ input: 'cargo test old', expires_at: new Date(sandbox.now() - 1).toISOString() }),
      ];
      sandbox.write(globalFile, lines.map((line) => `${canonicalJson(line)}\n`).join(''));
      const ran = await sandbox.run(['promote', 'cargo', '--to', 'project'], { yes: true });
      expect(ran).toMatchObject({
        code: 1,
        asked: [expect.stringMatching(/^Move 1 of your entries \(1 for every call of a shape\) to /)],
        err: [expect.stringMatching(/rules\.jsonl:2 stays: it expired at /)],
      });
      expect(sandbox.records(allowFile)).toMatchObject([
        {
          ...{ actor: 'user:bob', call: 'q-1', session_id: 's-1', expires_at: ends, slots: ['name'] },
          timestamp: lines[0]?.timestamp,
        },
      ]);
      expect(await verdictOf(sandbox, { command: 'cargo test foo' })).toBe('allow shape.project');
      expect(sandbox.records(globalFile)).toHaveLength(1);
    }),
  );

  it(
    'leaves an entry where it is when the new place says it already',
    within(async (sandbox) => {
      sandbox.write('own/config/config.yml', 'default_org: acme\n');
      sandbox.write('own/config/org/acme/rules/allow.jsonl', `${canonicalJson(entry({ role: '*' }))}\n`);
      for (const command of ['make all', 'make other']) await answered(sandbox, command);
      const ran = await sandbox.run(['promote', 'make', '--to', 'org', '--yes']);
      expect(ran.code).toBe(1);
      expect(ran.err).toEqual([
        expect.stringMatching(/user\.jsonl:1 stays: .*\/org\/acme\/rules\/allow\.jsonl:1 says it already$/),
      ]);
      expect(ran.out.at(-1)).toBe('Moved 1 entry.');
      expect(sandbox.records(userFile)).toMatchObject([{ key: { sanitized_input: 'make all' } }]);
    }),
  );

  it.each([
    [['promote', '--to', 'project'], 2, /name one text/],
    [['promote', 'x'], 2, /--to must be project or org/],
    [['promote', 'x', '--to', 'user'], 2, /--to must be project or org/],
    [['promote', 'x', '--to', 'org'], 1, /no organisation is configured/],
    [['promote', 'no such', '--to', 'project'], 1, /none of your own entries matches no such/],
  ])(
    'refuses %j',
    within(async (sandbox, line, code, message) => {
      await answered(sandbox, 'make');
      expect(await sandbox.run(line)).toMatchObject({ code, err: [expect.stringMatching(message)] });
    }),
  );

  it.each([agent('s-1'), script])(
    'is for a person only: %j',
    within(async (sandbox, caller) => {
      await answered(sandbox, 'make');
      expect(await sandbox.run(['promote', 'make', '--to', 'project', '--yes'], { caller })).toMatchObject({
        code: 1,
        out: [],
      });
      expect(() => sandbox.read(allowFile)).toThrow();
    }),
  );
});
