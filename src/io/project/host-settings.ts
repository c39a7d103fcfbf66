import { readFileSync } from 'node:fs';

/** Environment names a repository's own host settings define, by file. */
export interface RepositoryEnvironment {
  readonly names: ReadonlySet<string>;
  readonly definedIn: ReadonlyMap<string, string>;
  /** Settings files that are there but cannot be read as JSON. */
  readonly unreadable: readonly string[];
}

const files = ['.claude/settings.json', '.claude/settings.local.json'];

/** Names that change what a hook process runs or where it looks: a repository has no business setting them. */
export const riskyNames = (name: string): boolean =>
  /^(?:PATH|HOME|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|BASH_ENV|ENV|CLAUDE_PROJECT_DIR|CLAUDE_CODE_SESSION_ATTENDED|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CONFIG_DIR|CLAUDE_TEAM_ID)$|^(?:LD_|DYLD_|XDG_|HOOKWISE_|CAPTAIN_HOOK_|AGENT_)/.test(
    name,
  );

/** Reads the `env` blocks of the repository's Claude Code settings. */
export const repositoryEnvironment = (root: string): RepositoryEnvironment => {
  const definedIn = new Map<string, string>();
  const unreadable: string[] = [];
  for (const file of files) {
    const path = `${root}/${file}`;
    const text = readText(path);
    if (text === undefined) continue;
    const names = envNames(text);
    if (names === undefined) unreadable.push(path);
    for (const name of names ?? []) definedIn.set(name, path);
  }
  return { names: new Set(definedIn.keys()), definedIn, unreadable };
};

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const envNames = (text: string): string[] | undefined => {
  try {
    const settings: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (typeof settings !== 'object' || settings === null || !('env' in settings)) return [];
    const { env } = settings;
    return typeof env === 'object' && env !== null ? Object.keys(env) : [];
  } catch {
    return undefined;
  }
};
