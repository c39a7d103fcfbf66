import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';

/** The user-level directories, and what was not believed on the way to them. */
export interface Places {
  readonly config: string;
  readonly state: string;
  /** Sockets and tokens only. */
  readonly runtime: string;
  /** The home directory of the passwd entry. */
  readonly home: string;
  /** Every directory that `~/` may stand for. */
  readonly homes: readonly string[];
  /** One line per variable that was not used: its name and why. */
  readonly refused: readonly string[];
  /** The names of those variables. */
  readonly refusedNames: readonly string[];
}

export interface PlacesInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `os.userInfo().homedir`: the one home that the environment cannot change. */
  readonly passwdHome: string;
  /** The repository at hand; nothing of the user's may live inside it. */
  readonly root?: string;
  /** Names of the variables that the repository's own settings files define. */
  readonly repositoryEnv?: Iterable<string>;
}

const guarded = [
  'HOOKWISE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'HOME',
  'HOOKWISE_RUNTIME_DIR',
  'HOOKWISE_DEADLINE_MS',
] as const;
type Guarded = (typeof guarded)[number];

/** Finds the user-level places. A variable that the repository could be behind is refused, and its default used. */
export const resolvePlaces = (input: PlacesInput): Places => {
  const reasons = new Map<Guarded, string>();
  const defined = new Set(input.repositoryEnv ?? []);
  for (const name of guarded) if (defined.has(name)) reasons.set(name, "the repository's settings define it");

  /** The value of a variable that names a directory, unless it is refused. `fallback` is what holds without it. */
  const directory = (name: Guarded, fallback?: string): string | undefined => {
    const value = input.env[name];
    if (value === undefined || value === '' || reasons.has(name)) return undefined;
    const reason = refusal(value, { root: input.root, fallback });
    if (reason === undefined) return trimmed(value);
    reasons.set(name, reason);
    return undefined;
  };

  const home = trimmed(input.passwdHome);
  const moved = directory('HOOKWISE_HOME');
  const state = moved
    ? join(moved, 'state')
    : below(directory('XDG_STATE_HOME', join(home, '.local/state')), home, '.local/state');
  const config = moved
    ? join(moved, 'config')
    : below(directory('XDG_CONFIG_HOME', join(home, '.config')), home, '.config');
  const session = moved ? undefined : directory('XDG_RUNTIME_DIR');
  const shared = moved ? join(moved, 'run') : session === undefined ? join(state, 'run') : join(session, 'hookwise');
  const runtime = directory('HOOKWISE_RUNTIME_DIR') ?? shared;
  const homes = [...new Set([home, directory('HOME', home) ?? home])];
  const refused = [...reasons].map(([name, reason]) => `${name}: not used, ${reason}`);
  return { config, state, runtime, home, homes, refused, refusedNames: [...reasons.keys()] };
};

const below = (chosen: string | undefined, home: string, usual: string): string =>
  join(chosen ?? join(home, usual), 'hookwise');

const trimmed = (path: string): string => {
  const normal = normalize(path);
  return normal.length > 1 && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
};

const refusal = (
  value: string,
  place: { readonly root: string | undefined; readonly fallback: string | undefined },
): string | undefined => {
  if (!isAbsolute(value)) return 'it is not an absolute path';
  if (value.includes('\0')) return 'it is not a path';
  const path = trimmed(value);
  // Naming the place that holds anyway moves nothing, even when the home directory is itself a repository.
  if (place.root === undefined || path === place.fallback) return undefined;
  const roots = [trimmed(place.root), realAncestor(place.root)];
  const inside = [path, realAncestor(path)].some((candidate) => roots.some((root) => isWithin(root, candidate)));
  return inside ? `it points into the repository ${place.root}` : undefined;
};

const isWithin = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** The path with the links of its longest existing ancestor resolved. */
const realAncestor = (path: string): string => {
  const rest: string[] = [];
  let current = trimmed(path);
  for (;;) {
    try {
      return join(realpathSync(current), ...rest);
    } catch {
      // Missing, or a loop of links: its parent is what can be known.
      const parent = dirname(current);
      if (parent === current) return trimmed(path);
      rest.unshift(basename(current));
      current = parent;
    }
  }
};
