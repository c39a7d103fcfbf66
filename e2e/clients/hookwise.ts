import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord, type JsonRecord, recordsIn } from '../model/json.ts';
import type { Workspace } from './workspace.ts';
import { userPlaces } from './workspace.ts';

/** The built program under test. */
const hookwiseFile = fileURLToPath(new URL('../../dist/hookwise.cjs', import.meta.url));

/** Why the product cannot be tested here; undefined when it can. */
export const notBuilt = (): string | undefined =>
  existsSync(hookwiseFile) ? undefined : 'dist/hookwise.cjs is not there: run `npm run build` first';

/** What a run of hookwise's own command line gave. */
export type CommandRun = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** Runs hookwise in the workspace's repository, with the workspace's home and nothing else of this machine. */
const hookwise = (workspace: Workspace, args: readonly string[]): Promise<CommandRun> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: workspace.home,
      LANG: 'C.UTF-8',
      ...userPlaces(workspace.home),
    };
    const options = { cwd: workspace.project, env, timeout: 20_000, encoding: 'utf8' } as const;
    const child = execFile(process.execPath, [hookwiseFile, ...args], options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') return reject(error);
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.end();
  });

const succeed = async (workspace: Workspace, args: readonly string[]): Promise<void> => {
  const run = await hookwise(workspace, args);
  if (run.exitCode === 0) return;
  throw new Error(`hookwise ${args.join(' ')} ended with ${run.exitCode}\n${run.stdout}\n${run.stderr}`);
};

/** Installs hookwise for the user as a coder's gate and gates the workspace's repository. */
export const gateWorkspace = async (workspace: Workspace): Promise<void> => {
  await succeed(workspace, ['init', '--yes']);
  await succeed(workspace, ['init', '--user', '--yes', '--default-role', 'coder']);
};

/** What `hookwise doctor` says about the client at `executable`: its status and the words beside it. */
export const doctorOnClient = async (workspace: Workspace, executable: string): Promise<string> => {
  const run = await hookwise(workspace, ['doctor', '--json', '--client', executable]);
  const said: unknown = JSON.parse(run.stdout);
  const row = recordsIn(isRecord(said) ? said.rows : undefined).find(({ id }) => id === 'client.version');
  return `${String(row?.status)} ${String(row?.detail)}`;
};

/** The queue as `hookwise queue --json` prints it. */
export const queueText = async (workspace: Workspace): Promise<string> => {
  const run = await hookwise(workspace, ['queue', '--json']);
  if (run.exitCode !== 0) throw new Error(`hookwise queue --json ended with ${run.exitCode}\n${run.stderr}`);
  return run.stdout;
};

const rewritePreToolUse = (workspace: Workspace, change: (handler: JsonRecord) => JsonRecord): void => {
  const settings = workspace.readSettings();
  const hooks = isRecord(settings.hooks) ? settings.hooks : {};
  const groups = recordsIn(hooks.PreToolUse);
  if (groups.length === 0) throw new Error('the settings hold no PreToolUse hook');
  const changed = groups.map((group) => ({ ...group, hooks: recordsIn(group.hooks).map(change) }));
  if (JSON.stringify(changed) === JSON.stringify(groups)) throw new Error('the PreToolUse hook was not changed');
  workspace.writeSettings({ ...settings, hooks: { ...hooks, PreToolUse: changed } });
};

/** Puts a program that kills itself in the place of Node in the installed PreToolUse hook. */
export const killInstalledHook = (workspace: Workspace): void => {
  const killer = workspace.write('killed-hook.sh', 'kill -9 $$\n');
  rewritePreToolUse(workspace, (handler) =>
    Array.isArray(handler.args)
      ? { ...handler, command: '/bin/sh', args: [killer] }
      : { ...handler, command: `/bin/sh '${killer}'` },
  );
};

const withoutHookFile = (word: unknown): unknown =>
  typeof word === 'string' ? word.replaceAll('hookwise.cjs', 'no-such-hookwise.cjs') : word;

/** Makes the installed PreToolUse hook name a hookwise file that is not there. */
export const loseHookFile = (workspace: Workspace): void =>
  rewritePreToolUse(workspace, (handler) => {
    const { args } = handler;
    const command = withoutHookFile(handler.command);
    return Array.isArray(args) ? { ...handler, command, args: args.map(withoutHookFile) } : { ...handler, command };
  });

const filesBelow = (directory: string): readonly string[] =>
  existsSync(directory)
    ? readdirSync(directory, { withFileTypes: true, recursive: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

/** Every file that hookwise keeps for this workspace, relative to its root: configuration, state, the repository's. */
export const keptFiles = ({ root, home, project }: Workspace): readonly string[] =>
  [
    join(home, '.config', 'hookwise'),
    join(home, '.local', 'state', 'hookwise'),
    join(home, '.cache', 'hookwise'),
    join(project, '.hookwise'),
  ]
    .flatMap(filesBelow)
    .map((file) => relative(root, file));
