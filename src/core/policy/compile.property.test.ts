import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompiledPolicy, Role } from '../model/policy.ts';
import { compileGlobs, type GlobPath } from '../paths/glob.ts';
import { compile } from './compile.cases.ts';
import { builtinRoles } from './roles.ts';

const glob = fc.constantFrom(
  '**',
  '*',
  'src/**',
  'src/a/**',
  'docs/**',
  '*.ts',
  'package.json',
  '~/.ssh/**',
  '/etc/**',
  '.env*',
  '{a,src}/**',
  'a**',
);
const list = fc.array(glob, { maxLength: 4 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const present = (value: object): unknown => JSON.parse(JSON.stringify(value));
const paths = fc.record({ allow_write: optional(list), deny_write: optional(list), allow_read: optional(list) });
const rolesFile = fc
  .dictionary(
    fc.constantFrom(...builtinRoles.keys()),
    fc.record({ description: optional(fc.string({ minLength: 1 })), paths }),
    { noNullPrototype: true },
  )
  .map((roles) => present({ roles }));
const policyFile = fc
  .record({
    sensitive_paths: optional(
      fc.record({
        ask_write: optional(list),
        deny_read: optional(list),
        except_read: optional(list),
        allow_write: optional(list),
      }),
    ),
    confidence: optional(fc.record({ org: fc.double({ min: 0, max: 1 }) })),
    similarity: optional(fc.record({ mode: fc.constantFrom('seed', 'off', 'guarded') })),
    learning: optional(fc.record({ native: fc.constantFrom('full', 'off', 'exact') })),
    gating: optional(fc.constantFrom('never', 'always')),
    agents: optional(fc.constant({ Explore: 'maintainer' })),
    tools: optional(fc.constant({ mcp__a: 'inspect' })),
  })
  .map(present);

const subjects: readonly GlobPath[] = [
  ...['src/x.ts', 'src/a/y', 'docs/z.md', 'package.json', 'tests/t', '.env', 'main.tf', 'other/p.ts', ''].map(
    (relative) => ({
      absolute: `/p/${relative}`,
      relative,
    }),
  ),
  { absolute: '/h/.ssh/id' },
  { absolute: '/etc/hosts' },
];

const can = (role: Role, path: GlobPath): { readonly write: number; readonly read: boolean } => {
  const options = { homes: ['/h'], mode: 'segment', foldCase: false } as const;
  const allow = (rules: Role['paths']['allowRead']) =>
    compileGlobs(rules, { ...options, list: 'allow' }).match(path) !== undefined;
  const denied = compileGlobs(role.paths.denyWrite, { ...options, list: 'restrict' }).match(path) !== undefined;
  return { write: denied ? 0 : allow(role.paths.allowWrite) ? 2 : 1, read: allow(role.paths.allowRead) };
};

const expectNoWider = (policy: CompiledPolicy, without: CompiledPolicy): void => {
  for (const [name, role] of Object.entries(without.roles)) {
    const now = policy.roles[name]!;
    expect(now.description).toBe(role.description);
    for (const path of subjects) {
      const [before, after] = [can(role, path), can(now, path)];
      expect({ name, path, wider: after.write > before.write || (after.read && !before.read) }).toEqual({
        name,
        path,
        wider: false,
      });
    }
  }
  for (const key of ['askWrite', 'denyRead', 'askRead'] as const)
    expect(policy.sensitive[key]).toEqual(expect.arrayContaining([...without.sensitive[key]]));
  expect(policy.sensitive.exceptRead).toEqual(without.sensitive.exceptRead);
};

describe('a repository nobody trusts', () => {
  it('never gives more than there was without it', () => {
    const without = compile({});
    fc.assert(
      fc.property(policyFile, rolesFile, (project, projectRoles) => {
        const policy = compile({ project, projectRoles });
        expectNoWider(policy, without);
        expect(policy.settings.confidence.org).toBeGreaterThanOrEqual(without.settings.confidence.org);
        expect(['guarded', 'off']).toContain(policy.settings.similarity.mode);
        expect(['exact', 'off']).toContain(policy.settings.learning.native);
        expect(policy.settings).toMatchObject({ gating: 'auto', agents: {}, tools: {} });
      }),
      { numRuns: 60 },
    );
  });

  it('has nothing untrusted once every statement is trusted, and each of them is trusted by its digest', () => {
    fc.assert(
      fc.property(policyFile, rolesFile, (project, projectRoles) => {
        const trust = compile({ project, projectRoles }).untrusted.map(({ digest }) => digest);
        const all = compile({ project, projectRoles, trust: 'all' });
        expect(compile({ project, projectRoles, trust })).toEqual(all);
        expect(all.untrusted).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
