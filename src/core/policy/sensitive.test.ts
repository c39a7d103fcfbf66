import { describe, expect, it, test } from 'vitest';
import type { GlobRule } from '../model/policy.ts';
import { compileGlobs, globProblem } from '../paths/glob.ts';
import { type SensitiveList, sensitiveCases } from './sensitive.cases.ts';
import { defaultSensitivePaths, mayExcept, persistGlobs, protectedGlobs } from './sensitive.ts';

const home = '/home/ann';
const root = '/home/ann/work/app';

const at = (path: string) => {
  if (path.startsWith('~')) return { absolute: `${home}${path.slice(1)}` };
  return path.startsWith('/') ? { absolute: path } : { absolute: `${root}/${path}`, relative: path };
};

const lists: Readonly<Record<SensitiveList, readonly GlobRule[]>> = {
  askWrite: defaultSensitivePaths.askWrite,
  denyRead: defaultSensitivePaths.denyRead,
  askRead: defaultSensitivePaths.askRead,
  protect: protectedGlobs,
  persist: persistGlobs,
};

const compiled = (rules: readonly GlobRule[], mode: 'segment' | 'globset' = 'segment') =>
  compileGlobs(rules, { list: 'restrict', homes: [home], mode, foldCase: true });

const excepts = compiled(defaultSensitivePaths.exceptRead);

const takenIn = (list: SensitiveList, path: string): boolean => {
  const found = compiled(lists[list]).matchAll(at(path));
  if (list !== 'denyRead' && list !== 'askRead') return found.length > 0;
  const lifted = excepts.matchAll(at(path));
  return found.some((rule) => !lifted.some((exception) => mayExcept(rule, exception)));
};

describe('default sensitive paths', () => {
  test.each(sensitiveCases)('%s %s: %s', (list, path, isHit) => {
    expect(takenIn(list, path)).toBe(isHit);
  });

  it('asks before writing the paths of the specification', () => {
    expect(lists.askWrite.map(({ glob }) => glob)).toEqual([
      '.claude/**',
      '.hookwise/**',
      '.captain-hook/**',
      '.env*',
      '**/.env*',
      '.git/hooks/**',
      '**/secrets/**',
      '~/.claude/**',
      '~/.config/**',
    ]);
  });

  it('is made of usable globs that a case fires', () => {
    for (const [list, rules] of Object.entries(lists)) {
      for (const rule of rules) {
        expect(globProblem(rule.glob)).toBeUndefined();
        expect(rule.scope).toBe('builtin');
      }
      expect(sensitiveCases.some(([name, , isHit]) => name === list && isHit)).toBe(true);
      expect(sensitiveCases.some(([name, , isHit]) => name === list && !isHit)).toBe(true);
    }
  });

  it('misses nothing under globset semantics either', () => {
    for (const [list, path, isHit] of sensitiveCases) {
      const anyDepthName = path === 'packages/a/.mcp.json';
      if (isHit && !anyDepthName)
        expect({ path, rule: compiled(lists[list], 'globset').match(at(path)) }).not.toEqual({ path });
    }
  });
});

describe('exceptions', () => {
  const cases: [restriction: [GlobRule['scope'], string], exception: [GlobRule['scope'], string], may: boolean][] = [
    [['builtin', '**/*secret*'], ['builtin', '**/*secret*.ts'], true],
    [['builtin', '**/*secret*'], ['project', '**/x'], true],
    [['org', '**/*secret*'], ['builtin', '**/*secret*.ts'], false],
    [['org', '**/x'], ['user', '**/x'], false],
    [['org', '**/x'], ['org', '**/x'], true],
    [['user', '**/x'], ['project', '**/x'], false],
    [['project', '**/x'], ['user', '**/x'], true],
    [['builtin', '~/.ssh/**'], ['project', '**/*.ts'], false],
    [['builtin', '~/.ssh/**'], ['user', '~/.ssh/config'], true],
    [['builtin', '/etc/shadow'], ['user', '**'], false],
  ];
  test.each(cases)('%j lifted by %j: %s', ([scope, glob], [byScope, byGlob], may) => {
    expect(mayExcept({ scope, glob }, { scope: byScope, glob: byGlob })).toBe(may);
  });
});
