import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
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

describe('the cache', () => {
  const cacheFile = (): string => {
    const [file] = readdirSync(at('state/compiled'));
    return at(`state/compiled/${file}`);
  };

  it('answers the second time, with the same policy', () => {
    write('repo/.hookwise/roles.yml', 'roles:\n  x:\n    paths:\n      deny_write: [a]\n');
    const first = load();
    expect(first.cache).toEqual({ kind: 'rebuilt' });
    const second = load();
    expect(second.cache).toEqual({ kind: 'hit' });
    expect(second.policy).toEqual(first.policy);
    expect(box.compiled()).toBe(1);
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(cacheFile())).mode & 0o777).toBe(0o700);
    expect(readdirSync(at('state/compiled'))).toHaveLength(1);
  });

  const edits: [name: string, edit: () => void][] = [
    ['a project file', () => write('repo/.hookwise/policy.yml', timeout(9))],
    ['project roles', () => write('repo/.hookwise/roles.yml', 'roles: {}\n')],
    ['a user file', () => write('config/user/policy.yml', timeout(9))],
    ['user roles', () => write('config/user/roles.yml', 'roles: {}\n')],
    ['config.yml', () => write('config/config.yml', timeout(9))],
    ['a file that is gone', () => rmSync(at('config/org/base/policy.yml'))],
  ];
  const others: [name: string, change: () => Partial<LoadOptions>][] = [
    ['the remote', () => ({ remotes: ['github.com/acme'] })],
    ['trust', () => ({ trustSignature: 'other' })],
    ['the program', () => ({ build: 'newer' })],
    ['the key', () => ({ key: new Uint8Array(32).fill(8) })],
    ['the configuration directory', () => ({ configDir: at('elsewhere') })],
  ];
  const changes: [name: string, change: () => Partial<LoadOptions>][] = [
    ...others,
    ...edits.map(([name, edit]): [string, () => Partial<LoadOptions>] => [
      name,
      () => {
        edit();
        return {};
      },
    ]),
  ];
  test.each(changes)('is rebuilt after a change of %s', (_name, change) => {
    write('config/config.yml', 'default_org: base\n');
    write('config/org/base/policy.yml', timeout(50));
    load();
    expect(load().cache.kind).toBe('hit');
    const options = change();
    expect(load(options).cache.kind).toBe('rebuilt');
    expect(box.compiled()).toBe(2);
  });

  it('notices a file of an organisation that appears', () => {
    load({ remotes: ['github.com/acme'] });
    write('config/org/acme/policy.yml', timeout(5));
    expect(load({ remotes: ['github.com/acme'] }).policy.settings.humanTimeoutSecs).toBe(5);
  });

  it('notices content that changed without size or time', () => {
    write('config/user/policy.yml', timeout(30));
    load();
    write('config/user/policy.yml', timeout(10));
    expect(load().policy.settings.humanTimeoutSecs).toBe(10);
  });

  it('keeps one per root', () => {
    load();
    load({ root: at('other') });
    load({ root: undefined });
    expect(readdirSync(at('state/compiled'))).toHaveLength(3);
    expect(load().cache.kind).toBe('hit');
  });

  const forgeries: [name: string, forge: (file: string) => void][] = [
    [
      'edited',
      (file) =>
        writeFileSync(file, readFileSync(file, 'utf8').replace('"humanTimeoutSecs":30', '"humanTimeoutSecs":99')),
    ],
    ['without a seal', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(65))],
    ['with another seal', (file) => writeFileSync(file, `${'0'.repeat(64)}${readFileSync(file, 'utf8').slice(64)}`)],
    ['cut short', (file) => truncateSync(file, 100)],
    ['longer', (file) => appendFileSync(file, ' ')],
    ['empty', (file) => truncateSync(file, 0)],
    ['binary', (file) => writeFileSync(file, Buffer.from([0, 255, 10, 254]))],
  ];
  test.each(forgeries)('that was %s is not believed', (_name, forge) => {
    write('config/user/policy.yml', timeout(30));
    const { policy } = load();
    const before = readFileSync(cacheFile(), 'utf8');
    forge(cacheFile());
    expect(readFileSync(cacheFile(), 'utf8')).not.toBe(before);
    const again = load();
    expect(again.cache.kind).toBe('rebuilt');
    expect(again.policy).toEqual(policy);
    expect(load().cache.kind).toBe('hit');
  });

  it('of another root is not believed', () => {
    write('repo/.hookwise/policy.yml', timeout(9));
    load({ root: undefined });
    const other = cacheFile();
    load();
    const own = readdirSync(at('state/compiled'))
      .map((name) => at(`state/compiled/${name}`))
      .find((file) => file !== other)!;
    writeFileSync(own, readFileSync(other));
    const again = load();
    expect(again.cache.kind).toBe('rebuilt');
    expect(again.policy.settings.humanTimeoutSecs).toBe(9);
  });

  it('that cannot be written costs nothing but time', () => {
    write('state', 'a file where a directory should be');
    const loaded = load();
    expect(loaded.cache).toMatchObject({ kind: 'unsaved', why: expect.stringMatching(/EEXIST|ENOTDIR/) });
    expect(loaded.policy.settings.humanTimeoutSecs).toBe(60);
  });

  it('does not follow a link that waits in the place of the temporary file', () => {
    mkdirSync(at('state/compiled'), { recursive: true });
    write('victim', 'untouched');
    load();
    const temporary = `${cacheFile()}.${process.pid}.tmp`;
    symlinkSync(at('victim'), temporary);
    write('config/user/policy.yml', timeout(9));
    expect(load().cache.kind).toBe('rebuilt');
    expect(readFileSync(at('victim'), 'utf8')).toBe('untouched');
  });
});
