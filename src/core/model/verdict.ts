/** The three answers on the wire. "No opinion" is not a verdict: it is the absence of one. */
export type Verdict = 'allow' | 'deny' | 'ask';

/** How strict a verdict is; a higher number wins a merge. */
const strictness: Record<Verdict, number> = { allow: 1, ask: 2, deny: 3 };

/** The stricter of two verdicts: deny > ask > allow > silent (`undefined`). */
export const strictest = (a: Verdict | undefined, b: Verdict | undefined): Verdict | undefined => {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return strictness[a] >= strictness[b] ? a : b;
};

/** Where a rule lives, from the broadest to the narrowest. */
export type ScopeLevel = 'org' | 'project' | 'user' | 'role';

/** Broad to narrow. */
export const scopeLevels: readonly ScopeLevel[] = ['org', 'project', 'user', 'role'];

/** Which stage produced a decision. Names are stable: they are stored and shown. */
export type DecisionTier =
  | 'SensitivePath'
  | 'Override'
  | 'PathPolicy'
  | 'ExactCache'
  | 'TokenJaccard'
  | 'EmbeddingSimilarity'
  | 'Supervisor'
  | 'Human'
  | 'Default';

/** The name of each tier in traces, logs and configuration. */
export const tierNames: Record<DecisionTier, string> = {
  SensitivePath: 'sensitive-path',
  Override: 'override',
  PathPolicy: 'path-policy',
  ExactCache: 'exact-cache',
  TokenJaccard: 'token-jaccard',
  EmbeddingSimilarity: 'embedding-similarity',
  Supervisor: 'supervisor',
  Human: 'human',
  Default: 'default',
};
