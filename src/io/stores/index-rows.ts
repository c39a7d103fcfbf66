import { hexToBytes } from '@noble/hashes/utils.js';
import { anyContext, entryKeyText } from '../../core/model/entry-key.ts';
import type { WideningLine } from '../../core/model/policy.ts';
import type { DecisionRecord, OverridePattern } from '../../core/model/record.ts';
import { type IndexRow, sortRows } from './index-format.ts';
import { type FileSignature, type LineProblem, type RecordLine, readRules } from './rules-file.ts';
import type { RulesLocation } from './rules-location.ts';
import { lineDigest } from './trust.ts';
import { keyedDigester } from './user-key.ts';

/** Which allows of a repository count. */
export interface TrustView {
  readonly isTrusted: (lineDigest: string) => boolean;
  readonly trustSignature: () => string;
}

/** An override as the index keeps it. */
export interface OverrideRow extends Omit<IndexRow, 'digest'> {
  readonly pattern: OverridePattern;
}

/** Everything an index says, before it is written. */
export interface IndexContent {
  /** Sorted by digest. */
  readonly rows: readonly IndexRow[];
  readonly overrides: readonly OverrideRow[];
  readonly problems: readonly LineProblem[];
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
  readonly signatures: readonly FileSignature[];
}

export interface RowSource {
  readonly location: RulesLocation;
  readonly key: Uint8Array;
  /** Needed for locations in a repository; without it none of their allows count. */
  readonly trust?: TrustView;
}

/** Reads a location and works out which of its lines count, and under which digests they are found. */
export const indexContent = ({ location, key, trust }: RowSource): IndexContent => {
  const digestOf = keyedDigester(key);
  const rows: IndexRow[] = [];
  const overrides: OverrideRow[] = [];
  const useless: LineProblem[] = [];
  let untrusted = 0;
  const reading = readRules(location, (line) => {
    const reason = uselessBecause(line.record, location);
    if (reason !== undefined) {
      useless.push({ ...line.source, reason });
      return;
    }
    if (isWidening(line.record, location) && trust?.isTrusted(digestOfLine(line)) !== true) {
      untrusted += 1;
      return;
    }
    const fields = rowFields(line, location);
    const { pattern } = line.record;
    if (pattern !== undefined) overrides.push({ ...fields, pattern });
    else for (const digest of digestsOf(line.record, digestOf)) rows.push({ ...fields, digest });
  });
  const problems = [...reading.problems, ...useless];
  return { rows: sortRows(rows), overrides, problems, untrusted, signatures: reading.signatures };
};

/** The records of a location that count: the repository's allows only when trusted, and nothing that never applies. */
export const countingRecords = (location: RulesLocation, isTrusted: TrustView['isTrusted']): DecisionRecord[] => {
  const records: DecisionRecord[] = [];
  readRules(location, (line) => {
    if (uselessBecause(line.record, location) !== undefined) return;
    if (!isWidening(line.record, location) || isTrusted(digestOfLine(line))) records.push(line.record);
  });
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

const whatOf = ({ pattern, key }: DecisionRecord): string =>
  pattern === undefined ? key.sanitized_input : `matching ${JSON.stringify(pattern)}`;

const digestOfLine = (line: RecordLine): string => lineDigest(line.source.file, line.canonical());

const isWidening = (record: DecisionRecord, location: RulesLocation): boolean =>
  location.inRepository && record.decision === 'allow';

/** Why a well-formed record never applies where it is written. */
const uselessBecause = (record: DecisionRecord, location: RulesLocation): string | undefined => {
  if (record.decision !== 'allow') return undefined;
  if (record.lossy === true && record.digest === undefined && record.pattern === undefined) {
    return 'allows a call that lost text to redaction, without the digest that would tell it apart';
  }
  if (!location.inRepository) return undefined;
  if (record.key.role === '*') return 'allows every role, which a repository cannot do; name one role';
  if (location.kind === 'project' && record.context === 'outside') {
    return 'allows a call outside the project, which its rules cannot do';
  }
  return undefined;
};

const rowFields = ({ record, source }: RecordLine, location: RulesLocation): Omit<IndexRow, 'digest'> => ({
  verdict: record.decision,
  tier: record.metadata.tier,
  tool: record.key.tool,
  role: record.key.role,
  ...(record.change === undefined ? {} : { change: record.change }),
  file: location.files.findIndex(({ path }) => path === source.file),
  line: source.line,
  expiresMs: record.expires_at === undefined ? 0 : Date.parse(record.expires_at),
});

/**
 * Where a look-up finds the record. Without a context an allow means the root only, an ask or a deny means everywhere.
 * A lossy record is found by its own digest; an ask or a deny without one by its redacted text.
 */
const digestsOf = (record: DecisionRecord, digestOf: (text: string) => Uint8Array): Uint8Array[] => {
  if (record.lossy === true && record.digest !== undefined) return [hexToBytes(record.digest)];
  const { tool, sanitized_input: input } = record.key;
  const everywhere = record.context === undefined && record.decision !== 'allow';
  const contexts = everywhere ? (['root', anyContext] as const) : [record.context ?? 'root'];
  return contexts.map((context) => digestOf(entryKeyText({ tool, input, context })));
};
