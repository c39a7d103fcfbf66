import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import { builtHook, type Ran, runIn, type Workspace, workspace } from '../workspace.cases.ts';
import { init } from './init.ts';

const installed = builtHook();

const agent = { kind: 'agent', why: 'CLAUDECODE is set' } as const;
const install = (at: Workspace, more: Record<string, string | boolean> = {}): Promise<Ran> =>
  runIn(at, init, { options: { user: true, yes: true, ...more } });

/** Every file below a directory with its text. */
const tree = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(directory.length + 1), readFileSync(file, 'utf8')]),
  );

describe('init in a repository', () => {
  it('makes .hookwise, says so, and keeps all of it the next time', async () => {
    const at = workspace();
    const first = await runIn(at, init, { caller: agent });
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out.split('\n').filter((line) => line.startsWith('created'))).toHaveLength(7);
    expect(first.out).toContain('hookwise init --user');
    const made = tree(join(at.root, '.hookwise'));
    expect(Object.keys(made).sort()).toEqual([
      '.gitattributes',
      '.gitignore',
      'policy.yml',
      'roles.yml',
      'rules/allow.jsonl',
      'rules/ask.jsonl',
      'rules/deny.jsonl',
    ]);
    expect(made['rules/allow.jsonl']).toBe('');
    expect(made['.gitignore']).toMatch(/^\.index\/\n\.user\/$/m);
    at.write('.hookwise/policy.yml', 'reads: abstain\n');
    const second = await runIn(at, init);
    expect(second.out.split('\n').filter((line) => line.startsWith('kept'))).toHaveLength(7);
    expect(tree(join(at.root, '.hookwise'))).toEqual({ ...made, 'policy.yml': 'reads: abstain\n' });
  });

  it('works from a subdirectory', async () => {
    const at = workspace();
    mkdirSync(join(at.root, 'sub/deep'), { recursive: true });
    await runIn(at, init, { cwd: join(at.root, 'sub/deep') });
    expect(existsSync(join(at.root, '.hookwise/policy.yml'))).toBe(true);
    expect(existsSync(join(at.root, 'sub/deep/.hookwise'))).toBe(false);
  });

  it('writes nothing when it is only tried', async () => {
    const at = workspace();
    const { out } = await runIn(at, init, { options: { 'dry-run': true } });
    expect(out).toMatch(/created +\.hookwise\/policy\.yml[\s\S]*nothing was written/);
    expect(existsSync(join(at.root, '.hookwise'))).toBe(false);
  });

  it('names what an older .gitignore lacks and leaves it alone', async () => {
    const at = workspace();
    const file = at.write('.hookwise/.gitignore', '/.index/\n');
    const { out } = await runIn(at, init);
    expect(out).toMatch(/incomplete +\.hookwise\/\.gitignore +\(add to it: \.user\/\)/);
    expect(at.read(file)).toBe('/.index/\n');
  });

  it('does not write through a link', async () => {
    const at = workspace();
    mkdirSync(join(at.top, 'elsewhere'));
    symlinkSync(join(at.top, 'elsewhere'), join(at.root, '.hookwise'));
    await expect(runIn(at, init)).rejects.toThrow(/not a real directory/);
    expect(readdirSync(join(at.top, 'elsewhere'))).toEqual([]);
  });

  it('leaves an older directory in force until it is told to rename it', async () => {
    const at = workspace();
    at.write('.captain-hook/policy.yml', 'reads: abstain\n');
    await expect(runIn(at, init)).rejects.toThrow(/init --migrate renames it/);
    expect(existsSync(join(at.root, '.hookwise'))).toBe(false);
    const { out } = await runIn(at, init, { options: { migrate: true } });
    expect(out).toMatch(/renamed +\.hookwise/);
    expect(existsSync(join(at.root, '.captain-hook'))).toBe(false);
    expect(at.read(join(at.root, '.hookwise/policy.yml'))).toBe('reads: abstain\n');
    expect(existsSync(join(at.root, '.hookwise/rules/deny.jsonl'))).toBe(true);
  });

  it('never merges two directories', async () => {
    const at = workspace();
    at.write('.captain-hook/policy.yml', 'reads: abstain\n');
    at.write('.hookwise/policy.yml', '');
    const { out } = await runIn(at, init, { options: { migrate: true } });
    expect(out).toMatch(/kept +\.captain-hook .*merge it by hand/);
    expect(at.read(join(at.root, '.hookwise/policy.yml'))).toBe('');
  });
});

describe('init --user', () => {
  it('installs the hooks with absolute paths, and the gate answers', async () => {
    const at = workspace(installed());
    await runIn(at, init);
    const ran = await install(at);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(ran.out).toMatch(/^live +a write to \.claude\/settings\.json is refused: hookwise deny \[self\.protect\]/m);
    expect(ran.out).toMatch(/^live +a session without a role is told to choose one/m);
    const text = at.read(at.settings);
    expect(text).toContain(JSON.stringify(process.execPath));
    expect(text).toContain(JSON.stringify(join(installed(), 'hookwise.cjs')));
    expect(statSync(at.settings).mode & 0o777).toBe(0o600);
    expect((await runIn(at, init)).out).toContain(`hooks: installed in ${at.settings}`);
  });

  it('says that nothing is gated where nothing is', async () => {
    const at = workspace(installed());
    const { code, out } = await install(at);
    expect(code).toBe(0);
    expect(out).toMatch(/^live +a session without a role is left alone/m);
  });

  it('keeps everything that others wrote, and a copy of the file as it was', async () => {
    const at = workspace(installed());
    const others = {
      permissions: { deny: ['Read(./.env)'] },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '/bin/true' }] }], Stop: [] },
      env: { A: '1' },
    };
    const before = `${JSON.stringify(others, null, 4)}\n`;
    at.writeSettings(before);
    chmodSync(at.settings, 0o640);
    const { out } = await install(at);
    const after: unknown = JSON.parse(at.read(at.settings));
    expect(after).toMatchObject({ permissions: others.permissions, env: others.env });
    const hooks = isJsonObject(after) && isJsonObject(after['hooks']) ? after['hooks'] : {};
    expect(hooks['PreToolUse']).toHaveLength(2);
    expect(Array.isArray(hooks['PreToolUse']) && hooks['PreToolUse'][0]).toEqual(others.hooks.PreToolUse[0]);
    expect(at.read(at.settings)).toMatch(/^ {4}"permissions"/m);
    expect(statSync(at.settings).mode & 0o777).toBe(0o640);
    const backup = `${at.settings}.hookwise-backup-20260305T120000Z`;
    expect(out).toContain(backup);
    expect(at.read(backup)).toBe(before);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  it('changes nothing the second time', async () => {
    const at = workspace(installed());
    await install(at);
    const before = at.read(at.settings);
    const { code, out } = await install(at);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('in place, nothing to change') });
    expect(at.read(at.settings)).toBe(before);
    expect(readdirSync(dirname(at.settings))).toEqual(['settings.json']);
  });

  it('replaces entries of its own, flat ones too', async () => {
    const at = workspace(installed());
    at.writeSettings({
      hooks: {
        PreToolUse: [{ matcher: '.*', command: 'hookwise check' }],
        user_prompt_submit: [{ matcher: '.*', hooks: [{ type: 'command', command: 'captain-hook session-check' }] }],
      },
    });
    await install(at);
    const text = at.read(at.settings);
    expect(text).not.toContain('hookwise check"');
    expect(text).not.toContain('captain-hook');
    expect(text).not.toContain('user_prompt_submit');
  });

  it('follows a link to the real file', async () => {
    const at = workspace(installed());
    const real = at.write('../dotfiles/settings.json', '{}');
    mkdirSync(dirname(at.settings), { recursive: true });
    symlinkSync(real, at.settings);
    await install(at);
    expect(lstatSync(at.settings).isSymbolicLink()).toBe(true);
    expect(at.read(real)).toContain('hookwise.cjs');
  });

  it('goes where CLAUDE_CONFIG_DIR says', async () => {
    const plain = workspace(installed());
    const directory = join(plain.top, 'claude');
    const env = { ...plain.surroundings.env, CLAUDE_CONFIG_DIR: directory };
    await runIn(plain, init, { options: { user: true, yes: true }, surroundings: { ...plain.surroundings, env } });
    expect(existsSync(join(directory, 'settings.json'))).toBe(true);
    expect(existsSync(plain.settings)).toBe(false);
  });

  const refusals: [name: string, text: string, reason: RegExp][] = [
    ['broken JSON', '{\n  "env": {},\n}\n', /settings\.json:3:1: expected a key in double quotes, found "}"/],
    ['a list', '[]', /settings\.json:1:1: not a JSON object/],
    ['a key twice', '{"env": {}, "env": {"A": "1"}}', /settings\.json has the key "env" twice/],
    ['hooks of another shape', '{"hooks": []}', /settings\.json: "hooks" is not an object/],
    ['an event of another shape', '{"hooks": {"Stop": {}}}', /"hooks\.Stop" is not a list/],
  ];
  it.each(refusals)('refuses %s and leaves the file alone', async (_, text, reason) => {
    const at = workspace(installed());
    at.writeSettings(text);
    await expect(install(at)).rejects.toThrow(reason);
    expect(at.read(at.settings)).toBe(text);
    expect(readdirSync(dirname(at.settings))).toEqual(['settings.json']);
  });

  it('shows what it would change', async () => {
    const at = workspace(installed());
    at.writeSettings({ env: { A: '1' } });
    const before = at.read(at.settings);
    const options = { user: true, 'dry-run': true, 'default-role': 'tester' };
    const { code, out } = await runIn(at, init, { options, caller: { kind: 'script' } });
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}\+ {5}"PreToolUse": \[$/m);
    expect(out).toMatch(/^ {2}\+ default_role: tester$/m);
    expect(out).toContain('nothing was written');
    expect(at.read(at.settings)).toBe(before);
  });

  it('refuses a copy that is not built', async () => {
    const at = workspace('/nowhere');
    await expect(install(at)).rejects.toThrow(/\/nowhere\/hookwise\.cjs is not there/);
  });

  it('says loudly when the installed gate does not answer', async () => {
    const at = workspace(installed());
    const broken = at.write('broken/hookwise.cjs', 'process.exit(1);\n');
    const surroundings = { ...at.surroundings, installed: dirname(broken) };
    const ran = await runIn(at, init, { options: { user: true, yes: true }, surroundings });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^dead +a write .*: it ended with exit code 1/m);
    expect(ran.err).toContain('NOT live');
  });
});

describe('who may install', () => {
  it.each([{ user: true }, { 'default-role': 'coder' }])('no agent: %j', async (options) => {
    const at = workspace(installed());
    await expect(runIn(at, init, { options: { ...options, yes: true }, caller: agent })).rejects.toThrow(
      /an agent may not/,
    );
    expect(existsSync(at.settings)).toBe(false);
  });

  it('a script only with --yes', async () => {
    const at = workspace(installed());
    await expect(runIn(at, init, { options: { user: true }, caller: { kind: 'script' } })).rejects.toThrow(
      /give --yes/,
    );
  });

  it.each([true, false])('a person who confirms: %s', async (answer) => {
    const at = workspace(installed());
    const { code } = await runIn(at, init, { options: { user: true }, confirm: async () => answer });
    expect([code, existsSync(at.settings)]).toEqual([answer ? 0 : 1, answer]);
  });
});

describe('init --default-role', () => {
  const give = (at: Workspace, role: string): Promise<Ran> =>
    runIn(at, init, { options: { 'default-role': role, yes: true } });

  it('writes it and keeps comments', async () => {
    const at = workspace();
    const file = at.configure('config.yml', '# mine\nreads: abstain # strict\n');
    expect(await give(at, 'coder')).toMatchObject({ code: 0 });
    expect(at.read(file)).toBe('# mine\nreads: abstain # strict\ndefault_role: coder\n');
    expect(at.project().policy.settings.defaultRole).toBe('coder');
    expect(
      at
        .project()
        .audit.read({})
        .entries.map(({ event }) => event),
    ).toEqual([{ event: 'init', default_role: 'coder', actor: 'user:tester' }]);
  });

  const refusals: [role: string, reason: RegExp][] = [
    ['nobody', /role not found: nobody/],
    ['maintainer', /maintainer may write everything/],
    ['a b', /expected the name of a role/],
    ['disable', /expected the name of a role/],
  ];
  it.each(refusals)('refuses %s', async (role, reason) => {
    const at = workspace();
    const file = at.configure('config.yml', 'reads: abstain\n');
    await expect(give(at, role)).rejects.toThrow(reason);
    expect(at.read(file)).toBe('reads: abstain\n');
  });
});
