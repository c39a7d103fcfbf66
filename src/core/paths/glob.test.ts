import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it, test } from 'vitest';
import type { GlobRule } from '../model/policy.ts';
import { caseOptions, type GlobCase, globsetCases, refusedGlobs, segmentCases } from './glob.cases.ts';
import { compileGlobs, escapeGlob, type GlobOptions, type GlobPath, globProblem } from './glob.ts';

const rule = (glob: string): GlobRule => ({ glob, scope: 'builtin' });
const root = '/work/app';
const at = (path: string): GlobPath =>
  path.startsWith('/') ? { absolute: path } : { absolute: path === '' ? root : `${root}/${path}`, relative: path };
const matcher = (globs: readonly string[], options: Partial<GlobOptions> = {}) =>
  compileGlobs(globs.map(rule), { ...caseOptions('restrict', 'segment'), ...options });
const isMatch = (glob: string, path: string, options: Partial<GlobOptions> = {}): boolean =>
  matcher([glob], options).match(at(path)) !== undefined;

const check = (mode: GlobOptions['mode'], cases: GlobCase[]) => {
  test.each(cases)('%s on %s', (glob, path, allow, restrict) => {
    expect({ allow: isMatch(glob, path, { list: 'allow', mode }) }).toEqual({ allow });
    expect({ restrict: isMatch(glob, path, { list: 'restrict', mode }) }).toEqual({ restrict });
  });
};

describe('segment semantics', () => check('segment', segmentCases));
describe('globset semantics', () => check('globset', globsetCases));

describe('refused globs', () => {
  test.each(refusedGlobs)('%j', (glob, why) => {
    const problem = globProblem(glob);
    expect(problem?.message).toContain(`glob pattern error: ${glob}: `);
    expect(problem?.message).toContain(why);
    expect(() => matcher([glob])).toThrow(problem?.message);
  });

  it('accepts what the cases use', () => {
    for (const [glob] of [...segmentCases, ...globsetCases]) expect(globProblem(glob)).toBeUndefined();
  });
});

describe('lists', () => {
  const list = matcher(['src/**', '*.ts', 'src/a.ts', '/work/app/src/**']);

  it('answers with the first rule, and with all of them', () => {
    expect(list.match(at('src/a.ts'))?.glob).toBe('src/**');
    expect(list.match(at('lib/a.ts'))?.glob).toBe('*.ts');
    expect(list.match(at('lib/a.js'))).toBeUndefined();
    expect(list.matchAll(at('src/a.ts')).map(({ glob }) => glob)).toEqual([
      'src/**',
      '*.ts',
      'src/a.ts',
      '/work/app/src/**',
    ]);
  });

  it('gives back the rule itself', () => {
    const own: GlobRule = { glob: 'a', scope: 'org', source: { file: 'policy.yml', line: 3 } };
    expect(compileGlobs([own], caseOptions('restrict', 'segment')).match(at('a'))).toBe(own);
  });

  it('matches nothing when empty', () => {
    expect(matcher([]).match(at('a'))).toBeUndefined();
  });
});

describe('nested hits of root-anchored rules', () => {
  const cases: [glob: string, path: string, nested: boolean][] = [
    ['tests/**', 'packages/a/tests/x', true],
    ['tests/**', 'packages/a/tests', true],
    ['tests/**', 'tests/x', false],
    ['docs/reviews/*.md', 'a/docs/reviews/x.md', true],
    ['docs/reviews/*.md', 'a/docs/reviews/b/x.md', false],
    ['*.tf', 'a/b.tf', false],
    ['**/tests/**', 'a/tests/x', false],
    ['~/.ssh/**', 'home/ann/.ssh/x', false],
  ];
  test.each(cases)('%s on %s', (glob, path, nested) => {
    expect(matcher([glob]).matchesNested(at(path))?.glob).toBe(nested ? glob : undefined);
  });
});

describe('rules about something below a directory', () => {
  const cases: [glob: string, path: string, below: boolean][] = [
    ['~/.ssh/**', '/home/ann', true],
    ['~/.ssh/**', '/', true],
    ['~/.ssh/**', '/home/ann/.ssh', false],
    ['~/.ssh/**', '/home/bob', false],
    ['.git/hooks/**', '.git', true],
    ['.git/hooks/**', '', true],
    ['.git/hooks/**', 'src', false],
    ['**/x/y', '', false],
  ];
  test.each(cases)('%s below %s', (glob, path, below) => {
    expect(matcher([glob]).anchoredBelow(at(path))?.glob).toBe(below ? glob : undefined);
  });
});

describe('case', () => {
  const cases: [glob: string, path: string][] = [
    ['.claude/**', '.CLAUDE/settings.json'],
    ['.Claude/**', '.cLAUDE/x'],
    ['~/.ssh/**', '/Home/Ann/.SSH/id'],
    ['*.PEM', 'a/key.pem'],
    ['[A-C]x*', 'bX1'],
    ['[\u00c9]x*', '\u00e9x'],
    ['*.\u017f', 'a.s'],
    ['stra\u00dfe/*', 'STRASSE/x'],
  ];
  test.each(cases)('%s takes in %s only when case is folded', (glob, path) => {
    expect(isMatch(glob, path, { foldCase: true })).toBe(true);
    expect(isMatch(glob, path, { foldCase: false })).toBe(false);
  });
});

const name = fc.stringMatching(/^[abA.é-]{1,5}$/).filter((text) => !/^\.{1,2}$/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
const piece = fc.oneof(
  { weight: 3, arbitrary: name },
  fc.constantFrom('**', '*', '?', 'a*', '*b', 'a*b', '[ab]', '[!a]b', '{a,b}', '*.a'),
);
const glob = fc.array(piece, { minLength: 2, maxLength: 4 }).map((pieces) => pieces.join('/'));

describe('properties', () => {
  it('agrees with picomatch on patterns that both read alike', () => {
    fc.assert(
      fc.property(glob, path, (pattern, subject) => {
        fc.pre(globProblem(pattern) === undefined);
        // `[!a]` is read as the two characters by picomatch, which only knows `[^a]`.
        fc.pre(!pattern.includes('[!'));
        // Whether `dir/**` takes in `dir` itself is ours to say, and has cases of its own.
        fc.pre(!pattern.endsWith('/**'));
        const expected = picomatch(pattern, { dot: true, noextglob: true, strictSlashes: true })(subject);
        expect({ pattern, subject, is: isMatch(pattern, subject) }).toEqual({ pattern, subject, is: expected });
      }),
      { numRuns: 2000 },
    );
  });

  it('never allows what a restriction with the same glob would miss', () => {
    fc.assert(
      fc.property(glob, path, fc.constantFrom('segment', 'globset'), (pattern, subject, mode) => {
        fc.pre(globProblem(pattern) === undefined);
        if (isMatch(pattern, subject, { list: 'allow', mode }))
          expect(isMatch(pattern, subject, { list: 'restrict', mode, foldCase: true })).toBe(true);
      }),
    );
  });

  it('matches what is escaped, and nothing else', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a*?[\]{}()!~$\\.,]{1,8}$/), fc.constantFrom('a', '*', 'xx'), (text, other) => {
        fc.pre(text !== '.' && text !== '..');
        const pattern = `/d/${escapeGlob(text)}`;
        expect(isMatch(pattern, `/d/${text}`)).toBe(true);
        if (other !== text) expect(isMatch(pattern, `/d/${other}`)).toBe(false);
      }),
    );
  });

  it('reads any text or refuses it, without throwing anything else', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.stringMatching(/^[ab/*?[\]{},.~!\\-]{0,20}$/),
    );
    fc.assert(
      fc.property(text, text, fc.constantFrom('segment', 'globset'), (pattern, subject, mode) => {
        if (globProblem(pattern) === undefined) isMatch(pattern, `/${subject}`, { mode });
      }),
    );
  });
});

describe('work', () => {
  const hostile = ['*a*a*a', '**/a*a*b/**/a*/**/b', 'a/**/a/**/a/**/b', '**/*a*a*b', '/**/?*?*?*x', '*[!b]*[!b]*b'];
  const subjects: ((size: number) => string)[] = [
    (size) => 'a'.repeat(size),
    (size) => 'a/'.repeat(size),
    (size) => `${'aaaa/'.repeat(size / 2)}${'a'.repeat(size)}`,
    (size) => 'a'.repeat(size).replace(/(.{7})/g, '$1/'),
  ];
  const steps = (size: number, subject: (size: number) => string, mode: GlobOptions['mode']): number => {
    const effort = { steps: 0 };
    matcher(hostile, { effort, mode }).match(at(subject(size).replace(/\/+$/, '')));
    return effort.steps;
  };

  test.each(['segment', 'globset'] as const)('grows with the length of the path, no faster (%s)', (mode) => {
    for (const subject of subjects) {
      const [small, large] = [steps(500, subject, mode), steps(1000, subject, mode)];
      expect(small).toBeGreaterThan(0);
      expect(large / small).toBeLessThan(2.5);
    }
  });

  it('is bounded by the size of pattern times path', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*?/]{1,24}$/), fc.stringMatching(/^[ab/]{1,200}$/), (pattern, subject) => {
        fc.pre(globProblem(pattern) === undefined);
        const effort = { steps: 0 };
        matcher([pattern], { effort }).match(at(subject));
        expect(effort.steps).toBeLessThanOrEqual((pattern.length + 4) * (subject.length + root.length + 4) * 2);
      }),
      { numRuns: 1000 },
    );
  });
});
