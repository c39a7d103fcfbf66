import type { Role } from '../model/policy.ts';
import type { DecisionRecord } from '../model/record.ts';
import type { DecisionTier } from '../model/verdict.ts';
import type { CompiledPathPolicy } from './path-policy.ts';

/** What is known about one session. */
export interface SessionContext {
  readonly sessionId: string;
  /** The login of the operating system. */
  readonly user: string;
  /** The first path segment of the `origin` remote, `local` without one. It names; it grants nothing. */
  readonly org: string;
  readonly project: string;
  /** The team, when the session works in one. */
  readonly team?: string;
  /** The working directory in which the session was looked up. */
  readonly cwd: string;
  /** Absent: the session has no role yet, or is disabled. */
  readonly role?: Role;
  readonly pathPolicy?: CompiledPathPolicy;
  readonly agentPromptHash?: string;
  readonly agentPromptPath?: string;
  readonly taskDescription?: string;
  /** ISO 8601, UTC. */
  readonly registeredAt?: string;
  readonly disabled: boolean;
}

/** One call as every tier sees it. */
export interface CascadeInput {
  readonly session: SessionContext;
  readonly toolName: string;
  /** The raw input: looked at, never stored. */
  readonly toolInput: unknown;
  /** The call's canonical text without its secrets. */
  readonly sanitizedInput: string;
  readonly filePath?: string;
}

/** One stage that may settle a call. */
export interface CascadeTier {
  readonly tier: DecisionTier;
  /** The stable name of the tier, as stored and shown. */
  readonly name: string;
  /** Nothing: this tier leaves the call to the next one. */
  readonly evaluate: (input: CascadeInput) => Promise<DecisionRecord | undefined>;
}
