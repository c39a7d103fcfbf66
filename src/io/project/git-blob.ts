import { spawnSync } from 'node:child_process';

/** A remote branch as it was last fetched, e.g. `origin/main`. */
export interface RemoteBranch {
  readonly remote: string;
  readonly branch: string;
}

const namePart = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Reads `<remote>/<branch>`; nothing when it is no such name. */
export const parseRemoteBranch = (text: string): RemoteBranch | undefined => {
  const [remote = '', ...rest] = text.split('/');
  const isName = rest.length > 0 && [remote, ...rest].every((part) => namePart.test(part) && !part.includes('..'));
  return isName ? { remote, branch: rest.join('/') } : undefined;
};

const largestBlob = 64 * 1024 * 1024;

/** What git may not be told by the environment, and what it may not do here: use a network, or replaced objects. */
const gitEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('GIT_') ? [] : [[name, value]],
    ),
  ),
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
});

export type BlobReading =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string };

/** A reader of files as they stand in a fetched branch; nothing is fetched. */
export const branchReader = (
  root: string,
  { branch, env }: { readonly branch: RemoteBranch; readonly env: Readonly<Record<string, string | undefined>> },
): ((path: string) => BlobReading) => {
  const ref = `refs/remotes/${branch.remote}/${branch.branch}`;
  const git = (words: readonly string[]) =>
    spawnSync('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...words], {
      cwd: root,
      env: gitEnvironment(env),
      maxBuffer: largestBlob,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  const id = commit.stdout?.toString('utf8').trim() ?? '';
  if (commit.status !== 0 || !/^[0-9a-f]{40,64}$/.test(id)) {
    const why =
      commit.error === undefined ? `${ref} is not a fetched branch` : `git cannot be run: ${commit.error.message}`;
    return () => ({ kind: 'failed', why });
  }
  return (path) => {
    const found = git(['ls-tree', '--full-tree', '-z', id, '--', path]);
    if (found.status !== 0)
      return { kind: 'failed', why: `git ls-tree failed: ${found.stderr?.toString('utf8').trim()}` };
    // `<mode> blob <object>\t<path>`: links and directories are no files.
    const object = /^100[0-7]{3} blob ([0-9a-f]{40,64})\t/.exec(found.stdout.toString('utf8'))?.[1];
    if (object === undefined) return { kind: 'absent' };
    const blob = git(['cat-file', 'blob', object]);
    if (blob.status === 0) return { kind: 'bytes', bytes: blob.stdout };
    return { kind: 'failed', why: `git cat-file failed: ${blob.stderr?.toString('utf8').trim()}` };
  };
};
