import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import config, { composed, coreOrder, folders, looseFiles } from '../.dependency-cruiser.mjs';
import { breaks, treePackages } from './boundaries.cases.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const ruleNames = (config.forbidden ?? []).map((rule) => rule.name ?? 'unnamed');

let root: string;

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};

const thing = (froms: readonly string[]): string =>
  [
    'export type Thing = 1;',
    'export const thing = 1;',
    ...froms.map((from, index) => `export { thing as thing${index} } from '${from}';`),
  ].join('\n');

/** A tree in which every folder uses all that it may use, so that a rule that forbids too much shows as well. */
const writeCleanTree = (): void => {
  for (const [index, row] of coreOrder.entries()) {
    const earlier = coreOrder.slice(0, index).flat();
    const packages = folders.core?.packages ?? [];
    const allowed = [...earlier.map((folder) => `../${folder}/thing.ts`), ...packages];
    for (const folder of row) write(`src/core/${folder}/thing.ts`, thing(allowed));
  }
  write('src/core/ports.ts', "export type { Thing } from './model/thing.ts';\nexport const thing = 1;\n");
  for (const [folder, { sees, builtins, packages }] of Object.entries(folders)) {
    if (folder === 'core' || folder === 'apps') continue;
    const seen = sees.map((name) => (name === 'core' ? '../core/engine/thing.ts' : `../${name}/thing.ts`));
    write(
      `src/${folder}/thing.ts`,
      thing([...seen, ...(packages === 'declared' ? treePackages.dependencies : packages)]),
    );
    write(
      `src/${folder}/thing.test.ts`,
      "export { test } from 'vitest';\nexport * from 'node:fs';\nexport * from './thing.ts';\n",
    );
    if (builtins) write(`src/${folder}/builtin.ts`, "export { join } from 'node:path';\n");
  }
  write('src/gate/thing.cases.ts', 'export const thing = 1;\n');
  for (const agent of ['one', 'two']) write(`src/agents/${agent}/thing.ts`, thing(['../thing.ts']));
  for (const folder of composed) write(`src/io/${folder}/thing.ts`, thing(['../thing.ts']));
  write('src/apps/compose.ts', thing(composed.map((folder) => `../io/${folder}/thing.ts`)));
  const appSees = folders.apps?.sees.filter((name) => name !== 'core') ?? [];
  for (const app of ['one', 'two']) {
    write(
      `src/apps/${app}/thing.ts`,
      thing(['../compose.ts', 'yaml', ...appSees.map((name) => `../../${name}/thing.ts`)]),
    );
    write(`src/apps/${app}/version.ts`, "export { version } from '../../../package.json';\n");
  }
  write('src/index.ts', "export { thing } from './apps/compose.ts';\n");
  write('tools/thing.ts', 'export const thing = 1;\n');
};

const writePackages = (): void => {
  const { dependencies, devDependencies, undeclared } = treePackages;
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
  write(
    'package.json',
    JSON.stringify({ dependencies: versions(dependencies), devDependencies: versions(devDependencies) }),
  );
  write('tsconfig.json', readFileSync(join(packageRoot, 'tsconfig.json'), 'utf8'));
  for (const name of [...dependencies, ...devDependencies, ...undeclared]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, 'exports.thing = 1;\n');
  }
};

const violations = async (): Promise<readonly IViolation[]> => {
  const { tsConfig: _, ...options } = config.options ?? {};
  const rules = { forbidden: config.forbidden ?? [] };
  const result = await cruise(['src'], { ...options, baseDir: root, validate: true, ruleSet: rules });
  return (result.output as ICruiseResult).summary.violations;
};

const concerns = ({ from, cycle }: IViolation, file: string): boolean =>
  from === file || (cycle ?? []).some(({ name }) => name === file);

/** Which rules complain about a file, each once. */
const rulesAgainst = (found: readonly IViolation[], file: string): readonly string[] => [
  ...new Set(found.filter((violation) => concerns(violation, file)).map(({ rule }) => rule.name)),
];

describe('the import rules', () => {
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-boundaries-')));
    writePackages();
    writeCleanTree();
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('let through a tree that uses everything it may', async () => {
    expect(await violations()).toEqual([]);
  });

  it('catch every file that breaks one', async () => {
    for (const { file, text } of breaks) write(file, text);
    const found = await violations();
    for (const { rule, file } of breaks)
      expect({ file, rules: rulesAgainst(found, file) }).toEqual({ file, rules: expect.arrayContaining([rule]) });
  });

  it('are each broken once in the table', () => {
    expect([...new Set(breaks.map(({ rule }) => rule))].toSorted()).toEqual(ruleNames.toSorted());
  });
});

const childrenOf = (directory: string, kind: 'folders' | 'files'): readonly string[] =>
  readdirSync(join(packageRoot, directory), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() === (kind === 'folders'))
    // Git keeps no empty folder, so one is as good as none.
    .filter((entry) => kind === 'files' || readdirSync(join(packageRoot, directory, entry.name)).length > 0)
    .map((entry) => entry.name)
    .toSorted();

describe('the table', () => {
  it('names exactly the folders of src', () => {
    expect(Object.keys(folders).toSorted()).toEqual(childrenOf('src', 'folders'));
  });

  it('names exactly the folders of core', () => {
    expect(coreOrder.flat().toSorted()).toEqual(childrenOf('src/core', 'folders'));
  });

  it('names exactly the files beside the folders of core and apps', () => {
    const loose = (folder: keyof typeof looseFiles) =>
      childrenOf(`src/${folder}`, 'files').filter((file) => !file.endsWith('.test.ts'));
    expect({ core: loose('core'), apps: loose('apps') }).toEqual(looseFiles);
  });
});

/** The statements of an entry that are more than `export … from '…'`. */
const notReexports = (text: string): readonly string[] =>
  ts
    .createSourceFile('entry.ts', text, ts.ScriptTarget.Latest, true)
    .statements.filter((statement) => !(ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined))
    .map((statement) => statement.getText());

describe('a public entry', () => {
  it.each([
    ["export { a } from './a.ts';\nexport type { B } from './b.ts';\nexport * from './c.ts';", 0],
    ['export const a = 1;', 1],
    ["import { a } from './a.ts';\nexport { a };", 2],
  ])('holds re-exports only: %j', (text, count) => {
    expect(notReexports(text)).toHaveLength(count);
  });

  it('of this package holds re-exports only', () => {
    for (const name of childrenOf('src', 'files')) {
      expect(notReexports(readFileSync(join(packageRoot, 'src', name), 'utf8')), name).toEqual([]);
    }
  });
});
