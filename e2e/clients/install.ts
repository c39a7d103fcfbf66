import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord, textOf } from '../model/json.ts';

/** The client versions under test: one with `onFailure`, one that ignores it. */
export const clientVersions = ['2.1.328', '2.1.197'] as const;
export type ClientVersion = (typeof clientVersions)[number];

/** A client that can be started, or the reason why there is none on this machine. */
export type Install =
  | { readonly kind: 'ready'; readonly version: ClientVersion; readonly executable: string }
  | { readonly kind: 'absent'; readonly version: ClientVersion; readonly reason: string };

const scope = join('node_modules', '@anthropic-ai');
const installTimeoutMs = 240_000;
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|E401|E403|E404|E50[234]|ETARGET|ERR_SOCKET_TIMEOUT)\b|network|timed out/;

/** Where installed clients are kept: outside the repository, shared by all runs. */
const cacheDirectory = (environment: NodeJS.ProcessEnv): string =>
  environment.HOOKWISE_E2E_CACHE ?? join(environment.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hookwise-e2e');

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The native executable in an install directory; npm has already picked the platform's package. */
const findExecutable = (directory: string): string | undefined => {
  const packages = join(directory, scope);
  if (!existsSync(packages)) return undefined;
  return readdirSync(packages)
    .filter((name) => name.startsWith(`claude-code-${process.platform}-${process.arch}`))
    .map((name) => join(packages, name, 'claude'))
    .find(isExecutable);
};

const failureText = (error: unknown): string =>
  isRecord(error) ? `${textOf(error.stderr) ?? ''}\n${textOf(error.message) ?? ''}` : String(error);

/** A reason to skip when npm could not fetch the package here; undefined for a failure worth an alarm. */
const skipReason = (text: string): string | undefined => {
  const found = unreachable.exec(text);
  return found === null ? undefined : `not installable here: npm could not fetch the client (${found[0]})`;
};

const npmInstall = async (version: ClientVersion, directory: string): Promise<string | undefined> => {
  writeFileSync(join(directory, 'package.json'), '{"name":"hookwise-e2e-client","private":true}\n');
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  try {
    await promisify(execFile)('npm', ['install', ...options, `@anthropic-ai/claude-code@${version}`], {
      cwd: directory,
      timeout: installTimeoutMs,
      encoding: 'utf8',
    });
    return undefined;
  } catch (error) {
    const text = failureText(error);
    const reason = skipReason(text);
    if (reason === undefined) throw new Error(`npm install of claude-code ${version} failed: ${text.trim()}`);
    return reason;
  }
};

/** Installs a pinned client once; later calls find it in the cache. */
export const installClient = async (version: ClientVersion): Promise<Install> => {
  const cache = cacheDirectory(process.env);
  const directory = join(cache, version);
  const present = findExecutable(directory);
  if (present !== undefined) return { kind: 'ready', version, executable: present };
  mkdirSync(cache, { recursive: true });
  // A half-finished install must never look whole, so it is built aside and renamed.
  const aside = mkdtempSync(join(cache, `${version}.partial-`));
  try {
    const reason = await npmInstall(version, aside);
    if (reason !== undefined) return { kind: 'absent', version, reason };
    if (findExecutable(aside) === undefined) {
      const where = `${process.platform}-${process.arch}`;
      return { kind: 'absent', version, reason: `not installable here: npm gave no executable for ${where}` };
    }
    rmSync(directory, { recursive: true, force: true });
    renameSync(aside, directory);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  const executable = findExecutable(directory);
  if (executable === undefined) throw new Error(`claude-code ${version} vanished from ${directory}`);
  return { kind: 'ready', version, executable };
};
