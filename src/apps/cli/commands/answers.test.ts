import { describe, expect, it } from 'vitest';
import { agent, enqueue, filed, script, verdictOf, within } from '../cli-sandbox.cases.ts';

const allowFile = 'repo/.hookwise/rules/allow.jsonl';
const userFile = 'repo/.hookwise/.user/user.jsonl';

const lossyLearn = {
  sanitized_input: 'run <SECRET:token>',
  tool: 'Bash',
  role: 'tester',
  context: 'root',
  lossy: true,
  digest: 'cd'.repeat(32),
} as const;

describe.concurrent('hookwise approve and deny', () => {
  it(
    'remember the exact call for the project, in force at once',
    within(async (sandbox) => {
      const id = await filed(sandbox);
      const ran = await sandbox.run(['approve', id]);
      expect(ran).toMatchObject({ code: 0, err: [] });
      expect(ran.out).toContain('  call      docker compose up');
      expect(ran.out.join('\n')).toMatch(
        /remembered as allow for exactly this Bash call of role tester, in this project/,
      );
      expect(sandbox.records(allowFile)).toMatchObject([
        {
          key: { sanitized_input: 'docker compose up', tool: 'Bash', role: 'tester' },
          decision: 'allow',
          metadata: { tier: 'Human', confidence: 1 },
          scope: 'project',
          context: 'root',
          actor: 'user:ada',
          session_id: 's-1',
        },
      ]);
      expect(await verdictOf(sandbox, { command: 'docker compose up', session: 's-2' })).toBe('allow entry.project');
      expect(await verdictOf(sandbox, { command: 'docker compose down' })).toMatch(/^deny/);
      expect((await sandbox.run(['trust', '--list'])).out).toEqual(['1 line trusted, 0 not:']);
      expect(sandbox.project().queue.listPending(sandbox.now()).items).toHaveLength(1);
    }),
  );

  it.each<[string, string[], string, string]>([
    ['deny', [], 'repo/.hookwise/rules/deny.jsonl', 'deny'],
    ['approve', ['--always-ask'], 'repo/.hookwise/rules/ask.jsonl', 'ask'],
    ['deny', ['--always-ask'], 'repo/.hookwise/rules/ask.jsonl', 'ask'],
    ['approve', ['--add-rule'], allowFile, 'allow'],
    ['approve', ['--scope', 'user'], 'own/config/user/rules.jsonl', 'allow'],
    ['approve', ['--scope', 'user', '--here'], userFile, 'allow'],
    ['approve', ['--here'], userFile, 'allow'],
    ['deny', ['--scope', 'org'], 'own/config/org/acme/rules/deny.jsonl', 'deny'],
  ])(
    '%s with %j writes %s',
    within(async (sandbox, verb, options, file, decision) => {
      sandbox.write('own/config/config.yml', 'default_org: acme\n');
      expect(await sandbox.run([verb, await filed(sandbox), ...options])).toMatchObject({ code: 0, err: [] });
      expect(sandbox.records(file)).toMatchObject([{ decision }]);
      const again = await sandbox.call({ command: 'docker compose up', session: 's-9' });
      expect(again.decision?.ruleId).toMatch(/^entry\./);
    }),
  );

  it(
    'a changed mind replaces the earlier answer',
    within(async (sandbox) => {
      await sandbox.run(['deny', await filed(sandbox)]);
      const id = enqueue(sandbox, {
        learn: { ...lossyLearn, lossy: false, sanitized_input: 'docker compose up' },
      });
      await sandbox.run(['approve', id]);
      expect(sandbox.read('repo/.hookwise/rules/deny.jsonl')).toBe('');
      expect(sandbox.records(allowFile)).toHaveLength(1);
    }),
  );

  it(
    '--once remembers nothing',
    within(async (sandbox) => {
      const ran = await sandbox.run(['approve', await filed(sandbox), '--once']);
      expect(ran.code).toBe(0);
      expect(() => sandbox.read(allowFile)).toThrow();
      expect(ran.out.join('\n')).toMatch(/allowed {3}counts once/);
    }),
  );

  it.each([
    ['what was redacted', lossyLearn],
    ['a call outside the project', { ...lossyLearn, lossy: false, context: 'outside' as const }],
  ])(
    'keep %s with the person who answered',
    within(async (sandbox, _, learn) => {
      const [id, other] = [enqueue(sandbox, { learn }), enqueue(sandbox, { learn, call_digest: 'ef'.repeat(32) })];
      for (const scope of ['project', 'org'])
        expect(await sandbox.run(['approve', id, '--scope', scope])).toMatchObject({
          code: 2,
          err: [expect.stringContaining('this answer stays with you')],
        });
      expect(await sandbox.run(['approve', id])).toMatchObject({ code: 0 });
      expect(await sandbox.run(['deny', other, '--scope', 'user'])).toMatchObject({ code: 0 });
      const digest = learn.lossy ? { digest: 'cd'.repeat(32), lossy: true } : {};
      expect(sandbox.records(userFile)).toMatchObject([{ decision: 'allow', context: learn.context, ...digest }]);
      expect(sandbox.records('own/config/user/rules.jsonl')).toMatchObject([{ decision: 'deny', ...digest }]);
      expect(() => sandbox.read(allowFile)).toThrow();
    }),
  );

  it.each([['project'], ['user'], ['org']])(
    'refuse to keep at %s scope what counts once',
    within(async (sandbox, scope) => {
      const id = enqueue(sandbox, { rule: 'class.publish' });
      const refused = await sandbox.run(['approve', id, '--scope', scope]);
      expect(refused).toMatchObject({ code: 2, err: [expect.stringContaining('counts once only (class.publish)')] });
      expect(await sandbox.run(['approve', id])).toMatchObject({ code: 0 });
      expect(() => sandbox.read(allowFile)).toThrow();
    }),
  );

  it(
    'answer locally where the project says so',
    within(async (sandbox) => {
      sandbox.write('own/config/user/policy.yml', 'learning:\n  human: local\n');
      await sandbox.run(['approve', await filed(sandbox)]);
      expect(sandbox.records(userFile)).toHaveLength(1);
    }),
  );

  it(
    'hand the answer to a call that is waiting, and mint no grant',
    within(async (sandbox) => {
      for (const [verb, verdict] of [
        ['approve', 'allow human.allow'],
        ['deny', 'deny human.deny'],
      ] as const) {
        const waiting = verdictOf(sandbox, { command: 'docker compose up', delivery: 'queue' });
        const [item] = sandbox.project().queue.listPending(sandbox.now()).items;
        const { out } = await sandbox.run([verb, item?.id ?? '', '--once']);
        expect(await waiting).toBe(verdict);
        expect(out.at(-1)).toMatch(/^The call was waiting and has the answer/);
      }
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toMatch(/^deny/);
    }),
  );

  it(
    'let the same call of the same session pass once when it no longer waits',
    within(async (sandbox) => {
      const { out } = await sandbox.run(['approve', await filed(sandbox), '--once']);
      expect(out.at(-1)).toMatch(/passes once when it is tried again within 10 minutes/);
      expect(await verdictOf(sandbox, { command: 'docker compose up', session: 's-2' })).toMatch(/^deny/);
      expect(await verdictOf(sandbox, { command: 'docker compose up ' })).toMatch(/^deny/);
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toBe('allow grant.once');
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toMatch(/^deny/);
    }),
  );

  it(
    'a denied call that no longer waits gets no grant',
    within(async (sandbox) => {
      await sandbox.run(['deny', await filed(sandbox), '--once']);
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toMatch(/^deny/);
    }),
  );

  it(
    'work from another directory on the project of the call',
    within(async (sandbox) => {
      const id = await filed(sandbox);
      sandbox.write('me/x', '');
      expect(await sandbox.run(['approve', id], { cwd: sandbox.at('me') })).toMatchObject({ code: 0 });
      expect(sandbox.records(allowFile)).toHaveLength(1);
    }),
  );

  it(
    'deliver the answer even when it cannot be remembered',
    within(async (sandbox) => {
      const id = await filed(sandbox);
      sandbox.write('repo/.hookwise', 'not a directory');
      const ran = await sandbox.run(['approve', id]);
      expect(ran).toMatchObject({ code: 1, err: [expect.stringContaining('it is not remembered')] });
      expect(ran.out.at(-1)).toMatch(/passes once/);
    }),
  );

  it(
    'are logged',
    within(async (sandbox) => {
      await sandbox.run(['approve', await filed(sandbox)]);
      expect(sandbox.project().audit.read({}).entries.at(-1)?.event).toMatchObject({
        event: 'answered',
        verdict: 'allow',
        remembered: 'allow',
        scope: 'project',
        reached: 'next attempt',
        actor: 'user:ada',
        input: 'docker compose up',
      });
    }),
  );

  it.each<[string, string[], number, RegExp]>([
    ['no id', [], 2, /name one id/],
    ['two ids', ['a', 'b'], 2, /name one id/],
    ['an unknown id', ['a'.repeat(26)], 1, /no call with the id a{26} is waiting/],
    ['a path for an id', ['../../x\u001b'], 1, /no call with the id \.\.\/\.\.\/x\\u\{1b\} is waiting/],
    ['role scope', ['a', '--scope', 'role'], 2, /nothing is stored at role scope/],
    ['an unknown scope', ['a', '--scope', 'world'], 2, /must be org, project or user/],
    ['--here with a scope that has no such place', ['a', '--scope', 'project', '--here'], 2, /--here goes with/],
    ['--once with --scope', ['a', '--once', '--scope', 'user'], 2, /leave out --scope/],
    ['--once with --always-ask', ['a', '--once', '--always-ask'], 2, /leave out --always-ask/],
  ])(
    'refuse %s',
    within(async (sandbox, _, words, code, message) => {
      for (const verb of ['approve', 'deny'])
        expect(await sandbox.run([verb, ...words])).toMatchObject({ code, err: [expect.stringMatching(message)] });
    }),
  );

  it(
    'refuse an organisation that is not there, an answered call and an expired one',
    within(async (sandbox) => {
      const id = await filed(sandbox);
      expect((await sandbox.run(['approve', id, '--scope', 'org'])).err[0]).toMatch(/no organisation is configured/);
      const { queue } = sandbox.project();
      const response = {
        decision: 'deny',
        always_ask: false,
        add_rule: false,
        actor: 'user:bo',
        answered_at: new Date(sandbox.now()).toISOString(),
      } as const;
      queue.respond(id, { response, now: sandbox.now() });
      expect((await sandbox.run(['approve', id])).err[0]).toMatch(/was already answered; the first answer holds/);
      const late = enqueue(sandbox, {});
      sandbox.pass(61_000);
      expect((await sandbox.run(['approve', late])).err[0]).toMatch(/has expired/);
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toMatch(/^deny/);
    }),
  );

  it.each([agent('s-1'), agent('s-2'), script])(
    'are for a person at a terminal only: %j',
    within(async (sandbox, caller) => {
      const id = await filed(sandbox);
      for (const verb of ['approve', 'deny'])
        expect(await sandbox.run([verb, id], { caller })).toMatchObject({ code: 1, out: [] });
      expect(sandbox.project().queue.listPending(sandbox.now()).items).toHaveLength(1);
    }),
  );
});
