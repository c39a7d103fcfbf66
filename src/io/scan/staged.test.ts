import { chmodSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathText } from './file-path.ts';
import { fileScanner } from './file-scan.ts';
import { gitAt, gitEnvironment } from './git.ts';
import { fakes, type ScanSandbox, scanSandbox } from './scan-sandbox.cases.ts';
import { blobsOf, listStaged, sizesOf, stagedObject } from './staged.ts';
import { scanStaged } from './visit.ts';

const started = (): ScanSandbox => {
  const sandbox = scanSandbox();
  sandbox.start();
  return sandbox;
};

const names = ({ root, env }: ScanSandbox, ...paths: string[]): string[] =>
  listStaged(gitAt(root, env), paths).files.map(({ path }) => pathText(path));

/** `name:line` of everything found in what is staged, and what could not be read. */
const found = ({ root, env }: ScanSandbox, lines: 'added' | 'all' = 'added', more = {}): string[] =>
  [...scanStaged([], { git: gitAt(root, { ...env, ...more }), lines, scan: fileScanner() })].flatMap((visited) => {
    const name = pathText(visited.name);
    if (visited.kind !== 'file') return [`${name}: ${visited.why}`];
    const { scanned } = visited;
    return scanned.kind === 'scanned'
      ? scanned.findings.map(({ line }) => `${name}:${line}`)
      : [`${name} ${scanned.kind}`];
  });

describe('listStaged', () => {
  it('knows added, changed, renamed and copied files, and leaves out the rest', () => {
    const sandbox = started();
    for (const name of ['changed', 'moved', 'gone', 'kept']) sandbox.write(name, `${name}\n`.repeat(20));
    sandbox.git('add', '.');
    sandbox.git('commit', '-qm', 'files');
    sandbox.write('changed', 'new\n');
    sandbox.write('added', 'new\n');
    sandbox.write('not-staged', 'new\n');
    sandbox.git('mv', 'moved', 'elsewhere');
    sandbox.git('rm', '-q', 'gone');
    sandbox.git('add', 'changed', 'added');
    expect(names(sandbox)).toEqual(['added', 'changed', 'elsewhere']);
  });

  it('works before the first commit', () => {
    const sandbox = scanSandbox();
    sandbox.git('init', '-q');
    sandbox.write('a', 'x');
    sandbox.git('add', 'a');
    expect(names(sandbox)).toEqual(['a']);
  });

  it('takes any name: blanks, quotes, newlines, signs of patterns, bytes that are no UTF-8', () => {
    const sandbox = started();
    const odd = ['a b', 'q"\'', 'new\nline', ':(top)x', '*.txt', '-dash', 'tab\t', '日本'];
    for (const name of odd) sandbox.write(name, `${fakes.github}\n`);
    sandbox.write(Buffer.from([0x63, 0xe9]), `${fakes.github}\n`);
    sandbox.git('add', '-A');
    const expected = [...odd, 'c\\xe9'].toSorted();
    expect(names(sandbox).toSorted()).toEqual(expected);
    expect(found(sandbox).toSorted()).toEqual(expected.map((name) => `${name}:1`));
  });

  it('takes paths as they are, not as patterns', () => {
    const sandbox = started();
    for (const name of ['a.txt', '*.txt', 'dir/b.txt', 'dir2/c.txt']) sandbox.write(name, 'x\n');
    sandbox.git('add', '-A');
    expect(names(sandbox, '*.txt')).toEqual(['*.txt']);
    expect(names(sandbox, 'dir/')).toEqual(['dir/b.txt']);
    expect(names(sandbox, 'dir', 'dir2')).toEqual(['dir/b.txt', 'dir2/c.txt']);
    expect(names(sandbox, 'nowhere')).toEqual([]);
  });

  it('names files in conflict', () => {
    const sandbox = started();
    for (const [branch, text] of [
      ['one', 'a\n'],
      ['two', 'b\n'],
    ] as const) {
      sandbox.git('checkout', '-q', '-b', branch, 'main');
      sandbox.write('file', text);
      sandbox.git('add', 'file');
      sandbox.git('commit', '-qm', branch);
    }
    expect(sandbox.run('git', ['merge', 'one']).code).toBe(1);
    expect(listStaged(gitAt(sandbox.root, sandbox.env), []).unmerged.map(pathText)).toEqual(['file']);
    expect(found(sandbox)).toEqual(['file: it is in conflict']);
  });

  it('is an error where there is no repository', () => {
    const { root, env } = scanSandbox();
    expect(() => listStaged(gitAt(root, env), [])).toThrow(/^io error: git diff failed: /);
  });

  it('is an error where there is no git', () => {
    const { root } = scanSandbox();
    expect(() => listStaged(gitAt(root, { PATH: '/nowhere' }), [])).toThrow(/git cannot be run/);
  });
});

describe('scanStaged', () => {
  it('reads the index, not the work tree', () => {
    const sandbox = started();
    sandbox.write('staged', `${fakes.github}\n`);
    sandbox.write('clean', 'x\n');
    sandbox.git('add', '.');
    sandbox.write('staged', 'x\n');
    sandbox.write('clean', `${fakes.github}\n`);
    expect(found(sandbox)).toEqual(['staged:1']);
  });

  it('reports only what is on added lines, unless told otherwise', () => {
    const sandbox = started();
    sandbox.write('a', `one\n${fakes.github}\ntwo\n`);
    sandbox.git('add', 'a');
    sandbox.git('commit', '-qm', 'leak');
    sandbox.write('a', `zero\none\n${fakes.github}\ntwo\n${fakes.aws}\n`);
    sandbox.git('add', 'a');
    expect(found(sandbox)).toEqual(['a:5']);
    expect(found(sandbox, 'all')).toEqual(['a:3', 'a:5']);
  });

  it('takes a moved file for what it was, and other line ends for no change', () => {
    const sandbox = started();
    sandbox.write('a', `one\n${fakes.github}\n${'text\n'.repeat(20)}`);
    sandbox.git('add', 'a');
    sandbox.git('commit', '-qm', 'leak');
    sandbox.git('mv', 'a', 'b');
    sandbox.write('b', `one\r\n${fakes.github}\r\n${'text\n'.repeat(20)}`);
    sandbox.git('add', 'b');
    expect(found(sandbox)).toEqual([]);
  });

  it('scans what a link points to as text, and leaves submodules out', () => {
    const sandbox = started();
    sandbox.run('ln', ['-s', fakes.github, 'link']);
    sandbox.git('add', 'link');
    sandbox.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    expect(found(sandbox)).toEqual(['link:1']);
  });

  it('works in a work tree, and from a directory below', () => {
    const sandbox = started();
    const other = join(sandbox.top, 'other');
    sandbox.git('worktree', 'add', '-q', other);
    mkdirSync(join(other, 'sub'));
    sandbox.run('cp', ['/dev/null', join(other, 'sub/empty')]);
    sandbox.write('../other/sub/a', `${fakes.github}\n`);
    sandbox.run('git', ['add', '.'], { cwd: other });
    expect(found({ ...sandbox, root: join(other, 'sub') })).toEqual(['sub/a:1']);
    expect(found(sandbox)).toEqual([]);
  });

  it('looks at the index that git names for a hook', () => {
    const sandbox = started();
    sandbox.write('a', `${fakes.github}\n`);
    const index = join(sandbox.root, '.git/next-index');
    sandbox.run('git', ['add', 'a'], { more: { GIT_INDEX_FILE: index } });
    expect(found(sandbox)).toEqual([]);
    expect(found(sandbox, 'added', { GIT_INDEX_FILE: index })).toEqual(['a:1']);
  });

  it('starts nothing that the repository names, and obeys none of its settings', () => {
    const sandbox = started();
    const trap = join(sandbox.top, 'trap');
    const settings = [
      ['core.fsmonitor', `touch ${trap}`],
      ['diff.external', `touch ${trap}; true`],
      ['diff.x.textconv', `touch ${trap}; true`],
      ['core.pager', `touch ${trap}`],
      ['diff.orderFile', 'nowhere'],
      ['diff.relative', 'true'],
      ['diff.renames', 'copies'],
      ['color.ui', 'always'],
    ] as const;
    for (const [name, value] of settings) sandbox.git('config', name, value);
    sandbox.write('.gitattributes', '* diff=x\n');
    sandbox.write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(join(sandbox.root, '.git/hooks/post-index-change'), 0o755);
    sandbox.write('sub/a', `${fakes.github}\n`);
    sandbox.run('git', ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'add', '.']);
    // As if touched: a git that may would refresh the index now.
    utimesSync(join(sandbox.root, 'sub/a'), 1, 1);
    expect(found({ ...sandbox, root: join(sandbox.root, 'sub') })).toEqual(['sub/a:1']);
    expect(() => readFileSync(trap)).toThrow();
  });

  it('reads many files in groups', () => {
    const sandbox = started();
    for (let at = 0; at < 20; at += 1) sandbox.write(`f${at}`, `${at}\n${fakes.github}\n`);
    sandbox.git('add', '.');
    const options = { git: gitAt(sandbox.root, sandbox.env), lines: 'added', scan: fileScanner() } as const;
    for (const heldBytes of [1, 100, 1000])
      expect([...scanStaged([], { ...options, heldBytes })].map(({ kind }) => kind)).toEqual(Array(20).fill('file'));
  });
});

describe('objects', () => {
  it('come with their bytes, also empty and binary ones; what is missing is left out', () => {
    const sandbox = started();
    const git = gitAt(sandbox.root, sandbox.env);
    const texts = ['', 'a\n', `x\0y\n${'1'.repeat(40)} blob 3\n`];
    const objects = texts.map((text, at) => {
      sandbox.write(`f${at}`, text);
      sandbox.git('add', `f${at}`);
      return stagedObject(git, `f${at}`) ?? '';
    });
    const missing = '2'.repeat(40);
    expect([...sizesOf(git, [...objects, missing]).values()]).toEqual(texts.map(({ length }) => length));
    expect([...blobsOf(git, [...objects, missing]).values()].map(String)).toEqual(texts);
    expect(stagedObject(git, 'nowhere')).toBeUndefined();
  });
});

describe('gitEnvironment', () => {
  it('keeps what git says to a hook and nothing else of git', () => {
    const kept = { GIT_DIR: '.git', GIT_INDEX_FILE: 'i', GIT_WORK_TREE: '.', GIT_CONFIG_GLOBAL: '/x', PATH: '/bin' };
    const dropped = {
      GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='x'",
      GIT_CONFIG_COUNT: '1',
      GIT_EXTERNAL_DIFF: 'x',
      GIT_OBJECT_DIRECTORY: '/x',
      GIT_TRACE: '1',
      GIT_PAGER: 'x',
    };
    const given = gitEnvironment({ ...kept, ...dropped, EMPTY: undefined });
    expect(given).toMatchObject(kept);
    for (const name of [...Object.keys(dropped), 'EMPTY']) expect(given).not.toHaveProperty(name);
  });
});
