import { defaultPipeline } from '../../core/sanitize/sanitize.ts';
import { emptyIgnoreList, type IgnoreEntry, type IgnoreList, type Marker, markerFor, markerIn } from './allowances.ts';
import { type Finding, fingerprinter } from './finding.ts';
import { encodingOf, linesOf } from './lines.ts';
import { languageOf } from './plausible.ts';
import { type TextScanner, textScanner } from './text-scanner.ts';

/** A file, wherever its bytes come from. */
export interface FileToScan {
  /** Its path from the top of the repository, with slashes. */
  readonly name: string;
  /** A file of hookwise's own: it is text whatever it looks like, and everything found in it counts. */
  readonly isRules: boolean;
  readonly bytes: number;
  readonly pieces: () => Iterable<Buffer>;
}

/** What came of a file. */
export type ScannedFile =
  | {
      readonly kind: 'scanned';
      readonly bytes: number;
      readonly findings: readonly Finding[];
      readonly excused: readonly Excused[];
      /** Marks without a finding to excuse. */
      readonly idleMarkers: readonly Marker[];
    }
  | { readonly kind: 'skipped'; readonly why: 'binary' | 'too large' }
  | { readonly kind: 'ignored'; readonly by: IgnoreEntry };

/** A finding that does not count, and what says so. */
export interface Excused {
  readonly finding: Finding;
  readonly by: Marker | IgnoreEntry;
}

export interface FileScanOptions {
  readonly ignore?: IgnoreList;
  readonly report?: 'plausible' | 'everything';
  /** A file that is longer is skipped. */
  readonly largestBytes?: number;
}

/** Rules files beyond this are not used either. */
const largestRulesBytes = 256 * 1024 * 1024;
const usualLargestBytes = 64 * 1024 * 1024;

/** Scans file after file. Findings come in order of place. */
export const fileScanner = (options: FileScanOptions = {}): ((file: FileToScan) => ScannedFile) => {
  const { inspect, sanitize } = defaultPipeline({ markers: 'keep' });
  const scan = textScanner({ inspect: (text) => inspect(text).spans, sanitize });
  const { ignore = emptyIgnoreList, report = 'plausible', largestBytes = usualLargestBytes } = options;
  return (file) => {
    const ignoredBy = ignore.forPath(file.name);
    if (ignoredBy !== undefined) return { kind: 'ignored', by: ignoredBy };
    if (file.bytes > (file.isRules ? largestRulesBytes : largestBytes)) return { kind: 'skipped', why: 'too large' };
    return scanPieces(file, { scan, ignore, report });
  };
};

interface Scanning {
  readonly scan: TextScanner;
  readonly ignore: IgnoreList;
  readonly report: 'plausible' | 'everything';
}

const scanPieces = (file: FileToScan, { scan, ignore, report }: Scanning): ScannedFile => {
  const pieces = file.pieces()[Symbol.iterator]();
  const first = pieces.next();
  const encoding = first.done === true ? 'utf8' : encodingOf(first.value);
  if (encoding === 'binary' && !file.isRules) {
    pieces.return?.();
    return { kind: 'skipped', why: 'binary' };
  }
  const markers = new Map<number, Marker>();
  const isJsonLines = file.isRules || /\.(?:jsonl|ndjson)$/i.test(file.name);
  const hits = scan(
    linesOf(resumed(first, pieces), encoding),
    { language: languageOf(file.name), isJsonLines, report: file.isRules ? 'everything' : report },
    (line, number) => {
      // A rule is data that an agent's call becomes part of: nothing in it may excuse it.
      const marker = isJsonLines && line.trimStart().startsWith('{') ? undefined : markerIn(line, number);
      if (marker !== undefined) markers.set(number, marker);
    },
  );
  const findings = hits.map(fingerprinter(file.name));
  return { kind: 'scanned', bytes: file.bytes, ...sorted(findings, { markers, ignore }) };
};

const resumed = function* (first: IteratorResult<Buffer, unknown>, rest: Iterator<Buffer>): Generator<Buffer> {
  for (let next = first; next.done !== true; next = rest.next()) yield next.value;
};

const sorted = (
  findings: readonly Finding[],
  { markers, ignore }: { readonly markers: ReadonlyMap<number, Marker>; readonly ignore: IgnoreList },
) => {
  const excused = findings.flatMap((finding): Excused[] => {
    const by = markerFor(finding, markers) ?? ignore.forFinding(finding.fingerprint);
    return by === undefined ? [] : [{ finding, by }];
  });
  const excusedFindings = new Set(excused.map(({ finding }) => finding));
  const used = new Set(excused.map(({ by }) => by));
  return {
    findings: findings.filter((finding) => !excusedFindings.has(finding)),
    excused,
    idleMarkers: [...markers.values()].filter((marker) => !used.has(marker)),
  };
};
