import { isInForce } from '../../../core/engine/record-match.ts';
import type { DecisionRecord } from '../../../core/model/record.ts';
import { countingLines, type Project, type RecordLine } from '../../compose.ts';
import { freshQuestion, type LogEvidence } from './log-evidence.ts';

/** What memory says about shell calls. */
export interface MemoryEvidence {
  /** Calls that a person allowed one by one: nothing that a model or a likeness decided. */
  readonly allows: readonly RecordLine[];
  /** Remembered asks and denies of single calls. */
  readonly restrictions: readonly DecisionRecord[];
  /** Entries that hold for a whole shape already. */
  readonly shapes: readonly DecisionRecord[];
}

/** The entries in force in all of a project's places of memory. */
export const memoryEvidence = (
  project: Project,
  { now, askedBy }: { readonly now: number; readonly askedBy: LogEvidence['askedBy'] },
): MemoryEvidence => {
  const allows: RecordLine[] = [];
  const restrictions: DecisionRecord[] = [];
  const shapes: DecisionRecord[] = [];
  for (const location of project.locations)
    countingLines(location, project.trust.isTrusted, (line) => {
      const { record } = line;
      if (record.key.tool !== 'Bash' || record.pattern !== undefined || !isInForce(record, now)) return;
      if (record.slots !== undefined) shapes.push(record);
      else if (record.decision !== 'allow') restrictions.push(record);
      else if (isOwnWord(record, askedBy)) allows.push(line);
    });
  return { allows, restrictions, shapes };
};

/** A person's answer to a fresh question about one call of one role. */
const isOwnWord = (record: DecisionRecord, askedBy: LogEvidence['askedBy']): boolean => {
  if (record.metadata.tier !== 'Human' || record.key.role === '*' || record.lossy === true) return false;
  const rule = record.call === undefined ? undefined : askedBy.get(record.call);
  return rule === undefined || rule === freshQuestion;
};
