import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import { reachCovers, reachOf } from '../../../core/engine/covers-entry.ts';
import type { DecisionRecord } from '../../../core/model/record.ts';
import type { RecordPlace } from '../../../core/ports.ts';
import { forgetRecords, locationFor, type Project, readRules, saveRecord } from '../../compose.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { confirm as askAtTerminal } from '../confirm.ts';
import { logChange } from '../log-change.ts';
import { placeName } from '../scope-option.ts';
import { shapeName, slotsIn } from '../shape-words.ts';
import { shown } from '../shown.ts';
import { visibleJson } from '../visible.ts';
import type { Assessed } from './assess.ts';
import { replayOf } from './replay.ts';
import { candidateLines, counted } from './show.ts';

/** What a person wants to keep, and how. */
export interface Accepting {
  readonly project: Project;
  readonly assessed: Assessed;
  readonly number: number;
  readonly place: RecordPlace;
  /** ISO 8601. */
  readonly expiresAt: string | undefined;
  /** The id of the question that led here, if it was one. */
  readonly call: string | undefined;
  readonly evenDenied: boolean;
  readonly tidies: boolean;
}

/** Shows what would be written, asks, writes it, and says how to undo it. */
export const accept = async (invocation: Invocation, accepting: Accepting): Promise<ExitCode> => {
  const { project, assessed, number, place, evenDenied, tidies } = accepting;
  const { print } = invocation;
  for (const line of candidateLines(assessed, number)) print(line);
  refuseDenied(assessed, evenDenied);
  const record = recordOf(accepting, invocation);
  const location = locationFor(project, place);
  const file = location.files.find(({ verdict }) => verdict === undefined || verdict === 'allow');
  print('');
  print(`To write, in ${shown(file?.path ?? location.path)}:`);
  print(`+ ${visibleJson(record)}`);
  if (!(await (invocation.confirm ?? askAtTerminal)(`Keep this in ${placeName(place)}?`))) {
    print('Nothing was written.');
    return 1;
  }
  saveRecord(project, record, { where: place, by: { who: record.actor ?? '', when: record.timestamp } });
  logAccepted(invocation, accepting, record);
  const until = record.expires_at === undefined ? '' : `, until ${record.expires_at}`;
  print(`Kept: allow for ${shown(shapeName(assessed.candidate))}, in ${placeName(place)}${until}.`);
  if (tidies) print(tidied(accepting, record));
  print(undoLine(accepting, record));
  return 0;
};

const refuseDenied = ({ objections }: Assessed, evenDenied: boolean): void => {
  const [first] = objections;
  if (first === undefined || evenDenied) return;
  const more = objections.length === 1 ? '' : ` and ${objections.length - 1} more`;
  throw new Error(
    `calls of this shape were not to pass: ${shown(first.text)} is ${first.why}${more}; --even-denied keeps it all the same`,
  );
};

const recordOf = (
  { assessed: { candidate, objections }, place, expiresAt, call }: Accepting,
  { surroundings }: Invocation,
): DecisionRecord => {
  const { shape, role, context, calls, sessions, entries } = candidate;
  const against = objections.length === 0 ? '' : `; ${objections.length} denied calls were shown`;
  const from = call ?? entries.map(({ record }) => record.call).find((id) => id !== undefined);
  return {
    v: 1,
    key: { sanitized_input: shape, tool: 'Bash', role },
    decision: 'allow',
    metadata: {
      tier: 'Human',
      confidence: 1,
      reason: `widened by a person who allowed ${counted(calls.length, 'such call')} one by one, in ${counted(sessions, 'session')}${against}`,
    },
    timestamp: new Date(surroundings.now()).toISOString(),
    scope: place.scope,
    session_id: '',
    context,
    slots: slotsIn(shape),
    actor: `user:${surroundings.user}`,
    ...(from === undefined ? {} : { call: from }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
};

/** Takes out the single entries beside the new one that it stands for: as long, and whatever fills the slots. */
const tidied = ({ project, assessed, place }: Accepting, wide: DecisionRecord): string => {
  const { entries } = assessed.candidate;
  const replay = replayOf(project, assessed.candidate, place);
  const covered = entries.filter(
    ({ record }) => reachCovers(reachOf(wide), reachOf(record)) && replay(record.key.sanitized_input).passes,
  );
  const texts = new Set(covered.map(({ record }) => canonicalJson(record)));
  const removed = forgetRecords(project, locationFor(project, place), (record) => texts.has(canonicalJson(record)));
  const kept = entries.length - removed;
  const rest = kept === 0 ? '' : `; ${kept} stay: they are kept elsewhere, last longer, or are not covered`;
  return `Removed ${removed} single ${removed === 1 ? 'entry' : 'entries'} that it stands for${rest}.`;
};

/** Where the new line is, and how to be rid of it. */
const undoLine = ({ project, place }: Accepting, { key }: DecisionRecord): string => {
  let at = { file: '', line: 0 };
  readRules(locationFor(project, place), ({ record, source }) => {
    if (record.slots !== undefined && record.key.sanitized_input === key.sanitized_input) at = source;
  });
  const all = `hookwise invalidate --role ${shown(key.role)} --scope ${place.scope}`;
  return `To undo: delete line ${at.line} of ${shown(at.file)}; ${all} drops everything that this role is allowed there.`;
};

const logAccepted = (
  invocation: Invocation,
  { project, assessed: { candidate, objections } }: Accepting,
  record: DecisionRecord,
): void =>
  logChange(invocation, project, {
    event: 'generalised',
    root: project.root.root,
    role: candidate.role,
    tool: 'Bash',
    input: candidate.shape,
    context: candidate.context,
    verdict: record.decision,
    calls: candidate.calls.length,
    sessions: candidate.sessions,
    denied: objections.length,
    scope: record.scope,
    expires: record.expires_at,
    actor: record.actor,
  });
