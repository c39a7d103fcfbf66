import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import { isInForce } from '../../../core/engine/record-match.ts';
import type { DecisionRecord } from '../../../core/model/record.ts';
import type { RecordPlace } from '../../../core/ports.ts';
import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { type EntryMove, type MoveOutcome, moveEntries } from '../../../io/memory/move-entries.ts';
import { locationFor, type Project, type RecordLine, type RulesLocation, readRules } from '../../compose.ts';
import { knowledgeHere } from '../call-knowledge.ts';
import { type Command, type Invocation, textOption, UsageError } from '../command.ts';
import { confirm as askAtTerminal } from '../confirm.ts';
import { logChange } from '../log-change.ts';
import { projectHere, requirePerson } from '../open.ts';
import { clean, whyLocal } from '../pending-words.ts';
import { visibleJson } from '../visible.ts';

/** Moves entries of one's own to where others share them. */
export const promote: Command = {
  name: 'promote',
  summary: "move your own remembered entries to the project's or the organisation's rules",
  usage: '<text or file:line> --to project|org [--yes]',
  examples: [
    'hookwise promote "pytest --cov" --to project',
    'hookwise promote .hookwise/.user/user.jsonl:3 --to project',
  ],
  options: { to: { type: 'string' }, yes: { type: 'boolean' } },
  takesWords: true,
  run: async (invocation) => {
    const { words, options, print, complain } = invocation;
    const [wanted] = words;
    if (wanted === undefined || wanted === '' || words.length > 1)
      throw new UsageError('name one text, or one line as file:line');
    const to = textOption(options, 'to');
    if (to !== 'project' && to !== 'org') throw new UsageError('--to must be project or org');
    requirePerson(invocation, 'promote an entry');
    const project = projectHere(invocation);
    const place: RecordPlace = { scope: to, here: false };
    const target = locationFor(project, place);
    const found = candidates(project, { wanted, invocation });
    if (found.length === 0) throw new Error(`none of your own entries matches ${clean(wanted)}`);
    const moves = found.flatMap((entry): Entry[] => {
      const why = whyNot(entry.line.record, { to, now: invocation.surroundings.now() });
      if (why === undefined) return [entry];
      complain(`${where(entry)} stays: ${why}`);
      return [];
    });
    if (moves.length === 0) return 1;
    for (const line of diffLines(project, { moves, target }, invocation)) print(line);
    const shapes = moves.filter(({ line }) => line.record.slots !== undefined).length;
    const wide = shapes === 0 ? '' : ` (${shapes} for every call of a shape)`;
    const question = `Move ${moves.length} of your entries${wide} to ${target.path}?`;
    if (options['yes'] !== true && !(await (invocation.confirm ?? askAtTerminal)(question))) {
      print('Nothing was moved.');
      return 1;
    }
    const moved = move(invocation, project, { moves, target });
    print(`Moved ${moved} ${moved === 1 ? 'entry' : 'entries'}.`);
    return moved < found.length ? 1 : 0;
  },
};

interface Entry {
  readonly location: RulesLocation;
  readonly line: RecordLine;
}

/** Entries of the repository's user file first, then those of the user's own rules. */
const candidates = (
  project: Project,
  { wanted, invocation }: { readonly wanted: string; readonly invocation: Invocation },
): Entry[] =>
  [true, false].flatMap((here) => {
    const location = locationFor(project, { scope: 'user', here });
    const entries: Entry[] = [];
    readRules(location, (line) => {
      if (isMeant(line, { wanted, invocation, project })) entries.push({ location, line });
    });
    return entries;
  });

const isMeant = (
  { record, source }: RecordLine,
  {
    wanted,
    invocation,
    project,
  }: { readonly wanted: string; readonly invocation: Invocation; readonly project: Project },
): boolean => {
  const [, file, number] = /^(.+):(\d{1,9})$/.exec(wanted) ?? [];
  if (file !== undefined && number !== undefined && Number(number) === source.line) {
    const spelled = [file, `${invocation.cwd}/${file}`, `${project.root.root}/${file}`];
    if (spelled.includes(source.file)) return true;
  }
  const texts = [record.key.sanitized_input, ...Object.values(record.pattern ?? {})];
  return texts.some((text) => text.includes(wanted));
};

const where = ({ line }: Entry): string => `${clean(line.source.file)}:${line.source.line}`;

/** What only one user can use, or nobody outside this repository, is not for others. */
const whyNot = (
  record: DecisionRecord,
  { to, now }: { readonly to: 'project' | 'org'; readonly now: number },
): string | undefined => {
  if (!isInForce(record, now)) return `it expired at ${record.expires_at}`;
  const local = whyLocal({ lossy: record.lossy === true, context: record.context ?? 'root' });
  if (local !== undefined) return local;
  if (to === 'project' && record.decision === 'allow' && record.key.role === '*')
    return 'it allows every role, which a repository cannot do';
  return undefined;
};

interface Moves {
  readonly moves: readonly Entry[];
  readonly target: RulesLocation;
}

/** The lines as they go and as they come, provenance included. */
const diffLines = (project: Project, { moves, target }: Moves, invocation: Invocation): string[] => {
  const short = (path: string): string =>
    clean(path.startsWith(`${project.root.root}/`) ? path.slice(project.root.root.length + 1) : path);
  return moves.flatMap((entry) => {
    const after = promoted(entry.line.record, { invocation, scope: target.scope });
    const file = target.files.find(({ verdict }) => verdict === after.decision);
    return [
      `--- ${short(entry.line.source.file)}:${entry.line.source.line}`,
      `+++ ${short(file?.path ?? target.path)}`,
      `- ${lineText(entry.line.record)}`,
      `+ ${lineText(after)}`,
    ];
  });
};

/** A record as its line will read, nothing in it secret or invisible. */
const lineText = (record: DecisionRecord): string =>
  visibleJson(
    JSON.parse(canonicalJson(record), (_, value) => (typeof value === 'string' ? sanitizeText(value) : value)),
  );

/** Who decided and when stays; who promoted is added to the reason, for reviewers to see. */
const promoted = (
  record: DecisionRecord,
  { invocation: { surroundings }, scope }: { readonly invocation: Invocation; readonly scope: DecisionRecord['scope'] },
): DecisionRecord => {
  const { digest: _, lossy: __, ...shared } = record;
  const note = `promoted by user:${surroundings.user} at ${new Date(surroundings.now()).toISOString()}`;
  const reason = record.metadata.reason.slice(0, 4096);
  return {
    ...shared,
    scope,
    metadata: { ...record.metadata, reason: reason === '' ? note : `${reason} (${note})` },
  };
};

/** All in one transaction; says how many went. */
const move = (invocation: Invocation, project: Project, { moves, target }: Moves): number => {
  const { surroundings, complain } = invocation;
  const { trust, places } = project;
  const by = { who: `user:${surroundings.user}`, when: new Date(surroundings.now()).toISOString() };
  const planned = moves.map(({ location, line }): EntryMove => {
    const becomes = promoted(line.record, { invocation, scope: target.scope });
    return { from: location, record: line.record, becomes };
  });
  const { overrideAnswers } = knowledgeHere(invocation, project);
  const outcomes = moveEntries(planned, { to: target, state: places.state, trust, by, overrideAnswers });
  for (const [at, outcome] of outcomes.entries()) {
    const [entry, plan] = [moves[at], planned[at]];
    if (entry === undefined || plan === undefined) continue;
    const why = whyStayed(outcome);
    if (why !== undefined) complain(`${where(entry)} ${why}`);
    else logPromotion(invocation, project, { entry, record: plan.becomes });
  }
  return outcomes.filter(({ kind }) => kind === 'moved').length;
};

const whyStayed = (outcome: MoveOutcome): string | undefined => {
  switch (outcome.kind) {
    case 'moved':
      return undefined;
    case 'covered':
      return `stays: ${clean(outcome.by.file)}:${outcome.by.line} says it already`;
    case 'gone':
      return 'was changed meanwhile, and stays as it is';
  }
};

const logPromotion = (
  invocation: Invocation,
  project: Project,
  { entry, record }: { readonly entry: Entry; readonly record: DecisionRecord },
): void =>
  logChange(invocation, project, {
    event: 'promoted',
    role: record.key.role,
    tool: record.key.tool,
    input: record.key.sanitized_input,
    verdict: record.decision,
    from: where(entry),
    scope: record.scope,
    decided_by: record.actor,
    actor: `user:${invocation.surroundings.user}`,
  });
