import { describe, expect, it } from 'vitest';
import { home, requestOf, root } from '../../../corpus/world.cases.ts';
import { HookwiseError } from '../model/errors.ts';
import type { FactQuery, Facts } from '../model/facts.ts';
import type { Role } from '../model/policy.ts';
import { builtinRoles } from '../policy/roles.ts';
import { shellLanguage } from '../similarity/language.ts';
import { compilePathPolicy, judgePaths } from './path-policy.ts';

const roleNamed = (name: string): Role => builtinRoles.get(name)!;

const observe = (queries: readonly FactQuery[]): Facts => ({
  paths: new Map(
    queries.flatMap((query) =>
      query.kind === 'path'
        ? [[query.path, { real: query.path.replace('/link/', '/tests/'), type: 'file', links: 1 }] as const]
        : [],
    ),
  ),
  entries: [],
  overrides: [],
});

const cases: [role: string, tool: string, input: object, expected: string][] = [
  ['coder', 'Write', { file_path: 'src/a.ts', content: '' }, 'allow PathPolicy'],
  ['coder', 'Write', { file_path: `${root}/src/a.ts`, content: '' }, 'allow PathPolicy'],
  ['coder', 'Edit', { file_path: 'tests/a.ts', old_string: '', new_string: '' }, 'deny PathPolicy'],
  ['coder', 'Write', { file_path: 'link/a.ts', content: '' }, 'deny PathPolicy'],
  ['coder', 'Write', { file_path: '.claude/settings.json', content: '' }, 'ask SensitivePath'],
  ['maintainer', 'Write', { file_path: '.env', content: '' }, 'ask SensitivePath'],
  ['coder', 'Write', { file_path: 'elsewhere.txt', content: '' }, 'open'],
  ['coder', 'Read', { file_path: 'tests/a.ts' }, 'allow PathPolicy'],
  ['coder', 'Read', { file_path: `${home}/.ssh/id_rsa` }, 'deny SensitivePath'],
  ['coder', 'WebFetch', { url: 'https://example.org' }, 'open'],
  ['coder', 'TodoWrite', { todos: [] }, 'open'],
];

describe('judgePaths', () => {
  it.each(cases)('%s %s %j: %s', (role, tool, input, expected) => {
    const compiled = compilePathPolicy(roleNamed(role), { homes: [home] });
    const { decision } = judgePaths(requestOf(tool, input), compiled, { root, observe, shell: () => shellLanguage });
    expect(decision === undefined ? 'open' : `${decision.verdict} ${decision.tier}`).toBe(expected);
  });
});

describe('compilePathPolicy', () => {
  const compiled = compilePathPolicy(roleNamed('coder'));
  const path = (relative: string) => ({ absolute: `${root}/${relative}`, relative });

  it.each([
    ['allowWrite', 'src/a.ts', 'tests/a.ts'],
    ['denyWrite', 'tests/a.ts', 'src/a.ts'],
    ['sensitiveAskWrite', '.env', 'src/a.ts'],
  ] as const)('%s matches %s and not %s', (list, inside, outside) => {
    expect(compiled[list].match(path(inside))).toBeDefined();
    expect(compiled[list].match(path(outside))).toBeUndefined();
  });

  it('reads everything in the project', () => expect(compiled.allowRead.match(path('any/file'))).toBeDefined());

  it.each(['allowWrite', 'denyWrite', 'allowRead'] as const)('an invalid glob in %s is named at once', (list) => {
    const role = roleNamed('coder');
    const broken = { ...role, paths: { ...role.paths, [list]: [{ glob: 'src/[a', scope: 'project' }] } };
    const compile = () => compilePathPolicy(broken);
    expect(compile).toThrow(HookwiseError);
    expect(compile).toThrow(/^glob pattern error: src\/\[a: /);
  });
});
