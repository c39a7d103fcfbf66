import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agent, enqueue, filed, script, within } from '../cli-sandbox.cases.ts';

describe.concurrent('hookwise queue', () => {
  it(
    'shows everything about each waiting call, the oldest first',
    within(async (sandbox) => {
      const first = await filed(sandbox, { command: 'docker compose up' });
      sandbox.pass(90_000);
      const second = enqueue(sandbox, { sanitized_input: 'rm x\necho \u001b[2K\u202e  # gone', rule: 'class.destroy' });
      const { out, code } = await sandbox.run(['queue'], { caller: agent('s-1') });
      const text = out.join('\n');
      expect(code).toBe(0);
      expect(text.indexOf(first)).toBeLessThan(text.indexOf(second));
      for (const line of [
        '  session   s-1',
        '  role      tester',
        '  tool      Bash',
        '  call      docker compose up',
        `  project   ${sandbox.root}`,
        '  age       1m, expires in 23h',
        "  an answer is remembered for exactly this Bash call of role tester, in this project's rules (.hookwise/rules, shared once committed)",
        '  call      rm x',
        '          | echo \\u{1b}[2K\\u{202e}  # gone',
        '  rule      class.destroy',
        '  an answer counts once',
      ])
        expect(out).toContain(line);
      expect(text).not.toMatch(/[\u001b\u202e]/);
    }),
  );

  it(
    'says so when nothing waits',
    within(async (sandbox) => {
      expect((await sandbox.run(['queue'])).out).toEqual(['No call waits for a person.']);
      expect((await sandbox.run(['queue', '--json'])).out).toEqual(['[]']);
    }),
  );

  it(
    'is one JSON array, without secrets and without the digest of the call',
    within(async (sandbox) => {
      await filed(sandbox);
      sandbox.pass(1);
      enqueue(sandbox, { sanitized_input: `curl -H "Authorization: Bearer ghp_${'a1B2'.repeat(9)}" \u202e` });
      const { out } = await sandbox.run(['queue', '--json'], { caller: script });
      expect(out).toHaveLength(1);
      expect(out[0]).not.toMatch(/ghp_a1B2|\u202e|call_digest/);
      expect(JSON.parse(out[0] ?? '')).toMatchObject([
        {
          role: 'tester',
          sanitized_input: 'docker compose up',
          age_secs: 0,
          remembered_as: { tool: 'Bash', context: 'root', lossy: false, place: 'project', here: false },
        },
        { remembered_as: null, sanitized_input: expect.stringContaining('<SECRET:') },
      ]);
    }),
  );

  it(
    'shows files that cannot be used',
    within(async (sandbox) => {
      const id = await filed(sandbox);
      writeFileSync(sandbox.at(`own/state/queue/${id}.json`), '{"id":1', { mode: 0o600 });
      for (const line of [['queue'], ['queue', '--json']])
        expect(await sandbox.run(line)).toMatchObject({ code: 1, err: [expect.stringContaining(`${id}.json`)] });
    }),
  );
});
