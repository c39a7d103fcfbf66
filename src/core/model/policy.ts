import type { SourceRef } from './record.ts';
import type { ScopeLevel } from './verdict.ts';

/** A glob of a path list, with where it was written. */
export interface GlobRule {
  readonly glob: string;
  readonly scope: ScopeLevel | 'builtin';
  readonly source?: SourceRef;
}

/** Which writes and reads a role's path policy settles. Globs are relative to the project root, or start with `~/` or `/`. */
export interface RolePaths {
  readonly allowWrite: readonly GlobRule[];
  readonly denyWrite: readonly GlobRule[];
  readonly allowRead: readonly GlobRule[];
}

export type RoleCategory = 'implementation' | 'knowledge' | 'full-access' | 'custom';

export interface Role {
  readonly name: string;
  /** What the role is for, in plain language: read by people and by the supervisor. */
  readonly description: string;
  readonly category: RoleCategory;
  /** The broadest scope that defines it; built-in roles count as the narrowest, `role`. */
  readonly scope: ScopeLevel;
  readonly paths: RolePaths;
}

/** Paths that need a person, or are refused, whatever the role. */
export interface SensitivePaths {
  readonly askWrite: readonly GlobRule[];
  readonly denyRead: readonly GlobRule[];
  readonly askRead: readonly GlobRule[];
  /** Carved out of `denyRead` and `askRead`: samples, and source files that only carry such a word in their name. */
  readonly exceptRead: readonly GlobRule[];
}

export type AskDelivery = 'auto' | 'native' | 'queue' | 'both';

/** Every number and switch of `policy.yml` and `config.yml`, after merging; defaults are in `core/policy/defaults.ts`. */
export interface Settings {
  readonly gating: 'auto' | 'always' | 'never';
  readonly humanTimeoutSecs: number;
  readonly registrationTimeoutSecs: number;
  readonly askDelivery: AskDelivery;
  readonly reads: 'allow' | 'abstain';
  readonly confidence: { readonly org: number; readonly project: number; readonly user: number };
  readonly similarity: {
    readonly mode: 'guarded' | 'seed' | 'off';
    readonly jaccardThreshold: number;
    readonly jaccardMinTokens: number;
    readonly embeddingThreshold: number;
  };
  readonly learning: {
    readonly human: 'project' | 'local';
    readonly llm: 'project' | 'local';
    readonly native: 'exact' | 'off' | 'full';
    readonly persistTiers: readonly string[];
  };
  readonly registrationConfirm: 'always' | 'full_access_only';
  /** Registers a session at its start. User or org configuration only; never a full-access role. */
  readonly defaultRole?: string;
  /** Full-access roles that `HOOKWISE_ROLE` may name. */
  readonly envRoleAllow: readonly string[];
  /** `agent_type` → role for subagents; a subagent never holds a wider role than its session. */
  readonly agents: Readonly<Record<string, string>>;
  readonly pathPolicyOrder: 'strictest' | 'seed';
  readonly globs: 'segment' | 'globset';
  /** Tool name (or `mcp__server__*` glob) → how risky a call is; default `execute`. */
  readonly tools: Readonly<Record<string, 'inspect' | 'modify' | 'execute'>>;
  /** Built-in permissions for shell commands by the last part of their rule id; `off` leaves the call to the later tiers. */
  readonly builtin: Readonly<Record<string, 'allow' | 'off'>>;
  readonly supervisor: SupervisorSettings;
  readonly embeddingModel?: string;
}

export type SupervisorSettings =
  | { readonly backend: 'socket'; readonly socketPath?: string }
  | { readonly backend: 'api'; readonly apiBaseUrl: string; readonly model: string; readonly maxTokens: number };

/** A statement of a repository file that gives somebody more than they would have without it. */
export interface WideningLine {
  readonly source: SourceRef;
  /** For people, e.g. `roles.coder.paths.allow_write adds "docs/**"`. */
  readonly statement: string;
  /** SHA-256 (hex) of file name and statement: what `trust` records. */
  readonly digest: string;
}

/** Something wrong in a configuration file. `broken`: the file could not be read at all, so nothing it may have denied is known. */
export interface ConfigProblem {
  readonly source: SourceRef;
  readonly reason: string;
  readonly severity: 'broken' | 'warning';
}

/** All policy of one root for one user, ready to decide with. Plain data: stored as JSON. */
export interface CompiledPolicy {
  readonly roles: Readonly<Record<string, Role>>;
  readonly sensitive: SensitivePaths;
  readonly settings: Settings;
  /** Organisations whose floor holds here, the default one first; set by user configuration, never by the repository alone. */
  readonly orgs: readonly string[];
  /** Widening statements of the repository that are not in force for want of trust. */
  readonly untrusted: readonly WideningLine[];
  readonly problems: readonly ConfigProblem[];
}
