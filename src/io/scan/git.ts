import { spawnSync } from 'node:child_process';
import { errors } from '../../core/model/errors.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What came of one run of git. `code` is nothing when it was killed, or is not there to be run. */
export interface GitRun {
  readonly code: number | undefined;
  readonly out: Buffer;
  readonly error: string;
}

/** Runs git in one directory. */
export type Git = (words: readonly string[], input?: string) => GitRun;

/**
 * What git itself sets for a hook: without it the hook of `git commit -a`, or in a work tree, looks at another index. And
 * which of the person's own configuration files count.
 */
const kept = new Set([
  ...['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
]);

/** No network, no replaced objects, no question, no lock; and paths are paths, not patterns. */
const fixed = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
};

/** The environment for git, with few of its own variables in it. */
export const gitEnvironment = (env: Environment): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || (name.startsWith('GIT_') && !kept.has(name)) ? [] : [[name, value]],
    ),
  ),
  ...fixed,
});

/** Nothing that the repository's configuration names is started. */
const quiet = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'diff.relative=false'];

const mostOutput = 512 * 1024 * 1024;

/** A git that looks at the repository around `cwd` and changes nothing by itself. */
export const gitAt = (cwd: string, env: Environment): Git => {
  const environment = gitEnvironment(env);
  return (words, input = '') => {
    const run = spawnSync('git', [...quiet, ...words], { cwd, env: environment, input, maxBuffer: mostOutput });
    if (run.error !== undefined)
      return { code: undefined, out: Buffer.alloc(0), error: `git cannot be run: ${run.error.message}` };
    return { code: run.status ?? undefined, out: run.stdout, error: sanitizeText(run.stderr.toString('utf8').trim()) };
  };
};

/** The output of a run that has to succeed. Throws `Io` with git's own words. */
export const outputOf = (git: Git, words: readonly string[], input?: string): Buffer => {
  const run = git(words, input);
  if (run.code === 0) return run.out;
  throw errors.io(`git ${words[0]} failed: ${run.error.split('\n')[0] || `exit code ${run.code}`}`);
};
