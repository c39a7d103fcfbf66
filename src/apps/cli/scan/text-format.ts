import type { Located, PassedOver, Report } from './report.ts';
import { counted, kindInWords, shownPath } from './words.ts';

/** The findings, one a line, then a summary. `verbose` also names what was left out and which exceptions did nothing. */
export const textLines = (report: Report, { verbose }: { readonly verbose: boolean }): readonly string[] => [
  ...report.findings.map(findingLine),
  ...(verbose ? report.skipped.map(({ shown, why }) => `${shownPath(shown)}: skipped: ${why}`) : largeFiles(report)),
  ...(verbose ? report.idle.map(({ shown, line }) => `${shownPath(shown)}:${line}: excuses nothing here`) : []),
  summaryLine(report),
];

/** Where, of what kind, how long, and the fingerprint. */
export const findingLine = ({
  shown,
  finding: { kind, line, column, endLine, length, fingerprint },
}: Located): string => {
  const lines = endLine > line ? `, to line ${endLine}` : '';
  return `${shownPath(shown)}:${line}:${column}  ${kind}  ${kindInWords(kind)} (${counted(length, 'character')}${lines})  ${fingerprint}`;
};

/** A file that is too large is worth a line of its own: a secret may well be in it. */
const largeFiles = ({ skipped }: Report): readonly string[] =>
  skipped
    .filter(({ why }) => why === 'too large')
    .map(({ shown }) => `${shownPath(shown)}: not scanned: too large (--max-size raises the limit)`);

const summaryLine = (report: Report): string => {
  const { findings, files, excused, ignoredFiles } = report;
  const inFiles = new Set(findings.map(({ name }) => name.toString('latin1'))).size;
  const found =
    findings.length === 0 ? 'no secrets found' : `${counted(findings.length, 'secret')} in ${counted(inFiles, 'file')}`;
  const parts = [
    `${counted(files, 'file')} scanned`,
    ...skippedCounts(report.skipped),
    ...(ignoredFiles > 0 ? [`${counted(ignoredFiles, 'file')} left out by scan-ignore`] : []),
    ...(excused.byMarker > 0 ? [`${counted(excused.byMarker, 'finding')} excused by a marker`] : []),
    ...(excused.byFingerprint > 0 ? [`${counted(excused.byFingerprint, 'finding')} excused by fingerprint`] : []),
    ...(report.unreadable.length > 0 ? [`${report.unreadable.length} could not be read`] : []),
  ];
  return `${found}; ${parts.join(', ')}`;
};

const skippedCounts = (skipped: readonly PassedOver[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { why } of skipped) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => `${count} skipped (${why})`);
};
