import { userInfo } from 'node:os';
import { errors } from '../core/model/errors.ts';
import type { Role } from '../core/model/policy.ts';
import { sanitizeText } from '../core/sanitize/sanitize.ts';
import { type Caller, callerOf } from '../io/process/caller.ts';
import type { WorkspaceOptions } from '../io/project/workspace-options.ts';
import { openGround, openProject, type Project, type Surroundings } from './compose.ts';

/** Put in by the build: what one build compiled is not taken for another's. */
declare const BUILD: string | undefined;

/** A project that is opened anew for each use, so that every answer is about the files as they are. */
export interface Workspace {
  readonly directory: string;
  readonly surroundings: Surroundings;
  readonly open: () => Project;
  /** Throws when the caller may not do this. `what` completes "an agent may not …". */
  readonly mayChange: (what: string, role?: Role) => void;
  /** Logs a change, sanitised. */
  readonly log: (project: Project, event: Readonly<Record<string, string | undefined>>) => void;
}

/** Finds the project. The readers of YAML, of shell commands and of similar calls are loaded here: importing the library stays cheap. */
export const workspaceAt = async (options: WorkspaceOptions): Promise<Workspace> => {
  const [{ compileSources }, { shellLanguage }, { localSimilarMemory }] = await Promise.all([
    import('../io/config/compile-sources.ts'),
    import('../core/similarity/language.ts'),
    import('../io/similar/similar-memory.ts'),
  ]);
  const { homedir, username } = userInfo();
  const { directory, env = process.env, now = Date.now } = options;
  const surroundings: Surroundings = {
    env,
    passwdHome: homedir,
    user: username,
    now,
    installed: import.meta.dirname,
    build: typeof BUILD === 'string' ? BUILD : 'source',
    loadCompiler: () => compileSources,
    shell: () => shellLanguage,
    loadSimilar: () => localSimilarMemory,
  };
  return {
    directory,
    surroundings,
    open: () => openProject(surroundings, openGround(surroundings, options.root ?? directory, options.root)),
    mayChange: (what, role) => mayChange(options.caller?.() ?? callerOf(env, process.pid), what, role),
    log: (project, event) => {
      const fields = Object.entries(event).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, sanitizeText(value).slice(0, longestText)]],
      );
      project.audit.append(Object.fromEntries(fields), new Date(now()).toISOString());
    },
  };
};

/** Longest piece of text that the log keeps. */
const longestText = 4096;

const mayChange = (caller: Caller, what: string, role: Role | undefined): void => {
  if (caller.kind === 'agent')
    throw errors.storage(`an agent may not ${what} (${caller.why}); a person does it in a terminal of their own`);
  if (caller.kind === 'script' && role?.category === 'full-access')
    throw errors.storage(`${role.name} is a full-access role: hookwise register gives it in a terminal`);
};
