import { messageOf } from '../../core/model/errors.ts';
import type { HumanResponse, LearnTarget, PendingDecision } from '../../core/model/queue.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import type { RecordPlace } from '../../core/ports.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { type Project, saveRecord } from '../compose.ts';
import { type Invocation, type OptionValues, textOption, UsageError } from './command.ts';
import { expiresOption, expiryTime } from './expires.ts';
import { entryName, usualPlace, whyLocal, wideEntryName } from './pending-words.ts';
import { placeFrom, placeName, scopeOptions } from './scope-option.ts';
import { replayOf } from './suggest/replay.ts';
import { type ShapePlace, shapeToLearn } from './suggest/shapes.ts';

/** The options that say what an answer leaves behind. */
export const memoryOptions = {
  ...scopeOptions,
  ...expiresOption,
  once: { type: 'boolean' },
  shape: { type: 'boolean' },
  'always-ask': { type: 'boolean' },
  'add-rule': { type: 'boolean' },
} as const;

/** An entry to write. */
interface Entry {
  readonly kind: 'entry';
  readonly target: LearnTarget;
  readonly verdict: Verdict;
  readonly place: RecordPlace;
  /** Set when the entry holds for every call of the shape. */
  readonly shape?: NonNullable<LearnTarget['shape']>;
  /** ISO 8601. */
  readonly expiresAt?: string;
}

/** What is to be remembered, and where; or that nothing is, and why. */
export type Memory = Entry | { readonly kind: 'nothing'; readonly why: string };

/** Whether options are about what is remembered. */
interface Wish {
  readonly placed: RecordPlace | undefined;
  readonly expiresAt: string | undefined;
}

/** What cannot go together is refused before anything is looked at. */
export const wishFrom = (options: OptionValues, now: number): Wish => {
  const placed = placeFrom(options);
  const expires = textOption(options, 'expires');
  const expiresAt = expires === undefined ? undefined : expiryTime(expires, now);
  const keeps = ['always-ask', 'add-rule', 'shape'].filter((name) => options[name] === true).map((name) => `--${name}`);
  const more = [...keeps, ...(placed ? ['--scope'] : []), ...(expiresAt ? ['--expires'] : [])];
  if (options['once'] === true && more.length > 0)
    throw new UsageError(`--once remembers nothing; leave out ${more.join(', ')}`);
  return { placed, expiresAt };
};

interface Asked extends Wish {
  readonly item: PendingDecision;
  readonly decision: HumanResponse['decision'];
  readonly project: Project;
}

/** What an answer becomes. Throws a UsageError for wishes that this call does not allow. */
export const memoryOf = (asked: Asked, { options, surroundings }: Invocation): Memory => {
  const { item, decision, placed, expiresAt, project } = asked;
  const { learn } = item;
  const isWide = options['shape'] === true;
  if (learn === undefined) {
    if (placed !== undefined || expiresAt !== undefined || isWide || options['add-rule'] === true)
      throw new UsageError(
        `an answer about this call counts once only (${item.rule}), so no scope can keep it; a rule of your own can: hookwise override --scope user`,
      );
    return { kind: 'nothing', why: 'counts once: such a call is asked each time' };
  }
  if (options['once'] === true) return { kind: 'nothing', why: 'counts once' };
  const place = placeOf(asked, learn, options);
  const verdict: Verdict = options['always-ask'] === true ? 'ask' : decision;
  return {
    kind: 'entry',
    target: learn,
    place,
    verdict,
    ...(isWide ? { shape: wantedShape({ learn, verdict, place }, { project, surroundings }) } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
};

interface Wanted {
  readonly learn: LearnTarget;
  readonly verdict: Verdict;
  readonly place: RecordPlace;
}

/** The shape to keep: one that the call has, and that would let this very call pass when it is to pass. */
const wantedShape = ({ learn, verdict, place }: Wanted, at: ShapePlace): Required<LearnTarget>['shape'] => {
  const shape = shapeToLearn(learn, at);
  if ('kind' in shape)
    throw new UsageError(`--shape: this call can only be remembered as it is, since ${shape.why}; leave out --shape`);
  if (verdict !== 'allow') return shape;
  const { sanitized_input: text, role, context } = learn;
  const replayed = replayOf(at.project, { shape: shape.text, role, context }, place)(text);
  at.project.observer.close();
  if (replayed.passes) return shape;
  throw new UsageError(
    `--shape: an entry for this shape would not hold for this very call, since ${replayed.why}; leave out --shape`,
  );
};

const placeOf = ({ placed, project }: Asked, learn: LearnTarget, options: OptionValues): RecordPlace => {
  const why = whyLocal(learn);
  if (why !== undefined && placed !== undefined && placed.scope !== 'user')
    throw new UsageError(`--scope ${placed.scope}: this answer stays with you, since ${why}; use --scope user`);
  const { human } = project.policy.settings.learning;
  const place = placed ?? usualPlace(learn, options['add-rule'] === true ? 'project' : human);
  if (place.scope === 'org' && project.policy.orgs.length === 0)
    throw new Error(
      '--scope org: no organisation is configured for this project: set default_org or orgs in config.yml',
    );
  return place;
};

/** What becomes of an answer, for people. */
export const memoryWords = (memory: Memory): string => {
  if (memory.kind === 'nothing') return memory.why;
  const { target, verdict, place, shape, expiresAt } = memory;
  const what = (shape === undefined ? undefined : wideEntryName(target)) ?? entryName(target);
  const until = expiresAt === undefined ? '' : `, until ${expiresAt}`;
  return `now; remembered as ${verdict} for ${what}, in ${placeName(place)}${until}`;
};

/** For an allow of exactly this call that has a shape: the wider entry, and the command that would keep it instead. */
export const proposalOf = (memory: Memory, id: string): string | undefined => {
  if (memory.kind === 'nothing' || memory.shape !== undefined || memory.verdict !== 'allow') return undefined;
  const name = wideEntryName(memory.target);
  return name === undefined ? undefined : `${name}: hookwise suggest --accept ${id} would keep that`;
};

interface Answered {
  readonly project: Project;
  readonly item: PendingDecision;
  readonly memory: Memory;
  readonly response: HumanResponse;
}

/** Writes the entry; says why when it cannot. The answer itself must reach the call all the same. */
export const remember = ({ project, item, memory, response }: Answered): string | undefined => {
  if (memory.kind === 'nothing') return undefined;
  const by = { who: response.actor, when: response.answered_at };
  try {
    saveRecord(project, recordOf(memory, item, response), { where: memory.place, by });
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
};

const recordOf = (
  { target, verdict, place, shape, expiresAt }: Entry,
  item: PendingDecision,
  response: HumanResponse,
): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: shape?.text ?? target.sanitized_input, tool: target.tool, role: target.role },
  decision: verdict,
  metadata: { tier: 'Human', confidence: 1, reason: reasonFor(item, response) },
  timestamp: response.answered_at,
  scope: place.scope,
  session_id: item.session_id,
  context: target.context,
  call: item.id,
  actor: response.actor,
  ...(shape === undefined ? {} : { slots: shape.slots }),
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  ...(target.file_path === undefined ? {} : { file_path: target.file_path }),
  ...(target.change === undefined ? {} : { change: target.change }),
  ...(target.lossy ? { lossy: true, digest: target.digest } : {}),
});

const reasonFor = ({ ask_reason: why }: PendingDecision, { decision }: HumanResponse): string =>
  sanitizeText(`answered ${decision} in the queue${why === undefined ? '' : ` (${why})`}`).slice(0, 1024);
