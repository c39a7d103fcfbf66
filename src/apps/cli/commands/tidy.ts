import { type Finding, type TidiedFile, type TidiedLine, tidyLocation } from '../../../io/memory/tidy.ts';
import type { Project } from '../../compose.ts';
import { knowledgeHere } from '../call-knowledge.ts';
import { type Command, type Invocation, type OptionValues, textOption, UsageError } from '../command.ts';
import { logChange } from '../log-change.ts';
import { projectHere, refuseAgent, requirePerson } from '../open.ts';
import { clean } from '../pending-words.ts';
import { placesOf, scopesMeant } from '../rules-places.ts';
import { visibleJson } from '../visible.ts';

/** Takes out of the rules files what says nothing any more, and puts the rest in order. */
export const tidy: Command = {
  name: 'tidy',
  summary: 'take expired, repeated and covered entries out of the rules files, and sort what stays',
  usage: '[--scope org|project|user] [--dry-run] [--sort] [--conflicts] [--damaged] [--json]',
  examples: ['hookwise tidy --dry-run', 'hookwise tidy --scope project', 'hookwise tidy --conflicts --damaged'],
  options: {
    scope: { type: 'string' },
    'dry-run': { type: 'boolean' },
    sort: { type: 'boolean' },
    conflicts: { type: 'boolean' },
    damaged: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options, print, surroundings } = invocation;
    const choice = choiceFrom(options);
    // Looking and sorting change what no call is told, so a script may do them.
    if (choice.dryRun || choice.sortOnly) refuseAgent(invocation, 'tidy the rules');
    else requirePerson(invocation, 'tidy the rules');
    const project = projectHere(invocation);
    const knowledge = choice.sortOnly ? {} : knowledgeHere(invocation, project);
    const { trust, places } = project;
    const files = placesOf(project, choice.scopes)
      .flatMap((location) =>
        tidyLocation({ ...choice, location, state: places.state, trust, now: surroundings.now(), knowledge }),
      )
      .filter(({ before, changes }) => before > 0 || changes);
    if (options['json'] === true) print(visibleJson({ dryRun: choice.dryRun, files: files.map(asJson) }));
    else for (const line of summary(files, { project, choice })) print(line);
    const gone = files.flatMap(({ lines }) => lines.filter(({ goes }) => goes));
    if (!choice.dryRun && files.some(({ changes }) => changes)) logTidying(invocation, project, { files, gone });
    return 0;
  },
};

interface Choice {
  readonly scopes: ReturnType<typeof scopesMeant>;
  readonly dryRun: boolean;
  readonly sortOnly: boolean;
  readonly conflicts: boolean;
  readonly damaged: boolean;
}

const choiceFrom = (options: OptionValues): Choice => {
  const [sortOnly, conflicts, damaged] = ['sort', 'conflicts', 'damaged'].map((name) => options[name] === true);
  if (sortOnly === true && (conflicts === true || damaged === true))
    throw new UsageError('--sort takes nothing out; leave out --conflicts and --damaged');
  return {
    scopes: scopesMeant(textOption(options, 'scope')),
    dryRun: options['dry-run'] === true,
    sortOnly: sortOnly === true,
    conflicts: conflicts === true,
    damaged: damaged === true,
  };
};

interface Shown {
  readonly project: Project;
  readonly choice: Choice;
}

/** Longer lists are cut short for people; `--json` has all. */
const mostLines = 200;

const summary = (files: readonly TidiedFile[], { project, choice }: Shown): string[] => {
  const short = shortIn(project);
  const shown = files.flatMap((file) => {
    const noted = file.lines.slice(0, mostLines).map((line) => lineText(line, { short, choice }));
    const more = file.lines.length - noted.length;
    const total = totalText(file, choice.dryRun);
    if (noted.length === 0 && total === undefined) return [];
    const rest = more > 0 ? [`  … and ${more} more; --json lists all`] : [];
    return [short(file.path), ...noted, ...rest, ...(total === undefined ? [] : [`  ${total}`])];
  });
  return shown.length === 0 ? ['Nothing to tidy.'] : shown;
};

const shortIn =
  ({ root }: Project) =>
  (path: string): string =>
    clean(path.startsWith(`${root.root}/`) ? path.slice(root.root.length + 1) : path);

const longestText = 400;

const lineText = (
  { source, text, finding, goes }: TidiedLine,
  { short, choice }: { readonly short: (path: string) => string; readonly choice: Choice },
): string => {
  const said = clean(text.slice(0, longestText));
  return `  ${goes ? '-' : '!'} ${source.line}: ${said}  (${findingText(finding, short)}${goes ? '' : keptText(finding, choice)})`;
};

const findingText = (finding: Finding, short: (path: string) => string): string => {
  switch (finding.kind) {
    case 'expired':
      return 'expired';
    case 'duplicate':
      return `the same as ${short(finding.by.file)}:${finding.by.line}`;
    case 'covered':
      return `covered by ${short(finding.by.file)}:${finding.by.line}`;
    case 'beaten':
      return `never decides: ${short(finding.by.file)}:${finding.by.line} is stricter`;
    case 'useless':
      return `never applies: it ${clean(finding.reason)}`;
    case 'damaged':
      return clean(finding.reason);
  }
};

/** What to do about a line that stays. */
const keptText = (finding: Finding, { sortOnly }: Choice): string => {
  if (sortOnly) return '';
  if (finding.kind === 'beaten') return '; --conflicts takes it out';
  return finding.kind === 'damaged' ? '; mend it, or --damaged takes it out' : '';
};

const totalText = ({ before, after, changes }: TidiedFile, dryRun: boolean): string | undefined => {
  if (!changes) return undefined;
  const sorted = before === after ? `${counted(before)}, put in order` : `${counted(before)}, ${after} left, in order`;
  return dryRun ? `would be: ${sorted}` : sorted;
};

const counted = (count: number): string => `${count} line${count === 1 ? '' : 's'}`;

const asJson = ({ path, before, after, changes, lines }: TidiedFile) => ({
  path,
  before,
  after,
  changes,
  lines: lines.map(({ source, text, finding, goes }) => ({ ...finding, line: source.line, goes, text: clean(text) })),
});

const logTidying = (
  invocation: Invocation,
  project: Project,
  { files, gone }: { readonly files: readonly TidiedFile[]; readonly gone: readonly TidiedLine[] },
): void =>
  logChange(invocation, project, {
    event: 'tidied',
    files: files.flatMap(({ path, changes }) => (changes ? [path] : [])).join('\n'),
    removed: gone.length,
    lines: gone.map(({ source, finding }) => `${source.file}:${source.line} ${finding.kind}`).join('\n'),
    actor: `user:${invocation.surroundings.user}`,
  });
