import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agent, type CliSandbox, script, verdictOf, within } from '../cli-sandbox.cases.ts';

const allowFile = 'repo/.hookwise/rules/allow.jsonl';

const allowLine = (command: string, change: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({ command, tool: 'Bash', role: 'tester', decision: 'allow', ...change })}\n`;

const rolesFile = 'roles:\n  tester:\n    paths:\n      allow_write: ["docs/**"]\n';

/** A repository that came with lines that widen. */
const fill = (sandbox: CliSandbox): void => {
  sandbox.write('repo/.hookwise/roles.yml', rolesFile);
  sandbox.write(allowFile, allowLine('make') + allowLine('make\u202e all'));
  sandbox.write('repo/.hookwise/rules/deny.jsonl', allowLine('rm'));
  sandbox.write('repo/.hookwise/.user/user.jsonl', allowLine('make mine'));
};

const shown = [
  expect.stringMatching(/^ {2}\.hookwise\/roles\.yml:\d+ {2}roles\.tester\.paths\.allow_write .*"docs\/\*\*"/),
  '  .hookwise/rules/allow.jsonl:1  allows tester: Bash make',
  '  .hookwise/rules/allow.jsonl:2  allows tester: Bash make\\u{202e} all',
  '  .hookwise/.user/user.jsonl:1  allows tester: Bash make mine',
];

describe.concurrent('hookwise trust', () => {
  it(
    'shows exactly the lines that widen, and puts them into force after a yes',
    within(async (sandbox) => {
      fill(sandbox);
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('deny human.undecided');
      const ran = await sandbox.run(['trust'], { yes: true });
      expect(ran).toMatchObject({ code: 0, err: [], asked: ['Trust 4 lines?'] });
      expect(ran.out).toEqual([expect.stringContaining('widen what agents may do'), ...shown, 'Trusted 4 lines.']);
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('allow entry.project');
      expect(await verdictOf(sandbox, { command: 'make mine' })).toBe('allow entry.user');
      expect(sandbox.project().policy.roles.tester?.paths.allowWrite.map(({ glob }) => glob)).toContain('docs/**');
      const again = await sandbox.run(['trust']);
      expect(again).toMatchObject({ code: 0, asked: [], out: [expect.stringMatching(/^Nothing to trust/)] });
    }),
  );

  it(
    'lists only what is new after a change',
    within(async (sandbox) => {
      fill(sandbox);
      await sandbox.run(['trust', '--yes']);
      appendFileSync(sandbox.at(allowFile), allowLine('make more'));
      const { out } = await sandbox.run(['trust', '--yes']);
      expect(out.slice(1)).toEqual([
        '  .hookwise/rules/allow.jsonl:3  allows tester: Bash make more',
        'Trusted 1 line.',
      ]);
    }),
  );

  it(
    'changes nothing after a no',
    within(async (sandbox) => {
      fill(sandbox);
      expect(await sandbox.run(['trust'])).toMatchObject({ code: 1, asked: ['Trust 4 lines?'] });
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('deny human.undecided');
    }),
  );

  it(
    'lists without asking, for everybody',
    within(async (sandbox) => {
      fill(sandbox);
      const ran = await sandbox.run(['trust', '--list'], { caller: script });
      expect(ran).toMatchObject({ code: 0, asked: [], out: ['0 lines trusted, 4 not:', ...shown] });
    }),
  );

  it(
    'takes all trust back',
    within(async (sandbox) => {
      fill(sandbox);
      expect((await sandbox.run(['trust', '--revoke'])).out).toEqual(['Nothing is trusted in this repository.']);
      await sandbox.run(['trust', '--yes']);
      expect(await sandbox.run(['trust', '--revoke'])).toMatchObject({ code: 1, out: ['Nothing was changed.'] });
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('allow entry.project');
      expect((await sandbox.run(['trust', '--revoke'], { yes: true })).out).toEqual(['4 lines no longer trusted.']);
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('deny human.undecided');
    }),
  );

  it(
    'says what it cannot read',
    within(async (sandbox) => {
      fill(sandbox);
      sandbox.write('repo/.hookwise/policy.yml', 'a: [\n');
      const { err } = await sandbox.run(['trust', '--list']);
      expect(err).toEqual([expect.stringMatching(/^\.hookwise\/policy\.yml:\d+: .*what it says is not shown$/)]);
    }),
  );

  it(
    'is logged with the lines',
    within(async (sandbox) => {
      fill(sandbox);
      await sandbox.run(['trust', '--yes']);
      const event = sandbox.project().audit.read({}).entries.at(-1)?.event;
      expect(event).toMatchObject({ event: 'trusted', count: 4, actor: 'user:ada' });
      expect(event?.lines).toContain('allow.jsonl:1 allows tester: Bash make');
    }),
  );

  it.each([agent('s-1'), script])(
    'is for a person only, even with --yes: %j',
    within(async (sandbox, caller) => {
      fill(sandbox);
      for (const options of [[], ['--yes'], ['--revoke', '--yes'], ['--follow', 'origin/main', '--yes']])
        expect(await sandbox.run(['trust', ...options], { caller, yes: true })).toMatchObject({ code: 1, out: [] });
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('deny human.undecided');
    }),
  );

  it.each([
    ['--list --revoke', /exclude each other/],
    ['--follow main', /<remote>\/<branch>/],
    ['--follow --output=x/y', /<remote>\/<branch>/],
    ['--follow origin/../main', /<remote>\/<branch>/],
    ['--follow origin/main:x', /<remote>\/<branch>/],
  ])(
    'refuses %s',
    within(async (sandbox, options, message) => {
      fill(sandbox);
      const ran = await sandbox.run(['trust', ...options.replace(' --out', '=--out').split(' ')]);
      expect(ran).toMatchObject({ code: 2, err: [expect.stringMatching(message)] });
    }),
  );
});

const git = (sandbox: CliSandbox, ...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    cwd: sandbox.root,
    env: { PATH: process.env['PATH'], HOME: sandbox.home, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();

/** Commits what is there and makes it the fetched `origin/main`. */
const publish = (sandbox: CliSandbox): void => {
  git(sandbox, 'add', '--all', '--force', '.hookwise');
  git(sandbox, 'commit', '--quiet', '--message=x');
  git(sandbox, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
};

const repository = (sandbox: CliSandbox): void => {
  rmSync(sandbox.at('repo/.git'), { recursive: true });
  git(sandbox, 'init', '--quiet');
};

describe.concurrent('hookwise trust --follow', () => {
  it(
    'trusts only what the fetched branch holds as well',
    within(async (sandbox) => {
      repository(sandbox);
      sandbox.write('repo/.hookwise/roles.yml', rolesFile);
      sandbox.write(allowFile, allowLine('make') + allowLine('make all'));
      publish(sandbox);
      sandbox.write(
        'repo/.hookwise/roles.yml',
        rolesFile.replace('"docs/**"', '"docs/**", "src/**"').replace('roles:', '# moved\nroles:'),
      );
      sandbox.write(allowFile, allowLine('make local') + allowLine('make') + allowLine('make all', { reason: 'x' }));
      sandbox.write('repo/.hookwise/.user/user.jsonl', allowLine('make mine'));
      const ran = await sandbox.run(['trust', '--follow', 'origin/main'], { yes: true });
      expect(ran).toMatchObject({ code: 0, err: [], asked: ['Trust 2 lines?'] });
      const [others, standing] = ran.out.join('\n').split('These lines widen');
      for (const statement of ['"src/**"', 'make local', 'make all', 'make mine']) expect(others).toContain(statement);
      for (const statement of ['"docs/**"', 'Bash make\n']) expect(standing).toContain(statement);
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('allow entry.project');
      for (const command of ['make local', 'make all', 'make mine'])
        expect(await verdictOf(sandbox, { command })).toBe('deny human.undecided');
    }),
  );

  it(
    'takes no other reference for the branch, and no link for a file',
    within(async (sandbox) => {
      repository(sandbox);
      sandbox.write(allowFile, allowLine('make'));
      publish(sandbox);
      git(sandbox, 'update-ref', '-d', 'refs/remotes/origin/main');
      git(sandbox, 'tag', 'origin/main');
      git(sandbox, 'branch', 'origin/main');
      const missing = await sandbox.run(['trust', '--follow', 'origin/main', '--yes']);
      expect(missing.code).toBe(1);
      expect(missing.err.join('\n')).toMatch(/refs\/remotes\/origin\/main is not a fetched branch/);
      rmSync(sandbox.at(allowFile));
      sandbox.write('repo/elsewhere', allowLine('make'));
      symlinkSync('../../elsewhere', sandbox.at(allowFile));
      publish(sandbox);
      rmSync(sandbox.at(allowFile));
      sandbox.write(allowFile, allowLine('make'));
      const linked = await sandbox.run(['trust', '--follow', 'origin/main', '--yes']);
      expect(linked).toMatchObject({ code: 1, out: expect.arrayContaining([expect.stringMatching(/^Not trusted/)]) });
      expect(await verdictOf(sandbox, { command: 'make' })).toBe('deny human.undecided');
    }),
  );

  it(
    'needs a repository',
    within(async (sandbox) => {
      fill(sandbox);
      const ran = await sandbox.run(['trust', '--follow', 'origin/main', '--yes']);
      expect(ran).toMatchObject({
        code: 1,
        err: expect.arrayContaining([expect.stringContaining('nothing was trusted')]),
      });
    }),
  );
});
