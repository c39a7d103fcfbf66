import type { DecisionRecord } from '../../../core/model/record.ts';
import {
  forgetRecords,
  locationFor,
  type Project,
  type RulesFile,
  type RulesLocation,
  readRules,
} from '../../compose.ts';
import { roleNamed } from '../../session.ts';
import { type Command, type Invocation, type OptionValues, textOption, UsageError } from '../command.ts';
import { logChange } from '../log-change.ts';
import { projectHere, requirePerson } from '../open.ts';
import { clean } from '../pending-words.ts';
import { complainOfRole } from '../role-words.ts';
import { scopeNamed } from '../scope-option.ts';

/** Drops remembered decisions, so that the calls are judged anew when they come. */
export const invalidate: Command = {
  name: 'invalidate',
  summary: 'drop remembered decisions: calls are judged anew when they come',
  usage: '(--role <name> | --scope org|project|user | --all) [--include-restrictive]',
  examples: [
    'hookwise invalidate --role tester',
    'hookwise invalidate --all',
    'hookwise invalidate --scope org --role coder',
  ],
  options: {
    role: { type: 'string' },
    scope: { type: 'string' },
    all: { type: 'boolean' },
    'include-restrictive': { type: 'boolean' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options, print } = invocation;
    const choice = choiceFrom(options);
    requirePerson(invocation, 'drop remembered decisions');
    const project = projectHere(invocation);
    const outcomes = locationsFor(project, choice).flatMap((location) =>
      location.files.map((file) => dropFrom(project, { location, file }, choice)),
    );
    const removed = outcomes.reduce((sum, outcome) => sum + outcome.removed, 0);
    const kept = outcomes.reduce((sum, outcome) => sum + outcome.kept, 0);
    if (removed + kept === 0 && isUnknownRole(project, choice))
      return complainOfRole(invocation, project, choice.role ?? '');
    for (const line of outcomes.flatMap(linesOf)) print(line);
    if (removed > 0) logInvalidation(invocation, { project, choice, removed });
    print(removed === 0 ? 'Nothing was removed.' : `Removed ${counted(removed, 'record')}.`);
    if (kept === 1) print('Kept 1 record that denies or asks: --include-restrictive removes it as well.');
    if (kept > 1)
      print(`Kept ${counted(kept, 'record')} that deny or ask: --include-restrictive removes them as well.`);
    return 0;
  },
};

interface Choice {
  readonly role: string | undefined;
  readonly scopes: readonly ('org' | 'project' | 'user')[];
  readonly includeRestrictive: boolean;
}

const choiceFrom = (options: OptionValues): Choice => {
  const [role, scope] = [textOption(options, 'role'), textOption(options, 'scope')];
  if (role === undefined && scope === undefined && options['all'] !== true)
    throw new UsageError('say what to drop: --role <name>, --scope <scope> or --all');
  if (options['all'] === true && role !== undefined) throw new UsageError('--all and --role contradict each other');
  return {
    role,
    scopes: scope === undefined ? ['project', 'user'] : [scopeNamed(scope)],
    includeRestrictive: options['include-restrictive'] === true,
  };
};

const locationsFor = (project: Project, { scopes }: Choice): RulesLocation[] =>
  scopes.flatMap((scope) =>
    scope === 'user'
      ? [locationFor(project, { scope, here: true }), locationFor(project, { scope, here: false })]
      : [locationFor(project, { scope, here: false })],
  );

interface Dropped {
  readonly file: string;
  readonly removed: number;
  readonly overrides: number;
  readonly kept: number;
}

/** File by file, so that the report says what happened where. */
const dropFrom = (
  project: Project,
  { location, file }: { readonly location: RulesLocation; readonly file: RulesFile },
  { role, includeRestrictive }: Choice,
): Dropped => {
  const only: RulesLocation = { ...location, files: [file] };
  const isNamed = (record: DecisionRecord): boolean => role === undefined || record.key.role === role;
  const isMeant = (record: DecisionRecord): boolean =>
    isNamed(record) && (includeRestrictive || record.decision === 'allow');
  let [meant, kept, overrides] = [0, 0, 0];
  readRules(only, ({ record }) => {
    if (!isNamed(record)) return;
    if (!isMeant(record)) kept += 1;
    else {
      meant += 1;
      overrides += record.pattern === undefined ? 0 : 1;
    }
  });
  // Where nothing is to be removed nothing is touched, not even a directory made.
  return { file: file.path, overrides, kept, removed: meant === 0 ? 0 : forgetRecords(project, only, isMeant) };
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const linesOf = ({ file, removed, overrides, kept }: Dropped): string[] => {
  if (removed + kept === 0) return [];
  const of = overrides === 0 ? '' : ` (${counted(overrides, 'override')})`;
  return [`${clean(file)}: removed ${removed}${of}, kept ${kept}`];
};

const isUnknownRole = (project: Project, { role }: Choice): boolean =>
  role !== undefined && role !== '*' && roleNamed(project, role) === undefined;

const logInvalidation = (
  invocation: Invocation,
  { project, choice, removed }: { readonly project: Project; readonly choice: Choice; readonly removed: number },
): void =>
  logChange(invocation, project, {
    event: 'invalidated',
    role: choice.role,
    scope: choice.scopes.join(', '),
    restrictive: choice.includeRestrictive,
    removed,
    actor: `user:${invocation.surroundings.user}`,
  });
