import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isRecord, type JsonRecord, parseRecord } from '../model/json.ts';

/** A throw-away repository and home. */
export type Workspace = {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  /** Writes a file under the workspace's root and returns its path. */
  readonly write: (relativePath: string, content: string) => string;
  /** Replaces the user-level settings. */
  readonly writeSettings: (settings: JsonRecord) => void;
  readonly readSettings: () => JsonRecord;
  /** Adds user-level allow rules, so that only the gate stands in a call's way. */
  readonly allow: (rules: readonly string[]) => void;
  readonly remove: () => void;
};

const put = (file: string, content: string): string => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const gitEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.com',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.com',
});

const makeRepository = (project: string, home: string): void => {
  put(join(project, 'README.md'), '# demo\n');
  put(join(project, 'src', 'main.ts'), 'export const answer = 42;\n');
  put(join(project, 'tests', 'main.test.ts'), '// tests\n');
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project, env: gitEnvironment(home), stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=start');
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const withAllowed = (settings: JsonRecord, rules: readonly string[]): JsonRecord => {
  const permissions = isRecord(settings.permissions) ? settings.permissions : {};
  return { ...settings, permissions: { ...permissions, allow: [...listOf(permissions.allow), ...rules] } };
};

/** Makes a git repository (src/, tests/, one commit) and an empty home that trusts it. */
export const makeWorkspace = (): Workspace => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-e2e-')));
  const project = join(root, 'project');
  const home = join(root, 'home');
  const settingsFile = join(home, '.claude', 'settings.json');
  mkdirSync(home, { recursive: true });
  makeRepository(project, home);
  put(
    join(home, '.claude.json'),
    toJson({ hasCompletedOnboarding: true, projects: { [project]: { hasTrustDialogAccepted: true } } }),
  );
  const readSettings = (): JsonRecord => {
    if (!existsSync(settingsFile)) return {};
    const settings = parseRecord(readFileSync(settingsFile, 'utf8'));
    if (settings === undefined) throw new Error(`${settingsFile} is no JSON object`);
    return settings;
  };
  const writeSettings = (settings: JsonRecord): void => {
    put(settingsFile, toJson(settings));
  };
  return {
    root,
    project,
    home,
    write: (relativePath, content) => put(join(root, relativePath), content),
    writeSettings,
    readSettings,
    allow: (rules) => writeSettings(withAllowed(readSettings(), rules)),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
};

/** The user-level places inside a throw-away home: the home of the passwd entry is another one. */
export const userPlaces = (home: string): Record<string, string> => ({
  XDG_CONFIG_HOME: `${home}/.config`,
  XDG_STATE_HOME: `${home}/.local/state`,
});
