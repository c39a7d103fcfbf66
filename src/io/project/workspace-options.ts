import type { Caller } from '../process/caller.ts';

/** Which project a program works on, and as whom. */
export interface WorkspaceOptions {
  /** A directory of the project: where its session was started. */
  readonly directory: string;
  /** Fixes the project root, instead of the git top level above `directory`. */
  readonly root?: string;
  /** Instead of this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Who started this program; found out by itself when not given. An agent may change nothing. */
  readonly caller?: () => Caller;
}
