import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observePath } from '../observe/path-facts.ts';
import { repositoryEnvironment, riskyNames } from './host-settings.ts';
import { parseOrigin, readOrigin } from './origin.ts';
import { findRoot } from './root.ts';
import { teamOf } from './team.ts';

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-project-')));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], { cwd: top, stdio: 'pipe' });

describe('the root', () => {
  it('is the git top level, seen from any directory below, also one that is gone', () => {
    git('init', '-q', 'project');
    mkdirSync(join(top, 'project/a/b'), { recursive: true });
    for (const start of ['project', 'project/a/b', 'project/a/gone/deeper', 'project/'])
      expect(findRoot(join(top, start)).root).toBe(join(top, 'project'));
  });

  it('is the start itself outside a repository', () => {
    mkdirSync(join(top, 'plain'));
    for (const start of ['plain', 'plain/', 'plain/gone'])
      expect(findRoot(join(top, start))).toMatchObject({
        root: join(top, start.replace(/\/$/, '')),
        isRepository: false,
      });
  });

  it('of a work tree is its own, with the state of its repository', () => {
    git('init', '-q', 'project');
    git('-C', 'project', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('-C', 'project', 'worktree', 'add', '-q', '../tree');
    const tree = findRoot(join(top, 'tree'));
    expect(tree.root).toBe(join(top, 'tree'));
    expect(tree.stateKey).toBe(findRoot(join(top, 'project')).stateKey);
  });

  it('keeps its spelling and knows its real path', () => {
    git('init', '-q', 'project');
    symlinkSync(join(top, 'project'), join(top, 'link'));
    expect(findRoot(join(top, 'link'))).toMatchObject({ root: join(top, 'link'), realRoot: join(top, 'project') });
  });
});

describe('the origin', () => {
  it.each([
    ['https://github.com/acme/app.git', { host: 'github.com', org: 'acme', project: 'app' }],
    ['https://user:token@GitHub.com/acme/app', { host: 'github.com', org: 'acme', project: 'app' }],
    ['git@github.com:acme/app.git', { host: 'github.com', org: 'acme', project: 'app' }],
    [
      'ssh://git@git.example.com:2222/acme/group/app.git',
      { host: 'git.example.com', org: 'acme', project: 'group/app' },
    ],
    ['https://github.com/acme/../../etc', undefined],
    ['/srv/git/app.git', undefined],
    ['file:///srv/git/app.git', undefined],
    ['https://github.com/acme', undefined],
    ['ext::sh -c evil', undefined],
    ['', undefined],
  ])('%s', (url, expected) => expect(parseOrigin(url)).toEqual(expected));

  it('is read from the repository’s config file', () => {
    git('init', '-q', 'project');
    git('-C', 'project', 'remote', 'add', 'upstream', 'https://github.com/other/app');
    git('-C', 'project', 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    expect(readOrigin(findRoot(join(top, 'project')).stateKey)).toMatchObject({ org: 'acme' });
  });
});

describe('what a repository’s settings define', () => {
  it('names variables with their file, and files that are broken', () => {
    mkdirSync(join(top, '.claude'));
    writeFileSync(join(top, '.claude/settings.json'), '{"env":{"LD_PRELOAD":"x","FOO":"y"}}');
    writeFileSync(join(top, '.claude/settings.local.json'), '{');
    const found = repositoryEnvironment(top);
    expect([...found.names]).toEqual(['LD_PRELOAD', 'FOO']);
    expect(found.unreadable).toEqual([join(top, '.claude/settings.local.json')]);
    expect([...found.names].filter(riskyNames)).toEqual(['LD_PRELOAD']);
  });
});

describe('the team', () => {
  const write = (name: string, config: unknown) => {
    mkdirSync(join(top, '.claude/teams', name), { recursive: true });
    writeFileSync(join(top, '.claude/teams', name, 'config.json'), JSON.stringify(config));
  };

  it('comes from the host’s team files, then from the variable, and is solo otherwise', () => {
    write('red', { leadSessionId: 'lead', members: [{ sessionId: 'worker' }] });
    write('not a name', { members: [{ sessionId: 'stray' }] });
    expect(teamOf(top, 'lead', undefined)).toEqual({ id: 'red', isLead: true });
    expect(teamOf(top, 'worker', 'blue')).toEqual({ id: 'red', isLead: false });
    expect(teamOf(top, 'other', 'blue')).toEqual({ id: 'blue', isLead: false });
    expect(teamOf(top, 'stray', '../x')).toEqual({ id: 'solo', isLead: false });
  });
});

describe('what the disk says about a path', () => {
  it('resolves links, also dangling ones and those in missing parents', () => {
    mkdirSync(join(top, 'real'));
    writeFileSync(join(top, 'real/file'), '');
    symlinkSync(join(top, 'real'), join(top, 'link'));
    symlinkSync('../outside/target', join(top, 'real/dangling'));
    symlinkSync('loop', join(top, 'loop'));
    const cases: [string, { real: string; type: string }][] = [
      ['real/file', { real: 'real/file', type: 'file' }],
      ['link/file', { real: 'real/file', type: 'file' }],
      ['link/new/deep', { real: 'real/new/deep', type: 'missing' }],
      ['real/dangling', { real: 'outside/target', type: 'missing' }],
      ['link/dangling', { real: 'outside/target', type: 'missing' }],
      ['link', { real: 'real', type: 'directory' }],
    ];
    for (const [path, { real, type }] of cases)
      expect(observePath(join(top, path)), path).toMatchObject({ real: join(top, real), type });
    expect(observePath(join(top, 'loop')).type).toBe('unreadable');
    expect(observePath(join(top, 'real/file/below')).type).toMatch(/missing|unreadable/);
    expect(observePath(`${top}/${'x'.repeat(5000)}`).type).toBe('unreadable');
  });
});
