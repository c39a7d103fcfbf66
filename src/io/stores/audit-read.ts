import { checkPrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { type AuditPlace, currentFile, headFile, rotatedFile, rotatedNumbers } from './audit-files.ts';
import { type HeadState, readHead } from './audit-head.ts';
import { type AuditEntry, type ChainPoint, chainStart, readAuditLine } from './audit-line.ts';

const largestFileBytes = 256 * 1024 * 1024;
const usualLimit = 100;

export interface AuditProblem {
  readonly file: string;
  /** 0: about the file as a whole. */
  readonly line: number;
  readonly reason: string;
  /** `torn`: a writer was killed, nothing acknowledged is lost. `broken`: lines were changed, removed or added. */
  readonly kind: 'torn' | 'broken';
}

export interface AuditVerification {
  /** No line was changed, removed or added. Torn lines do not count against it. */
  readonly ok: boolean;
  readonly lines: number;
  readonly problems: readonly AuditProblem[];
}

export interface AuditReading {
  /** Oldest first. */
  readonly entries: readonly (AuditEntry & { readonly file: string; readonly line: number })[];
  readonly problems: readonly AuditProblem[];
}

/** Follows the chain from the first line to the anchor. */
export const verifyAudit = (place: AuditPlace): AuditVerification => {
  const problems: AuditProblem[] = [];
  let last: ChainPoint = chainStart;
  let lines = 0;
  const anchor = checkPrivateDirectory(place.directory) ? readHead(headFile(place.directory), place.key) : missing;
  let meetsAnchor = anchor.kind === 'good' && anchor.head.seq === 0;
  for (const file of logFiles(place.directory)) {
    for (const { line, read } of linesOf(file, place.key)) {
      const at = { file, line };
      if (!read.ok) {
        problems.push({ ...at, ...lineProblems[read.error] });
        continue;
      }
      lines += 1;
      const entry = read.value;
      if (entry.prev !== last.hash || entry.seq !== last.seq + 1)
        problems.push({ ...at, kind: 'broken', reason: gapReason(entry, last) });
      if (typeof entry.event.recovered === 'string')
        problems.push({ ...at, kind: 'broken', reason: `written when ${entry.event.recovered}` });
      last = entry;
      if (anchor.kind === 'good' && anchor.head.seq === entry.seq && anchor.head.hash === entry.hash)
        meetsAnchor = true;
    }
  }
  const reason = meetsAnchor ? undefined : anchorReason(anchor, last);
  if (reason !== undefined) problems.push({ file: headFile(place.directory), line: 0, kind: 'broken', reason });
  return { ok: problems.every(({ kind }) => kind === 'torn'), lines, problems };
};

const lineProblems = {
  torn: { kind: 'torn', reason: 'is cut short: its writer was killed before the line was acknowledged' },
  changed: { kind: 'broken', reason: 'was changed: its code does not fit its content' },
} as const;

const gapReason = (entry: AuditEntry, last: ChainPoint): string => {
  if (last.seq === 0) return `is line number ${entry.seq}: the lines before it were removed`;
  if (entry.seq <= last.seq) return `is line number ${entry.seq} after number ${last.seq}: lines were copied or moved`;
  return `does not follow line number ${last.seq}: lines between were removed or changed`;
};

const missing: HeadState = { kind: 'missing' };

/** Why the end of the log is in doubt. Lines after the anchor's are not: their codes vouch for them. */
const anchorReason = (anchor: HeadState, last: ChainPoint): string | undefined => {
  switch (anchor.kind) {
    case 'missing':
      // The very first writer may have been killed before it could write the anchor.
      return last.seq <= 1 ? undefined : 'is missing: whether last lines were removed cannot be told';
    case 'damaged':
      return 'is damaged: whether last lines were removed cannot be told';
    case 'good':
      return `names line number ${anchor.head.seq} as the last, but the log ends with number ${last.seq}: last lines were removed or changed`;
  }
};

/** The newest entries since a time, at most `limit` of them. */
export const readAudit = (
  place: AuditPlace,
  choice: { readonly since?: string; readonly limit?: number },
): AuditReading => {
  const limit = choice.limit ?? usualLimit;
  const since = choice.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(choice.since);
  const entries: AuditReading['entries'][number][] = [];
  const problems: AuditProblem[] = [];
  for (const file of logFiles(place.directory).reverse()) {
    const here: typeof entries = [];
    let isOlder = false;
    for (const { line, read } of linesOf(file, place.key)) {
      if (!read.ok) problems.push({ file, line, ...lineProblems[read.error] });
      else if (Date.parse(read.value.time) >= since) here.push({ ...read.value, file, line });
      else isOlder = true;
    }
    entries.unshift(...here.slice(-Math.max(1, limit - entries.length)));
    if (isOlder || entries.length >= limit) break;
  }
  return { entries: limit > 0 ? entries.slice(-limit) : [], problems };
};

/** Every log file, oldest first. */
const logFiles = (directory: string): string[] => {
  if (!checkPrivateDirectory(directory)) return [];
  return [...rotatedNumbers(directory).map((number) => rotatedFile(directory, number)), currentFile(directory)];
};

const linesOf = function* (
  file: string,
  key: Uint8Array,
): Generator<{ line: number; read: ReturnType<typeof readAuditLine> }> {
  const text = readPrivate(file, { maxBytes: largestFileBytes })?.toString('utf8') ?? '';
  let line = 0;
  for (const content of text.split('\n')) {
    line += 1;
    if (content.trim() !== '') yield { line, read: readAuditLine(content, key) };
  }
};
