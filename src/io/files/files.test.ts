import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweepTemporary, writeAtomic, writeExclusive } from './atomic-write.ts';
import { breakerPath, withLock } from './lock.ts';
import { ensurePrivateDirectory, ownershipProblem } from './private-directory.ts';
import { readPrivate } from './read-private.ts';
import { scratch } from './scratch.cases.ts';

const isRoot = process.getuid?.() === 0;

describe('private directories', () => {
  it('are made for this user alone, with their parents', () => {
    const path = join(scratch(), 'a/b/c');
    ensurePrivateDirectory(path);
    ensurePrivateDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('are refused when others can write them, when they are links, and when they are files', () => {
    const top = scratch();
    mkdirSync(join(top, 'open'));
    chmodSync(join(top, 'open'), 0o770);
    symlinkSync(join(top, 'open'), join(top, 'link'));
    writeFileSync(join(top, 'file'), '');
    expect(() => ensurePrivateDirectory(join(top, 'open'))).toThrow(
      /storage error: .*open can be written by other users.*chmod go-w/,
    );
    expect(() => ensurePrivateDirectory(join(top, 'link'))).toThrow(/link is a symbolic link/);
    expect(() => ensurePrivateDirectory(join(top, 'file'))).toThrow(/file is not a directory/);
  });

  it('are refused when they belong to somebody else', () => {
    expect(ownershipProblem('/x', { uid: 4_000_000, mode: 0o40700 })).toMatch(/belongs to user 4000000.*chown/);
    expect(ownershipProblem('/x', { uid: process.getuid?.() ?? 0, mode: 0o40700 })).toBeUndefined();
  });

  it.runIf(isRoot)('are refused when another user owns them', () => {
    const path = join(scratch(), 'foreign');
    mkdirSync(path, { mode: 0o700 });
    execFileSync('chown', ['65534', path]);
    expect(() => ensurePrivateDirectory(path)).toThrow(/belongs to user 65534/);
  });
});

describe('reading', () => {
  it('takes regular files of bounded size, and nothing else', () => {
    const top = scratch();
    writeFileSync(join(top, 'good'), 'text', { mode: 0o600 });
    writeFileSync(join(top, 'open'), 'text');
    chmodSync(join(top, 'open'), 0o666);
    symlinkSync(join(top, 'good'), join(top, 'link'));
    execFileSync('env', ['mkfifo', join(top, 'pipe')]);
    expect(readPrivate(join(top, 'good'), { maxBytes: 4 })?.toString()).toBe('text');
    expect(readPrivate(join(top, 'none'), { maxBytes: 4 })).toBeUndefined();
    expect(readPrivate(join(top, 'open'), { maxBytes: 4, owner: 'anyone' })?.toString()).toBe('text');
    expect(() => readPrivate(join(top, 'open'), { maxBytes: 4 })).toThrow(/can be written by other users/);
    expect(() => readPrivate(join(top, 'good'), { maxBytes: 3 })).toThrow(/larger than 3 bytes/);
    expect(() => readPrivate(join(top, 'link'), { maxBytes: 4 })).toThrow(/is a symbolic link/);
    expect(() => readPrivate(join(top, 'pipe'), { maxBytes: 4 })).toThrow(/not a regular file/);
    expect(() => readPrivate(top, { maxBytes: 4 })).toThrow(/not a regular file/);
  });
});

describe('writing', () => {
  it('replaces a file in one step and leaves nothing beside it', () => {
    const top = scratch();
    const path = join(top, 'f');
    writeAtomic(path, 'one', { durable: true });
    writeAtomic(path, 'two', { durable: false, mode: 0o640 });
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(top)).toEqual(['f']);
  });

  it('replaces a planted link instead of following it', () => {
    const top = scratch();
    writeFileSync(join(top, 'victim'), 'mine');
    symlinkSync(join(top, 'victim'), join(top, 'f'));
    writeAtomic(join(top, 'f'), 'new', { durable: false });
    expect(readFileSync(join(top, 'victim'), 'utf8')).toBe('mine');
    expect(lstatSync(join(top, 'f')).isFile()).toBe(true);
  });

  it('creates only once', () => {
    const path = join(scratch(), 'f');
    expect([writeExclusive(path, 'one', { durable: true }), writeExclusive(path, 'two', { durable: true })]).toEqual([
      true,
      false,
    ]);
    expect(readFileSync(path, 'utf8')).toBe('one');
  });

  it('says which file could not be written', () => {
    expect(() => writeAtomic(join(scratch(), 'none/f'), 'x', { durable: false })).toThrow(
      /storage error: cannot write .*none\/f/,
    );
  });

  it('sweeps what dead writers of this file left behind', () => {
    const top = scratch();
    const dead = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
    for (const name of [`.f.${dead}.0.tmp`, `.g.${dead}.0.tmp`, `.f.${process.ppid}.0.tmp`])
      writeFileSync(join(top, name), '');
    sweepTemporary(join(top, 'f'));
    expect(readdirSync(top).sort()).toEqual([`.f.${process.ppid}.0.tmp`, `.g.${dead}.0.tmp`].sort());
  });
});

describe('locks', () => {
  const held = (path: string, content: string): void => writeFileSync(path, content, { mode: 0o600 });
  const deadPid = (): string => execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();
  const space =
    process.platform === 'linux'
      ? execFileSync('readlink', ['/proc/self/ns/pid'], { encoding: 'utf8' }).trim()
      : 'host';

  it('run the work and go away, also when the work throws', () => {
    const path = join(scratch(), 'l');
    expect(withLock(path, {}, () => existsSync(path))).toBe(true);
    expect(() => withLock(path, {}, () => JSON.parse('{'))).toThrow(SyntaxError);
    expect(existsSync(path)).toBe(false);
  });

  it('fail closed when a living process holds them', () => {
    const path = join(scratch(), 'l');
    const run = (): unknown => withLock(path, {}, () => withLock(path, { waitMs: 30 }, () => 'inner'));
    expect(run).toThrow(new RegExp(`storage error: .*is held by process ${process.pid} for more than 30 ms`));
  });

  it.each([
    ['the process is gone', () => `${deadPid()} 1 ${space} 5\n`],
    ['the process id was given to another process', () => `${process.pid} 1 ${space} 5\n`],
  ])('are broken when %s', (_why, content) => {
    const path = join(scratch(), 'l');
    held(path, content());
    const linuxOnly = process.platform === 'linux' || !content().startsWith(`${process.pid} `);
    if (linuxOnly) expect(withLock(path, { waitMs: 50 }, () => 'ran')).toBe('ran');
  });

  it.each(['', 'torn', '99999'])('are broken when unfinished (%j) and old, not when young', (content) => {
    const path = join(scratch(), 'l');
    held(path, content);
    expect(() => withLock(path, { waitMs: 20 }, () => 'ran')).toThrow(/held by an unfinished lock file/);
    utimesSync(path, new Date(Date.now() - 20_000), new Date(Date.now() - 20_000));
    expect(withLock(path, { waitMs: 50 }, () => 'ran')).toBe('ran');
  });

  it('leave the lock of another process namespace alone while it is young', () => {
    const path = join(scratch(), 'l');
    held(path, `${deadPid()} 1 pid:[1] 5\n`);
    expect(() => withLock(path, { waitMs: 20 }, () => 'ran')).toThrow(/is held by/);
  });

  it('are broken past a breaker that died on the way, and nothing stays behind', () => {
    const top = scratch();
    const path = join(top, 'l');
    const dead = deadPid();
    held(path, `${dead} 1 ${space} 5\n`);
    held(breakerPath(path) ?? '', `${dead} 1 ${space} 6\n`);
    expect(readdirSync(top)).toHaveLength(2);
    expect(withLock(path, { waitMs: 200 }, () => readdirSync(top))).toEqual(['l']);
    expect(readdirSync(top)).toEqual([]);
  });

  it('wait for a living breaker', () => {
    const path = join(scratch(), 'l');
    held(path, `${deadPid()} 1 ${space} 5\n`);
    const breaker = breakerPath(path) ?? '';
    withLock(breaker, {}, () => {
      expect(() => withLock(path, { waitMs: 20 }, () => 'ran')).toThrow(/is held by/);
    });
  });
});
