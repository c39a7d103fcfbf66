import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { shellLanguage } from '../../core/similarity/language.ts';
import { compileSources } from '../../io/config/compile-sources.ts';
import type { Caller } from '../../io/process/caller.ts';
import { localSimilarMemory } from '../../io/similar/similar-memory.ts';
import { openGround, openProject, type Project, type Surroundings } from '../compose.ts';
import type { Command, ExitCode, Invocation } from './command.ts';

/** Noon of a day in March. */
export const noon = Date.parse('2026-03-05T12:00:00Z');

/** A home and a repository of their own, on disk. */
export interface Workspace {
  readonly top: string;
  readonly home: string;
  readonly root: string;
  readonly surroundings: Surroundings;
  /** Writes a file below the repository. */
  readonly write: (path: string, text: string) => string;
  /** Writes a file below the user's configuration directory. */
  readonly configure: (path: string, text: string) => string;
  readonly read: (path: string) => string;
  readonly settings: string;
  readonly writeSettings: (settings: unknown) => void;
  readonly project: () => Project;
}

const put = (path: string, text: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

/** A new workspace for one test; removed when the test is over. */
export const workspace = (installed = '/nowhere', env: Record<string, string> = {}): Workspace => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-workspace-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [home, root, own] = [join(top, 'home'), join(top, 'project'), join(top, 'own')];
  for (const directory of [home, join(root, '.git'), join(own, 'config')]) mkdirSync(directory, { recursive: true });
  const surroundings: Surroundings = {
    env: { HOOKWISE_HOME: own, HOME: home, PATH: '/usr/bin:/bin', ...env },
    passwdHome: home,
    user: 'tester',
    now: () => noon,
    installed,
    loadCompiler: () => compileSources,
    shell: () => shellLanguage,
    loadSimilar: () => localSimilarMemory,
    build: 'test',
  };
  const settings = join(home, '.claude/settings.json');
  return {
    top,
    home,
    root,
    surroundings,
    settings,
    write: (path, text) => put(join(root, path), text),
    configure: (path, text) => put(join(own, 'config', path), text),
    read: (path) => readFileSync(path, 'utf8'),
    writeSettings: (value) => put(settings, typeof value === 'string' ? value : JSON.stringify(value, null, 2)),
    project: () => openProject(surroundings, openGround(surroundings, root)),
  };
};

export interface Ran {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

type Options = Partial<Pick<Invocation, 'options' | 'words' | 'cwd' | 'confirm' | 'surroundings'>> & {
  readonly caller?: Caller;
};

/** Runs one command in a workspace, as a person at a terminal unless said otherwise. */
export const runIn = async (at: Workspace, command: Command, given: Options = {}): Promise<Ran> => {
  const [out, err]: [string[], string[]] = [[], []];
  const { caller = { kind: 'terminal' } as const, ...rest } = given;
  const code = await command.run({
    options: {},
    words: [],
    surroundings: at.surroundings,
    cwd: at.root,
    print: (line) => void out.push(line),
    complain: (line) => void err.push(line),
    caller: () => caller,
    confirm: async () => false,
    ...rest,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
};

/** Builds the hook as a program, as it would be installed, for all tests of a file; returns where it is once it is built. */
export const builtHook = (): (() => string) => {
  let directory = '';
  beforeAll(() => {
    directory = build();
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return () => directory;
};

const build = (): string => {
  const outdir = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-built-')));
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  buildSync({
    entryPoints: { hookwise: source('../hook/main.ts'), 'compile-policy': source('../hook/compile-policy.ts') },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outdir,
    outExtension: { '.js': '.cjs' },
    define: { BUILD: '"test"' },
    logLevel: 'error',
  });
  return outdir;
};
