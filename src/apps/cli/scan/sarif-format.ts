import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { type FilePath, pathUri } from '../../../io/scan/file-path.ts';
import { version } from '../version.ts';
import { exitCodeOf, type Located, type PassedOver, type Report } from './report.ts';
import { counted, kindInWords, safePath } from './words.ts';

/**
 * The report as a SARIF 2.1.0 log. Paths are relative to `%SRCROOT%`, the top of the repository; what lies outside is
 * named in full.
 */
export const sarifLog = (report: Report): unknown => {
  const kinds = [...new Set(report.findings.map(({ finding }) => finding.kind))].toSorted();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'hookwise', version, rules: kinds.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        invocations: [invocationOf(report)],
        results: report.findings.map((located) => resultOf(located, kinds)),
      },
    ],
  };
};

const ruleOf = (kind: string) => ({
  id: kind,
  shortDescription: { text: `Secret: ${kindInWords(kind)}` },
  help: {
    text: 'Take the secret out and revoke it: whatever was committed once has to count as known. If it is none, excuse it with "hookwise:allow-secret" on its line or in .hookwise/scan-ignore.',
  },
  defaultConfiguration: { level: 'error' },
  properties: { tags: ['security'] },
});

const resultOf = ({ name, finding }: Located, kinds: readonly string[]) => {
  const { kind, line, column, endLine, endColumn, length, fingerprint } = finding;
  return {
    ruleId: kind,
    ruleIndex: kinds.indexOf(kind),
    level: 'error',
    message: { text: `This looks like a secret: ${kindInWords(kind)} (${counted(length, 'character')}).` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: locationOf(name),
          region: { startLine: line, startColumn: column, endLine, endColumn },
        },
      },
    ],
    partialFingerprints: { 'hookwiseSecret/v1': fingerprint },
  };
};

const locationOf = (name: FilePath) => {
  const isAbsolute = name[0] === 0x2f;
  // A name that itself holds a secret is not passed on; every other one goes byte for byte.
  const bytes = sanitizeText(name.toString('utf8')) === name.toString('utf8') ? name : Buffer.from(safePath(name));
  return isAbsolute ? { uri: `file://${pathUri(bytes)}` } : { uri: pathUri(bytes), uriBaseId: '%SRCROOT%' };
};

const invocationOf = (report: Report) => ({
  executionSuccessful: report.unreadable.length === 0,
  exitCode: exitCodeOf(report),
  toolExecutionNotifications: [
    ...report.unreadable.map((one) => notificationOf(one, 'error')),
    ...report.skipped.filter(({ why }) => why === 'too large').map((one) => notificationOf(one, 'warning')),
  ],
});

const notificationOf = ({ shown, why }: PassedOver, level: 'error' | 'warning') => ({
  level,
  message: { text: `${safePath(shown)} was not scanned: ${sanitizeText(why)}` },
});
