import { messageOf } from '../../core/model/errors.ts';
import type { HumanResponse, LearnTarget, PendingDecision } from '../../core/model/queue.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import type { RecordPlace } from '../../core/ports.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { type Project, saveRecord } from '../compose.ts';
import { type ExitCode, type Invocation, UsageError } from './command.ts';
import { logChange } from './log-change.ts';
import { projectHere, requirePerson } from './open.ts';
import { callLines, clean, entryName, usualPlace, whyLocal } from './pending-words.ts';
import { placeFrom, placeName, scopeOptions } from './scope-option.ts';

/** The options of `approve` and `deny`. */
export const answerOptions = {
  ...scopeOptions,
  once: { type: 'boolean' },
  'always-ask': { type: 'boolean' },
  'add-rule': { type: 'boolean' },
} as const;

/** What is to be remembered, and where; or that nothing is, and why. */
type Memory =
  | { readonly kind: 'entry'; readonly target: LearnTarget; readonly verdict: Verdict; readonly place: RecordPlace }
  | { readonly kind: 'nothing'; readonly why: string };

/** Answers one waiting call for a person, remembers the answer, and hands it to the call or to its next attempt. */
export const answer = async (invocation: Invocation, decision: HumanResponse['decision']): Promise<ExitCode> => {
  const verb = decision === 'allow' ? 'approve' : 'deny';
  const [id] = invocation.words;
  if (id === undefined || invocation.words.length > 1) throw new UsageError('name one id; hookwise queue lists them');
  const placed = checkedOptions(invocation);
  requirePerson(invocation, `${verb} a call`);
  const item = projectHere(invocation).queue.getPending(id);
  if (item === undefined) throw new Error(failures.unknown(id));
  const project = projectHere(invocation, item.root);
  const memory = memoryOf({ item, decision, placed, project }, invocation);
  for (const line of callLines(item)) invocation.print(line);
  invocation.print(`  ${decision === 'allow' ? 'allowed' : 'denied'}   ${clean(memoryWords(memory))}`);
  const response: HumanResponse = {
    decision,
    always_ask: invocation.options['always-ask'] === true,
    add_rule: invocation.options['add-rule'] === true,
    ...(memory.kind === 'entry' ? { rule_scope: memory.place.scope } : {}),
    actor: `user:${invocation.surroundings.user}`,
    answered_at: new Date(invocation.surroundings.now()).toISOString(),
  };
  return settle(invocation, { project, item, memory, response });
};

/** What cannot go together is refused before anything is looked at. */
const checkedOptions = ({ options }: Invocation): RecordPlace | undefined => {
  const placed = placeFrom(options);
  const keeps = ['always-ask', 'add-rule'].filter((name) => options[name] === true).map((name) => `--${name}`);
  if (options['once'] === true && (placed !== undefined || keeps.length > 0))
    throw new UsageError(
      `--once remembers nothing; leave out ${[...keeps, ...(placed ? ['--scope'] : [])].join(', ')}`,
    );
  return placed;
};

interface Asked {
  readonly item: PendingDecision;
  readonly decision: HumanResponse['decision'];
  readonly placed: RecordPlace | undefined;
  readonly project: Project;
}

const memoryOf = ({ item, decision, placed, project }: Asked, { options }: Invocation): Memory => {
  const { learn } = item;
  if (learn === undefined) {
    if (placed !== undefined || options['add-rule'] === true)
      throw new UsageError(
        `an answer about this call counts once only (${item.rule}), so no scope can keep it; a rule of your own can: hookwise override --scope user`,
      );
    return { kind: 'nothing', why: 'counts once: such a call is asked each time' };
  }
  if (options['once'] === true) return { kind: 'nothing', why: 'counts once' };
  const why = whyLocal(learn);
  if (why !== undefined && placed !== undefined && placed.scope !== 'user')
    throw new UsageError(`--scope ${placed.scope}: this answer stays with you, since ${why}; use --scope user`);
  const { human } = project.policy.settings.learning;
  const place = placed ?? usualPlace(learn, options['add-rule'] === true ? 'project' : human);
  if (place.scope === 'org' && project.policy.orgs.length === 0)
    throw new Error(
      '--scope org: no organisation is configured for this project: set default_org or orgs in config.yml',
    );
  return { kind: 'entry', target: learn, place, verdict: options['always-ask'] === true ? 'ask' : decision };
};

const memoryWords = (memory: Memory): string =>
  memory.kind === 'nothing'
    ? memory.why
    : `now; remembered as ${memory.verdict} for ${entryName(memory.target)}, in ${placeName(memory.place)}`;

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

/** Writes the entry; says why when it cannot. The answer itself must reach the call all the same. */
const remember = ({ project, item, memory, response }: Settling): string | undefined => {
  if (memory.kind === 'nothing') return undefined;
  const { target, verdict, place } = memory;
  const by = { who: response.actor, when: response.answered_at };
  const record: DecisionRecord = {
    v: 1,
    key: { sanitized_input: target.sanitized_input, tool: target.tool, role: target.role },
    decision: verdict,
    metadata: { tier: 'Human', confidence: 1, reason: reasonFor(item, response) },
    timestamp: by.when,
    scope: place.scope,
    session_id: item.session_id,
    context: target.context,
    actor: by.who,
    ...(target.file_path === undefined ? {} : { file_path: target.file_path }),
    ...(target.change === undefined ? {} : { change: target.change }),
    ...(target.lossy ? { lossy: true, digest: target.digest } : {}),
  };
  try {
    saveRecord(project, record, { where: place, by });
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
};

const reasonFor = ({ ask_reason: why }: PendingDecision, { decision }: HumanResponse): string =>
  sanitizeText(`answered ${decision} in the queue${why === undefined ? '' : ` (${why})`}`).slice(0, 1024);

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
    remembered: memory.kind === 'entry' ? memory.verdict : 'nothing',
    scope: memory.kind === 'entry' ? memory.place.scope : undefined,
    reached,
    actor: response.actor,
  });
