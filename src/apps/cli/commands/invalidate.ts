import { isInForce } from '../../../core/engine/record-match.ts';
import type { DecisionRecord } from '../../../core/model/record.ts';
import { forgetRecords, type Project, type RulesFile, type RulesLocation, readRules } from '../../compose.ts';
import { roleNamed } from '../../session.ts';
import { type Command, type Invocation, type OptionValues, textOption, UsageError } from '../command.ts';
import { confirm as askAtTerminal } from '../confirm.ts';
import { logChange } from '../log-change.ts';
import { projectHere, requirePerson } from '../open.ts';
import { clean } from '../pending-words.ts';
import { complainOfRole } from '../role-words.ts';
import { placesOf, scopesMeant } from '../rules-places.ts';

/** Drops remembered decisions, so that the calls are judged anew when they come. */
export const invalidate: Command = {
  name: 'invalidate',
  summary: 'drop remembered decisions: calls are judged anew when they come',
  usage: '(--role <name> | --scope org|project|user | --all) [--include-restrictive] [--yes]',
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
    yes: { type: 'boolean' },
  },
  takesWords: false,
  run: async (invocation) => {
    const { options, print, surroundings } = invocation;
    const choice = choiceFrom(options);
    requirePerson(invocation, 'drop remembered decisions');
    const project = projectHere(invocation);
    const found = placesOf(project, choice.scopes).flatMap((location) =>
      location.files.map((file) => findIn({ location, file }, { choice, now: surroundings.now() })),
    );
    const [meant, kept] = [sumOf(found, 'meant'), sumOf(found, 'kept')];
    if (meant + kept === 0 && isUnknownRole(project, choice))
      return complainOfRole(invocation, project, choice.role ?? '');
    if (meant > 0 && !(await isConfirmed(invocation, found))) {
      print('Nothing was removed.');
      return 1;
    }
    const outcomes = found.map((one) => drop(project, one, choice));
    for (const line of outcomes.flatMap(linesOf)) print(line);
    const removed = outcomes.reduce((sum, outcome) => sum + outcome.removed, 0);
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
  readonly scopes: ReturnType<typeof scopesMeant>;
  readonly includeRestrictive: boolean;
}

const choiceFrom = (options: OptionValues): Choice => {
  const [role, scope] = [textOption(options, 'role'), textOption(options, 'scope')];
  if (role === undefined && scope === undefined && options['all'] !== true)
    throw new UsageError('say what to drop: --role <name>, --scope <scope> or --all');
  if (options['all'] === true && role !== undefined) throw new UsageError('--all and --role contradict each other');
  return { role, scopes: scopesMeant(scope), includeRestrictive: options['include-restrictive'] === true };
};

interface Place {
  readonly location: RulesLocation;
  readonly file: RulesFile;
}

/** What of a file is meant, by kind, and what is named but stays. */
interface Found extends Place {
  readonly meant: number;
  readonly overrides: number;
  readonly shapes: number;
  readonly expired: number;
  readonly kept: number;
}

const onlyIn = ({ location, file }: Place): RulesLocation => ({ ...location, files: [file] });

const isNamed = (record: DecisionRecord, { role }: Choice): boolean => role === undefined || record.key.role === role;

const isMeant = (record: DecisionRecord, choice: Choice): boolean =>
  isNamed(record, choice) && (choice.includeRestrictive || record.decision === 'allow');

/** File by file, so that the report says what happened where. */
const findIn = (place: Place, { choice, now }: { readonly choice: Choice; readonly now: number }): Found => {
  const meant: DecisionRecord[] = [];
  let kept = 0;
  readRules(onlyIn(place), ({ record }) => {
    if (isMeant(record, choice)) meant.push(record);
    else if (isNamed(record, choice)) kept += 1;
  });
  const isShape = ({ slots, pattern }: DecisionRecord): boolean => slots !== undefined && pattern === undefined;
  return {
    ...place,
    kept,
    meant: meant.length,
    overrides: meant.filter(({ pattern }) => pattern !== undefined).length,
    shapes: meant.filter(isShape).length,
    expired: meant.filter((record) => !isInForce(record, now)).length,
  };
};

const sumOf = (found: readonly Found[], name: 'meant' | 'overrides' | 'shapes' | 'expired' | 'kept'): number =>
  found.reduce((sum, one) => sum + one[name], 0);

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What is special about some of the records, in brackets. */
const kindsText = ({ overrides, shapes, expired }: Pick<Found, 'overrides' | 'shapes' | 'expired'>): string => {
  const kinds = [
    ...(overrides === 0 ? [] : [counted(overrides, 'override')]),
    ...(shapes === 0 ? [] : [`${shapes} for every call of a shape`]),
    ...(expired === 0 ? [] : [`${expired} expired`]),
  ];
  return kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
};

const isConfirmed = (invocation: Invocation, found: readonly Found[]): Promise<boolean> => {
  if (invocation.options['yes'] === true) return Promise.resolve(true);
  const kinds = kindsText({
    overrides: sumOf(found, 'overrides'),
    shapes: sumOf(found, 'shapes'),
    expired: sumOf(found, 'expired'),
  });
  const files = found.filter(({ meant }) => meant > 0).length;
  const question = `Remove ${counted(sumOf(found, 'meant'), 'record')}${kinds} from ${counted(files, 'file')}?`;
  return (invocation.confirm ?? askAtTerminal)(question);
};

interface Dropped extends Found {
  readonly removed: number;
}

/** Where nothing is to be removed nothing is touched, not even a directory made. */
const drop = (project: Project, found: Found, choice: Choice): Dropped => ({
  ...found,
  removed: found.meant === 0 ? 0 : forgetRecords(project, onlyIn(found), (record) => isMeant(record, choice)),
});

const linesOf = (dropped: Dropped): string[] => {
  const { file, removed, kept } = dropped;
  if (removed + kept === 0) return [];
  return [`${clean(file.path)}: removed ${removed}${removed === 0 ? '' : kindsText(dropped)}, kept ${kept}`];
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
