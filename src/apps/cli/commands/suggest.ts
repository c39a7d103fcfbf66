import type { RecordPlace } from '../../../core/ports.ts';
import type { Project } from '../../compose.ts';
import { type Command, type ExitCode, type Invocation, type OptionValues, textOption, UsageError } from '../command.ts';
import { expiresOption, expiryTime } from '../expires.ts';
import { projectHere, requirePerson } from '../open.ts';
import { placeFrom, scopeOptions } from '../scope-option.ts';
import { sinceTime } from '../since.ts';
import { accept } from '../suggest/accept.ts';
import { type Assessed, assess, inOrder } from '../suggest/assess.ts';
import { type Candidate, candidatesFrom } from '../suggest/candidates.ts';
import { logEvidence } from '../suggest/log-evidence.ts';
import { memoryEvidence } from '../suggest/memory-evidence.ts';
import { shapeOfStored } from '../suggest/shapes.ts';
import { candidateJson, candidateLines } from '../suggest/show.ts';
import { visible, visibleJson } from '../visible.ts';

const usualPeriod = '30d';
/** What one session brought forth is no habit yet: whoever floods a person with questions gets no wider entry for it. */
const fewestSessions = 2;

/** Lists shapes that could stand for what a person allowed call by call; with `--accept`, keeps one. */
export const suggest: Command = {
  name: 'suggest',
  summary: 'shapes that could stand for calls you allowed one by one, and what they would have let pass',
  usage:
    '[--since <30d|date>] [--min <2>] [--json] | --accept <number or id> [--scope project|user] [--here] [--expires <30d|date>] [--even-denied] [--tidy]',
  examples: ['hookwise suggest', 'hookwise suggest --min 5 --json', 'hookwise suggest --accept 1 --expires 90d --tidy'],
  options: {
    ...scopeOptions,
    ...expiresOption,
    since: { type: 'string' },
    min: { type: 'string' },
    json: { type: 'boolean' },
    accept: { type: 'string' },
    'even-denied': { type: 'boolean' },
    tidy: { type: 'boolean' },
  },
  takesWords: false,
  run: async (invocation) => {
    const choice = choiceFrom(invocation);
    if (choice.accepted !== undefined) requirePerson(invocation, 'widen what is remembered');
    const project = projectHere(invocation);
    try {
      return choice.accepted === undefined
        ? list(invocation, project, choice)
        : await keep(invocation, project, { ...choice, wanted: choice.accepted });
    } finally {
      project.observer.close();
    }
  },
};

/** A number of the list, or the id of the question about an allowed call. */
const wantedPattern = /^(?:[1-9]\d{0,3}|[a-z2-7]{26})$/;

interface Choice {
  /** ISO 8601. */
  readonly since: string;
  /** Fewest different calls of one shape. */
  readonly min: number;
  readonly accepted: string | undefined;
  readonly placed: RecordPlace | undefined;
  readonly expiresAt: string | undefined;
}

const choiceFrom = ({ options, surroundings }: Invocation): Choice => {
  const now = surroundings.now();
  const accepted = textOption(options, 'accept');
  if (accepted !== undefined && !wantedPattern.test(accepted))
    throw new UsageError('--accept takes a number of the list, or the id of a call that was allowed');
  const placed = placeFrom(options);
  const expires = textOption(options, 'expires');
  const onlyWith = ['scope', 'here', 'expires', 'even-denied', 'tidy'].filter((name) => options[name] !== undefined);
  if (accepted === undefined && onlyWith.length > 0)
    throw new UsageError(`${onlyWith.map((name) => `--${name}`).join(', ')}: only together with --accept`);
  if (accepted !== undefined && options['json'] === true)
    throw new UsageError('--json lists; it does not go with --accept');
  if (placed?.scope === 'org')
    throw new UsageError('--scope org: a suggestion is kept for the project or yourself; hookwise promote moves it on');
  return {
    since: sinceTime(textOption(options, 'since') ?? usualPeriod, now),
    min: minimumFrom(options),
    accepted,
    placed,
    expiresAt: expires === undefined ? undefined : expiryTime(expires, now),
  };
};

const minimumFrom = (options: OptionValues): number => {
  const text = textOption(options, 'min') ?? '2';
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError('--min takes a whole number above 0');
  return Number(text);
};

interface Found {
  readonly all: readonly Candidate[];
  /** Enough different calls out of more than one session. */
  readonly ripe: readonly Candidate[];
  /** How many have enough calls, but from one session. */
  readonly young: number;
  readonly problems: number;
}

const find = ({ surroundings }: Invocation, project: Project, { since, min }: Choice): Found => {
  const { entries, problems } = project.audit.read({ since, limit: Number.MAX_SAFE_INTEGER });
  const log = logEvidence(entries, project.root.root);
  const memory = memoryEvidence(project, { now: surroundings.now(), askedBy: log.askedBy });
  const all = candidatesFrom({ memory, log, shapeOf: (call) => shapeOfStored(call, { project, surroundings }) });
  const frequent = all.filter(({ calls }) => calls.length >= min);
  const ripe = frequent.filter(({ sessions }) => sessions >= fewestSessions);
  return { all, ripe, young: frequent.length - ripe.length, problems: problems.length };
};

const usualPlace = (project: Project): RecordPlace =>
  project.policy.settings.learning.human === 'local'
    ? { scope: 'user', here: true }
    : { scope: 'project', here: false };

const assessAll = (project: Project, candidates: readonly Candidate[], place: RecordPlace): Assessed[] =>
  inOrder(candidates.map((candidate) => assess(project, candidate, place)));

const list = (invocation: Invocation, project: Project, choice: Choice): ExitCode => {
  const { options, print, complain } = invocation;
  const { ripe, young, problems } = find(invocation, project, choice);
  const { since, min } = choice;
  const assessed = assessAll(project, ripe, usualPlace(project));
  if (problems > 0) complain(`${problems} lines of the log cannot be used: hookwise log verify`);
  if (options['json'] === true) {
    const candidates = assessed.map((each, at) => candidateJson(each, at + 1));
    print(visibleJson({ since, min, candidates, from_one_session: young, problems }));
    return 0;
  }
  if (assessed.length === 0)
    print(`Nothing to suggest: no shape has ${min} or more calls that a person allowed one by one in two sessions.`);
  for (const [at, each] of assessed.entries()) {
    for (const line of candidateLines(each, at + 1)) print(line);
    print('');
  }
  if (assessed.length > 0)
    print(
      `Questions are counted since ${since}. hookwise suggest --accept <number> keeps one; what fills its slots is checked at each call.`,
    );
  if (young > 0)
    print(
      `${young} more ${young === 1 ? 'shape has' : 'shapes have'} calls of one session only, and wait for another.`,
    );
  return 0;
};

const keep = (
  invocation: Invocation,
  project: Project,
  choice: Choice & { readonly wanted: string },
): Promise<ExitCode> => {
  const { options } = invocation;
  const place = choice.placed ?? usualPlace(project);
  const { assessed, number, call } = wantedFrom(find(invocation, project, choice), { project, place, choice });
  return accept(invocation, {
    project,
    assessed,
    number,
    place,
    call,
    expiresAt: choice.expiresAt,
    evenDenied: options['even-denied'] === true,
    tidies: options['tidy'] === true,
  });
};

interface Wanted {
  readonly assessed: Assessed;
  readonly number: number;
  readonly call: string | undefined;
}

const wantedFrom = (
  { all, ripe }: Found,
  {
    project,
    place,
    choice,
  }: { readonly project: Project; readonly place: RecordPlace; readonly choice: Choice & { readonly wanted: string } },
): Wanted => {
  const { wanted } = choice;
  if (/^\d+$/.test(wanted)) {
    const assessed = assessAll(project, ripe, place)[Number(wanted) - 1];
    if (assessed !== undefined) return { assessed, number: Number(wanted), call: undefined };
    throw new Error(
      `there is no suggestion ${wanted}: hookwise suggest, with the same --since and --min, lists ${ripe.length}`,
    );
  }
  const candidate = all.find(({ entries }) => entries.some(({ record }) => record.call === wanted));
  if (candidate !== undefined) return { assessed: assess(project, candidate, place), number: 1, call: wanted };
  throw new Error(
    `no remembered call of the id ${visible(wanted)} could be kept as a shape: it has none, or an entry for its shape is there already`,
  );
};
