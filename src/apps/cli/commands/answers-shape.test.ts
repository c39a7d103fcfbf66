import { describe, expect, it } from 'vitest';
import type { LearnTarget } from '../../../core/model/queue.ts';
import { type CliSandbox, enqueue, filed, verdictOf, within } from '../cli-sandbox.cases.ts';

const rules = (verdict: string): string => `repo/.hookwise/rules/${verdict}.jsonl`;

/** A project with tests to name. */
const withTests = (sandbox: CliSandbox): void => {
  for (const name of ['test_a.py', 'test_b.py', 'secrets/test_c.py']) sandbox.write(`repo/tests/${name}`, '');
};

const verdict = (sandbox: CliSandbox, command: string, session = 's-2'): Promise<string> =>
  verdictOf(sandbox, { command, session });

const learn: LearnTarget = {
  sanitized_input: 'pytest tests/test_a.py',
  tool: 'Bash',
  role: 'tester',
  context: 'root',
  shape: { text: 'pytest <ANY:selector>', slots: ['selector'] },
  lossy: false,
  digest: 'cd'.repeat(32),
};

describe.concurrent('approve --shape and deny --shape', () => {
  it(
    'keep the shape of the call instead of the call, in force at once, for what may fill it',
    within(async (sandbox) => {
      withTests(sandbox);
      const id = await filed(sandbox, { command: 'pytest tests/test_a.py' });
      const ran = await sandbox.run(['approve', id, '--shape']);
      expect(ran).toMatchObject({ code: 0, err: [] });
      expect(ran.out).toContain(
        "  allowed   now; remembered as allow for every `pytest <test of the project>` call of role tester, made at the root, in this project's rules (.hookwise/rules, shared once committed)",
      );
      expect(ran.out.join('\n')).not.toMatch(/would keep that/);
      expect(sandbox.records(rules('allow'))).toMatchObject([
        {
          key: { sanitized_input: 'pytest <ANY:selector>', tool: 'Bash', role: 'tester' },
          decision: 'allow',
          metadata: { tier: 'Human', confidence: 1 },
          slots: ['selector'],
          context: 'root',
          call: id,
          actor: 'user:ada',
          session_id: 's-1',
        },
      ]);
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('allow shape.project');
      expect(await verdict(sandbox, 'pytest tests/test_a.py')).toBe('allow shape.project');
      expect(await verdict(sandbox, 'pytest tests/test_b.py -x')).toBe('deny human.undecided');
      expect(await verdict(sandbox, 'pytest tests/secrets/test_c.py')).toBe('deny human.undecided');
      expect(await verdict(sandbox, 'pytest ../other/tests/test_b.py')).toBe('deny human.undecided');
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_b.py', role: 'coder' })).toMatch(/^deny/);
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_b.py', cwd: sandbox.at('repo/src') })).toMatch(
        /^deny/,
      );
    }),
  );

  it(
    'deny, ask each time, end, and go where they are told to',
    within(async (sandbox) => {
      withTests(sandbox);
      const answer = async (words: readonly string[], command = 'pytest tests/test_a.py'): Promise<void> => {
        const [verb = '', ...options] = words;
        const id = await filed(sandbox, { command });
        expect(await sandbox.run([verb, id, ...options])).toMatchObject({ code: 0, err: [] });
      };
      await answer(['approve', '--shape', '--expires', '30m', '--scope', 'user', '--here']);
      const [record] = sandbox.records('repo/.hookwise/.user/user.jsonl');
      expect(record?.['expires_at']).toBe(new Date(sandbox.now() + 1_800_000).toISOString());
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('allow shape.user');
      sandbox.pass(1_800_001);
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('deny human.undecided');
      await answer(['deny', '--shape']);
      expect(sandbox.records(rules('deny'))).toMatchObject([{ slots: ['selector'], decision: 'deny' }]);
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('deny shape.project');
      await answer(['approve', '--shape', '--always-ask', '--scope', 'user'], 'make -j 4 all');
      expect(await verdict(sandbox, 'make -j 2 all')).toBe('deny shape.user');
      expect(sandbox.records('own/config/user/rules.jsonl')).toMatchObject([{ decision: 'ask', slots: ['number'] }]);
    }),
  );

  it(
    'hand the answer to a call that waits',
    within(async (sandbox) => {
      withTests(sandbox);
      const waiting = verdictOf(sandbox, { command: 'pytest tests/test_a.py', delivery: 'queue' });
      const [item] = sandbox.project().queue.listPending(sandbox.now()).items;
      await sandbox.run(['approve', item?.id ?? '', '--shape']);
      expect(await waiting).toBe('allow human.allow');
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('allow shape.project');
    }),
  );

  it(
    'refuse to allow by a shape that would not let this very call pass',
    within(async (sandbox) => {
      withTests(sandbox);
      const id = await filed(sandbox, { command: 'pytest tests/secrets/test_c.py' });
      expect(await sandbox.run(['approve', id, '--shape'])).toMatchObject({
        code: 2,
        out: [],
        err: [
          expect.stringMatching(/would not hold for this very call, since tests\/secrets\/test_c\.py is a sensitive/),
        ],
      });
      expect(await sandbox.run(['deny', id, '--shape'])).toMatchObject({ code: 0 });
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('deny shape.project');
    }),
  );

  it(
    'leave what was remembered call by call alone',
    within(async (sandbox) => {
      withTests(sandbox);
      await sandbox.run(['deny', await filed(sandbox, { command: 'pytest tests/test_b.py' })]);
      await sandbox.run(['approve', await filed(sandbox, { command: 'pytest tests/test_a.py' }), '--shape']);
      expect(await verdict(sandbox, 'pytest tests/test_b.py')).toBe('deny entry.project');
      expect(await verdict(sandbox, 'pytest tests/test_a.py')).toBe('allow shape.project');
    }),
  );

  it(
    'are proposed in one line, and only where there is a shape',
    within(async (sandbox) => {
      withTests(sandbox);
      const id = await filed(sandbox, { command: 'pytest tests/test_a.py' });
      const wide = 'every `pytest <test of the project>` call of role tester, made at the root';
      const { out } = await sandbox.run(['queue']);
      expect(out).toContain(`  shape     ${wide}: hookwise approve ${id} --shape would keep that (or deny)`);
      expect(JSON.parse((await sandbox.run(['queue', '--json'])).out[0] ?? '')).toMatchObject([
        { remembered_as: { shape: { text: 'pytest <ANY:selector>', slots: ['selector'] } } },
      ]);
      const approved = await sandbox.run(['approve', id]);
      expect(approved.out).toContain(`  shape     ${wide}: hookwise suggest --accept ${id} would keep that`);
      expect(sandbox.records(rules('allow'))).toMatchObject([
        { key: { sanitized_input: 'pytest tests/test_a.py' }, call: id },
      ]);
      expect(sandbox.records(rules('allow'))[0]).not.toHaveProperty('slots');
      const other = await filed(sandbox, { command: 'docker compose up' });
      expect((await sandbox.run(['queue'])).out.join('\n')).not.toMatch(/ {2}shape/);
      for (const line of [
        ['approve', other],
        ['deny', await filed(sandbox, { command: 'make -j 2 all' })],
      ])
        expect((await sandbox.run(line)).out.join('\n')).not.toMatch(/ {2}shape/);
    }),
  );

  it.each<[string, Partial<Parameters<typeof enqueue>[1]>, string[], number, RegExp]>([
    ['a call without one', { learn: { ...learn, sanitized_input: 'docker compose up' } }, [], 2, /since .*; leave out/],
    ['another tool', { learn: { ...learn, tool: 'WebFetch' } }, [], 2, /only shell commands have a shape/],
    ['redacted text', { learn: { ...learn, lossy: true } }, [], 2, /part of its text was redacted/],
    [
      'a redacted credential',
      { learn: { ...learn, sanitized_input: 'pytest --token <SECRET:option> tests/test_a.py' } },
      [],
      2,
      /part of its text was redacted/,
    ],
    ['a call outside', { learn: { ...learn, context: 'outside' } }, [], 2, /was made outside the project/],
    [
      'a shape that is not that of the call',
      { learn: { ...learn, shape: { text: 'git push <ANY:ref>', slots: ['ref'] } } },
      [],
      2,
      /its shape is read differently now/,
    ],
    ['what counts once', { rule: 'class.publish' }, [], 2, /counts once only \(class\.publish\)/],
    ['--once', { learn }, ['--once'], 2, /--once remembers nothing; leave out --shape/],
    ['an end that is none', { learn }, ['--expires', 'soon'], 2, /--expires must be a period \(30m, 12h, 30d, 2w\)/],
  ])(
    'refuse %s',
    within(async (sandbox, _, item, options, code, message) => {
      const id = enqueue(sandbox, item);
      for (const verb of ['approve', 'deny'])
        expect(await sandbox.run([verb, id, '--shape', ...options])).toMatchObject({
          code,
          out: [],
          err: [expect.stringMatching(message)],
        });
      for (const name of ['allow', 'deny']) expect(() => sandbox.read(rules(name))).toThrow();
      expect(sandbox.project().queue.listPending(sandbox.now()).items).toHaveLength(1);
    }),
  );

  it(
    'refuse to let what counts once end some day, and --once with --expires',
    within(async (sandbox) => {
      const id = enqueue(sandbox, { rule: 'class.publish' });
      const late = ['approve', id, '--expires', '30d'];
      expect((await sandbox.run(late)).err[0]).toMatch(/counts once only/);
      expect((await sandbox.run([...late, '--once'])).err[0]).toMatch(/leave out --expires/);
    }),
  );

  it(
    'are logged with the shape, the rule that asked and the end',
    within(async (sandbox) => {
      withTests(sandbox);
      const id = await filed(sandbox, { command: 'pytest tests/test_a.py' });
      await sandbox.run(['approve', id, '--shape', '--expires', '1h']);
      expect(sandbox.project().audit.read({}).entries.at(-1)?.event).toMatchObject({
        event: 'answered',
        rule: 'human.undecided',
        context: 'root',
        shape: 'pytest <ANY:selector>',
        expires: new Date(sandbox.now() + 3_600_000).toISOString(),
      });
    }),
  );

  it(
    'an exact answer may end as well',
    within(async (sandbox) => {
      const id = await filed(sandbox);
      const { out } = await sandbox.run(['approve', id, '--expires', '12h']);
      expect(out.join('\n')).toContain(`, until ${new Date(sandbox.now() + 43_200_000).toISOString()}`);
      expect(await verdict(sandbox, 'docker compose up')).toBe('allow entry.project');
      sandbox.pass(43_200_001);
      expect(await verdict(sandbox, 'docker compose up')).toBe('deny human.undecided');
    }),
  );
});
