import { describe, expect, it, test } from 'vitest';
import { compileGlobs } from '../paths/glob.ts';
import { roleCases, writeCases } from './roles.cases.ts';
import { builtinRoles, chooserEntries, roleGroups } from './roles.ts';

const globs = (rules: readonly { readonly glob: string }[] | undefined) => rules?.map(({ glob }) => glob).join(' ');

describe('built-in roles', () => {
  test.each(roleCases)('$name', ({ name, category, allow, deny, says }) => {
    const role = builtinRoles.get(name);
    expect(role).toMatchObject({ name, category, scope: 'role' });
    expect(globs(role?.paths.allowWrite)).toBe(allow);
    expect(globs(role?.paths.denyWrite)).toBe(deny);
    expect(globs(role?.paths.allowRead)).toBe('**');
    for (const fact of says) expect(role?.description).toMatch(fact);
  });

  it('are twelve', () => {
    expect([...builtinRoles.keys()]).toEqual(roleCases.map(({ name }) => name));
    expect(builtinRoles.size).toBe(12);
  });

  test.each(writeCases)('%s writing %s: %s', (name, path, outcome) => {
    const role = builtinRoles.get(name)!;
    const at = { absolute: `/p/${path}`, relative: path };
    const options = { homes: ['/h'], mode: 'segment', foldCase: false } as const;
    const denied = compileGlobs(role.paths.denyWrite, { ...options, list: 'restrict' }).match(at) !== undefined;
    const allowed = compileGlobs(role.paths.allowWrite, { ...options, list: 'allow' }).match(at) !== undefined;
    expect(denied ? 'deny' : allowed ? 'allow' : 'none').toBe(outcome);
  });
});

describe('how roles are offered', () => {
  it('groups them', () => {
    expect(roleGroups.map(({ title, roles }) => `${title}: ${roles.join(', ')}`)).toEqual([
      'Implementation: coder, tester, integrator, devops',
      'Knowledge: researcher, architect, planner, reviewer, security-reviewer, docs',
      'Full-access: maintainer, troubleshooter',
    ]);
  });

  it('has a line for each, and one to turn it off', () => {
    expect(chooserEntries.map(({ label, summary }) => `[${label}] ${summary}`)).toEqual([
      '[coder] modify src/, lib/ (Recommended)',
      '[tester] modify tests/ only',
      '[integrator] terraform, IaC files',
      '[devops] CI/CD, config files',
      '[researcher] write to docs/research/',
      '[architect] write to docs/architecture/, docs/adr/',
      '[planner] write to docs/plans/',
      '[reviewer] write to docs/reviews/',
      '[security-reviewer] write to docs/reviews/security/, run scanners',
      '[docs] write to docs/, *.md',
      '[maintainer] full repository access',
      '[troubleshooter] full access for debugging',
      '[disable] turn off hookwise',
    ]);
  });
});
