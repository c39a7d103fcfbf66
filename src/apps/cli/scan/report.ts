import type { IgnoreEntry, IgnoreList, Marker } from '../../../io/scan/allowances.ts';
import type { FilePath } from '../../../io/scan/file-path.ts';
import type { Excused } from '../../../io/scan/file-scan.ts';
import type { Finding } from '../../../io/scan/finding.ts';
import type { Visited, VisitedPath } from '../../../io/scan/visit.ts';
import type { ExitCode } from '../command.ts';

/** A finding and the file that it is in. */
export type Located = VisitedPath & { readonly finding: Finding };

/** A file that was left out or could not be read. */
export interface PassedOver {
  readonly shown: FilePath;
  readonly why: string;
}

/** A mark or an entry that excused nothing. */
export interface Idle {
  readonly shown: FilePath;
  readonly line: number;
}

/** What a scan came to. */
export interface Report {
  readonly findings: readonly Located[];
  /** Files that were looked through. */
  readonly files: number;
  readonly bytes: number;
  readonly skipped: readonly PassedOver[];
  readonly unreadable: readonly PassedOver[];
  /** Findings that were excused, by what. */
  readonly excused: { readonly byMarker: number; readonly byFingerprint: number };
  /** Files left out by a glob. */
  readonly ignoredFiles: number;
  readonly idle: readonly Idle[];
}

/** Adds up what a scan came by. `ignoreFile` is where its list of exceptions is. */
export const reportOf = (
  visited: Iterable<Visited>,
  { ignore, ignoreFile }: { readonly ignore: IgnoreList; readonly ignoreFile: FilePath },
): Report => {
  const findings: Located[] = [];
  const skipped: PassedOver[] = [];
  const unreadable: PassedOver[] = [];
  const idle: Idle[] = [];
  const excused: Excused[] = [];
  const used = new Set<Marker | IgnoreEntry>();
  let [files, bytes, ignoredFiles] = [0, 0, 0];
  for (const each of visited) {
    const { shown, name } = each;
    if (each.kind === 'skipped') skipped.push({ shown, why: each.why });
    else if (each.kind === 'unreadable') unreadable.push({ shown, why: each.why });
    else if (each.scanned.kind === 'skipped') skipped.push({ shown, why: each.scanned.why });
    else if (each.scanned.kind === 'ignored') {
      ignoredFiles += 1;
      used.add(each.scanned.by);
    } else {
      files += 1;
      bytes += each.scanned.bytes;
      for (const finding of each.scanned.findings) findings.push({ shown, name, finding });
      for (const one of each.scanned.excused) excused.push(one);
      for (const { line } of each.scanned.idleMarkers) idle.push({ shown, line });
    }
  }
  for (const { by } of excused) used.add(by);
  for (const entry of ignore.entries) if (!used.has(entry)) idle.push({ shown: ignoreFile, line: entry.line });
  const byFingerprint = excused.filter(({ by }) => 'kind' in by).length;
  const counts = { byMarker: excused.length - byFingerprint, byFingerprint };
  return { findings, files, bytes, skipped, unreadable, excused: counts, ignoredFiles, idle };
};

/** 1: something was found. 2: something could not be looked at, and nothing was found. */
export const exitCodeOf = ({ findings, unreadable }: Report): ExitCode =>
  findings.length > 0 ? 1 : unreadable.length > 0 ? 2 : 0;
