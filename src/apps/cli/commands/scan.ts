import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { messageOf } from '../../../core/model/errors.ts';
import { textOf } from '../../../io/files/replace-file.ts';
import { findRoot } from '../../../io/project/root.ts';
import { emptyIgnoreList, type IgnoreList, readIgnoreList } from '../../../io/scan/allowances.ts';
import { fileScanner } from '../../../io/scan/file-scan.ts';
import { type Git, gitAt } from '../../../io/scan/git.ts';
import { ownDirectories } from '../../../io/scan/rules-path.ts';
import { blobsOf, stagedObject } from '../../../io/scan/staged.ts';
import { type NamedPath, scanPaths, scanStaged, type Visited } from '../../../io/scan/visit.ts';
import { openGround } from '../../compose.ts';
import { type Command, type ExitCode, type Invocation, textOption, UsageError } from '../command.ts';
import { jsonReport } from '../scan/json-format.ts';
import { exitCodeOf, type Report, reportOf } from '../scan/report.ts';
import { sarifLog } from '../scan/sarif-format.ts';
import { findingLine, textLines } from '../scan/text-format.ts';
import { shownPath } from '../scan/words.ts';
import { shown } from '../shown.ts';
import { visibleJson } from '../visible.ts';

/** Looks for secrets in rules, in files, or in what is staged. */
export const scan: Command = {
  name: 'scan',
  summary: 'look for secrets in .hookwise/, in files, or in what is staged (the pre-commit check)',
  usage:
    '[--staged [--all-lines]] [--json | --sarif | --quiet] [--verbose] [--strict] [--max-size <MiB>] [--] [<path>...]',
  examples: ['hookwise scan', 'hookwise scan --staged .hookwise/', 'hookwise scan --sarif src > secrets.sarif'],
  options: {
    staged: { type: 'boolean' },
    'all-lines': { type: 'boolean' },
    json: { type: 'boolean' },
    sarif: { type: 'boolean' },
    quiet: { type: 'boolean', short: 'q' },
    verbose: { type: 'boolean', short: 'v' },
    strict: { type: 'boolean' },
    'max-size': { type: 'string' },
  },
  takesWords: true,
  run: (invocation) => {
    const options = readOptions(invocation);
    try {
      return runScan(invocation, options);
    } catch (thrown) {
      // 1 means that something was found: whatever else goes wrong must not look like it.
      invocation.complain(`hookwise scan: ${shown(messageOf(thrown))}`);
      return 2;
    }
  },
};

type Format = 'text' | 'json' | 'sarif' | 'quiet';

interface ScanOptions {
  readonly format: Format;
  readonly isStaged: boolean;
  readonly lines: 'added' | 'all';
  readonly report: 'plausible' | 'everything';
  readonly isVerbose: boolean;
  readonly largestBytes?: number;
}

const readOptions = ({ options }: Invocation): ScanOptions => {
  const formats = (['json', 'sarif', 'quiet'] as const).filter((name) => options[name] === true);
  if (formats.length > 1) throw new UsageError(`give one of ${formats.map((name) => `--${name}`).join(' and ')}`);
  const isStaged = options['staged'] === true;
  if (options['all-lines'] === true && !isStaged) throw new UsageError('--all-lines is about what is --staged');
  const [format] = formats;
  return {
    format: format ?? 'text',
    isStaged,
    lines: options['all-lines'] === true ? 'all' : 'added',
    report: options['strict'] === true ? 'everything' : 'plausible',
    isVerbose: options['verbose'] === true,
    ...maxSize(textOption(options, 'max-size')),
  };
};

const maxSize = (text: string | undefined): Pick<ScanOptions, 'largestBytes'> => {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--max-size takes a whole number of MiB');
  return { largestBytes: Number(text) * 1024 * 1024 };
};

const ignoreName = '.hookwise/scan-ignore';

const runScan = (invocation: Invocation, options: ScanOptions): ExitCode => {
  const { surroundings, cwd, words } = invocation;
  const { root } = findRoot(cwd);
  const git = gitAt(cwd, surroundings.env);
  const ignore = ignoreListFrom(options.isStaged ? stagedText(git, ignoreName) : textOf(join(root, ignoreName)));
  const scanFile = fileScanner({ ignore, ...options });
  const visited: Iterable<Visited> = options.isStaged
    ? scanStaged(words, { git, lines: options.lines, scan: scanFile })
    : scanPaths(pathsToScan(invocation, root), { cwd, root, scan: scanFile });
  const report = reportOf(visited, { ignore, ignoreFile: Buffer.from(ignoreName) });
  for (const { shown: path, why } of report.unreadable)
    invocation.complain(`hookwise scan: ${shownPath(path)} cannot be scanned: ${shown(why)}`);
  for (const line of linesIn(report, options)) invocation.print(line);
  return exitCodeOf(report);
};

const linesIn = (report: Report, { format, isVerbose }: ScanOptions): readonly string[] => {
  switch (format) {
    case 'text':
      return textLines(report, { verbose: isVerbose });
    case 'json':
      return [visibleJson(jsonReport(report))];
    case 'sarif':
      return [visibleJson(sarifLog(report))];
    case 'quiet':
      return report.findings.map(findingLine);
  }
};

/** What counts is what will be committed, exceptions too. */
const stagedText = (git: Git, path: string): string | undefined => {
  const object = stagedObject(git, path);
  return object === undefined ? undefined : blobsOf(git, [object]).get(object)?.toString('utf8');
};

const ignoreListFrom = (text: string | undefined): IgnoreList => {
  if (text === undefined) return emptyIgnoreList;
  const read = readIgnoreList(text);
  if ('reason' in read) throw new Error(`${ignoreName}:${read.line}: ${read.reason}`);
  return read;
};

/** Without a path: this project's rules and its user's own, as far as there are any. */
const pathsToScan = ({ words, surroundings, cwd }: Invocation, root: string): readonly NamedPath[] => {
  if (words.length > 0) return words.map((path) => ({ path, holdsRules: false }));
  const { places } = openGround(surroundings, cwd);
  return [
    ...ownDirectories.map((name) => ({ path: relative(cwd, join(root, name)), holdsRules: false })),
    { path: join(places.config, 'user'), holdsRules: true },
  ].filter(({ path }) => existsSync(resolve(cwd, path)));
};
