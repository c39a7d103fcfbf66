import { describe, expect, it, test } from 'vitest';
import { compile, globs, reasons, statements } from './compile.cases.ts';
import { defaultSensitivePaths } from './sensitive.ts';

describe('sensitive paths', () => {
  it('are the union of all scopes, the broadest first', () => {
    const say = (name: string) => ({
      sensitive_paths: { ask_write: [`${name}/**`], deny_read: [`${name}.x`], ask_read: [`${name}.y`] },
    });
    const { sensitive, untrusted } = compile({ org: say('org'), user: say('user'), project: say('project') });
    expect(globs(sensitive.askWrite)).toEqual([
      'org/**',
      'user/**',
      'project/**',
      ...globs(defaultSensitivePaths.askWrite),
    ]);
    expect(globs(sensitive.denyRead).slice(0, 3)).toEqual(['org.x', 'user.x', 'project.x']);
    expect(globs(sensitive.askRead).slice(0, 3)).toEqual(['org.y', 'user.y', 'project.y']);
    expect(sensitive.askWrite[2]).toEqual({
      glob: 'project/**',
      scope: 'project',
      source: { file: '.hookwise/policy.yml', line: 3 },
    });
    expect(untrusted).toEqual([]);
  });

  it('cannot be emptied', () => {
    const empty = { sensitive_paths: { ask_write: [], deny_read: [], ask_read: [] } };
    expect(compile({ org: empty, user: empty, project: empty, trust: 'all' }).sensitive).toEqual(defaultSensitivePaths);
  });

  it('lose a built-in entry to a user, and to a repository only when trusted', () => {
    const downgrade = { sensitive_paths: { allow_write: ['.env*'] } };
    const without = globs(defaultSensitivePaths.askWrite).filter((glob) => !glob.includes('.env'));
    expect(globs(compile({ user: downgrade }).sensitive.askWrite)).toEqual(without);
    const untrusted = compile({ project: downgrade });
    expect(untrusted.sensitive.askWrite).toEqual(defaultSensitivePaths.askWrite);
    expect(statements(untrusted)).toEqual(['sensitive_paths.allow_write adds ".env*"']);
    expect(globs(compile({ project: downgrade, trust: 'all' }).sensitive.askWrite)).toEqual(without);
  });

  it('keep what the organisation asks for', () => {
    const org = { sensitive_paths: { ask_write: ['.env*'] } };
    const user = { sensitive_paths: { allow_write: ['.env*'] } };
    expect(compile({ org, user }).sensitive.askWrite.filter(({ glob }) => glob === '.env*')).toMatchObject([
      { scope: 'org' },
    ]);
  });

  const notDowngraded: [glob: string, reason: string][] = [
    ['.claude/**', 'use hookwise override --file'],
    ['.hookwise/**', 'use hookwise override --file'],
    ['~/.claude/**', 'use hookwise override --file'],
    ['src/**', 'not a built-in entry'],
    ['**', 'not a built-in entry'],
  ];
  test.each(notDowngraded)('%s is not downgraded here', (glob, reason) => {
    const said = { sensitive_paths: { allow_write: [glob] } };
    for (const policy of [compile({ user: said }), compile({ project: said, trust: 'all' })]) {
      expect(policy.sensitive).toEqual(defaultSensitivePaths);
      expect(reasons(policy)[0]).toContain(reason);
    }
  });

  it('get exceptions from owners, and from a repository only when trusted', () => {
    const said = { sensitive_paths: { except_read: ['fixtures/*.pem'] } };
    expect(compile({ user: said }).sensitive.exceptRead[0]).toMatchObject({ glob: 'fixtures/*.pem', scope: 'user' });
    const untrusted = compile({ project: said });
    expect(untrusted.sensitive).toEqual(defaultSensitivePaths);
    expect(statements(untrusted)).toEqual(['sensitive_paths.except_read adds "fixtures/*.pem"']);
    expect(compile({ project: said, trust: 'all' }).sensitive.exceptRead[0]).toMatchObject({ scope: 'project' });
  });
});
