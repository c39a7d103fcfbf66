import type { WideningLine } from '../../core/model/policy.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import { buildRows, type RowSource } from './index-build.ts';
import type { RowFields } from './index-format.ts';
import type { OverrideRow } from './index-header.ts';
import { isWidening, uselessBecause } from './line-rules.ts';
import { type LineProblem, type RecordLine, type RulesReading, readRules } from './rules-file.ts';
import type { RulesLocation } from './rules-location.ts';
import { lineDigest } from './trust.ts';
import type { TrustView } from './trust-view.ts';

export type { TrustView } from './trust-view.ts';

/** What a location holds that counts. */
export interface IndexContent {
  /** A line without a context is there once per context. */
  readonly rows: Iterable<RowFields>;
  readonly overrides: readonly OverrideRow[];
  readonly problems: readonly LineProblem[];
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
}

/** Reads a location and works out which of its lines count. */
export const indexContent = (source: RowSource): IndexContent => {
  const { sink, overrides, problems, untrusted } = buildRows(source);
  const counts = (row: RowFields): boolean => row.inert !== true;
  return { rows: [...sink.fields()].filter(counts), overrides: overrides.filter(counts), problems, untrusted };
};

/** The lines of a location that count: the repository's allows only when trusted, and nothing that never applies. */
export const countingLines = (
  location: RulesLocation,
  isTrusted: TrustView['isTrusted'],
  visit: (line: RecordLine) => void,
): RulesReading =>
  readRules(location, (line) => {
    if (uselessBecause(line.record, location) !== undefined) return;
    if (!isWidening(line.record, location) || isTrusted(digestOfLine(line))) visit(line);
  });

/** The records of those lines. */
export const countingRecords = (location: RulesLocation, isTrusted: TrustView['isTrusted']): DecisionRecord[] => {
  const records: DecisionRecord[] = [];
  countingLines(location, isTrusted, ({ record }) => records.push(record));
  return records;
};

/** The allows of a repository that are not in force yet, to show before `trust`. */
export const untrustedLines = (location: RulesLocation, isTrusted: TrustView['isTrusted']): WideningLine[] => {
  const found: WideningLine[] = [];
  readRules(location, (line) => {
    const { record, source } = line;
    if (!isWidening(record, location) || uselessBecause(record, location) !== undefined) return;
    const digest = digestOfLine(line);
    const statement = `allows ${record.key.role}: ${record.key.tool} ${whatOf(record)}`;
    if (!isTrusted(digest)) found.push({ source, statement, digest });
  });
  return found;
};

const whatOf = ({ pattern, slots, key }: DecisionRecord): string => {
  if (pattern !== undefined) return `matching ${JSON.stringify(pattern)}`;
  return slots === undefined ? key.sanitized_input : `every call of the shape ${key.sanitized_input}`;
};

/** What trust knows a line by. */
export const digestOfLine = (line: RecordLine): string => lineDigest(line.source.file, line.canonical());
