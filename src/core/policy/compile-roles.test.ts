import { describe, expect, it, test } from 'vitest';
import { compile, globs, reasons, statements } from './compile.cases.ts';
import { builtinRoles } from './roles.ts';
import { digestOf } from './widening.ts';

const role = (name: string, paths: unknown, description?: string) => ({
  roles: { [name]: { ...(description === undefined ? {} : { description }), paths } },
});

describe('roles of a repository', () => {
  it('cannot turn coder into an all-access role', () => {
    const policy = compile({ projectRoles: role('coder', { allow_write: ['**'], deny_write: [] }) });
    const builtin = builtinRoles.get('coder')!;
    expect(policy.roles['coder']?.paths.allowWrite).toEqual([]);
    expect(policy.roles['coder']?.paths.denyWrite).toEqual(builtin.paths.denyWrite);
    expect(policy.roles['coder']?.category).toBe('implementation');
    expect(statements(policy)).toEqual([
      'roles.coder.paths.allow_write adds "**"',
      ...globs(builtin.paths.denyWrite).map((glob) => `roles.coder.paths.deny_write drops "${glob}"`),
    ]);
    const trusted = compile({ projectRoles: role('coder', { allow_write: ['**'], deny_write: [] }), trust: 'all' })
      .roles['coder'];
    expect(trusted).toMatchObject({ category: 'full-access', scope: 'project', paths: { denyWrite: [] } });
    expect(globs(trusted?.paths.allowWrite)).toEqual(['**']);
  });

  it('can be narrower without trust', () => {
    const paths = {
      allow_write: ['src/app/**', 'package.json'],
      deny_write: [...globs(builtinRoles.get('coder')?.paths.denyWrite), 'src/legacy/**'],
      allow_read: ['src/**'],
    };
    const policy = compile({ projectRoles: role('coder', paths) });
    expect(statements(policy)).toEqual([]);
    expect(globs(policy.roles['coder']?.paths.allowWrite)).toEqual(['src/app/**', 'package.json']);
    expect(globs(policy.roles['coder']?.paths.denyWrite)).toContain('src/legacy/**');
    expect(globs(policy.roles['coder']?.paths.allowRead)).toEqual(['src/**']);
  });

  it('keep what the file leaves out', () => {
    const policy = compile({
      projectRoles: role('coder', { deny_write: globs(builtinRoles.get('coder')?.paths.denyWrite) }),
    });
    expect(globs(policy.roles['coder']?.paths.allowWrite)).toEqual(globs(builtinRoles.get('coder')?.paths.allowWrite));
    expect(policy.roles['coder']?.description).toBe(builtinRoles.get('coder')?.description);
  });

  const custom = role(
    'data-engineer',
    { allow_write: ['pipelines/**', 'sql/**'], deny_write: ['pipelines/prod/**', 'src/**'] },
    'Moves data.',
  );

  it('only restrict while they are new and untrusted', () => {
    const policy = compile({ projectRoles: custom });
    expect(policy.roles['data-engineer']).toMatchObject({
      category: 'custom',
      scope: 'project',
      paths: { allowWrite: [] },
    });
    expect(globs(policy.roles['data-engineer']?.paths.denyWrite)).toEqual(['pipelines/prod/**', 'src/**']);
    expect(policy.roles['data-engineer']?.description).not.toContain('Moves data');
    expect(statements(policy)).toEqual([
      'roles.data-engineer.description is "Moves data."',
      'roles.data-engineer.paths.allow_write adds "pipelines/**" except "pipelines/prod/**"',
      'roles.data-engineer.paths.allow_write adds "sql/**"',
    ]);
    expect(policy.untrusted[1]).toEqual({
      source: { file: '.hookwise/roles.yml', line: 6 },
      statement: 'roles.data-engineer.paths.allow_write adds "pipelines/**" except "pipelines/prod/**"',
      digest: digestOf(
        '.hookwise/roles.yml',
        'roles.data-engineer.paths.allow_write adds "pipelines/**" except "pipelines/prod/**"',
      ),
    });
  });

  it('are in force line by line', () => {
    const [, , sql] = compile({ projectRoles: custom }).untrusted;
    const policy = compile({ projectRoles: custom, trust: [sql!.digest] });
    expect(globs(policy.roles['data-engineer']?.paths.allowWrite)).toEqual(['sql/**']);
    expect(statements(policy)).toHaveLength(2);
  });

  it('need trust again when a deny inside an allow goes away', () => {
    const trust = compile({ projectRoles: custom }).untrusted.map(({ digest }) => digest);
    const wider = role(
      'data-engineer',
      { allow_write: ['pipelines/**', 'sql/**'], deny_write: ['src/**'] },
      'Moves data.',
    );
    expect(statements(compile({ projectRoles: wider, trust }))).toEqual([
      'roles.data-engineer.paths.allow_write adds "pipelines/**"',
    ]);
  });

  it('need trust to open what lies outside of the repository', () => {
    const policy = compile({
      projectRoles: role('maintainer', { allow_write: ['**', '~/.ssh/**'], allow_read: ['**', '/etc/**'] }),
    });
    expect(statements(policy)).toEqual([
      'roles.maintainer.paths.allow_write adds "~/.ssh/**"',
      'roles.maintainer.paths.allow_read adds "/etc/**"',
    ]);
  });

  it('say what is invisible in a statement', () => {
    const [line] = compile({ projectRoles: role('x', { allow_write: ['a/\u202eb/**'] }) }).untrusted;
    expect(line?.statement).toBe('roles.x.paths.allow_write adds "a/\\u202eb/**"');
  });

  it('do not widen a role of the organisation, trusted or not', () => {
    const orgRoles = role('coder', { allow_write: ['src/**'], deny_write: ['src/core/**'] }, 'Ours.');
    const projectRoles = role('coder', { allow_write: ['src/a/**', 'lib/**'], deny_write: [] }, 'Anything goes.');
    const policy = compile({ orgRoles, projectRoles, trust: 'all' });
    expect(policy.roles['coder']).toMatchObject({ scope: 'org', description: 'Ours.' });
    expect(globs(policy.roles['coder']?.paths.allowWrite)).toEqual(['src/a/**']);
    expect(globs(policy.roles['coder']?.paths.denyWrite)).toEqual(['src/core/**']);
    expect(reasons(policy).join()).toContain('"lib/**" has no effect: the organisation defines this role');
  });
});

describe('roles of owners', () => {
  it('replace built-in lists where the file has them', () => {
    const policy = compile({ userRoles: role('coder', { deny_write: ['docs/**'] }, 'Mine.') });
    expect(policy.roles['coder']).toMatchObject({ scope: 'user', description: 'Mine.', category: 'implementation' });
    expect(globs(policy.roles['coder']?.paths.denyWrite)).toEqual(['docs/**']);
    expect(globs(policy.roles['coder']?.paths.allowWrite)).toEqual(globs(builtinRoles.get('coder')?.paths.allowWrite));
    expect(policy.untrusted).toEqual([]);
  });

  it('leave a role of the organisation as narrow as it is', () => {
    const orgRoles = role('ops', { allow_write: ['infra/**'], deny_write: ['infra/prod/**'] });
    const policy = compile({
      orgRoles,
      userRoles: role('ops', { allow_write: ['infra/a/**', 'src/**'], deny_write: ['x'] }),
    });
    expect(policy.roles['ops']).toMatchObject({ scope: 'org' });
    expect(globs(policy.roles['ops']?.paths.allowWrite)).toEqual(['infra/a/**']);
    expect(globs(policy.roles['ops']?.paths.denyWrite)).toEqual(['infra/prod/**', 'x']);
  });

  const wide: [allow: string[], category: string][] = [
    [['**'], 'full-access'],
    [['*'], 'full-access'],
    [['**/*'], 'full-access'],
    [['src/**'], 'custom'],
    [['*.*'], 'custom'],
  ];
  test.each(wide)('that allow %j are %s', (allow_write, category) => {
    expect(compile({ userRoles: role('mine', { allow_write }) }).roles['mine']?.category).toBe(category);
  });
});
