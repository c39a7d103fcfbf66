import { type Command, type ExitCode, textOption } from '../command.ts';
import type { IndexStatus } from '../indexes.ts';
import { countsText, type MemoryRow, memoryTable, sumOf } from '../memory-counts.ts';
import { projectHere } from '../open.ts';
import { aligned, byteText, shown } from '../shown.ts';
import { sinceTime } from '../since.ts';
import { type Answers, type Asking, type Count, shapeTier, type Tally, tallyOf } from '../tally.ts';
import { visibleJson } from '../visible.ts';

const usualPeriod = '30d';
/** Older days are told by the week. */
const mostDays = 7;

/** Adds up the audit log: what was decided, by which stage, and how often a person was asked. */
export const stats: Command = {
  name: 'stats',
  summary: 'decisions by verdict and stage, how often people are asked and why, and what is remembered',
  usage: '[--since <30d|date>] [--json]',
  examples: ['hookwise stats', 'hookwise stats --since 7d --json'],
  options: { since: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: false,
  run: async (invocation): Promise<ExitCode> => {
    const { options, surroundings, print, complain } = invocation;
    const now = surroundings.now();
    const since = sinceTime(textOption(options, 'since') ?? usualPeriod, now);
    const project = projectHere(invocation);
    const { entries, problems } = project.audit.read({ since, limit: Number.MAX_SAFE_INTEGER });
    const tally = tallyOf(entries);
    const { indexStates } = await import('../indexes.ts');
    const held = { memory: memoryTable(project, now), indexes: indexStates(project, surroundings) };
    if (options['json'] === true) print(visibleJson({ since, ...tally, ...held, problems }));
    else for (const line of linesOf(since, tally, held)) print(line);
    if (problems.length > 0) complain(`${problems.length} lines of the log cannot be used: hookwise log verify`);
    return 0;
  },
};

interface Held {
  readonly memory: readonly MemoryRow[];
  readonly indexes: readonly IndexStatus[];
}

const linesOf = (since: string, tally: Tally, { memory, indexes }: Held): string[] => {
  const { allow, deny, ask, none } = tally.verdicts;
  return [
    `since ${since}: ${tally.calls} calls`,
    `  ${allow} allow, ${deny} deny, ${ask} ask, ${none} without an opinion`,
    ...section(
      'decided by',
      tally.tiers.map(({ name, count, share }) => [stageWords[name] ?? shown(name), String(count), percent(share)]),
    ),
    ...section(
      'asks by week (UTC, from Monday)',
      tally.weeks.map(({ week, ...asking }) => askingCells(week, asking)),
    ),
    ...section(
      `asks by day (UTC)${tally.days.length > mostDays ? `, the last ${mostDays}` : ''}`,
      tally.days.slice(-mostDays).map(({ day, ...asking }) => askingCells(day, asking)),
    ),
    ...section('asked by way of', tally.askRoutes.map(countCells)),
    ...section('rules that ask most', tally.askingRules.map(countCells)),
    ...section('answered in the queue', answerRows(tally.answers)),
    ...section('remembered', memory.map(memoryCells)),
    ...section('indexes', indexes.filter(({ exact }) => exact.state !== 'empty').map(indexCells)),
  ];
};

/** The stages as people say them. */
const stageWords: Readonly<Record<string, string>> = {
  'sensitive-path': 'protected paths',
  override: 'overrides',
  'path-policy': 'path policy',
  'exact-cache': 'exact memory',
  [shapeTier]: 'remembered shapes',
  'token-jaccard': 'similar by words',
  'embedding-similarity': 'similar by meaning',
  supervisor: 'model',
  human: 'human',
  default: 'built-in rules',
};

const countCells = ({ name, count }: Count): string[] => [shown(name), String(count)];

const askingCells = (name: string, { calls, asks, asksPer100 }: Asking): string[] => [
  name,
  `${asks} of ${calls}`,
  `${asksPer100.toFixed(1)} per 100 calls`,
];

const answerRows = (answers: Answers): string[][] => {
  const { answered, allowed, advised, overridden, overrideRate, sessions } = answers;
  if (answered === 0) return [];
  return [
    ['all sessions', approvals({ answered, allowed })],
    ...(sessions.length < 2 ? [] : sessions.map((each) => [shown(each.session), approvals(each)])),
    ...(advised === 0 ? [] : [['against the advice', `${overridden} of ${advised}  ${percent(overrideRate)}`]]),
  ];
};

const approvals = ({ answered, allowed }: Pick<Answers, 'answered' | 'allowed'>): string =>
  `${allowed} of ${answered} allowed  ${percent(allowed / answered)}`;

const memoryCells = ({ place, counts, shapes, ending, expired, untrusted }: MemoryRow): string[] => {
  const notes = [
    [sumOf(shapes), 'for a whole shape'],
    [sumOf(ending), 'with an end'],
    [sumOf(expired), 'expired'],
    [untrusted, 'more wait for trust'],
  ] as const;
  const told = notes.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [place, `${countsText(counts)}${told.length === 0 ? '' : ` (${told.join(', ')})`}`];
};

const indexCells = ({ place, exact, similar }: IndexStatus): string[] => [
  place,
  `exact: ${exact.state}, ${byteText(exact.bytes)}`,
  `similar: ${similar.state}, ${byteText(similar.bytes)}`,
];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const section = (title: string, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : ['', title, ...aligned(rows).map((line) => `  ${line}`)];
