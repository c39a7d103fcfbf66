import type { Answer } from '../../agents/adapter.ts';
import { isOwnRegistration } from '../../core/engine/control-rules.ts';
import { type Plan, plan } from '../../core/engine/plan.ts';
import { isAlone } from '../../core/engine/shell-rules.ts';
import type { Context } from '../../core/model/context.ts';
import type { Decision } from '../../core/model/decision.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { Role } from '../../core/model/policy.ts';
import type { LearnTarget } from '../../core/model/queue.ts';
import type { BeforeTool } from '../../core/model/request.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { evaluate, type GateResult, gate } from '../../gate/gate.ts';
import { unregisteredNotice } from '../../gate/registration.ts';
import type { Project } from '../compose.ts';
import { contextOf, isAttended, type SessionState, sessionState } from '../session.ts';
import { auditDecision } from './audit-decision.ts';
import type { HookCall } from './call.ts';
import { closedDecision } from './closed.ts';
import { open } from './open.ts';
import { registerDefault } from './session-events.ts';

/** The role under which calls of sessions without a role are looked at: it may write nothing. */
const nobody: Role = {
  name: '-',
  description: '',
  category: 'custom',
  scope: 'role',
  paths: { allowWrite: [], denyWrite: [], allowRead: [{ glob: '**', scope: 'builtin' }] },
};

/** Judges one tool call. */
export const beforeTool = async (request: BeforeTool, call: HookCall): Promise<Answer> => {
  const { project, state: first } = open(request, call);
  try {
    const refused = refusedPlaces(project, isAttended(project, call.surroundings, first.team));
    const state = first.standing.kind === 'unregistered' ? await waitForRole({ request, project, first }, call) : first;
    return await judge({ request, project, state, refused, now: call.surroundings.now }, call);
  } finally {
    project.observer.close();
  }
};

interface Case {
  readonly request: BeforeTool;
  readonly project: Project;
  readonly state: SessionState;
  readonly refused: Decision | undefined;
  readonly now: () => number;
}

const judge = async (at: Case, call: HookCall): Promise<Answer> => {
  const { standing } = at.state;
  switch (standing.kind) {
    case 'registered':
      return gated(at, { call, role: standing.role });
    case 'disabled':
      return restrictionsOnly(at, { call, keep: () => true });
    case 'policy-only':
      return restrictionsOnly(at, {
        call,
        keep: ({ ruleId }) => ruleId.startsWith('self.own') || ruleId.startsWith('control.'),
      });
    case 'unregistered':
      return unregistered(at, call);
  }
};

const gated = async (at: Case, { call, role }: { readonly call: HookCall; readonly role: Role }): Promise<Answer> => {
  const { request, project, state } = at;
  const context = contextOf(project, { session: request.session, cwd: request.cwd, role });
  const settings = project.policy.settings;
  const audience = {
    attended: isAttended(project, call.surroundings, state.team),
    // A team lead's person sees the queue of the whole team.
    queueIsWatched: state.team.id !== 'solo' && !state.team.isLead,
    delivery: settings.askDelivery,
    mode: request.mode,
  };
  const deadline = Math.min(
    call.startedAt + call.options.deadlineMs,
    call.startedAt + settings.humanTimeoutSecs * 1000,
  );
  const result = await gate(project.gatePorts)({ request, context, audience, deadline });
  const decision = stricter(result.decision, at.refused);
  rememberQuestion(at, result);
  return recorded({ at, call, context, result }, decision);
};

interface Record {
  readonly at: Case;
  readonly call: HookCall;
  readonly context: Context;
  readonly result: GateResult;
}

/**
 * Logs a decision and hands it on. A call that cannot be logged is not allowed, plain reading excepted: it needs no state.
 */
const recorded = ({ at, call, context, result }: Record, judged: Decision | undefined): Answer => {
  const decision = judged && withoutSecrets(judged);
  const { request, project } = at;
  try {
    auditDecision({
      request,
      project,
      context,
      result,
      decision,
      startedAt: call.startedAt,
      now: call.surroundings.now,
    });
  } catch (thrown) {
    if (decision?.verdict === 'allow' && decision.ruleId !== 'builtin.read')
      return {
        kind: 'verdict',
        decision: closedDecision(messageOf(thrown), isAttended(project, call.surroundings, at.state.team)),
      };
  }
  return decision === undefined ? { kind: 'silent' } : { kind: 'verdict', decision };
};

/** Reasons quote the call, and hosts keep what they are told. */
const withoutSecrets = (decision: Decision): Decision =>
  decision.verdict === 'allow'
    ? decision
    : { ...decision, why: sanitizeText(decision.why), clear: sanitizeText(decision.clear) };

/** A native question is kept, so that its answer can be learned when the call comes back. */
const rememberQuestion = (at: Case, { asked, decision, plan: planned }: GateResult): void => {
  if (asked?.route !== 'native') return;
  keepQuestion(at, {
    planned,
    rule: decision?.ruleId ?? '',
    ...(asked.item.learn === undefined ? {} : { learn: asked.item.learn }),
  });
};

interface Kept {
  readonly planned: Plan;
  readonly rule: string;
  readonly learn?: LearnTarget;
}

/** Keeps what was asked. A hookwise command runs later only if a person was asked about its very words. */
const keepQuestion = ({ request, project, now }: Case, { planned, rule, learn }: Kept): void => {
  const { toolUseId } = request.call;
  if (toolUseId === undefined) return;
  const control = planned.effects.flatMap((effect) => (effect.kind === 'control' ? [effect.command.words] : []))[0];
  project.natives.put(request.session.sessionId, {
    toolUseId,
    rule,
    askedAt: now(),
    ...(learn === undefined ? {} : { learn }),
    ...(control === undefined ? {} : { control }),
  });
};

/** Without a gate for this session only restrictions hold: built-in protection, and what an owner wrote down. */
const restrictionsOnly = (
  at: Case,
  { call, keep }: { readonly call: HookCall; readonly keep: (decision: Decision) => boolean },
): Answer => {
  const { request, project, state } = at;
  const context = contextOf(project, { session: request.session, cwd: request.cwd, role: nobody });
  const { evaluation, plan: planned } = evaluate(request, context, project.gatePorts);
  const { outcome } = evaluation;
  const attended = isAttended(project, call.surroundings, state.team);
  const found =
    outcome.kind === 'settled' && outcome.decision.verdict !== 'allow' && isOwners(outcome.decision)
      ? outcome.decision
      : undefined;
  if (found === undefined || !keep(found)) return { kind: 'silent' };
  const decision: Decision = found.verdict === 'ask' && !attended ? { ...found, verdict: 'deny' } : found;
  if (decision.verdict === 'ask') keepQuestion(at, { planned, rule: decision.ruleId });
  return recorded({ at, call, context, result: { evaluation, plan: planned, decision } }, decision);
};

/** Restrictions that stay when a session is disabled: org and user rules, and self-protection. */
const isOwners = ({ scope, ruleId }: Decision): boolean =>
  scope === 'org' || scope === 'user' || ruleId.startsWith('self.') || ruleId.startsWith('control.');

const unregistered = (at: Case, call: HookCall): Answer => {
  const { request, project } = at;
  const context = contextOf(project, { session: request.session, cwd: request.cwd, role: nobody });
  const { action } = request.call;
  if (action.kind === 'inert') return { kind: 'silent' };
  if (mayRegister(request, context, project)) return restrictionsOnly(at, { call, keep: () => true });
  const decision: Decision = {
    verdict: 'deny',
    ruleId: 'session.unregistered',
    tier: 'Default',
    scope: 'builtin',
    confidence: 1,
    why: 'this session has no role',
    clear: `hookwise register --session-id ${request.session.sessionId} --role <role>`,
  };
  const { evaluation, plan: planned } = evaluate(request, context, project.gatePorts);
  const answer = recorded({ at, call, context, result: { evaluation, plan: planned, decision } }, decision);
  return answer.kind === 'verdict' ? { ...answer, notice: unregisteredNotice(request.session.sessionId) } : answer;
};

/** The one command an unregistered session may ask for: its own registration. */
const mayRegister = (request: BeforeTool, context: Context, project: Project): boolean => {
  const planned = plan(request, context, project.gatePorts.shell);
  return planned.effects.some(
    (effect) =>
      effect.kind === 'control' && isOwnRegistration({ command: effect.command, isAlone: isAlone(planned) }, context),
  );
};

interface Waiting {
  readonly request: BeforeTool;
  readonly project: Project;
  readonly first: SessionState;
}

const pollMs = 200;

/** A team lead registers its workers just after starting them: the first call waits a moment for that. */
const waitForRole = async ({ request, project, first }: Waiting, call: HookCall): Promise<SessionState> => {
  const { action } = request.call;
  const context = contextOf(project, { session: request.session, cwd: request.cwd, role: nobody });
  if (action.kind === 'inert' || mayRegister(request, context, project)) return first;
  registerDefault({ project, state: first, sessionId: request.session.sessionId }, call);
  const { registrationTimeoutSecs } = project.policy.settings;
  const until = Math.min(call.startedAt + registrationTimeoutSecs * 1000, call.startedAt + call.options.deadlineMs);
  let state = sessionState(project, call.surroundings, request.session);
  while (state.standing.kind === 'unregistered' && call.surroundings.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, Math.max(1, until - call.surroundings.now()))));
    state = sessionState(project, call.surroundings, request.session);
  }
  return state;
};

/** A place that the repository could be behind: what is remembered there is not known, so nothing is allowed. */
const refusedPlaces = (project: Project, attended: boolean): Decision | undefined => {
  const names = project.places.refusedNames.filter(
    (name) => name !== 'HOOKWISE_DEADLINE_MS' && name !== 'XDG_RUNTIME_DIR',
  );
  if (names.length === 0) return undefined;
  return {
    verdict: attended ? 'ask' : 'deny',
    ruleId: 'places.refused',
    tier: 'Default',
    scope: 'builtin',
    confidence: 1,
    why: project.places.refused.join('; '),
    clear: 'unset the variable, or let it name a place outside the repository',
  };
};

const stricter = (decision: Decision | undefined, refused: Decision | undefined): Decision | undefined => {
  if (refused === undefined || decision === undefined || decision.verdict !== 'allow') return decision;
  return refused;
};
