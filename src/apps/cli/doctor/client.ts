import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Row, rowsOf } from './row.ts';

/** The first client that lets a failing hook stop the call. */
const firstBlocking = [2, 1, 295] as const;
const timeoutMs = 10_000;

const client = rowsOf('client.version', 'the client stops a call whose hook fails');
const node = rowsOf('node.version', 'this node is new enough');

/** Judges the version of the client: the one that is named, else the `claude` in PATH. */
export const clientRow = (env: Readonly<Record<string, string | undefined>>, named: string | undefined): Row => {
  const path = named ?? findInPath('claude', env['PATH'] ?? '');
  if (path === undefined)
    return client({ status: 'info', detail: 'no claude in PATH; --client <path> names it for a check of its version' });
  const { stdout, error } = spawnSync(path, ['--version'], { env: { ...env }, encoding: 'utf8', timeout: timeoutMs });
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(stdout ?? '');
  if (error !== undefined || found === null) {
    const why = error?.message ?? 'it names no version';
    const status = named === undefined ? 'warn' : 'fail';
    return client({ status, detail: `${path} --version: ${why}`, fix: 'give --client <path>' });
  }
  if (isAtLeast(found.slice(1).map(Number), firstBlocking))
    return client({ status: 'ok', detail: `${path} ${found[0]}` });
  const detail = `${path} is ${found[0]}: before ${firstBlocking.join('.')} onFailure is ignored, and a hook that crashes or times out lets the call run`;
  return client({ status: 'warn', detail, fix: 'update Claude Code' });
};

/** Judges the node that runs this, which is the one that init writes into the settings. */
export const nodeRow = (version: string, path: string): Row => {
  const numbers = version.replace(/^v/, '').split('.').map(Number);
  return isAtLeast(numbers, [20, 19, 0])
    ? node({ status: 'ok', detail: `${path} ${version}` })
    : node({ status: 'fail', detail: `${path} is ${version}; hookwise needs 20.19`, fix: 'update Node' });
};

const isAtLeast = (found: readonly number[], wanted: readonly number[]): boolean => {
  for (const [at, least] of wanted.entries()) {
    const number = found[at] ?? 0;
    if (number !== least) return number > least;
  }
  return true;
};

const findInPath = (name: string, path: string): string | undefined =>
  path
    .split(':')
    .filter(isAbsolute)
    .map((directory) => join(directory, name))
    .find(isProgram);

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
