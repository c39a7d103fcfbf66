import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const alphabet = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzCbDcXwZ';

/** Secrets that nobody ever had, put together so that no scan takes this file for a leak. */
export const fakes = {
  github: `ghp_${alphabet.slice(0, 36)}`,
  aws: `AKIA${'Z'.repeat(4)}Q7RTY2PLMNB4`,
  /** Only known by the name it stands under. */
  password: 'qX7_rain-Drop42',
} as const;

const keyLine = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${alphabet.slice(0, 32)}`;

/** A private key as a file holds it, `lines` long without its first and last line. */
export const fakeKey = (lines = 6): string =>
  [`-----BEGIN PRIVATE ${'KEY'}-----`, ...Array(lines).fill(keyLine), `-----END PRIVATE ${'KEY'}-----`].join('\n');

/** What came of one program. */
export interface ProgramRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A directory of its own with an empty home, and a git that knows nothing of this machine's configuration. */
export const scanSandbox = () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-scan-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'repo');
  const home = join(top, 'home');
  for (const directory of [root, home]) mkdirSync(directory);
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    HOOKWISE_HOME: join(top, 'own'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  const run = (
    program: string,
    words: readonly string[],
    { cwd = root, more = {} }: { readonly cwd?: string; readonly more?: Readonly<Record<string, string>> } = {},
  ): ProgramRun => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd, env: { ...env, ...more }, encoding: 'utf8' });
    return { code: status ?? -1, out: stdout, err: stderr };
  };
  return {
    top,
    root,
    home,
    env,
    run,
    /** Runs git and expects it to succeed. */
    git: (...words: readonly string[]): string => {
      const { code, out, err } = run('git', words);
      if (code !== 0) throw new Error(`git ${words.join(' ')}: ${err}`);
      return out;
    },
    write: (path: string | Buffer, text: string | Buffer): void => {
      const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path)]);
      if (typeof path === 'string') mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(file, text);
    },
    /** A repository with one commit in it. */
    start: (): void => {
      for (const words of [
        ['init', '-q', '-b', 'main'],
        ['commit', '-q', '--allow-empty', '-m', 'start'],
      ])
        if (run('git', words).code !== 0) throw new Error('git cannot make a repository');
    },
  };
};

export type ScanSandbox = ReturnType<typeof scanSandbox>;
