import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };
import { type Resolution, typeErrors } from './type-check.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const inPackage = (file: string): string => join(packageRoot, file);
const built = existsSync(inPackage('dist'));
const note = built ? '' : ' (skipped: dist is not there, run `npm run build` first)';

const { './package.json': _, ...entries } = manifest.exports;
const entryNames = readdirSync(inPackage('src'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length));

describe('the manifest', () => {
  it('exports every public entry and nothing else', () => {
    const expected = entryNames.map((name) => [
      name === 'index' ? '.' : `./${name}`,
      { types: `./dist/types/${name}.d.ts`, default: `./dist/${name}.js` },
    ]);
    expect(entries).toEqual(Object.fromEntries(expected));
  });

  it('depends on no package that runs a script when it is installed', () => {
    for (const name of Object.keys(manifest.dependencies)) {
      const { scripts = {} } = JSON.parse(readFileSync(inPackage(`node_modules/${name}/package.json`), 'utf8'));
      expect([name, scripts.preinstall, scripts.install, scripts.postinstall]).toEqual([
        name,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });
});

describe('the lock file', () => {
  type Locked = { readonly version?: string; readonly resolved?: string; readonly optionalDependencies?: object };
  const packages: Readonly<Record<string, Locked>> = lock.packages;

  it('names every optional package, without which `npm ci` refuses it', () => {
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          packages[`node_modules/${name}`] === undefined && packages[`${place}/node_modules/${name}`] === undefined,
      ),
    );
    expect(missing).toEqual([]);
  });

  it('names no host, so that it works with every registry', () => {
    expect(Object.keys(packages).filter((place) => packages[place]?.resolved !== undefined)).toEqual([]);
  });
});

describe.skipIf(!built)(`the built package${note}`, () => {
  it('has a startable file behind every command', () => {
    for (const file of Object.values(manifest.bin)) expect(statSync(inPackage(file)).mode & 0o111, file).toBe(0o111);
  });

  it('packs the programs, the library and its types, and nothing that only we need', () => {
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: packageRoot,
      encoding: 'utf8',
    });
    const files: readonly string[] = JSON.parse(packed)[0].files.map((file: { path: string }) => file.path);
    const needed = Object.values(entries)
      .flatMap((entry) => Object.values(entry))
      .map((file) => file.slice('./'.length));
    expect(files).toEqual(
      expect.arrayContaining([
        ...needed,
        ...Object.values(manifest.bin),
        'dist/cli.cjs',
        'dist/compile-policy.cjs',
        'dist/licences.txt',
      ]),
    );
    expect(files.filter((file) => !/^(dist\/|docs\/|README\.md$|LICENSE$|package\.json$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(test|cases)\.|^dist\/meta\.json$/.test(file))).toEqual([]);
  });

  for (const resolution of ['nodenext', 'bundler'] satisfies Resolution[]) {
    it(`type-checks in a consumer with moduleResolution ${resolution}`, () => {
      const consumer = mkdtempSync(join(tmpdir(), 'hookwise-consumer-'));
      try {
        mkdirSync(join(consumer, 'node_modules'));
        symlinkSync(packageRoot, join(consumer, 'node_modules/hookwise'));
        writeFileSync(join(consumer, 'package.json'), '{"type":"module"}');
        const imports = Object.keys(entries).map(
          (key, index) => `export * as entry${index} from 'hookwise${key.slice(1)}';`,
        );
        writeFileSync(join(consumer, 'consumer.ts'), imports.join('\n'));
        expect(typeErrors(consumer, { files: ['consumer.ts'], resolution })).toEqual([]);
      } finally {
        rmSync(consumer, { recursive: true, force: true });
      }
    });
  }
});
