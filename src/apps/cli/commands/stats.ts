import { type Command, textOption } from '../command.ts';
import { countsText, memoryCounts } from '../memory-counts.ts';
import { projectHere } from '../open.ts';
import { aligned, shown } from '../shown.ts';
import { sinceTime } from '../since.ts';
import { type Count, type Tally, tallyOf } from '../tally.ts';
import { visibleJson } from '../visible.ts';

const usualPeriod = '30d';

/** Adds up the audit log: what was decided, by which stage, and how often a person was asked. */
export const stats: Command = {
  name: 'stats',
  summary: 'decisions by verdict and stage, how often people are asked and why, and what is remembered',
  usage: '[--since <30d|date>] [--json]',
  examples: ['hookwise stats', 'hookwise stats --since 7d --json'],
  options: { since: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: false,
  run: (invocation) => {
    const { options, surroundings, print, complain } = invocation;
    const now = surroundings.now();
    const since = sinceTime(textOption(options, 'since') ?? usualPeriod, now);
    const project = projectHere(invocation);
    const { entries, problems } = project.audit.read({ since, limit: Number.MAX_SAFE_INTEGER });
    const tally = tallyOf(entries);
    const memory = memoryCounts(project, { now });
    if (options['json'] === true) print(visibleJson({ since, ...tally, memory, problems }));
    else for (const line of linesOf(since, tally, memory)) print(line);
    if (problems.length > 0) complain(`${problems.length} lines of the log cannot be used: hookwise log verify`);
    return 0;
  },
};

const linesOf = (since: string, tally: Tally, memory: ReturnType<typeof memoryCounts>): string[] => {
  const { allow, deny, ask, none } = tally.verdicts;
  return [
    `since ${since}: ${tally.calls} calls`,
    `  ${allow} allow, ${deny} deny, ${ask} ask, ${none} without an opinion`,
    ...section(
      'decided by',
      tally.tiers.map(({ name, count, share }) => [name, String(count), percent(share)]),
    ),
    ...section(
      'asks by day (UTC)',
      tally.days.map(({ day, calls, asks, asksPer100 }) => [
        day,
        `${asks} of ${calls}`,
        `${asksPer100.toFixed(1)} per 100 calls`,
      ]),
    ),
    ...section('asked by way of', tally.askRoutes.map(countCells)),
    ...section('rules that ask most', tally.askingRules.map(countCells)),
    ...section(
      'remembered',
      memory.map(({ place, counts, untrusted }) => [
        place,
        `${countsText(counts)}${untrusted === 0 ? '' : ` (${untrusted} more wait for trust)`}`,
      ]),
    ),
  ];
};

const countCells = ({ name, count }: Count): string[] => [shown(name), String(count)];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const section = (title: string, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : ['', title, ...aligned(rows).map((line) => `  ${line}`)];
