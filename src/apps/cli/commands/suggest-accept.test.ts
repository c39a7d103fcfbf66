import { describe, expect, it } from 'vitest';
import { agent, script, verdictOf, within } from '../cli-sandbox.cases.ts';
import { allowed, answer, asked, list, tests, wide, withTests } from '../suggest/suggest.cases.ts';

describe.concurrent('hookwise suggest --accept', () => {
  it(
    'keeps one after a yes, undoes it, and takes out what it stands for when asked to',
    within(async (sandbox) => {
      withTests(sandbox);
      const ids = await answer(sandbox, tests('abc'));
      const no = await sandbox.run(['suggest', '--accept', '1']);
      expect(no).toMatchObject({ code: 1, asked: [expect.stringMatching(/^Keep this in this project's rules/)] });
      expect(no.out.at(-1)).toBe('Nothing was written.');
      expect(sandbox.records(allowed)).toHaveLength(3);

      const yes = await sandbox.run(['suggest', '--accept', '1', '--expires', '30d'], { yes: true });
      const expires = new Date(sandbox.now() + 30 * 86_400_000).toISOString();
      expect(yes).toMatchObject({ code: 0, err: [] });
      const record = sandbox.records(allowed).at(-1);
      expect(record).toMatchObject({
        key: { sanitized_input: 'pytest <ANY:selector>', tool: 'Bash', role: 'tester' },
        decision: 'allow',
        metadata: {
          tier: 'Human',
          reason: 'widened by a person who allowed 3 such calls one by one, in 3 sessions',
        },
        slots: ['selector'],
        context: 'root',
        call: ids[0],
        actor: 'user:ada',
        scope: 'project',
        expires_at: expires,
      });
      expect(JSON.parse(yes.out.find((line) => line.startsWith('+ '))?.slice(2) ?? '')).toEqual(record);
      expect(yes.out).toContain(
        `Kept: allow for ${wide}, in this project's rules (.hookwise/rules, shared once committed), until ${expires}.`,
      );
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_d.py' })).toBe('allow shape.project');
      expect(await verdictOf(sandbox, { command: 'pytest tests/secrets/test_e.py' })).toMatch(/^deny/);
      expect(await list(sandbox)).toMatchObject({ candidates: [] });
      expect(yes.out.at(-1)).toBe(
        `To undo: delete line 4 of ${sandbox.at(allowed)}; hookwise invalidate --role tester --scope project drops everything that this role is allowed there.`,
      );
      sandbox.pass(30 * 86_400_000 + 1);
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_a.py' })).toBe('allow entry.project');
      await sandbox.run(['invalidate', '--role', 'tester', '--scope', 'project'], { yes: true });
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_a.py' })).toBe('deny human.undecided');
    }),
  );

  it(
    'is undone by its line alone',
    within(async (sandbox) => {
      withTests(sandbox);
      await answer(sandbox, tests('ab'));
      await sandbox.run(['suggest', '--accept', '1'], { yes: true });
      expect(await verdictOf(sandbox, { command: 'make -j 2 all' })).toMatch(/^deny/);
      sandbox.write(allowed, sandbox.read(allowed).split('\n').toSpliced(2, 1).join('\n'));
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_d.py' })).not.toMatch(/shape/);
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_a.py' })).toBe('allow entry.project');
    }),
  );

  it(
    '--tidy removes the single entries beside it that it stands for, and no others',
    within(async (sandbox) => {
      withTests(sandbox);
      const [own = '', ...ids] = await asked(sandbox, tests('cab'));
      await sandbox.run(['approve', own, '--scope', 'user']);
      for (const id of ids) await sandbox.run(['approve', id]);
      const ran = await sandbox.run(['suggest', '--accept', '1', '--tidy'], { yes: true });
      expect(ran.out).toContain(
        'Removed 2 single entries that it stands for; 1 stay: they are kept elsewhere, last longer, or are not covered.',
      );
      expect(sandbox.records(allowed)).toMatchObject([{ slots: ['selector'] }]);
      expect(sandbox.records('own/config/user/rules.jsonl')).toHaveLength(1);
      for (const name of 'abcd')
        expect(await verdictOf(sandbox, { command: `pytest tests/test_${name}.py` })).toMatch(/^allow/);
    }),
  );

  it(
    '--tidy keeps a single entry for a call that the shape would not let pass',
    within(async (sandbox) => {
      withTests(sandbox);
      await answer(sandbox, [...tests('ab'), ['pytest tests/secrets/test_e.py', 's-3']]);
      expect(await list(sandbox)).toMatchObject({
        candidates: [{ calls: 3, still_stopped: { examples: [{ text: 'pytest tests/secrets/test_e.py' }] } }],
      });
      await sandbox.run(['suggest', '--accept', '1', '--tidy'], { yes: true });
      expect(sandbox.records(allowed)).toMatchObject([
        { key: { sanitized_input: 'pytest tests/secrets/test_e.py' } },
        { slots: ['selector'] },
      ]);
      expect(await verdictOf(sandbox, { command: 'pytest tests/secrets/test_e.py' })).toBe('allow entry.project');
    }),
  );

  it(
    '--tidy keeps what outlives the new entry',
    within(async (sandbox) => {
      withTests(sandbox);
      await answer(sandbox, tests('ab'));
      await sandbox.run(['suggest', '--accept', '1', '--tidy', '--expires', '1h'], { yes: true });
      expect(sandbox.records(allowed)).toHaveLength(3);
    }),
  );

  it(
    'keeps the shape of one allowed call that is named',
    within(async (sandbox) => {
      withTests(sandbox);
      const [id = ''] = await answer(sandbox, tests('a'));
      expect(await list(sandbox)).toMatchObject({ candidates: [] });
      const ran = await sandbox.run(['suggest', '--accept', id, '--scope', 'user', '--here'], { yes: true });
      expect(ran).toMatchObject({ code: 0, err: [] });
      expect(sandbox.records('repo/.hookwise/.user/user.jsonl')).toMatchObject([{ call: id, slots: ['selector'] }]);
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_d.py' })).toBe('allow shape.user');
      const again = await sandbox.run(['suggest', '--accept', id], { yes: true });
      expect(again).toMatchObject({ code: 1, err: [expect.stringMatching(/an entry for its shape is there already/)] });
    }),
  );

  it.each<[string[], number, RegExp]>([
    [['--accept', '0'], 2, /--accept takes a number of the list, or the id of a call/],
    [['--accept', 'x'], 2, /--accept takes a number/],
    [['--accept', '7'], 1, /there is no suggestion 7: hookwise suggest, .* lists 0/],
    [['--accept', 'a'.repeat(26)], 1, /no remembered call of the id a{26} could be kept as a shape/],
    [['--min', '0'], 2, /--min takes a whole number above 0/],
    [['--since', 'x'], 2, /--since takes a period/],
    [['--accept', '1', '--json'], 2, /--json lists/],
    [['--tidy'], 2, /--tidy: only together with --accept/],
    [['--scope', 'user', '--expires', '1d'], 2, /--scope, --expires: only together with --accept/],
    [['--accept', '1', '--scope', 'org'], 2, /hookwise promote moves it on/],
    [['--accept', '1', '--scope', 'role'], 2, /nothing is stored at role scope/],
    [['--accept', '1', '--expires', 'never'], 2, /--expires must be a period/],
  ])(
    'refuses %j',
    within(async (sandbox, words, code, message) => {
      expect(await sandbox.run(['suggest', ...words], { yes: true })).toMatchObject({
        code,
        err: [expect.stringMatching(message)],
      });
    }),
  );

  it.each([agent('s-1'), script])(
    'lets only a person keep one: %j',
    within(async (sandbox, caller) => {
      withTests(sandbox);
      await answer(sandbox, tests('ab'));
      expect(await sandbox.run(['suggest', '--accept', '1'], { caller, yes: true })).toMatchObject({
        code: 1,
        out: [],
      });
      expect(sandbox.records(allowed)).toHaveLength(2);
      expect(await verdictOf(sandbox, { command: 'hookwise suggest --accept 1' })).toBe('deny control.suggest');
    }),
  );
});
