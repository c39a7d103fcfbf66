import type { Project } from '../../compose.ts';
import { type Command, type ExitCode, type Invocation, textOption, UsageError } from '../command.ts';
import { projectHere } from '../open.ts';
import { aligned, shown } from '../shown.ts';
import { sinceTime } from '../since.ts';
import { visibleJson } from '../visible.ts';

/** Shows the audit log, or checks that nobody has touched it. */
export const log: Command = {
  name: 'log',
  summary: 'show the audit log; log verify checks that nothing in it was changed, removed or added',
  usage: '[verify] [--since <30d|date>] [--limit <n>] [--json]',
  examples: ['hookwise log --limit 20', 'hookwise log --since 2h --json', 'hookwise log verify'],
  options: { since: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: true,
  run: (invocation) => {
    const [action, ...rest] = invocation.words;
    if (rest.length > 0 || (action !== undefined && action !== 'verify'))
      throw new UsageError('give verify, or only options');
    const project = projectHere(invocation);
    return action === 'verify' ? verify(invocation, project) : show(invocation, project);
  },
};

type Entry = ReturnType<Project['audit']['read']>['entries'][number];

const usualLimit = 50;

const limitOf = (text: string | undefined): number => {
  if (text === undefined) return usualLimit;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError('--limit takes a whole number above 0');
  return Number(text);
};

const show = ({ options, surroundings, print, complain }: Invocation, { audit }: Project): ExitCode => {
  const since = textOption(options, 'since');
  const { entries, problems } = audit.read({
    limit: limitOf(textOption(options, 'limit')),
    ...(since === undefined ? {} : { since: sinceTime(since, surroundings.now()) }),
  });
  if (options['json'] === true) {
    const plain = entries.map(({ seq, time, event, file, line }) => ({ seq, time, ...event, file, line }));
    print(visibleJson({ entries: plain, problems }));
    return 0;
  }
  for (const line of aligned(entries.map(cellsOf))) print(line);
  for (const { file, line, reason } of problems) complain(`${file}:${line}: ${reason}`);
  if (entries.length === 0) print('nothing is logged in this time');
  return 0;
};

const text = (value: unknown): string => (typeof value === 'string' ? shown(value) : '');

const cellsOf = ({ time, event }: Entry): string[] => {
  const { event: kind, verdict, tool, role, rule, scope, actor, input, reason } = event;
  const what = text(input) || text(reason);
  return [
    time.replace(/\.\d+Z$/, 'Z'),
    text(verdict) || text(kind),
    text(tool),
    text(role),
    rule === undefined ? [kind, scope, actor].map(text).join(' ').trim() : `[${text(rule)}]`,
    what.length > 120 ? `${what.slice(0, 117)}...` : what,
  ];
};

const verify = ({ options, print }: Invocation, { audit }: Project): ExitCode => {
  const result = audit.verify();
  if (options['json'] === true) {
    print(visibleJson(result));
    return result.ok ? 0 : 1;
  }
  for (const { file, line, reason, kind } of result.problems)
    print(line === 0 ? `${kind}  ${file} ${reason}` : `${kind}  ${file}:${line}: ${reason}`);
  const count = `${result.lines} line${result.lines === 1 ? '' : 's'}`;
  print(result.ok ? `${count}: as they were written` : `${count}: NOT as they were written`);
  return result.ok ? 0 : 1;
};
