import type { Finding, TraceStep } from '../model/decision.ts';
import { toolFamily } from '../model/entry-key.ts';
import type { Neighbour, Neighbours, SimilarMemory, SimilarQuery } from '../model/neighbour.ts';
import type { DecisionTier } from '../model/verdict.ts';
import type { ShellLanguage } from '../similarity/language.ts';
import { tokenize } from '../similarity/tokens.ts';
import { type Plan, placeOf } from './plan.ts';
import { type SlotKnowledge, slotObjection } from './slot-rules.ts';

/** What the similarity tiers work with. */
export interface SimilarityKnowledge extends SlotKnowledge {
  readonly similar: () => SimilarMemory;
  readonly shell: () => ShellLanguage;
}

/** What the similarity tiers say about a call that nothing else settles. */
export interface Similarity {
  readonly finding?: Finding;
  readonly trace: readonly TraceStep[];
}

/**
 * Tiers 2a and 2b. An ask that is like the call makes it a question for a person; a deny that is like it keeps both tiers
 * from allowing; an allow is carried over, in guarded mode only between calls of one shape. Nothing found here is stored.
 */
export const judgeSimilar = (known: SimilarityKnowledge): Similarity => {
  const { similarity } = known.plan.context.policy.settings;
  const trace: TraceStep[] = [];
  if (similarity.mode === 'off') return { trace };
  let blocked: string | undefined;
  for (const stage of stagesOf(known)) {
    const neighbours = stage.look();
    const judged = judgeStage({ ...stage, neighbours, blocked }, known);
    trace.push({ stage: stage.name, looked: `${neighbours.found.length} like it`, outcome: judged.outcome });
    if (judged.finding !== undefined) return { finding: judged.finding, trace };
    blocked ??= judged.blockedBy;
  }
  return { trace };
};

interface Stage {
  readonly name: string;
  readonly tier: DecisionTier;
  readonly look: () => Neighbours;
}

const stagesOf = ({ plan, similar }: SimilarityKnowledge): readonly Stage[] => {
  const { similarity } = plan.context.policy.settings;
  const { key, shape } = plan;
  const query = (threshold: number): SimilarQuery => ({
    tool: key.tool,
    text: key.sanitized,
    ...(similarity.mode === 'guarded' ? { shape: shape?.text ?? '' } : {}),
    threshold,
  });
  const embeddings: Stage = {
    name: 'similar by meaning',
    tier: 'EmbeddingSimilarity',
    look: () => similar().nearEmbeddings(query(similarity.embeddingThreshold)),
  };
  if (tokenize(key.sanitized).length < similarity.jaccardMinTokens) return [embeddings];
  const tokens: Stage = {
    name: 'similar by words',
    tier: 'TokenJaccard',
    look: () => similar().nearTokens(query(similarity.jaccardThreshold)),
  };
  return [tokens, embeddings];
};

interface Judging extends Stage {
  readonly neighbours: Neighbours;
  /** A deny that an earlier stage found. */
  readonly blocked: string | undefined;
}

interface Judged {
  readonly outcome: string;
  readonly finding?: Finding;
  readonly blockedBy?: string;
}

const judgeStage = (judging: Judging, known: SimilarityKnowledge): Judged => {
  const { neighbours, tier } = judging;
  const relevant = neighbours.found.filter((neighbour) => concerns(neighbour, known.plan));
  const asked = relevant.find(({ entry }) => entry.verdict === 'ask');
  if (asked !== undefined) {
    const finding = findingOf(asked, { tier, why: `is like a call that is asked each time (${percent(asked)})` });
    return { finding, outcome: `ask: ${where(asked)}` };
  }
  const denied = relevant.find(({ entry }) => entry.verdict === 'deny');
  const blockedBy = judging.blocked ?? (denied === undefined ? undefined : where(denied));
  if (blockedBy !== undefined) return { outcome: `nothing: a denied call is like it (${blockedBy})`, blockedBy };
  if (neighbours.problem !== undefined) return { outcome: `nothing: ${neighbours.problem}` };
  return carried(relevant, { tier, known });
};

const carried = (
  relevant: readonly Neighbour[],
  { tier, known }: { readonly tier: DecisionTier; readonly known: SimilarityKnowledge },
): Judged => {
  const allows = relevant.filter(({ entry }) => entry.verdict === 'allow' && seeds(entry.tier));
  if (allows.length === 0) return { outcome: 'nothing' };
  const refused = refusal(known);
  if (refused !== undefined) return { outcome: `nothing: ${refused}` };
  const isGuarded = known.plan.context.policy.settings.similarity.mode === 'guarded';
  const source = allows.find((neighbour) => !isGuarded || isSameShape(neighbour, known));
  if (source === undefined) return { outcome: 'nothing: the allowed calls like it differ in more than data' };
  const how = isGuarded ? 'differs only in data from' : 'is like';
  const finding = findingOf(source, {
    tier,
    why: `${how} a call that was allowed (${percent(source)}): ${source.text.slice(0, 200)}`,
  });
  return { finding, outcome: `allow: ${where(source)}` };
};

/** Why nothing may be carried over to this call, whatever is like it. */
const refusal = (known: SimilarityKnowledge): string | undefined => {
  const { plan } = known;
  if (!plan.complete) return 'not everything in the call is understood';
  if (plan.key.lossy) return 'the call lost text to redaction';
  if (plan.effects.some(({ risk }) => risk !== undefined)) return 'calls of its class are asked each time';
  if (plan.context.policy.settings.similarity.mode !== 'guarded') return undefined;
  if (plan.shape === undefined) return 'the call can only be remembered exactly';
  return slotObjection(plan.shape, known);
};

/** What counts for this role and this family of tools; an allow only for the same tool in the same place. */
const concerns = ({ entry, context }: Neighbour, { key, context: here }: Plan): boolean => {
  if (entry.role !== '*' && entry.role !== here.roleName) return false;
  if (entry.verdict !== 'allow') return toolFamily(entry.tool) === toolFamily(key.tool);
  return entry.tool === key.tool && (context ?? 'root') === key.context && entry.generalised === undefined;
};

/** Only what a person decided is carried on: what was carried once is not carried again, and a model's word not at all. */
const seeds = (tier: DecisionTier): boolean => tier === 'Human' || tier === 'Override';

const isSameShape = (neighbour: Neighbour, { plan, shell }: SimilarityKnowledge): boolean => {
  if (plan.shape === undefined) return false;
  const other = shell().shape(neighbour.text, placeOf(plan.context));
  return other.kind === 'shape' && other.text === plan.shape.text && other.effects === plan.shape.effects;
};

const percent = ({ score }: Neighbour): string => `${Math.floor(score * 100)} %`;

const where = ({ entry, score }: Neighbour): string =>
  `${entry.source.file}:${entry.source.line}, ${Math.floor(score * 100)} % alike`;

const findingOf = (
  { entry, score }: Neighbour,
  { tier, why }: { readonly tier: DecisionTier; readonly why: string },
): Finding => ({
  verdict: entry.verdict,
  ruleId: `similar.${entry.scope}`,
  tier,
  scope: entry.scope,
  why,
  clear: entry.verdict === 'allow' ? '' : 'a person answers, and the answer is remembered',
  source: entry.source,
  yieldsTo: [],
  learnable: true,
  confidence: score,
});
