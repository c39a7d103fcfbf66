import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compileGlobs, globProblem } from '../paths/glob.ts';
import { covers, mayMeet } from './covers.ts';

describe('covers', () => {
  const cases: [outer: string, inner: string, is: boolean][] = [
    ['src/**', 'src/**', true],
    ['src/**', './src/**', true],
    ['src/**', 'src/app/*.ts', true],
    ['src/**', 'src', false],
    ['src/**', 'srcs/a', false],
    ['src/**', 'lib/**', false],
    ['**', 'anything/**', true],
    ['**', '*.md', true],
    ['**', '/etc/**', false],
    ['**', '~/.ssh/**', false],
    ['**', '{/etc,a}/**', false],
    ['*', 'a', false],
    ['s*/**', 's*/a', false],
    ['src/app/**', 'src/**', false],
    ['docs/**', 'docs/a/**/b', true],
  ];
  test.each(cases)('%s covers %s: %s', (outer, inner, is) => {
    expect(covers(outer, inner)).toBe(is);
  });
});

describe('mayMeet', () => {
  const cases: [a: string, b: string, is: boolean][] = [
    ['pipelines/**', 'pipelines/prod/**', true],
    ['pipelines/prod/**', 'pipelines/**', true],
    ['pipelines/**', 'src/**', false],
    ['pipelines/**', '*.tf', true],
    ['pipelines/**', '**/x', true],
    ['src/**', '/work/app/src/**', true],
    ['{a,b}/x', 'c/x', true],
  ];
  test.each(cases)('%s and %s: %s', (a, b, is) => {
    expect(mayMeet(a, b)).toBe(is);
  });
});

describe('against what the globs match', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*', '?', '{a,b}', '*.x', '.');
  const glob = fc
    .array(piece, { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.join('/'))
    .filter((text) => globProblem(text) === undefined);
  const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'c.x', '.y'), { minLength: 1, maxLength: 4 });
  const allows = (text: string, segments: string[]): boolean => {
    const options = { list: 'allow', homes: [], mode: 'segment', foldCase: false } as const;
    const relative = segments.join('/');
    const list = compileGlobs([{ glob: text, scope: 'builtin' }], options);
    return list.match({ absolute: `/${relative}`, relative }) !== undefined;
  };

  it('covers only what is allowed anyway', () => {
    fc.assert(
      fc.property(glob, glob, path, (outer, inner, segments) => {
        fc.pre(covers(outer, inner) && allows(inner, segments));
        expect({ outer, inner, segments, is: allows(outer, segments) }).toMatchObject({ is: true });
      }),
      { numRuns: 300, maxSkipsPerRun: 2000 },
    );
  });

  it('sees every meeting', () => {
    fc.assert(
      fc.property(glob, glob, path, (a, b, segments) => {
        if (allows(a, segments) && allows(b, segments)) expect(mayMeet(a, b)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
