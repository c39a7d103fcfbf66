import { version } from '../version.ts';
import { exitCodeOf, type Located, type Report } from './report.ts';
import { safePath } from './words.ts';

/** The report as one JSON value. Lines and columns count from 1, columns and lengths in UTF-16 code units. */
export const jsonReport = (report: Report): unknown => ({
  version,
  exitCode: exitCodeOf(report),
  findings: report.findings.map(findingJson),
  files: report.files,
  bytes: report.bytes,
  excused: report.excused,
  ignoredFiles: report.ignoredFiles,
  idle: report.idle.map(({ shown, line }) => ({ file: safePath(shown), line })),
  skipped: report.skipped.map(({ shown, why }) => ({ file: safePath(shown), why })),
  unreadable: report.unreadable.map(({ shown, why }) => ({ file: safePath(shown), why })),
});

const findingJson = ({ shown, finding }: Located) => {
  const { kind, line, column, endLine, endColumn, length, fingerprint } = finding;
  return { file: safePath(shown), line, column, endLine, endColumn, rule: kind, length, fingerprint };
};
