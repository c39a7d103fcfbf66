import type { Surroundings } from '../compose.ts';
import type { HookOptions } from './arguments.ts';

/** One start of the hook: what came in and under which options. */
export interface HookCall {
  readonly surroundings: Surroundings;
  readonly options: HookOptions;
  /** Milliseconds since the epoch at which the process was asked. */
  readonly startedAt: number;
  /** The working directory of the process, for payloads that name none. */
  readonly processCwd: string;
}
