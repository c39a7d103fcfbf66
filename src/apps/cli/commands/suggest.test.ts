import { describe, expect, it } from 'vitest';
import { verdictOf, within } from '../cli-sandbox.cases.ts';
import { allowed, answer, asked, attempt, list, tests, wide, withTests } from '../suggest/suggest.cases.ts';

describe.concurrent('hookwise suggest', () => {
  it(
    'proposes the shape of calls that a person allowed one by one, with what it would have done',
    within(async (sandbox) => {
      withTests(sandbox);
      await attempt(sandbox, 'pytest tests/secrets/test_e.py');
      await attempt(sandbox, 'pytest tests/test_d.py', { session: 's-9' });
      await answer(sandbox, tests('abc'));
      expect(await list(sandbox)).toMatchObject({
        min: 2,
        from_one_session: 0,
        problems: 0,
        candidates: [
          {
            number: 1,
            shape: 'pytest <ANY:selector>',
            words: 'pytest <test of the project>',
            slots: ['selector'],
            role: 'tester',
            context: 'root',
            calls: 3,
            sessions: 3,
            entries: 3,
            examples: ['pytest tests/test_a.py', 'pytest tests/test_b.py', 'pytest tests/test_c.py'],
            prompts: { asked: 5, saved: 4 },
            lets_pass: { asked: 4, refused: 0, never_allowed: ['pytest tests/test_d.py'] },
            still_stopped: { calls: 1, examples: [{ text: 'pytest tests/secrets/test_e.py' }] },
            against: [],
            needs_even_denied: false,
          },
        ],
      });
      const { out, code } = await sandbox.run(['suggest']);
      expect(code).toBe(0);
      expect(out.slice(0, 4)).toEqual([
        `1  ${wide}`,
        '   shape       pytest <ANY:selector>',
        '   allowed     3 different calls, in 3 sessions; stands for 3 remembered entries',
        '   for example pytest tests/test_a.py',
      ]);
      expect(out).toContain('   saves       4 of 5 questions asked in this time');
      expect(out.join('\n')).toMatch(/still asks +pytest tests\/secrets\/test_e\.py \(/);
      expect(out.at(-1)).toMatch(/hookwise suggest --accept <number> keeps one/);
      expect(() => sandbox.read('repo/.hookwise/rules/ask.jsonl')).toThrow();
      expect(sandbox.records(allowed)).toHaveLength(3);
    }),
  );

  it(
    'counts what is allowed once, but nothing of one session only',
    within(async (sandbox) => {
      withTests(sandbox);
      await answer(sandbox, tests('ab', '11'));
      expect(await list(sandbox)).toMatchObject({ candidates: [], from_one_session: 1 });
      expect((await sandbox.run(['suggest'])).out.at(-1)).toBe(
        '1 more shape has calls of one session only, and wait for another.',
      );
      await answer(sandbox, [['pytest tests/test_c.py -x', 's-2']], ['approve', '--once']);
      expect(await list(sandbox)).toMatchObject({ candidates: [], from_one_session: 1 });
    }),
  );

  it(
    'takes no support from models, likeness, answers to standing questions, other places, or what has ended',
    within(async (sandbox) => {
      withTests(sandbox);
      const base = {
        v: 1,
        decision: 'allow',
        metadata: { tier: 'Human', confidence: 1, reason: '' },
        timestamp: new Date(sandbox.now()).toISOString(),
        scope: 'user',
        context: 'root',
      };
      const entry = (name: string, more: object): object => ({
        ...base,
        key: { sanitized_input: `pytest tests/test_${name}.py`, tool: 'Bash', role: 'tester' },
        session_id: `s-${name}`,
        ...more,
      });
      const lines = [
        entry('a', {}),
        entry('b', { metadata: { ...base.metadata, tier: 'Supervisor' } }),
        entry('c', { metadata: { ...base.metadata, tier: 'TokenJaccard' } }),
        entry('d', { expires_at: new Date(sandbox.now() - 1).toISOString() }),
        entry('e', { context: 'inside:src' }),
        entry('f', { key: { sanitized_input: 'pytest tests/test_f.py', tool: 'Bash', role: 'coder' } }),
        entry('g', { key: { sanitized_input: 'pytest tests/test_g.py', tool: 'Bash', role: '*' } }),
        entry('h', { call: 'a'.repeat(26) }),
      ];
      sandbox.write('own/config/user/rules.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
      // The repository brings its own allows along, which nobody trusts.
      sandbox.write(allowed, `${JSON.stringify(entry('x', { scope: 'project' }))}\n`);
      const { audit } = sandbox.project();
      const answered = {
        event: 'answered',
        root: sandbox.root,
        tool: 'Bash',
        role: 'tester',
        context: 'root',
        verdict: 'allow',
        rule: 'human.undecided',
      };
      const time = new Date(sandbox.now()).toISOString();
      audit.append(
        { ...answered, queue: 'a'.repeat(26), rule: 'similar.project', input: 'pytest tests/test_h.py' },
        time,
      );
      audit.append(
        { ...answered, queue: 'b'.repeat(26), rule: 'entry.project', input: 'pytest tests/test_i.py' },
        time,
      );
      audit.append({ ...answered, queue: 'c'.repeat(26), root: '/elsewhere', input: 'pytest tests/test_j.py' }, time);
      audit.append({ ...answered, queue: 'd'.repeat(26), tool: 'Agent', input: 'pytest tests/test_k.py' }, time);
      for (const tier of ['token-jaccard', 'embedding-similarity', 'supervisor'])
        audit.append(
          {
            ...answered,
            event: 'decision',
            rule: 'similar.user',
            tier,
            session: tier,
            input: `pytest tests/${tier}.py`,
          },
          time,
        );
      expect(await list(sandbox)).toMatchObject({ candidates: [], from_one_session: 0 });
      audit.append({ ...answered, queue: 'e'.repeat(26), session: 's-9', input: 'pytest tests/test_l.py' }, time);
      expect(await list(sandbox)).toMatchObject({ candidates: [{ calls: 2, sessions: 2, entries: 1 }] });
    }),
  );

  it(
    'shows what a person denied last and marked, and keeps it only when told so',
    within(async (sandbox) => {
      withTests(sandbox);
      const [a = '', b = '', c = '', d = ''] = await asked(sandbox, tests('abcd'));
      await answer(sandbox, [
        ['make -j 2 all', 's-1'],
        ['make -j 4 all', 's-2'],
      ]);
      for (const line of [
        ['approve', a],
        ['approve', b],
        ['deny', c],
        ['deny', d, '--once'],
      ])
        await sandbox.run(line);
      const { candidates } = await list(sandbox);
      expect(candidates).toMatchObject([
        { shape: 'make -j <ANY:number> all', against: [], calls: 2 },
        {
          shape: 'pytest <ANY:selector>',
          calls: 2,
          prompts: { asked: 2, saved: 2 },
          against: [
            { text: 'pytest tests/test_c.py', why: 'denied by a person', would_pass: false },
            { text: 'pytest tests/test_d.py', why: 'denied by a person', would_pass: true },
          ],
          needs_even_denied: true,
        },
      ]);
      const refused = await sandbox.run(['suggest', '--accept', '2'], { yes: true });
      expect(refused).toMatchObject({
        code: 1,
        asked: [],
        err: [
          expect.stringMatching(/pytest tests\/test_c\.py is denied by a person and 1 more; --even-denied keeps it/),
        ],
      });
      expect(refused.out).toContain(
        '   AGAINST IT  pytest tests/test_c.py: denied by a person; it would still not pass',
      );
      expect(refused.out).toContain('               pytest tests/test_d.py: denied by a person; IT WOULD PASS');
      expect(await sandbox.run(['suggest', '--accept', '2', '--even-denied'], { yes: true })).toMatchObject({
        code: 0,
      });
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_c.py' })).toBe('deny entry.project');
      expect(await verdictOf(sandbox, { command: 'pytest tests/test_d.py' })).toBe('allow shape.project');
    }),
  );

  it(
    'never counts a denied call as support, and proposes nothing where the shape is decided already',
    within(async (sandbox) => {
      withTests(sandbox);
      const ids = await asked(sandbox, tests('ab'));
      await sandbox.run(['approve', ids[0] ?? '']);
      await sandbox.run(['approve', ids[1] ?? '', '--always-ask', '--scope', 'user']);
      expect(await list(sandbox, '--min', '1')).toMatchObject({ candidates: [], from_one_session: 1 });
      await sandbox.run(['deny', (await asked(sandbox, tests('c', '3')))[0] ?? '', '--shape']);
      expect(await list(sandbox, '--min', '1')).toMatchObject({ candidates: [], from_one_session: 0 });
    }),
  );

  it(
    'keeps apart where calls were made',
    within(async (sandbox) => {
      withTests(sandbox);
      sandbox.write('repo/web/tests/test_a.py', '');
      sandbox.write('repo/web/tests/test_b.py', '');
      const ids = await asked(sandbox, tests('ab'), { cwd: sandbox.at('repo/web') });
      for (const id of ids) await sandbox.run(['approve', id]);
      expect(await list(sandbox)).toMatchObject({ candidates: [{ context: 'inside:web', calls: 2 }] });
      expect((await sandbox.run(['suggest'])).out[0]).toMatch(/made in web$/);
      await sandbox.run(['suggest', '--accept', '1'], { yes: true });
      const call = { command: 'pytest tests/test_c.py' };
      expect(await verdictOf(sandbox, { ...call, cwd: sandbox.at('repo/web') })).toBe('allow shape.project');
      expect(await verdictOf(sandbox, call)).toMatch(/^deny/);
    }),
  );

  it(
    'says so when there is nothing',
    within(async (sandbox) => {
      expect((await sandbox.run(['suggest', '--min', '5'])).out).toEqual([
        'Nothing to suggest: no shape has 5 or more calls that a person allowed one by one in two sessions.',
      ]);
    }),
  );
});
