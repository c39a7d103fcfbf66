import type { HumanResponse, PendingDecision } from '../../core/model/queue.ts';
import type { Project } from '../compose.ts';
import { type Memory, memoryOf, memoryWords, proposalOf, remember, wishFrom } from './answer-memory.ts';
import { type ExitCode, type Invocation, UsageError } from './command.ts';
import { logChange } from './log-change.ts';
import { projectHere, requirePerson } from './open.ts';
import { callLines, clean } from './pending-words.ts';

/** Answers one waiting call for a person, remembers the answer, and hands it to the call or to its next attempt. */
export const answer = async (invocation: Invocation, decision: HumanResponse['decision']): Promise<ExitCode> => {
  const verb = decision === 'allow' ? 'approve' : 'deny';
  const { options, surroundings, print } = invocation;
  const [id] = invocation.words;
  if (id === undefined || invocation.words.length > 1) throw new UsageError('name one id; hookwise queue lists them');
  const wish = wishFrom(options, surroundings.now());
  requirePerson(invocation, `${verb} a call`);
  const item = projectHere(invocation).queue.getPending(id);
  if (item === undefined) throw new Error(failures.unknown(id));
  const project = projectHere(invocation, item.root);
  const memory = memoryOf({ ...wish, item, decision, project }, invocation);
  for (const line of callLines(item)) print(line);
  print(`  ${decision === 'allow' ? 'allowed' : 'denied'}   ${clean(memoryWords(memory))}`);
  const proposal = proposalOf(memory, item.id);
  if (proposal !== undefined) print(`  shape     ${clean(proposal)}`);
  const response: HumanResponse = {
    decision,
    always_ask: options['always-ask'] === true,
    add_rule: options['add-rule'] === true,
    ...(memory.kind === 'entry' ? { rule_scope: memory.place.scope } : {}),
    actor: `user:${surroundings.user}`,
    answered_at: new Date(surroundings.now()).toISOString(),
  };
  return settle(invocation, { project, item, memory, response });
};

const failures = {
  unknown: (id: string) =>
    `no call with the id ${clean(id.slice(0, 64))} is waiting: it was answered and taken, it has expired, or the id is wrong; hookwise queue lists what waits`,
  expired: (id: string) =>
    `the call ${clean(id)} has expired, so the answer comes too late; it is asked again when it is tried again`,
  'already-answered': (id: string) => `the call ${clean(id)} was already answered; the first answer holds`,
  'own-session': (id: string) => `the call ${clean(id)} was made by this very session, which may not answer it`,
} as const;

interface Settling {
  readonly project: Project;
  readonly item: PendingDecision;
  readonly memory: Memory;
  readonly response: HumanResponse;
}

const settle = async (invocation: Invocation, settling: Settling): Promise<ExitCode> => {
  const { project, item, memory, response } = settling;
  const { surroundings, print, complain } = invocation;
  const session = surroundings.env['CLAUDE_CODE_SESSION_ID'];
  const answered = project.queue.respond(item.id, {
    response,
    now: surroundings.now(),
    ...(session === undefined ? {} : { bySession: session }),
  });
  if (!answered.ok) throw new Error(failures[answered.error](item.id));
  const forgotten = remember(settling);
  const reached = await handOver(settling, invocation);
  logAnswer(invocation, { ...settling, reached });
  print(reachedWords(response.decision, reached));
  if (forgotten === undefined) return 0;
  complain(`the answer counts, but it is not remembered: ${clean(forgotten)}`);
  return memory.kind === 'entry' ? 1 : 0;
};

/** How the answer gets to the call: taken by the hook that still waits, or kept as a grant for the next attempt. */
type Reached = 'waiting call' | 'next attempt' | 'nobody';

const patienceMs = 400;
const lookMs = 20;

const handOver = async ({ project, item, response }: Settling, { surroundings }: Invocation): Promise<Reached> => {
  const { queue, grants } = project;
  for (let waited = 0; waited < patienceMs; waited += lookMs) {
    if (queue.getPending(item.id) === undefined) return 'waiting call';
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  // Either the hook takes the answer or it is taken out here: both happen under the queue's lock.
  if (queue.withdraw(item.id) === undefined) return 'waiting call';
  if (response.decision === 'deny') return 'nobody';
  const { call_digest: callDigest, session_id: sessionId } = item;
  grants.mint({ callDigest, sessionId, actor: response.actor, now: surroundings.now() });
  return 'next attempt';
};

const reachedWords = (decision: HumanResponse['decision'], reached: Reached): string => {
  switch (reached) {
    case 'waiting call':
      return `The call was waiting and has the answer: ${decision}.`;
    case 'next attempt':
      return 'The call is no longer waiting: the same call passes once when it is tried again within 10 minutes.';
    case 'nobody':
      return 'The call is no longer waiting; it was refused, and stays so.';
  }
};

const logAnswer = (
  invocation: Invocation,
  { project, item, memory, response, reached }: Settling & { readonly reached: Reached },
): void =>
  logChange(invocation, project, {
    event: 'answered',
    queue: item.id,
    session: item.session_id,
    root: item.root,
    role: item.role,
    tool: item.tool_name,
    input: item.sanitized_input,
    verdict: response.decision,
    rule: item.rule,
    context: item.learn?.context,
    advice: item.recommendation?.decision,
    remembered: memory.kind === 'entry' ? memory.verdict : 'nothing',
    shape: memory.kind === 'entry' ? memory.shape?.text : undefined,
    scope: memory.kind === 'entry' ? memory.place.scope : undefined,
    expires: memory.kind === 'entry' ? memory.expiresAt : undefined,
    reached,
    actor: response.actor,
  });
