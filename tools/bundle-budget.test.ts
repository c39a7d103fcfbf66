import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import budgets from '../bench/budgets.json' with { type: 'json' };

/**
 * The largest hook file: what the whole deterministic gate needs today, so it grows only with a reason in the commit. And
 * what it may load of Node before it answers: each further module costs every tool call.
 */
const { maximumBytes, builtins: allowedBuiltins } = budgets.hook;
/** What costs the hook too much, even where it would be loaded late from the same file. */
const forbiddenInputs = ['node_modules/yaml/', 'src/apps/cli/'];

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const hookFile = join(packageRoot, 'dist/hookwise.cjs');
const entry = 'src/apps/hook/main.ts';
const built = existsSync(hookFile);
const note = built ? '' : ' (skipped: dist/hookwise.cjs is not there, run `npm run build` first)';

const readMetafile = (): Metafile => JSON.parse(readFileSync(join(packageRoot, 'dist/meta.json'), 'utf8'));

/** The modules that the entry loads as soon as it starts, and what they take from outside the bundle. */
const startOf = ({ inputs }: Pick<Metafile, 'inputs'>, from: string) => {
  const modules = new Set([from]);
  const externals = new Set<string>();
  for (const module of modules) {
    for (const { path, kind, external } of inputs[module]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      (external === true ? externals : modules).add(path);
    }
  }
  return { modules: [...modules], externals: [...externals].map((name) => name.replace(/^node:/, '')).toSorted() };
};

describe('the walk over the metafile', () => {
  const imports = (path: string, kind: 'import-statement' | 'dynamic-import', external = false) => ({
    path,
    kind,
    external,
  });
  const inputs: Metafile['inputs'] = {
    a: { bytes: 1, imports: [imports('b', 'import-statement'), imports('c', 'dynamic-import')] },
    b: { bytes: 1, imports: [imports('a', 'import-statement'), imports('node:net', 'import-statement', true)] },
    c: { bytes: 1, imports: [imports('node:http', 'import-statement', true)] },
  };

  it('follows what is loaded at the start and not what is loaded later', () => {
    expect(startOf({ inputs }, 'a')).toEqual({ modules: ['a', 'b'], externals: ['net'] });
  });
});

describe.skipIf(!built)(`the hook file${note}`, () => {
  it('stays small', () => {
    expect(statSync(hookFile).size).toBeLessThanOrEqual(maximumBytes);
  });

  it('holds neither the YAML reader nor the command line', () => {
    const inside = Object.keys(readMetafile().outputs['dist/hookwise.cjs']?.inputs ?? {});
    expect(inside).toContain(entry);
    expect(inside.filter((input) => forbiddenInputs.some((part) => input.includes(part)))).toEqual([]);
  });

  it('imports only the cheap modules of Node', () => {
    const { externals } = startOf(readMetafile(), entry);
    expect(externals.filter((name) => !allowedBuiltins.includes(name))).toEqual([]);
  });
});

type Loads = { readonly builtins: readonly string[]; readonly files: readonly string[] };

describe('a recorded program', () => {
  let root: string;
  let project: string;

  /** Runs node with the recorder and says what was loaded beyond what node itself and the recorder load. */
  const record = (args: readonly string[], input = '') => {
    const loadsFile = join(root, 'loads.json');
    rmSync(loadsFile, { force: true });
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: root,
      HOOKWISE_HOME: join(root, 'hookwise'),
      LANG: 'C.UTF-8',
      LOADS_FILE: loadsFile,
    };
    const recorder = join(packageRoot, 'tools/record-loads.cjs');
    const run = spawnSync(process.execPath, ['--require', recorder, ...args], {
      cwd: project,
      env,
      input,
      encoding: 'utf8',
    });
    const loads: Loads = JSON.parse(readFileSync(loadsFile, 'utf8'));
    return { run, loads };
  };

  const loadedBy = (args: readonly string[], input = '') => {
    const empty = join(root, 'empty.cjs');
    writeFileSync(empty, '');
    const before = new Set(record([empty]).loads.builtins);
    const { run, loads } = record(args, input);
    return { run, builtins: loads.builtins.filter((name) => !before.has(name)), files: loads.files };
  };

  const payload = (): string =>
    JSON.stringify({
      session_id: '00000000-0000-4000-8000-000000000001',
      transcript_path: join(root, 'transcript.jsonl'),
      cwd: project,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git status --short', description: 'Show what changed' },
      tool_use_id: 'toolu_01',
    });

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-loads-')));
    project = join(root, 'project');
    mkdirSync(project);
    expect(spawnSync('git', ['init', '--quiet'], { cwd: project }).status).toBe(0);
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const expectFewLoads = ({ builtins, files }: ReturnType<typeof loadedBy>): void => {
    expect(builtins.filter((name) => !allowedBuiltins.includes(name))).toEqual([]);
    expect(files).toEqual([hookFile, join(packageRoot, 'dist/shell.cjs')]);
  };

  it('is seen with all that it loads', () => {
    const script = join(root, 'greedy.cjs');
    writeFileSync(script, `require('node:http'); require(${JSON.stringify(join(root, 'empty.cjs'))});`);
    const { builtins, files } = loadedBy([script]);
    expect(builtins).toContain('http');
    expect(builtins.every((name) => builtinModules.includes(name))).toBe(true);
    expect(files).toEqual([script, join(root, 'empty.cjs')]);
  });

  describe.skipIf(!built)(`which is the hook${note}`, () => {
    it('loads little where nothing is gated', () => {
      // The first call of all makes the user's key, for which it needs Node's randomness.
      record([hookFile, 'check'], payload());
      const loaded = loadedBy([hookFile, 'check'], payload());
      expect(loaded.run).toMatchObject({ status: 0, stdout: '' });
      expectFewLoads(loaded);
    });

    it('loads little in a gated repository, once its policy is compiled', () => {
      const initialised = record([hookFile, 'init', '--yes']).run;
      expect(initialised, initialised.stderr).toMatchObject({ status: 0 });
      record([hookFile, 'check'], payload());
      const loaded = loadedBy([hookFile, 'check'], payload());
      expect(loaded.run.stdout).toContain('"permissionDecision"');
      expectFewLoads(loaded);
    });
  });
});
