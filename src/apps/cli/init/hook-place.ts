import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Git } from '../../../io/scan/git.ts';

export const hookKinds = ['git', 'husky', 'lefthook'] as const;

/** What runs a repository's hooks. */
export type HookKind = (typeof hookKinds)[number];

/** Where a hook before each commit would go. */
export interface HookPlace {
  readonly kind: HookKind;
  readonly path: string;
  /** Part of the repository: it has to be committed, and everybody who uses the repository gets it. */
  readonly isShared: boolean;
  /** Why it cannot be changed by a program. */
  readonly obstacle?: string;
}

const lefthookNames = ['lefthook.yml', '.lefthook.yml', 'lefthook.yaml', '.lefthook.yaml'].flatMap((name) => [
  name,
  join('.config', name),
]);
const lefthookOthers = ['lefthook.toml', '.lefthook.toml', 'lefthook.json', '.lefthook.json'];

/** What runs the hooks of a repository, as far as its files say. */
export const detectHooks = (root: string): HookKind => {
  if ([...lefthookNames, ...lefthookOthers].some((name) => existsSync(join(root, name)))) return 'lefthook';
  return existsSync(join(root, '.husky')) ? 'husky' : 'git';
};

/** Where the hook goes; a text when this repository has no place for it. */
export const hookPlace = (kind: HookKind, root: string, git: Git): HookPlace | string => {
  switch (kind) {
    case 'git':
      return gitPlace(root, git);
    case 'husky':
      return huskyPlace(root);
    case 'lefthook':
      return lefthookPlace(root);
  }
};

const huskyPlace = (root: string): HookPlace => {
  const place = { kind: 'husky', path: join(root, '.husky', 'pre-commit'), isShared: true } as const;
  return existsSync(join(root, '.husky')) ? withObstacle(place) : { ...place, obstacle: 'there is no .husky here' };
};

const lefthookPlace = (root: string): HookPlace => {
  const other = lefthookOthers.find((name) => existsSync(join(root, name)));
  const found = lefthookNames.find((name) => existsSync(join(root, name)));
  const path = join(root, found ?? other ?? 'lefthook.yml');
  const place = { kind: 'lefthook', path, isShared: true } as const;
  return found === undefined && other !== undefined
    ? { ...place, obstacle: 'only YAML is changed by hookwise' }
    : withObstacle(place);
};

const gitPlace = (root: string, git: Git): HookPlace | string => {
  const [hook, common, top] = [['--git-path', 'hooks/pre-commit'], ['--git-common-dir'], ['--show-toplevel']].map(
    (words) => {
      const run = git(['rev-parse', ...words]);
      return run.code === 0 ? real(resolve(root, run.out.toString('utf8').replace(/\n$/, ''))) : undefined;
    },
  );
  if (hook === undefined || common === undefined || top === undefined) return 'git sees no repository with files here';
  const isShared = !isBelow(hook, common) && isBelow(hook, top);
  const place = { kind: 'git', path: hook, isShared } as const;
  if (!isBelow(hook, common) && !isBelow(hook, top))
    return { ...place, obstacle: 'core.hooksPath names a directory that other repositories use too' };
  return withObstacle(place);
};

const isBelow = (path: string, directory: string): boolean => path.startsWith(`${directory}/`);

/** Links on the way to a path resolved; its last part may be a link or missing. */
const real = (path: string): string => {
  const directory = dirname(path);
  if (directory === path) return path;
  if (existsSync(directory)) return join(realpathSync(directory), path.slice(directory.length));
  return join(real(directory), path.slice(directory.length));
};

const withObstacle = (place: HookPlace): HookPlace => {
  const found = lstatSync(place.path, { throwIfNoEntry: false });
  if (found === undefined) return place;
  if (found.isSymbolicLink()) return { ...place, obstacle: 'it is a link' };
  if (!found.isFile()) return { ...place, obstacle: 'it is no file' };
  return place.kind === 'git' && (found.mode & 0o111) === 0
    ? { ...place, obstacle: 'it is not executable, so git passes it over' }
    : place;
};
