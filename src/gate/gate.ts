import { canonicalJson } from '../core/engine/canonical-json.ts';
import { decide, decideSimilar } from '../core/engine/decide.ts';
import type { Matchers } from '../core/engine/matchers.ts';
import { type Plan, plan } from '../core/engine/plan.ts';
import type { Context } from '../core/model/context.ts';
import type { Decision, Evaluation } from '../core/model/decision.ts';
import { entryKeyText } from '../core/model/entry-key.ts';
import type { SimilarMemory } from '../core/model/neighbour.ts';
import type { HumanResponse, LearnTarget, PendingDecision } from '../core/model/queue.ts';
import type { Change } from '../core/model/record.ts';
import type { BeforeTool } from '../core/model/request.ts';
import type { GrantStore, HumanQueue, Observer } from '../core/ports.ts';
import type { ShellLanguage } from '../core/similarity/language.ts';
import { type Audience, routeOf } from './audience.ts';

/** What the gate needs from outside. */
export interface GatePorts {
  readonly observer: Observer;
  readonly matchers: Matchers;
  /** Shell understanding, fetched when a shell command is judged. */
  readonly shell: () => ShellLanguage;
  /** Similar calls in memory, fetched when nothing else settles a call. */
  readonly similar: () => SimilarMemory;
  readonly grants: GrantStore;
  readonly queue: HumanQueue;
  /** Keyed digest of a text, for identities that must not be reversible. */
  readonly digest: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One call to judge, with the time by which an answer must be out. */
export interface GateCall {
  readonly request: BeforeTool;
  readonly context: Context;
  readonly audience: Audience;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** What became of a call. `asked` is set when a person was or will be asked. */
export interface GateResult {
  readonly evaluation: Evaluation;
  readonly plan: Plan;
  /** Nothing: hookwise has no opinion. */
  readonly decision?: Decision;
  readonly asked?: {
    readonly route: 'native' | 'wait' | 'file';
    readonly item: Omit<PendingDecision, 'id'>;
    readonly id?: string;
  };
}

/** The part that asks nobody: plan, ask for facts, decide, look for similar calls. Shared by the hook, `explain` and batches. */
export const evaluate = (
  request: BeforeTool,
  context: Context,
  { observer, matchers, shell, similar }: Pick<GatePorts, 'observer' | 'matchers' | 'shell' | 'similar'>,
): { readonly plan: Plan; readonly evaluation: Evaluation } => {
  const planned = plan(request, context, shell);
  const facts = observer.observe(planned.queries);
  const evaluation = decide(planned, { facts, matchers });
  return { plan: planned, evaluation: decideSimilar(evaluation, { plan: planned, facts, matchers, similar, shell }) };
};

/** The question a call leads to when no rule settles it. */
export const openDecision = (why: string): Decision => ({
  verdict: 'ask',
  ruleId: 'human.undecided',
  tier: 'Human',
  scope: 'builtin',
  confidence: 1,
  why,
  clear: 'a person answers, and the answer is remembered',
});

/** Judges one call: deterministic rules first, then whoever may still decide, in order. */
export const gate =
  (ports: GatePorts) =>
  async (call: GateCall): Promise<GateResult> => {
    const { plan: planned, evaluation } = evaluate(call.request, call.context, ports);
    const { outcome } = evaluation;
    if (outcome.kind === 'abstain') return { evaluation, plan: planned };
    const decision = outcome.kind === 'open' ? openDecision(outcome.why) : outcome.decision;
    if (decision.verdict !== 'ask') return { evaluation, plan: planned, decision };
    return ask(
      { call, planned, evaluation, decision, isLearnable: outcome.kind === 'open' || outcome.learnable },
      ports,
    );
  };

/** How long an unanswered question stays answerable; the call itself is refused long before. */
const itemLifeMs = 24 * 60 * 60 * 1000;

interface Question {
  readonly call: GateCall;
  readonly planned: Plan;
  readonly evaluation: Evaluation;
  readonly decision: Decision;
  readonly isLearnable: boolean;
}

const ask = async (question: Question, ports: GatePorts): Promise<GateResult> => {
  const { call, planned, evaluation, decision } = question;
  const item = pendingOf(question, ports);
  const grant =
    decision.unattended === 'deny' ? undefined : ports.grants.take(item.call_digest, call.request.session.sessionId);
  const done = { evaluation, plan: planned };
  if (grant !== undefined) return { ...done, decision: granted(grant.actor) };
  const route = routeOf(decision, call.audience);
  switch (route) {
    case 'refuse':
      return { ...done, decision: refused(decision, call.audience) };
    case 'native':
      return { ...done, decision, asked: { route, item } };
    case 'file': {
      const id = ports.queue.enqueue(item);
      return { ...done, decision: filed(decision, id), asked: { route, item, id } };
    }
    case 'wait': {
      const id = ports.queue.enqueue(item);
      const answer = await ports.queue.waitForResponse(id, call.deadline);
      const settled = answer === undefined ? timedOut(decision, id) : answered(decision, answer);
      return { ...done, decision: settled, asked: { route, item, id } };
    }
  }
};

const pendingOf = (
  { call, planned, evaluation, decision, isLearnable }: Question,
  ports: GatePorts,
): Omit<PendingDecision, 'id'> => {
  const { session, cwd, call: toolCall } = call.request;
  const now = ports.now();
  const learn = isLearnable
    ? learnTarget(planned, { role: call.context.roleName, change: evaluation.change, ports })
    : undefined;
  return {
    session_id: session.sessionId,
    ...(session.agentId === undefined ? {} : { agent_id: session.agentId }),
    role: call.context.roleName,
    tool_name: toolCall.tool,
    sanitized_input: planned.key.sanitized,
    ...(planned.key.filePath === undefined ? {} : { file_path: planned.key.filePath }),
    cwd,
    root: call.context.root,
    is_ask_reprompt: decision.tier === 'ExactCache',
    ask_reason: decision.why,
    rule: decision.ruleId,
    call_digest: ports.digest(callText(call.request)),
    ...(learn === undefined ? {} : { learn }),
    queued_at: new Date(now).toISOString(),
    expires_at: new Date(now + itemLifeMs).toISOString(),
  };
};

/** The exact call, to the last byte: what an answer is bound to. */
const callText = ({ call, cwd }: BeforeTool): string => canonicalJson(['hookwise-call-1', call.tool, call.input, cwd]);

const learnTarget = (
  { key, shape }: Plan,
  { role, change, ports }: { readonly role: string; readonly change: Change | undefined; readonly ports: GatePorts },
): LearnTarget => ({
  sanitized_input: key.sanitized,
  tool: key.tool,
  role,
  ...(change === undefined ? {} : { change }),
  context: key.context,
  ...(key.filePath === undefined ? {} : { file_path: key.filePath }),
  lossy: key.lossy,
  ...(shape === undefined ? {} : { shape: { text: shape.text, slots: shape.slots.map(({ type }) => type) } }),
  digest: ports.digest(entryKeyText(key)),
});

const byHuman = { tier: 'Human', scope: 'builtin', confidence: 1 } as const;

const granted = (actor: string): Decision => ({
  ...byHuman,
  verdict: 'allow',
  ruleId: 'grant.once',
  why: `${actor} approved exactly this call`,
  clear: '',
});

const refused = (decision: Decision, audience: Audience): Decision => {
  const nobody = audience.mode === 'dontAsk' ? 'the permission mode asks nobody' : 'nobody is there to ask';
  return { ...decision, verdict: 'deny', why: `${decision.why}, and ${nobody}` };
};

const filed = (decision: Decision, id: string): Decision => ({
  ...decision,
  verdict: 'deny',
  why: `${decision.why}, and nobody is there to ask`,
  clear: `after hookwise approve ${id} in a terminal the same call passes`,
});

const timedOut = (decision: Decision, id: string): Decision => ({
  ...decision,
  ...byHuman,
  verdict: 'deny',
  ruleId: 'human.timeout',
  why: `Permission request timed out \u2014 no human response. (${decision.why})`,
  clear: `after hookwise approve ${id} in a terminal the same call passes`,
});

const answered = (decision: Decision, { decision: verdict, actor }: HumanResponse): Decision => ({
  ...byHuman,
  verdict,
  ruleId: `human.${verdict}`,
  why: `${actor} answered ${verdict} (${decision.why})`,
  clear: verdict === 'allow' ? '' : 'the person who answered changes their mind',
});
