import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { loadGlobalConfig } from './compile-sources.ts';
import { configSandbox, timeout } from './config-sandbox.cases.ts';
import type { LoadedPolicy, LoadOptions } from './load.ts';

let box: ReturnType<typeof configSandbox>;
beforeEach(() => {
  box = configSandbox();
});
afterEach(() => box.remove());

const at = (path: string): string => box.at(path);
const write = (path: string, text: string | Uint8Array = ''): void => box.write(path, text);
const load = (change: Partial<LoadOptions> = {}): LoadedPolicy => box.load(change);

const linkTo = (target: string, path: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
};

const pipe = (path: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  execFileSync('mkfifo', [at(path)]);
};

const problems = ({ policy }: LoadedPolicy) =>
  policy.problems.map(({ severity, source, reason }) => `${severity} ${source.file}:${source.line} ${reason}`);

describe('sources', () => {
  it('are all optional', () => {
    const { policy } = load();
    expect(policy.settings.humanTimeoutSecs).toBe(60);
    expect(policy.problems).toEqual([]);
    expect(Object.keys(policy.roles)).toHaveLength(12);
  });

  const places: [path: string, name: string][] = [
    ['repo/.hookwise/policy.yml', '.hookwise/policy.yml'],
    ['config/user/policy.yml', 'config/user/policy.yml'],
    ['config/org/acme/policy.yml', 'config/org/acme/policy.yml'],
    ['config/config.yml', 'config/config.yml'],
  ];
  test.each(places)('%s is read, and named in problems', (path, name) => {
    write(path, `${timeout(30)}reads: maybe\n`);
    const loaded = load({ remotes: ['github.com/acme'] });
    expect(loaded.policy.settings.humanTimeoutSecs).toBe(30);
    expect(problems(loaded)).toHaveLength(1);
    expect(problems(loaded)[0]).toMatch(new RegExp(`^warning (?:.*/)?${name.replaceAll('.', '\\.')}:2 reads: `));
  });

  const roleFiles = ['repo/.hookwise/roles.yml', 'config/user/roles.yml', 'config/org/acme/roles.yml'];
  test.each(roleFiles)('%s defines roles', (path) => {
    write(path, 'roles:\n  extra:\n    paths:\n      deny_write: ["x/**"]\n');
    const { policy } = load({ remotes: ['github.com/acme'] });
    expect(policy.roles['extra']?.paths.denyWrite).toMatchObject([{ glob: 'x/**', source: { line: 4 } }]);
  });

  it('fall back to .captain-hook only where there is no .hookwise', () => {
    write('repo/.captain-hook/policy.yml', timeout(20));
    expect(load().policy.settings.humanTimeoutSecs).toBe(20);
    mkdirSync(at('repo/.hookwise'));
    expect(load().policy.settings.humanTimeoutSecs).toBe(60);
  });

  it('leave the repository out where there is no root', () => {
    write('config/user/policy.yml', timeout(25));
    write('repo/.hookwise/policy.yml', timeout(20));
    expect(load({ root: undefined }).policy.settings.humanTimeoutSecs).toBe(25);
  });

  it('trust what the caller trusts', () => {
    write('repo/.hookwise/policy.yml', timeout(90));
    const { policy } = load();
    expect(policy.settings.humanTimeoutSecs).toBe(60);
    const [line] = policy.untrusted;
    expect(line?.source).toEqual({ file: '.hookwise/policy.yml', line: 1 });
    const trusted = load({ isTrusted: (digest) => digest === line?.digest, trustSignature: 'one' });
    expect(trusted.policy.settings.humanTimeoutSecs).toBe(90);
  });

  it('give config.yml alone, with the key that policy never holds', () => {
    write('config/config.yml', 'api_key: sk-canary\norgs:\n  acme:\n');
    expect(loadGlobalConfig(at('config')).config.apiKey).toBe('sk-canary');
    expect(JSON.stringify(load().policy)).not.toContain('sk-canary');
    for (const file of readdirSync(at('state/compiled'))) {
      expect(readFileSync(at(`state/compiled/${file}`), 'utf8')).not.toContain('sk-canary');
    }
  });
});

describe('organisations', () => {
  const config = 'default_org: base\norgs:\n  acme:\n    remotes: [git.example/Acme]\n';
  const rows: [config: string, remotes: string[], orgs: string[]][] = [
    ['', [], []],
    ['', ['github.com/Acme'], ['acme']],
    ['', ['evil.example/acme'], []],
    ['', ['github.com/..'], []],
    [config, [], ['base']],
    [config, ['git.example/acme'], ['base', 'acme']],
    [config, ['github.com/acme'], ['base', 'acme']],
    [config, ['git.example/other'], ['base']],
    ['orgs:\n  mine:\n    remotes: [github.com/acme]\n', ['github.com/acme'], ['mine']],
  ];
  test.each(rows)('%j with %j: %j', (text, remotes, orgs) => {
    write('config/config.yml', text);
    expect(load({ remotes }).policy.orgs).toEqual(orgs);
  });

  it('that are configured but empty are reported', () => {
    write('config/config.yml', 'default_org: base\n');
    expect(problems(load()).join()).toContain('organisation base is configured but has neither');
    write('config/org/base/policy.yml', timeout(10));
    expect(problems(load())).toEqual([]);
  });
});

describe('broken sources', () => {
  const good = timeout(10);
  const rows: [name: string, make: (path: string) => void, reason: RegExp][] = [
    ['bad YAML', (path) => write(path, `${good}a: [\n`), /:\d+ config parse error in .*policy\.yml: /],
    ['a key twice', (path) => write(path, `${good}${good}`), /:2 config parse error/],
    ['a custom tag', (path) => write(path, 'a: !x 1\n'), /:1 config parse error.*tag/],
    ['not UTF-8', (path) => write(path, Buffer.from([0x61, 0x3a, 0xff])), /not valid UTF-8/],
    ['too large', (path) => write(path, `# ${'x'.repeat(256 * 1024)}\n`), /larger than 256 KiB/],
    ['a directory', (path) => mkdirSync(at(path), { recursive: true }), /not a regular file/],
    ['a link to nowhere', (path) => linkTo('gone', path), /a link to nowhere/],
    ['a link to itself', (path) => linkTo('policy.yml', path), /ELOOP/],
    ['a pipe', (path) => pipe(path), /not a regular file/],
    ['not a map', (path) => write(path, '- a\n'), /expected a map/],
  ];
  test.each(rows)('%s', (_name, make, reason) => {
    make('config/user/policy.yml');
    const loaded = load();
    expect(problems(loaded)).toHaveLength(1);
    expect(problems(loaded)[0]).toMatch(/^broken /);
    expect(problems(loaded)[0]).toMatch(reason);
    expect(load().cache.kind).toBe('hit');
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read', () => {
    write('config/user/policy.yml', good);
    chmodSync(at('config/user/policy.yml'), 0);
    expect(problems(load())[0]).toMatch(/^broken .*EACCES/);
  });

  it('a file in place of the directory', () => {
    write('repo/.hookwise', '');
    expect(problems(load())).toHaveLength(2);
    expect(problems(load())[0]).toMatch(/^broken \.hookwise\/policy\.yml:1 .*ENOTDIR/);
  });

  it('recover as soon as they are repaired', () => {
    write('config/user/policy.yml', 'a: [');
    expect(problems(load())).toHaveLength(1);
    write('config/user/policy.yml', good);
    expect(load().policy).toMatchObject({ problems: [], settings: { humanTimeoutSecs: 10 } });
  });
});

describe('what the hook loads', () => {
  it('does not bring the YAML library along', async () => {
    const { build } = await import('esbuild');
    const { metafile } = await build({
      entryPoints: [join(import.meta.dirname, 'load.ts')],
      bundle: true,
      platform: 'node',
      write: false,
      metafile: true,
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((name) => name.includes('node_modules/yaml'))).toBe(false);
    expect(inputs.filter((name) => /core\/policy\/(?:compile|.*schema|document)/.test(name))).toEqual([]);
    const builtins = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect([...new Set(builtins)].sort()).toEqual(['node:fs', 'node:path']);
  });
});
