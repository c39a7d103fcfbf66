import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Resolution, typeErrors } from './type-check.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const source = {
  'src/core/model/verdict.ts': "export type Verdict = 'allow' | 'deny';\nexport class Broken extends Error {}\n",
  'src/core/decide.ts': [
    "import { Broken, type Verdict } from './model/verdict.ts';",
    'export const decide = (list: readonly Verdict[]): Verdict => {',
    "  if (list.length === 0) throw new Broken('empty');",
    "  return list.includes('deny') ? 'deny' : 'allow';",
    '};',
    "export type Also = import('./model/verdict.ts').Verdict;",
  ].join('\n'),
  'src/index.ts': "export { type Also, decide } from './core/decide.ts';\n",
  'src/policy.ts': "export { Broken, type Verdict } from './core/model/verdict.ts';\n",
  'src/apps/hook/main.ts': [
    "import { join } from 'node:path';",
    "import { decide } from '../../core/decide.ts';",
    "if (process.argv[2] === 'cli') require(join(import.meta.dirname, 'cli.cjs'));",
    "else if (process.argv[2] === 'build') console.log(BUILD);",
    "else console.log(decide(['allow', 'deny']));",
  ].join('\n'),
  'src/apps/hook/shell.ts': 'export const shell = 1;\n',
  'src/apps/hook/similar.ts': 'export const similar = 1;\n',
  'src/apps/cli/main.ts': "import { parse } from 'yaml';\nconsole.log(JSON.stringify(parse('a: 1')));\n",
  'src/apps/hook/compile-policy.ts':
    "import { parse } from 'yaml';\nexport const compile = (text: string): unknown => parse(text);\n",
  'package.json': JSON.stringify({
    name: 'hookwise',
    type: 'module',
    exports: {
      '.': { types: './dist/types/index.d.ts', default: './dist/index.js' },
      './policy': { types: './dist/types/policy.d.ts', default: './dist/policy.js' },
    },
  }),
};

const write = (root: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
};

const makeTree = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'hookwise-build-'));
  write(root, source);
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  for (const name of ['tsconfig.json', 'tsconfig.build.json']) copyFileSync(join(packageRoot, name), join(root, name));
  return root;
};

const node = (args: readonly string[], cwd = packageRoot) =>
  spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
const build = (root: string, ...options: readonly string[]) =>
  node([join(packageRoot, 'tools/build.mjs'), ...options, root]);

describe('a build', () => {
  let root: string;

  beforeAll(() => {
    root = makeTree();
    expect(build(root)).toMatchObject({ status: 0, stderr: '' });
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const read = (name: string): string => readFileSync(join(root, 'dist', name), 'utf8');

  it('makes the hook a file that can be started and holds only what the hook needs', () => {
    expect(read('hookwise.cjs')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(join(root, 'dist/hookwise.cjs')).mode & 0o777).toBe(0o755);
    expect(node([join(root, 'dist/hookwise.cjs')])).toMatchObject({ status: 0, stdout: 'deny\n' });
    expect(Object.keys(JSON.parse(read('meta.json')).outputs['dist/hookwise.cjs'].inputs).toSorted()).toEqual([
      'src/apps/hook/main.ts',
      'src/core/decide.ts',
      'src/core/model/verdict.ts',
    ]);
  });

  it('lets the hook load the command line from the file next to it', () => {
    expect(node([join(root, 'dist/hookwise.cjs'), 'cli'], tmpdir())).toMatchObject({ status: 0, stdout: '{"a":1}\n' });
  });

  it('lets the policy compiler be required', () => {
    const script = `console.log(require(${JSON.stringify(join(root, 'dist/compile-policy.cjs'))}).compile('a: [1]').a)`;
    expect(node(['-e', script])).toMatchObject({ status: 0, stdout: '[ 1 ]\n' });
  });

  it('is named by a digest that changes with any program and with nothing else', () => {
    const name = (): string => node([join(root, 'dist/hookwise.cjs'), 'build']).stdout.trim();
    const first = name();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(build(root, '--no-types').status).toBe(0);
    expect(name()).toBe(first);
    write(root, { 'src/apps/cli/main.ts': `${source['src/apps/cli/main.ts']}console.log('more');\n` });
    expect(build(root, '--no-types').status).toBe(0);
    expect(name()).not.toBe(first);
    write(root, source);
    expect(build(root).status).toBe(0);
    expect(name()).toBe(first);
  });

  it('passes on the licences of what it bundles, and of nothing else', () => {
    expect(read('licences.txt')).toMatch(/^yaml\n\nCopyright/);
    expect(read('licences.txt')).not.toContain('-----');
  });

  it('gives the library entries one copy of a class that they share', () => {
    write(root, {
      'consumer.mjs': [
        "import { decide } from 'hookwise';",
        "import { Broken } from 'hookwise/policy';",
        'try { decide([]); } catch (error) { console.log(error instanceof Broken); }',
      ].join('\n'),
    });
    expect(node(['consumer.mjs'], root)).toMatchObject({ status: 0, stdout: 'true\n' });
  });

  for (const resolution of ['nodenext', 'bundler'] satisfies Resolution[]) {
    it(`declares types that a consumer with moduleResolution ${resolution} can use`, () => {
      const head = "import { type Also, decide } from 'hookwise';\nimport type { Verdict } from 'hookwise/policy';\n";
      write(root, {
        'good.ts': `${head}export const verdict: Verdict = decide(['allow']);\nexport const also: Also = verdict;\n`,
        'bad.ts': `${head}export const verdict: Verdict = decide(['perhaps']);\nexport const also: Also = 1;\n`,
      });
      const errors = typeErrors(root, { files: ['good.ts', 'bad.ts'], resolution });
      expect(errors).toHaveLength(2);
      for (const error of errors) expect(error).toMatch(/\/bad\.ts: /);
      expect(read('types/core/decide.d.ts')).not.toMatch(/\.ts['"]/);
    });
  }
});

describe('a build that cannot succeed', () => {
  let root: string;

  beforeAll(() => {
    root = makeTree();
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('keeps what an earlier build left, and says what is wrong', () => {
    expect(build(root, '--no-types').status).toBe(0);
    const before = readFileSync(join(root, 'dist/hookwise.cjs'), 'utf8');
    write(root, { 'src/apps/cli/main.ts': "import { parse } from 'no-such-package';\nparse();\n" });
    const failed = build(root, '--no-types');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('no-such-package');
    expect(readFileSync(join(root, 'dist/hookwise.cjs'), 'utf8')).toBe(before);
    expect(existsSync(join(root, 'dist/types'))).toBe(false);
  });

  it('names every entry that is missing', () => {
    rmSync(join(root, 'src/apps'), { recursive: true });
    rmSync(join(root, 'src/index.ts'));
    const failed = build(root);
    expect(failed.status).toBe(1);
    expect(failed.stderr.trim().split(/\n\s*/)).toEqual([
      'build failed: these entry files are missing:',
      'src/apps/hook/main.ts',
      'src/apps/cli/main.ts',
      'src/apps/hook/shell.ts',
      'src/apps/hook/similar.ts',
      'src/apps/hook/compile-policy.ts',
      'src/index.ts',
    ]);
  });
});
