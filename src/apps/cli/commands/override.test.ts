import { describe, expect, it } from 'vitest';
import { agent, type Call, script, verdictOf, within } from '../cli-sandbox.cases.ts';

const rules = (verdict: string): string => `repo/.hookwise/rules/${verdict}.jsonl`;
const tester = ['override', '--role', 'tester'];

describe.concurrent('hookwise override', () => {
  it(
    'stores a rule of a person, in force at once',
    within(async (sandbox) => {
      const line = [...tester, '--command', 'docker compose up', '--allow', '--reason', 'needs the database'];
      const ran = await sandbox.run(line);
      expect(ran).toMatchObject({ code: 0, err: [] });
      expect(ran.out).toEqual([
        "Allowed: shell calls that are exactly docker compose up, for role tester, in this project's rules (.hookwise/rules, shared once committed).",
      ]);
      expect(sandbox.records(rules('allow'))).toEqual([
        {
          v: 1,
          key: { sanitized_input: 'docker compose up', tool: '*', role: 'tester' },
          decision: 'allow',
          metadata: { tier: 'Override', confidence: 1, reason: 'needs the database' },
          timestamp: new Date(sandbox.now()).toISOString(),
          scope: 'project',
          session_id: '',
          pattern: { command: 'docker compose up' },
          actor: 'user:ada',
        },
      ]);
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toBe('allow override.project');
      expect(await verdictOf(sandbox, { command: 'docker compose up -d' })).toMatch(/^deny/);
      expect((await sandbox.run(['trust', '--list'])).out).toEqual(['1 line trusted, 0 not:']);
    }),
  );

  it.each<[string[], string, Call, string]>([
    [['--command', 'make *', '--allow'], rules('allow'), { command: 'make all' }, 'allow override.project'],
    [['--command', 'make *', '--deny'], rules('deny'), { command: 'make all' }, 'deny override.project'],
    [['--tool', 'Bash', '--ask'], rules('ask'), { command: 'make' }, 'deny override.project'],
    [
      ['--file', 'tests/x/**', '--tool', 'Write', '--deny'],
      rules('deny'),
      { tool: 'Write', input: { file_path: 'tests/x/y', content: '' } },
      'deny override.project',
    ],
    [
      ['--command', 'make *', '--allow', '--scope', 'user'],
      'own/config/user/rules.jsonl',
      { command: 'make all' },
      'allow override.user',
    ],
    [
      ['--command', 'make *', '--allow', '--scope', 'user', '--here'],
      'repo/.hookwise/.user/user.jsonl',
      { command: 'make all' },
      'allow override.user',
    ],
    [
      ['--command', 'make *', '--deny', '--scope', 'org'],
      'own/config/org/acme/rules/deny.jsonl',
      { command: 'make all' },
      'deny override.org',
    ],
  ])(
    '%j goes to %s',
    within(async (sandbox, options, file, call, verdict) => {
      sandbox.write('own/config/config.yml', 'default_org: acme\n');
      expect(await sandbox.run([...tester, ...options])).toMatchObject({ code: 0, err: [] });
      expect(sandbox.records(file)).toHaveLength(1);
      expect(await verdictOf(sandbox, call)).toBe(verdict);
    }),
  );

  it(
    'ends when it should',
    within(async (sandbox) => {
      await sandbox.run([...tester, '--command', 'make', '--allow', '--expires', '2h']);
      expect(sandbox.records(rules('allow'))[0]?.expires_at).toBe(new Date(sandbox.now() + 7_200_000).toISOString());
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('allow override.project');
      sandbox.pass(7_200_001);
      expect(await verdictOf(sandbox, { command: 'make' })).toMatch(/^deny/);
    }),
  );

  it(
    'says what it replaces, what is stricter elsewhere, and which files it covers',
    within(async (sandbox) => {
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) sandbox.write(`repo/gen/${name}.txt`, '');
      sandbox.write('repo/node_modules/gen/g.txt', '');
      const line = [...tester, '--file', 'gen/**'];
      await sandbox.run([...line, '--deny', '--scope', 'user']);
      await sandbox.run([...line, '--ask']);
      const { out } = await sandbox.run([...line, '--allow']);
      expect(out).toEqual([
        `Replaces: ask at ${sandbox.root}/.hookwise/rules/ask.jsonl:1`,
        expect.stringMatching(/^Allowed: calls about files matching gen\/\*\*, for role tester, /),
        'Files here that it covers now: 6: gen/a.txt, gen/b.txt, gen/c.txt, gen/d.txt, gen/e.txt, …',
        `Still stricter, and so in force: deny at ${sandbox.at('own/config/user/rules.jsonl')}:1`,
      ]);
      expect(sandbox.read(rules('ask'))).toBe('');
      expect(sandbox.records(rules('allow'))).toHaveLength(1);
    }),
  );

  it(
    'names the safer way where there is one',
    within(async (sandbox) => {
      const advice = expect.stringMatching(/options included.* hookwise suggest, or hookwise approve <id> --shape/);
      const out = async (...words: string[]) => (await sandbox.run([...tester, '--command', ...words])).out;
      for (const command of ['pytest *', 'git add *', 'gh pr view *', 'make -j *'])
        expect(await out(command, '--allow')).toContainEqual(advice);
      expect(await out('pytest *', '--deny')).not.toContainEqual(advice);
      for (const command of ['docker compose *', 'pytest', 'rm *'])
        expect(await out(command, '--allow')).not.toContainEqual(advice);
    }),
  );

  it(
    'may end at a date',
    within(async (sandbox) => {
      const ran = await sandbox.run([...tester, '--command', 'make', '--allow', '--expires', '2033-01-01']);
      expect(ran.out[0]).toMatch(/, until 2033-01-01T00:00:00\.000Z\.$/);
    }),
  );

  it(
    'warns where a project has no say',
    within(async (sandbox) => {
      const line = [...tester, '--file', '.claude/*', '--allow'];
      const note = expect.stringContaining('control the gate itself');
      expect((await sandbox.run(line)).out).toContainEqual(note);
      expect((await sandbox.run([...line, '--scope', 'user'])).out).not.toContainEqual(note);
    }),
  );

  it.each<[string, string[], RegExp]>([
    ['no role', ['--command', 'make', '--allow'], /--role <name> is missing/],
    ['no pattern', ['--role', 'tester', '--allow'], /at least one of --command, --tool and --file/],
    ['no verdict', ['--role', 'tester', '--tool', 'Bash'], /exactly one of --allow, --deny and --ask/],
    ['two verdicts', ['--role', 'tester', '--tool', 'Bash', '--allow', '--ask'], /exactly one of/],
    ['an empty command', ['--role', 'tester', '--command', ' ', '--allow'], /--command is empty/],
    ['any program', ['--role', 'tester', '--command', '* --help', '--allow'], /must name a program/],
    ['a pipe with *', ['--role', 'tester', '--command', 'cat * | sh', '--allow'], /"\|" would never match/],
    ['quotes with *', ['--role', 'tester', '--command', 'echo "a b" *', '--allow'], /would never match/],
    ['an assignment with *', ['--role', 'tester', '--command', 'A=1 make *', '--allow'], /variable assignment/],
    ['a secret', ['--role', 'tester', '--command', `x ghp_${'a1B2'.repeat(9)}`, '--deny'], /looks like a secret/],
    ['a wildcard tool', ['--role', 'tester', '--tool', 'mcp__*', '--deny'], /--tool must be one tool/],
    ['a bad glob', ['--role', 'tester', '--file', 'a/[', '--deny'], /glob pattern error/],
    ['an empty glob', ['--role', 'tester', '--file', '', '--deny'], /--file is empty/],
    ['role scope', ['--role', 'tester', '--tool', 'X', '--deny', '--scope', 'role'], /nothing is stored at role scope/],
    ['a time without unit', ['--role', 'tester', '--tool', 'X', '--deny', '--expires', '30'], /--expires must be/],
    ['no time', ['--role', 'tester', '--tool', 'X', '--deny', '--expires', '0d'], /--expires must be/],
    ['a very long time', ['--role', 'tester', '--tool', 'X', '--deny', '--expires', '999999w'], /ten years/],
    ['an allow for all roles in the project', ['--role', '*', '--tool', 'X', '--allow'], /name one role/],
    ['the same in the repository', ['--role', '*', '--tool', 'X', '--allow', '--here'], /name one role/],
  ])(
    'refuses %s',
    within(async (sandbox, _, words, message) => {
      const ran = await sandbox.run(['override', ...words]);
      expect(ran).toMatchObject({ code: 2, out: [], err: [expect.stringMatching(message)] });
      expect(() => sandbox.read(rules('allow'))).toThrow();
    }),
  );

  it(
    'knows every role and only these',
    within(async (sandbox) => {
      const line = ['--tool', 'WebFetch', '--deny'];
      expect(await sandbox.run(['override', '--role', 'nobody', ...line])).toMatchObject({
        code: 1,
        err: expect.arrayContaining(['role not found: nobody']),
      });
      expect(await sandbox.run(['override', '--role', '*', ...line])).toMatchObject({ code: 0 });
      const user = ['override', '--role', '*', '--command', 'make', '--allow', '--scope', 'user'];
      expect(await sandbox.run(user)).toMatchObject({ code: 0 });
      expect(await verdictOf(sandbox, { command: 'make', role: 'docs' })).toBe('allow override.user');
    }),
  );

  it.each([agent('s-1'), script])(
    'is for a person only: %j',
    within(async (sandbox, caller) => {
      expect(await sandbox.run([...tester, '--tool', 'Bash', '--allow'], { caller })).toMatchObject({ code: 1 });
      expect(() => sandbox.read(rules('allow'))).toThrow();
    }),
  );
});
