import type { CompiledPolicy, Role } from './policy.ts';

/** Who calls, where, and under which policy: everything `decide` needs besides the call and the facts. */
export interface Context {
  /** The project root as the host spells it, lexically normal. */
  readonly root: string;
  /** The same directory with links resolved. */
  readonly realRoot: string;
  readonly cwd: string;
  /** Home directories that `~/` stands for: the passwd entry's, and `$HOME` where it differs. */
  readonly homes: readonly string[];
  /** The login name, for `~name`. */
  readonly user: string;
  /** The session's role, and the narrower one of a subagent. A path is allowed only when all of them allow it. */
  readonly roles: readonly Role[];
  readonly roleName: string;
  readonly policy: CompiledPolicy;
  /** Whether the file system ignores case. */
  readonly foldCase: boolean;
  /** Absolute directories and files that are hookwise itself: configuration, state, sockets, the installed program. */
  readonly ownPaths: readonly string[];
  /** The calling session, for commands that name one. */
  readonly sessionId: string;
  /** Whether this session leads a team, whose members it may register. */
  readonly leadsTeam?: boolean;
  /** Directory in which the host keeps this session's own long outputs. */
  readonly sessionFiles?: string;
}
