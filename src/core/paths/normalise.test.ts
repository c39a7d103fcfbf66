import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  absolutePath,
  comparable,
  crossedByParent,
  isInside,
  longestPath,
  normalise,
  relativeTo,
  resolvePath,
} from './normalise.ts';

const base = { cwd: '/work/app', home: '/home/ann' };

describe('resolvePath', () => {
  const cases: [spelled: string, path: string][] = [
    ['/a/b', '/a/b'],
    ['a/b', '/work/app/a/b'],
    ['./a//b/', '/work/app/a/b'],
    ['src/../.env', '/work/app/.env'],
    ['./src/../../x', '/work/x'],
    ['../../../../../etc/passwd', '/etc/passwd'],
    ['.', '/work/app'],
    ['/', '/'],
    ['//etc///passwd', '/etc/passwd'],
    ['/..', '/'],
    ['/a/./b/.', '/a/b'],
    ['~', '/home/ann'],
    ['~/', '/home/ann'],
    ['~/.ssh/../.aws', '/home/ann/.aws'],
    ['~bob/x', '/work/app/~bob/x'],
    ['./~/x', '/work/app/~/x'],
    ['...', '/work/app/...'],
    ['a b/ c', '/work/app/a b/ c'],
    ['cafe\u0301', '/work/app/cafe\u0301'],
  ];
  test.each(cases)('%s is %s', (spelled, path) => {
    expect(resolvePath(spelled, base)).toEqual({ ok: true, value: path });
  });

  const refused: [spelled: string, why: RegExp][] = [
    ['', /empty/],
    ['a\0b', /null byte/],
    ['x'.repeat(longestPath + 1), /longer/],
  ];
  test.each(refused)('refuses case %#', (spelled, why) => {
    const result = resolvePath(spelled, base);
    expect(result.ok ? '' : result.error).toMatch(why);
  });

  it('refuses a relative start', () => {
    expect(resolvePath('a', { cwd: 'rel', home: '/h' }).ok).toBe(false);
    expect(resolvePath('~/a', { cwd: '/c', home: 'rel' }).ok).toBe(false);
  });

  const piece = fc.constantFrom('/', '//', '.', '..', '~', 'a', 'B', '.env', ' ', 'é', '\n', '*');
  const spelling = fc.array(piece, { minLength: 1, maxLength: 24 }).map((pieces) => pieces.join(''));

  it('gives absolute, normal and stable paths', () => {
    fc.assert(
      fc.property(spelling, (spelled) => {
        const result = resolvePath(spelled, base);
        if (!result.ok) throw new Error(result.error);
        expect(result.value).toMatch(/^\/(?:[^/]+(?:\/[^/]+)*)?$/);
        expect(result.value.split('/')).not.toContain('..');
        expect(result.value.split('/')).not.toContain('.');
        expect(resolvePath(result.value, base)).toEqual(result);
      }),
    );
  });

  it('does not depend on doubled slashes, `.` or a trailing slash', () => {
    fc.assert(
      fc.property(spelling, (spelled) => {
        const noisy = `${spelled.replaceAll('/', '/.//')}/`;
        fc.pre(spelled !== '~');
        expect(resolvePath(noisy, base)).toEqual(resolvePath(spelled, base));
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (spelled) => {
        resolvePath(spelled, base);
        crossedByParent(spelled, base);
      }),
    );
  });
});

describe('normalise and absolutePath', () => {
  it('need no base, or throw', () => {
    expect(normalise('//a/./b/../c/')).toBe('/a/c');
    expect(absolutePath('../c', base)).toBe('/work/c');
    expect(() => absolutePath('a\0', base)).toThrow(/null byte/);
  });
});

describe('crossedByParent', () => {
  const cases: [spelled: string, crossed: string[]][] = [
    ['src/x', []],
    ['src/link/../x', ['/work/app/src/link']],
    ['a/b/../../c', ['/work/app/a/b', '/work/app/a']],
    ['../x', ['/work/app']],
    ['/..', []],
  ];
  test.each(cases)('%s', (spelled, crossed) => {
    expect(crossedByParent(spelled, base)).toEqual(crossed);
  });
});

describe('relativeTo', () => {
  const cases: [root: string, path: string, relative: string | undefined][] = [
    ['/work/app', '/work/app', ''],
    ['/work/app', '/work/app/src/x', 'src/x'],
    ['/work/app', '/work/application', undefined],
    ['/work/app', '/work', undefined],
    ['/', '/etc', 'etc'],
    ['/', '/', ''],
  ];
  test.each(cases)('%s sees %s as %s', (root, path, relative) => {
    expect(relativeTo(root, path)).toBe(relative);
    expect(isInside(root, path)).toBe(relative !== undefined);
  });

  it('agrees with joining', () => {
    const name = fc.stringMatching(/^[a-z.]{1,4}$/).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), fc.array(name, { maxLength: 4 }), (above, below) => {
        const root = `/${above.join('/')}`;
        const path = `/${[...above, ...below].join('/')}`;
        expect(relativeTo(root, path)).toBe(below.join('/'));
      }),
    );
  });
});

describe('comparable', () => {
  const same: [a: string, b: string][] = [
    ['.CLAUDE', '.claude'],
    ['.\u017fsh', '.ssh'],
    ['.gi\u200ct', '.git'],
    ['STRASSE', 'stra\u00dfe'],
    ['\u212aey', 'key'],
    ['cafe\u0301', 'caf\u00c9'],
  ];
  test.each(same)('%s and %s are one name where case does not count', (a, b) => {
    expect(comparable(a, { ignoreCase: true })).toBe(comparable(b, { ignoreCase: true }));
    expect(comparable(a, { ignoreCase: false })).not.toBe(comparable(b, { ignoreCase: false }));
  });

  it('composes characters in both modes', () => {
    expect(comparable('cafe\u0301', { ignoreCase: false })).toBe('caf\u00e9');
  });

  it('does not change a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, ignoreCase) => {
        const once = comparable(text, { ignoreCase });
        expect(comparable(once, { ignoreCase })).toBe(once);
      }),
    );
  });
});
