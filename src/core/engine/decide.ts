import type { Context } from '../model/context.ts';
import type { Evaluation, Finding, Outcome, TraceStep } from '../model/decision.ts';
import type { Effect } from '../model/effect.ts';
import type { Facts } from '../model/facts.ts';
import type { Change } from '../model/record.ts';
import { toolRisk } from '../policy/compile-settings.ts';
import { controlFinding } from './control-rules.ts';
import type { Matchers } from './matchers.ts';
import { entryFindings, overrideFindings, type Remembered } from './memory-rules.ts';
import { decisionOf, mergeFindings } from './merge.ts';
import { objectionsTo, type PathUse, readFindings, sensitiveRead, writeFindings } from './path-rules.ts';
import { asResolved, type Plan } from './plan.ts';
import { isAlone, shellFindings, shellPathFindings, shellWords } from './shell-rules.ts';
import { judgeSimilar, type SimilarityKnowledge } from './similarity-rules.ts';
import { slotObjection } from './slot-rules.ts';
import { type Spelling, spellingsOf } from './spellings.ts';

/** What `decide` needs besides the plan. */
export interface Knowledge {
  readonly facts: Facts;
  readonly matchers: Matchers;
}

/**
 * Judges a planned call. Deterministic: the same plan and facts give the same answer. Every stage is consulted and
 * the strictest finding wins; no finding leaves the call open for the later tiers.
 */
export const decide = (plan: Plan, { facts, matchers }: Knowledge): Evaluation => {
  const { effects, complete, context } = plan;
  const silent = abstention(plan);
  if (silent !== undefined) {
    const trace = [{ stage: 'inert', looked: plan.request.call.tool, outcome: silent }];
    return { outcome: { kind: 'abstain', why: silent }, effects, complete, trace };
  }
  const stages = collect(plan, { facts, matchers });
  const findings = stages.flatMap((stage) => stage.findings);
  const broken = [...brokenPolicy(context), ...damagedMemory(facts)];
  const winner = mergeFindings([...findings, ...broken]);
  const trace: TraceStep[] = [...stages, { stage: 'configuration', looked: 'policy files', findings: broken }].map(
    render,
  );
  const change = changeOf(plan, facts);
  return { outcome: outcomeOf(winner, plan), effects, complete, trace, ...(change === undefined ? {} : { change }) };
};

interface Stage {
  readonly stage: string;
  readonly looked: string;
  readonly findings: readonly Finding[];
}

const render = ({ stage, looked, findings }: Stage): TraceStep => ({
  stage,
  looked,
  outcome: findings.length === 0 ? 'nothing' : findings.map(describe).join('; '),
});

const describe = (finding: Finding): string => {
  const where = finding.source === undefined ? '' : ` (${finding.source.file}:${finding.source.line})`;
  return `${finding.verdict} [${finding.ruleId}] ${finding.why}${where}`;
};

/** Calls about which hookwise has no opinion: the host's own flow goes on. */
const abstention = ({ request }: Plan): string | undefined => {
  const { action } = request.call;
  if (action.kind === 'inert') return 'the tool changes nothing outside the conversation';
  if (action.kind === 'delegate') return 'every call of the subagent is judged by itself';
  return undefined;
};

const collect = (plan: Plan, { facts, matchers }: Knowledge): Stage[] => {
  const { request, context, key } = plan;
  const { call } = request;
  const uses = plan.effects.flatMap((effect) => usesOf(effect, plan, facts));
  const shellPaths = plan.shell === undefined ? [] : shellPathFindings(plan.shell.reading, { plan, facts, matchers });
  const remembered: Remembered = {
    call,
    key,
    change: changeOf(plan, facts),
    spellings:
      call.action.kind === 'opaque' || plan.shell !== undefined ? [] : uses.flatMap(({ use }) => use.spellings),
    slotObjection: () => (plan.shape === undefined ? 'no shape' : slotObjection(plan.shape, { plan, facts, matchers })),
    ...(plan.shell === undefined ? {} : { reading: plan.shell.reading }),
  };
  const paths =
    plan.shell === undefined
      ? uses.flatMap(({ kind, use }) => pathFindings(kind, { use, plan, matchers }))
      : shellPaths;
  const names = uses.map(({ use }) => use.spelled).join(', ');
  const overrides = overrideFindings(facts.overrides, remembered, { context, matchers });
  return [
    { stage: 'input', looked: call.tool, findings: malformed(plan) },
    { stage: 'control plane', looked: 'hookwise commands', findings: controls(plan) },
    { stage: 'tool', looked: call.tool, findings: inspectingTool(plan) },
    { stage: 'paths', looked: names === '' ? 'no paths' : names, findings: paths },
    { stage: 'shell', looked: shellWords(plan), findings: shellFindings(plan) },
    { stage: 'overrides', looked: `${facts.overrides.length} overrides`, findings: overrides },
    {
      stage: 'exact memory',
      looked: `${facts.entries.length} entries`,
      findings: entryFindings(facts.entries, remembered, context),
    },
  ];
};

const malformed = ({ request }: Plan): Finding[] => {
  const { action } = request.call;
  if (action.kind !== 'malformed') return [];
  const shared = { tier: 'Default', scope: 'builtin', yieldsTo: [], learnable: false } as const;
  return [
    {
      ...shared,
      verdict: action.verdict,
      ruleId: 'input.malformed',
      why: action.why,
      clear: 'the agent sends a well-formed call',
    },
  ];
};

/** A tool that an owner's configuration calls harmless to inspect with. */
const inspectingTool = ({ request, context }: Plan): Finding[] => {
  const { call } = request;
  if (call.action.kind !== 'opaque' || toolRisk(context.policy.settings.tools, call.tool) !== 'inspect') return [];
  const shared = { tier: 'Default', scope: 'builtin', yieldsTo: [], learnable: false } as const;
  const why = `tools.${call.tool} is configured as inspect`;
  return [{ ...shared, verdict: 'allow', ruleId: 'tool.inspect', why, clear: '' }];
};

const controls = (plan: Plan): Finding[] =>
  plan.effects.flatMap((effect) =>
    effect.kind === 'control'
      ? [controlFinding({ command: effect.command, isAlone: isAlone(plan) }, plan.context)]
      : [],
  );

interface Use {
  readonly kind: 'read' | 'write' | 'delete';
  readonly use: PathUse;
}

const usesOf = (effect: Effect, { request, context }: Plan, facts: Facts): Use[] => {
  if (effect.kind !== 'read' && effect.kind !== 'write' && effect.kind !== 'delete') return [];
  const fact = facts.paths.get(effect.path);
  const resolved = asResolved(effect.spelled, context).map((path) => facts.paths.get(path));
  const spellings = spellingsOf(effect.path, [fact, ...resolved], context);
  const { action } = request.call;
  const text = action.kind === 'write' ? action.text : [];
  return [{ kind: effect.kind, use: { spelled: effect.spelled, spellings, fact, text } }];
};

const pathFindings = (
  kind: Use['kind'],
  { use, plan, matchers }: { readonly use: PathUse; readonly plan: Plan; readonly matchers: Matchers },
): Finding[] => {
  const { context, request } = plan;
  const { action } = request.call;
  if (action.kind === 'opaque') {
    const onlyReads = toolRisk(context.policy.settings.tools, request.call.tool) === 'inspect';
    return onlyReads ? sensitiveRead(use, matchers) : objections(use, { context, matchers });
  }
  if (kind !== 'read') return writeFindings(use, context, matchers);
  const found = readFindings(use, context, matchers);
  if (action.kind !== 'search' || action.glob === undefined || action.reads === 'names') return found;
  return [...found, ...globbedSecrets(action.glob, { use, matchers })];
};

/** A path named to a tool of unknown behaviour: it may object, never permit. */
const objections = (
  use: PathUse,
  { context, matchers }: { readonly context: Context; readonly matchers: Matchers },
): Finding[] => [...objectionsTo(use, context, matchers), ...sensitiveRead(use, matchers)];

/** A content search narrowed to secret files reads them: the glob is tried with its wildcards filled in. */
const globbedSecrets = (
  glob: string,
  { use, matchers }: { readonly use: PathUse; readonly matchers: Matchers },
): Finding[] => {
  const base = use.spellings[0];
  if (base === undefined) return [];
  const names = ['', 'x'].map((filling) => glob.replace(/\*+\/?|\?/g, filling).replace(/[{}]/g, ''));
  const under = (prefix: string | undefined, name: string) =>
    prefix === undefined || prefix === '' ? name : `${prefix}/${name}`;
  const spellings = names.flatMap((names) =>
    names.split(',').map((name): Spelling => {
      const absolute = under(base.absolute, name);
      return base.relative === undefined ? { absolute } : { absolute, relative: under(base.relative, name) };
    }),
  );
  return sensitiveRead({ ...use, spelled: glob, spellings }, matchers);
};

const changeOf = ({ request, effects }: Plan, facts: Facts): Change | undefined => {
  if (request.call.action.kind !== 'write') return undefined;
  const path = effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : []))[0];
  const fact = path === undefined ? undefined : facts.paths.get(path);
  return fact?.type === 'missing' ? 'create' : 'modify';
};

/** Nothing is known of what a damaged restriction forbade. */
const damagedMemory = ({ restrictionsDamaged: source }: Facts): Finding[] => {
  if (source === undefined) return [];
  const why = `a remembered restriction cannot be read (${source.file}:${source.line})`;
  const shared = { tier: 'Default', scope: 'builtin', yieldsTo: [], learnable: false } as const;
  const clear = 'a person mends or deletes the line; hookwise doctor says what is wrong with it';
  return [{ ...shared, verdict: 'ask', ruleId: 'memory.damaged', why, clear, source }];
};

/** Nothing is known of what an unreadable policy file forbade. */
const brokenPolicy = (context: Context): Finding[] => {
  const problem = context.policy.problems.find(({ severity }) => severity === 'broken');
  if (problem === undefined) return [];
  const { file, line } = problem.source;
  return [
    {
      verdict: 'ask',
      ruleId: 'config.broken',
      tier: 'Default',
      scope: 'builtin',
      why: `config parse error in ${file}:${line}: ${problem.reason.replace(/^config parse error in [^:]*: /, '')}`,
      clear: 'mend the file; hookwise doctor shows the line',
      source: problem.source,
      yieldsTo: [],
      learnable: false,
    },
  ];
};

const outcomeOf = (winner: Finding | undefined, plan: Plan): Outcome => {
  if (winner?.ruleId === 'builtin.read' && plan.context.policy.settings.reads === 'abstain')
    return { kind: 'abstain', why: 'reads is set to abstain' };
  if (winner === undefined) return { kind: 'open', why: openReason(plan) };
  return { kind: 'settled', decision: decisionOf(winner), learnable: winner.learnable };
};

const openReason = ({ request, effects, shell }: Plan): string => {
  if (shell !== undefined) return `nobody has decided this command before: ${shell.builtin.why || 'no built-in rule'}`;
  const unknown = effects.find((effect) => effect.kind === 'unknown');
  const what = unknown?.kind === 'unknown' ? `: ${unknown.why}` : '';
  return `${request.call.tool} call that nobody has decided before${what}`;
};

/**
 * The same judgement with the similarity tiers, which only look at calls that nothing else settles. `similar` and `shell`
 * are called when they are needed.
 */
export const decideSimilar = (evaluation: Evaluation, known: SimilarityKnowledge): Evaluation => {
  if (evaluation.outcome.kind !== 'open') return evaluation;
  const { finding, trace } = judgeSimilar(known);
  const outcome = finding === undefined ? evaluation.outcome : outcomeOf(finding, known.plan);
  return { ...evaluation, outcome, trace: [...evaluation.trace, ...trace] };
};
