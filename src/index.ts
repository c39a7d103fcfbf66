export {
  extractFilePath,
  type HookInput,
  type HookOutput,
  hookOutput,
  parseHookInput,
} from './agents/claude-code/wire.ts';
export {
  type CallToJudge,
  type CascadeOptions,
  type CascadeRunner,
  callJudge,
  cascadeRunner,
  type Judgement,
  jsonlStorage,
  pathPolicyEngine,
  policyAt,
  readHookInput,
  writeHookOutput,
} from './apps/library.ts';
export {
  type RoleAssignment,
  type SessionManager,
  type SessionManagerOptions,
  sessionManager,
} from './apps/session-manager.ts';
export type { CascadeInput, CascadeTier, SessionContext } from './core/engine/cascade.ts';
export { type CacheStats, type ExactCache, exactCache } from './core/engine/exact-cache.ts';
export { explain } from './core/engine/explain.ts';
export {
  type CompiledPathPolicy,
  compilePathPolicy,
  type PathPlace,
  type PathPolicyOptions,
} from './core/engine/path-policy.ts';
export type { LookupKey } from './core/engine/record-match.ts';
export {
  type DecisionSource,
  type RoleHolder,
  type ScopedDecision,
  type ScopeResolver,
  scopeResolver,
} from './core/engine/scope-resolver.ts';
export type { Decision as Ruling, Evaluation, TraceStep } from './core/model/decision.ts';
export {
  errors,
  HookwiseError,
  HookwiseError as CaptainHookError,
  type HookwiseErrorKind,
} from './core/model/errors.ts';
export type { FactQuery, Facts, PathFact } from './core/model/facts.ts';
export type {
  CompiledPolicy as PolicyConfig,
  GlobRule,
  Role as RoleDefinition,
  RolePaths,
  SensitivePaths,
  Settings,
} from './core/model/policy.ts';
export type { HumanResponse, LearnTarget, PendingDecision, SupervisorRecommendation } from './core/model/queue.ts';
export type {
  CacheKey,
  Change,
  ContextClass,
  DecisionMetadata,
  DecisionRecord,
  OverridePattern,
  SlotType,
  SourceRef,
} from './core/model/record.ts';
export { recordFromJson } from './core/model/record-from-json.ts';
export { fail, ok, type Result } from './core/model/result.ts';
export {
  type DecisionTier,
  type ScopeLevel,
  scopeLevels,
  strictest,
  tierNames,
  type Verdict as Decision,
} from './core/model/verdict.ts';
export { builtinRoles } from './core/policy/roles.ts';
export { defaultSensitivePaths } from './core/policy/sensitive.ts';
export { type EntropyLimits, shannonEntropy } from './core/sanitize/entropy.ts';
export { type SanitizedJson, sanitizeJson } from './core/sanitize/json.ts';
export {
  ahoCorasickSanitizer,
  defaultPipeline,
  entropySanitizer,
  type Layer,
  type Pipeline as SanitizePipeline,
  regexSanitizer,
  type Sanitized,
  type Sanitizer,
  sanitizePipeline,
  sanitizeText,
} from './core/sanitize/sanitize.ts';
export { type Embedder, type EmbeddingInput, type LocalEmbedder, localEmbedder } from './core/similarity/embedder.ts';
export {
  type TokenEntry,
  type TokenJaccard,
  type TokenNeighbour,
  tokenJaccard,
} from './core/similarity/token-jaccard.ts';
export { jaccardCoefficient, tokenize } from './core/similarity/tokens.ts';
export type { Audience } from './gate/audience.ts';
export type { Caller } from './io/process/caller.ts';
export type { WorkspaceOptions } from './io/project/workspace-options.ts';
export type { SecretFinding } from './io/scan/secret-scan.ts';
export type { StorageBackend } from './io/stores/jsonl-storage.ts';
export { type ClosedItem, type QueueProblem, type QueueStore as DecisionQueue, queueStore } from './io/stores/queue.ts';
export type { TrustMark } from './io/stores/trust.ts';
