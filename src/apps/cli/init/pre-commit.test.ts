import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fakes, type ProgramRun, type ScanSandbox, scanSandbox } from '../../../io/scan/scan-sandbox.cases.ts';
import { builtProgram } from '../built-cli.cases.ts';
import { init } from '../commands/init.ts';
import { type Ran, runIn, workspace } from '../workspace.cases.ts';

const program = builtProgram();
const leak = `{"command":"curl ${fakes.github}"}\n`;
const rules = '.hookwise/rules/deny.jsonl';

interface Running {
  readonly installed?: string;
  readonly cwd?: string;
}

const initialise = (
  sandbox: ScanSandbox,
  options: Record<string, string | boolean>,
  { installed = dirname(program()), cwd = sandbox.root }: Running = {},
): Promise<Ran> => {
  const at = workspace();
  const surroundings = { ...at.surroundings, env: sandbox.env, passwdHome: sandbox.home, installed };
  return runIn(at, init, { options, surroundings, cwd });
};

/** A repository with one commit and the hook. */
const hooked = async (kind = 'git', prepare: (sandbox: ScanSandbox) => void = () => {}): Promise<ScanSandbox> => {
  const sandbox = scanSandbox();
  sandbox.start();
  prepare(sandbox);
  await initialise(sandbox, { 'pre-commit': kind });
  return sandbox;
};

const hookFile = ({ root }: ScanSandbox): string => join(root, '.git/hooks/pre-commit');

const makeHook = (sandbox: ScanSandbox, text: string, mode = 0o755): void => {
  mkdirSync(dirname(hookFile(sandbox)), { recursive: true });
  writeFileSync(hookFile(sandbox), text, { mode });
};

const commit = (sandbox: ScanSandbox, ...words: string[]): ProgramRun =>
  sandbox.run('git', ['commit', '-qm', 'x', ...words]);

/** Stages a rules file and commits. */
const commitRules = (sandbox: ScanSandbox, text: string): ProgramRun => {
  sandbox.write(rules, text);
  sandbox.git('add', '-f', rules);
  return commit(sandbox);
};

const expectStopped = ({ code, err }: ProgramRun): void => {
  expect(code).toBe(1);
  expect(err).toMatch(/\.hookwise\/rules\/deny\.jsonl:1:12 {2}github-pat/);
  expect(err).toContain('hookwise: not committed');
  expect(err).not.toContain(fakes.github);
};

describe('the hook in .git/hooks', () => {
  it('stops a commit that would bring a secret into the rules, and is silent otherwise', async () => {
    const sandbox = await hooked();
    expect(statSync(hookFile(sandbox)).mode & 0o111).toBe(0o111);
    expectStopped(commitRules(sandbox, leak));
    expect(commitRules(sandbox, '{"command":"ls"}\n')).toEqual({ code: 0, out: '', err: '' });
    sandbox.write('elsewhere.txt', fakes.github);
    sandbox.git('add', 'elsewhere.txt');
    expect(commit(sandbox).code).toBe(0);
  });

  it('looks at the index of this very commit', async () => {
    const sandbox = await hooked();
    expect(commitRules(sandbox, '{"command":"ls"}\n').code).toBe(0);
    sandbox.write(rules, leak);
    expect(commit(sandbox, '--allow-empty').code).toBe(0);
    expectStopped(commit(sandbox, '-a'));
    expectStopped(commit(sandbox, rules));
    expectStopped(sandbox.run('git', ['commit', '-qm', 'x', '-a'], { cwd: join(sandbox.root, '.hookwise') }));
  });

  it('works in a work tree', async () => {
    const sandbox = await hooked();
    const other = join(sandbox.top, 'other');
    sandbox.git('worktree', 'add', '-q', other);
    mkdirSync(join(other, '.hookwise/rules'), { recursive: true });
    writeFileSync(join(other, rules), leak);
    sandbox.run('git', ['add', '-A'], { cwd: other });
    expectStopped(sandbox.run('git', ['commit', '-qm', 'x'], { cwd: other }));
  });

  it.each([
    ['an exit', 'touch seen\nexit 0\n'],
    ['an exec', 'touch seen\nexec true\n'],
    ['its last command', 'touch seen\n'],
    ['an error of its own', 'touch seen\nexit 3\n'],
  ])('comes before a hook that ends with %s, and keeps what it says', async (_, rest) => {
    const text = `#!/bin/sh\n${rest}`;
    const sandbox = await hooked('git', (made) => makeHook(made, text));
    expectStopped(commitRules(sandbox, leak));
    expect(existsSync(join(sandbox.root, 'seen'))).toBe(false);
    expect(commitRules(sandbox, '{"command":"ls"}\n').code).toBe(rest.includes('exit 3') ? 1 : 0);
    expect(existsSync(join(sandbox.root, 'seen'))).toBe(true);
    await initialise(sandbox, { 'remove-pre-commit': true });
    expect(readFileSync(hookFile(sandbox), 'utf8')).toBe(text);
  });

  it('is added once and taken out whole', async () => {
    const sandbox = await hooked();
    const before = readFileSync(hookFile(sandbox), 'utf8');
    expect((await initialise(sandbox, { 'pre-commit': 'git' })).out).toContain(
      'pre-commit: .git/hooks/pre-commit scans what is staged of .hookwise/',
    );
    expect(readFileSync(hookFile(sandbox), 'utf8')).toBe(before);
    expect(sandbox.git('config', '--local', 'hookwise.program').trim()).toBe(program());
    const removed = await initialise(sandbox, { 'remove-pre-commit': true });
    expect(removed).toMatchObject({ code: 0, out: 'took the scan out of .git/hooks/pre-commit' });
    expect(existsSync(hookFile(sandbox))).toBe(false);
    expect(sandbox.run('git', ['config', '--local', 'hookwise.program']).code).toBe(1);
    expect((await initialise(sandbox, { 'remove-pre-commit': true })).out).toContain('no hook of this repository');
    expect(commitRules(sandbox, leak).code).toBe(0);
  });

  it('lets a commit through, loudly, when hookwise is gone or cannot look', async () => {
    const sandbox = await hooked();
    sandbox.git('config', 'hookwise.program', join(sandbox.top, 'gone.cjs'));
    const gone = commitRules(sandbox, leak);
    expect(gone.code).toBe(0);
    expect(gone.err).toMatch(/hookwise: NOT scanned for secrets: .* run: hookwise init/);
    sandbox.git('config', 'hookwise.program', program());
    sandbox.write('.hookwise/scan-ignore', 'nonsense\n');
    sandbox.git('add', '-f', '.hookwise/scan-ignore');
    expect(commitRules(sandbox, `{}\n${leak}`)).toMatchObject({ code: 0, err: expect.stringContaining('NOT scanned') });
  });

  it('falls back to the hookwise on PATH', async () => {
    const sandbox = await hooked();
    sandbox.git('config', '--unset', 'hookwise.program');
    const bin = join(sandbox.top, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'hookwise'), `#!/bin/sh\nexec '${process.execPath}' '${program()}' "$@"\n`, {
      mode: 0o755,
    });
    sandbox.env['PATH'] = `${bin}:${sandbox.env['PATH']}`;
    expectStopped(commitRules(sandbox, leak));
  });

  it('goes where core.hooksPath says, inside the repository', async () => {
    const sandbox = await hooked('git', (made) => made.git('config', 'core.hooksPath', '.githooks'));
    expect(existsSync(hookFile(sandbox))).toBe(false);
    expect(existsSync(join(sandbox.root, '.githooks/pre-commit'))).toBe(true);
    expectStopped(commitRules(sandbox, leak));
  });

  const refusals: [name: string, prepare: (sandbox: ScanSandbox) => void, why: RegExp][] = [
    ['a script in another language', (made) => makeHook(made, '#!/usr/bin/env python3\n'), /it is no shell script/],
    ['a hook that git passes over', (made) => makeHook(made, '#!/bin/sh\n', 0o644), /not executable/],
    [
      'a link',
      (made) => {
        mkdirSync(dirname(hookFile(made)), { recursive: true });
        symlinkSync('/bin/true', hookFile(made));
      },
      /it is a link/,
    ],
    [
      'a directory of all repositories',
      (made) => made.git('config', 'core.hooksPath', join(made.home, 'hooks')),
      /other repositories use too/,
    ],
  ];
  it.each(refusals)('leaves alone %s, and says what to do', async (_, prepare, why) => {
    const sandbox = scanSandbox();
    sandbox.start();
    prepare(sandbox);
    await expect(initialise(sandbox, { 'pre-commit': 'git' })).rejects.toThrow(why);
    const { out, code } = await initialise(sandbox, {});
    expect(code).toBe(0);
    expect(out).toMatch(/^pre-commit: not added: .*run: hookwise scan --staged \.hookwise\/ --quiet$/m);
    expect(existsSync(join(sandbox.home, 'hooks'))).toBe(false);
  });
});

describe('husky', () => {
  const modern = (text: string) => (sandbox: ScanSandbox) => {
    sandbox.git('config', 'core.hooksPath', '.husky/_');
    sandbox.write('.husky/_/pre-commit', '#!/bin/sh\nexec sh -e "$(dirname "$0")/../pre-commit" "$@"\n');
    chmodSync(join(sandbox.root, '.husky/_/pre-commit'), 0o755);
    if (text !== '') sandbox.write('.husky/pre-commit', text);
  };

  it.each([
    ['without a hook yet', ''],
    ['with a hook', 'touch seen\n'],
  ])('%s: the commit is stopped', async (_, text) => {
    const sandbox = await hooked('husky', modern(text));
    expectStopped(commitRules(sandbox, leak));
    expect(commitRules(sandbox, '{"command":"ls"}\n')).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(sandbox.root, 'seen'))).toBe(text !== '');
    await initialise(sandbox, { 'remove-pre-commit': true });
    expect(existsSync(join(sandbox.root, '.husky/pre-commit'))).toBe(text !== '');
  });

  it('of an older version, which runs the hook twice, scans once', async () => {
    const head = '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n';
    const sandbox = await hooked('husky', (made) => {
      made.git('config', 'core.hooksPath', '.husky');
      made.write(
        '.husky/_/husky.sh',
        'if [ -z "$husky_skip_init" ]; then\n  export husky_skip_init=1\n  sh -e "$0" "$@"\n  exit $?\nfi\n',
      );
      made.write('.husky/pre-commit', `${head}\ntouch seen\n`);
      chmodSync(join(made.root, '.husky/pre-commit'), 0o755);
    });
    const stopped = commitRules(sandbox, leak);
    expectStopped(stopped);
    expect(stopped.err.match(/github-pat/g)).toHaveLength(1);
    expect(commitRules(sandbox, '{"command":"ls"}\n').code).toBe(0);
    expect(existsSync(join(sandbox.root, 'seen'))).toBe(true);
  });

  it('that is not there is not made up', async () => {
    const sandbox = scanSandbox();
    sandbox.start();
    await expect(initialise(sandbox, { 'pre-commit': 'husky' })).rejects.toThrow(/there is no \.husky here/);
  });
});

describe('lefthook', () => {
  it('runs the script that was added to its configuration, and the commit is stopped', async () => {
    const sandbox = await hooked('lefthook', (made) =>
      made.write('lefthook.yml', '# ours\npre-commit:\n  commands:\n    lint:\n      run: "true"\n'),
    );
    const text = readFileSync(join(sandbox.root, 'lefthook.yml'), 'utf8');
    expect(text.startsWith('# ours\n')).toBe(true);
    // What lefthook does with a command: it gives the text to a shell.
    writeFileSync(join(sandbox.top, 'run.sh'), parse(text)['pre-commit'].commands.hookwise.run);
    makeHook(sandbox, `#!/bin/sh\nexec sh -c "$(cat '${join(sandbox.top, 'run.sh')}')"\n`);
    expectStopped(commitRules(sandbox, leak));
    expect(commitRules(sandbox, '{"command":"ls"}\n')).toMatchObject({ code: 0, err: '' });
    await initialise(sandbox, { 'remove-pre-commit': true });
    expect(readFileSync(join(sandbox.root, 'lefthook.yml'), 'utf8')).not.toContain('hookwise');
  });

  it('in a form that is not changed by a program is left to its owner', async () => {
    const sandbox = scanSandbox();
    sandbox.start();
    sandbox.write('lefthook.toml', '');
    expect((await initialise(sandbox, {})).out).toMatch(/lefthook\.toml: only YAML is changed by hookwise/);
  });
});

describe('a copy of hookwise that is not built', () => {
  it('leaves the hook to PATH', async () => {
    const sandbox = scanSandbox();
    sandbox.start();
    await initialise(sandbox, { 'pre-commit': 'git' }, { installed: '/nowhere' });
    expect(existsSync(hookFile(sandbox))).toBe(true);
    expect(sandbox.run('git', ['config', 'hookwise.program']).code).toBe(1);
  });

  it('that comes back is found again after init', async () => {
    const sandbox = await hooked();
    const moved = join(sandbox.top, 'moved');
    mkdirSync(moved);
    for (const name of ['hookwise.cjs', 'cli.cjs'])
      writeFileSync(join(moved, name), readFileSync(join(dirname(program()), name)));
    await initialise(sandbox, {}, { installed: moved });
    expect(sandbox.git('config', 'hookwise.program').trim()).toBe(join(moved, 'hookwise.cjs'));
    expectStopped(commitRules(sandbox, leak));
  });
});
