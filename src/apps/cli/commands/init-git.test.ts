import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../io/process/caller.ts';
import { type ScanSandbox, scanSandbox } from '../../../io/scan/scan-sandbox.cases.ts';
import { type Ran, runIn, workspace } from '../workspace.cases.ts';
import { init } from './init.ts';

interface Running {
  readonly caller?: Caller;
  readonly answer?: boolean;
}

const asked: string[] = [];

const initialise = (
  sandbox: ScanSandbox,
  options: Record<string, string | boolean> = {},
  { caller = { kind: 'terminal' }, answer = false }: Running = {},
): Promise<Ran> => {
  const { surroundings } = workspace();
  asked.length = 0;
  return runIn(workspace(), init, {
    options,
    surroundings: { ...surroundings, env: sandbox.env, passwdHome: sandbox.home },
    cwd: sandbox.root,
    caller,
    confirm: async (question) => {
      asked.push(question);
      return answer;
    },
  });
};

const made = (): ScanSandbox => {
  const sandbox = scanSandbox();
  sandbox.start();
  return sandbox;
};

const hasHook = ({ root }: ScanSandbox): boolean => existsSync(join(root, '.git/hooks/pre-commit'));
const agent: Caller = { kind: 'agent', why: 'CLAUDECODE is set' };
const script: Caller = { kind: 'script' };

describe('.hookwise/.gitattributes', () => {
  it.each<[text: string, isComplete: boolean]>([
    ['rules/allow.jsonl -merge\n', true],
    ['# ours\n/rules/allow.jsonl text merge=binary\n', true],
    ['*.jsonl merge=union\nrules/allow.jsonl -merge\n', true],
    ['rules/allow.jsonl -merge\n*.jsonl text eol=lf\n', true],
    ['rules/allow.jsonl -merge\n*.jsonl merge=union\n', false],
    ['rules/allow.jsonl merge=union\n', false],
    ['# rules/allow.jsonl -merge\n', false],
    ['', false],
  ])('names what an older .gitattributes lacks and leaves it alone: %j', async (text, isComplete) => {
    const at = workspace();
    const file = at.write('.hookwise/.gitattributes', text);
    const { out } = await runIn(at, init);
    expect(/incomplete +\.hookwise\/\.gitattributes +\(add to it: rules\/allow\.jsonl -merge\)/.test(out)).toBe(
      !isComplete,
    );
    expect(at.read(file)).toBe(text);
  });

  /** Two branches that both changed a rules file, merged. */
  const merged = async (file: string) => {
    const sandbox = made();
    await initialise(sandbox);
    const path = `.hookwise/rules/${file}`;
    const commit = (text: string): void => {
      sandbox.write(path, text);
      sandbox.git('add', '-A');
      sandbox.git('commit', '-qm', 'rules');
    };
    commit('{"n":1}\n{"n":2}\n');
    sandbox.git('checkout', '-q', '-b', 'other');
    commit('{"n":1}\n{"n":2}\n{"n":3}\n');
    sandbox.git('checkout', '-q', 'main');
    // Somebody takes a rule back here, while the other branch still has it.
    commit('{"n":1}\n{"n":4}\n');
    const { code, out } = sandbox.run('git', ['merge', 'other']);
    return {
      code,
      out,
      text: readFileSync(join(sandbox.root, path), 'utf8'),
      status: sandbox.git('status', '--short'),
    };
  };

  it('makes a merge of what is allowed a conflict, and leaves the file as it was here', async () => {
    const { code, out, text, status } = await merged('allow.jsonl');
    expect(code).toBe(1);
    expect(out).toContain('CONFLICT');
    expect(status).toContain('UU .hookwise/rules/allow.jsonl');
    expect(text).toBe('{"n":1}\n{"n":4}\n');
  });

  it.each(['deny.jsonl', 'ask.jsonl'])('lets git keep both sides of %s', async (file) => {
    const { code, text } = await merged(file);
    expect(code).toBe(0);
    expect(
      text
        .split('\n')
        .filter((line) => line !== '')
        .toSorted(),
    ).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
  });

  it("keeps the line ends of rules, and the user's own files out of git", async () => {
    const sandbox = made();
    await initialise(sandbox);
    sandbox.git('config', 'core.autocrlf', 'true');
    sandbox.write('.hookwise/.user/user.jsonl', '{}\n');
    sandbox.write('.hookwise/rules/deny.jsonl', '{"n":1}\n');
    sandbox.git('add', '-A');
    sandbox.git('commit', '-qm', 'rules');
    expect(sandbox.git('ls-files')).not.toContain('.user');
    sandbox.run('rm', ['.hookwise/rules/deny.jsonl']);
    sandbox.git('checkout', '--', '.');
    expect(readFileSync(join(sandbox.root, '.hookwise/rules/deny.jsonl'), 'utf8')).toBe('{"n":1}\n');
  });
});

describe('the offer of a hook', () => {
  it.each([true, false])('is put to a person at a terminal, who answers %s', async (answer) => {
    const sandbox = made();
    const { out, code } = await initialise(sandbox, {}, { answer });
    expect(code).toBe(0);
    expect(asked).toEqual([expect.stringContaining('.git/hooks/pre-commit')]);
    expect(hasHook(sandbox)).toBe(answer);
    expect(out).toMatch(answer ? /^pre-commit: .* now scans/m : /^pre-commit: not added\. .*--pre-commit git/m);
  });

  it('is not put again once the hook is there', async () => {
    const sandbox = made();
    await initialise(sandbox, {}, { answer: true });
    await initialise(sandbox, {}, { answer: true });
    expect(asked).toEqual([]);
  });

  it.each<[name: string, caller: Caller]>([
    ['an agent', agent],
    ['a script', script],
  ])('is only a line to add for %s', async (_, caller) => {
    const sandbox = made();
    const { out } = await initialise(sandbox, {}, { caller, answer: true });
    expect(asked).toEqual([]);
    expect(hasHook(sandbox)).toBe(false);
    expect(out).toMatch(/^pre-commit: not added\. .*: hookwise scan --staged \.hookwise\/ --quiet$/m);
  });

  it.each<[name: string, options: Record<string, string | boolean>, running: Running, isAdded: boolean]>([
    ['a kind that was named', { 'pre-commit': 'git' }, {}, true],
    ['a yes in advance', { yes: true }, {}, true],
    ['a script with both', { 'pre-commit': 'git', yes: true }, { caller: script }, true],
    ['a script with a yes', { yes: true }, { caller: script }, true],
    ['none', { 'pre-commit': 'none' }, { answer: true }, false],
    ['a dry run', { 'pre-commit': 'git', 'dry-run': true }, { answer: true }, false],
    ['a dry run of an agent', { 'dry-run': true, yes: true }, { caller: agent, answer: true }, false],
    ['a yes of an agent', { yes: true }, { caller: agent, answer: true }, false],
  ])('needs no question for %s', async (_, options, running, isAdded) => {
    const sandbox = made();
    expect((await initialise(sandbox, options, running)).code).toBe(0);
    expect([asked, hasHook(sandbox)]).toEqual([[], isAdded]);
  });

  it.each<[name: string, options: Record<string, string | boolean>, running: Running, why: RegExp]>([
    ['an agent that names one', { 'pre-commit': 'git', yes: true }, { caller: agent }, /an agent may not/],
    ['an agent that takes it out', { 'remove-pre-commit': true, yes: true }, { caller: agent }, /an agent may not/],
    ['a script without a yes', { 'pre-commit': 'git' }, { caller: script }, /give --yes/],
    ['a kind that is not known', { 'pre-commit': 'lint-staged' }, {}, /takes git, husky, lefthook, none/],
    ['the opposite of itself', { 'pre-commit': 'git', 'remove-pre-commit': true }, {}, /say the opposite/],
    ["a place that is no repository's", { user: true, 'pre-commit': 'git' }, {}, /is about a repository/],
  ])('is refused to %s', async (_, options, running, why) => {
    const sandbox = made();
    await expect(initialise(sandbox, options, running)).rejects.toThrow(why);
    expect(hasHook(sandbox)).toBe(false);
  });

  it('is left out where there is no repository', async () => {
    const sandbox = scanSandbox();
    const { out, code } = await initialise(sandbox, {}, { answer: true });
    expect(code).toBe(0);
    expect(out).not.toContain('pre-commit:');
  });

  it('says so where git sees no repository', async () => {
    const sandbox = scanSandbox();
    sandbox.write('.git/HEAD', '');
    const { out } = await initialise(sandbox, {}, { answer: true });
    expect(out).toContain('pre-commit: not added: git sees no repository with files here');
  });

  it('names what it would change when it is only tried', async () => {
    const sandbox = made();
    await initialise(sandbox, { 'pre-commit': 'git' });
    const { out } = await initialise(sandbox, { 'remove-pre-commit': true, 'dry-run': true });
    expect(out).toContain('would take the scan out of .git/hooks/pre-commit');
    expect(hasHook(sandbox)).toBe(true);
  });
});
