import { join } from 'node:path';
import { errors } from '../../core/model/errors.ts';
import type { ScopeLevel, Verdict } from '../../core/model/verdict.ts';

export interface RulesFile {
  readonly path: string;
  /** The only verdict the file is for; absent when it holds all three. */
  readonly verdict?: Verdict;
}

/** One place where remembered decisions live, and what they count as. */
export interface RulesLocation {
  readonly kind: 'project' | 'repository-user' | 'user' | 'org';
  readonly scope: ScopeLevel;
  /** Names the location; two locations never share it. */
  readonly path: string;
  readonly files: readonly RulesFile[];
  /** The directories on the way, outermost first, that must be real ones. */
  readonly directories: readonly string[];
  /** A repository can bring these files along: their allows count only when trusted line by line. */
  readonly inRepository: boolean;
}

const byVerdict = (directory: string): RulesFile[] => [
  { path: join(directory, 'allow.jsonl'), verdict: 'allow' },
  { path: join(directory, 'deny.jsonl'), verdict: 'deny' },
  { path: join(directory, 'ask.jsonl'), verdict: 'ask' },
];

/** `.hookwise/rules/{allow,deny,ask}.jsonl`: reviewed in git. */
export const projectRules = (root: string): RulesLocation => {
  const own = join(root, '.hookwise');
  const path = join(own, 'rules');
  return {
    kind: 'project',
    scope: 'project',
    path,
    files: byVerdict(path),
    directories: [own, path],
    inRepository: true,
  };
};

/** `.hookwise/.user/user.jsonl`: this user's entries of this repository, never committed. */
export const repositoryUserRules = (root: string): RulesLocation => {
  const own = join(root, '.hookwise');
  const directory = join(own, '.user');
  const path = join(directory, 'user.jsonl');
  return {
    kind: 'repository-user',
    scope: 'user',
    path,
    files: [{ path }],
    directories: [own, directory],
    inRepository: true,
  };
};

/** `<config>/user/rules.jsonl`: this user's entries for every repository. */
export const userRules = (config: string): RulesLocation => {
  const directory = join(config, 'user');
  const path = join(directory, 'rules.jsonl');
  return {
    kind: 'user',
    scope: 'user',
    path,
    files: [{ path }],
    directories: [config, directory],
    inRepository: false,
  };
};

/** `<config>/org/<org>/rules/{allow,deny,ask}.jsonl`. */
export const orgRules = (config: string, org: string): RulesLocation => {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(org)) {
    throw errors.storage(
      `"${org.slice(0, 128)}" cannot be the name of an organisation: use letters, digits, "_", "-" and "."`,
    );
  }
  const own = join(config, 'org', org);
  const path = join(own, 'rules');
  return {
    kind: 'org',
    scope: 'org',
    path,
    files: byVerdict(path),
    directories: [config, join(config, 'org'), own, path],
    inRepository: false,
  };
};
