import { closeSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { hexToBytes } from '@noble/hashes/utils.js';
import { HookwiseError, messageOf } from '../../core/model/errors.ts';
import type { StoredEntry, StoredOverride } from '../../core/model/record.ts';
import { sweepTemporary, writeAtomic } from '../files/atomic-write.ts';
import { sleep, withLock } from '../files/lock.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { openChecked, readUpTo } from '../files/read-private.ts';
import {
  encodeIndex,
  type IndexRow,
  isAuthentic,
  nameTable,
  preambleBytes,
  readPreamble,
  readRow,
  rowBytes,
  saltOf,
  searchRows,
} from './index-format.ts';
import { type IndexHeader, parseHeader, serialiseHeader } from './index-header.ts';
import { type IndexContent, indexContent, type OverrideRow, type RowSource } from './index-rows.ts';
import { checkDirectories, type LineProblem, signatureOf } from './rules-file.ts';
import { keyedDigest, plainDigest } from './user-key.ts';

export interface OpenIndexOptions extends RowSource {
  readonly state: string;
  /** Epoch milliseconds: entries that expired before do not count. */
  readonly now: number;
  readonly lockWaitMs?: number;
}

/** The exact memory of one location. */
export interface EntryIndex {
  /** Every entry under any of these digests (of `entryKeyText`), the stricter one not preferred: the engine merges. */
  readonly find: (digests: readonly string[]) => StoredEntry[];
  readonly overrides: readonly StoredOverride[];
  /** Lines that were skipped, at most the first hundred. */
  readonly problems: readonly LineProblem[];
  readonly problemCount: number;
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
  /** `index`: as it was on disk; `rebuilt`: written anew; `parsed`: read from the text, since no index could be written. */
  readonly answeredBy: 'index' | 'rebuilt' | 'parsed';
  /** Why no index could be written. */
  readonly notWritten?: string;
  readonly close: () => void;
}

/** The digest under which a key text is found. */
export const entryDigest = (key: Uint8Array, keyText: string): string => keyedDigest(key, keyText);

/** Opens the index of a location, making it anew when it is missing, stale, foreign or damaged. Call `close` after use. */
export const openIndex = (options: OpenIndexOptions): EntryIndex => {
  checkDirectories(options.location);
  const path = indexPath(options);
  return openFresh(path, options) ?? rebuild(path, options);
};

/** Writes the index of a location anew, whatever is there. Close the result after use. */
export const rebuildIndex = (options: OpenIndexOptions): EntryIndex => {
  checkDirectories(options.location);
  return rebuild(indexPath(options), { ...options, distrust: true });
};

const indexPath = ({ state, location }: OpenIndexOptions): string =>
  join(state, 'index', `${plainDigest(location.path)}.idx`);

const keyId = (key: Uint8Array): string => keyedDigest(key, 'index').slice(0, 16);

const trustOf = ({ location, trust }: OpenIndexOptions): string =>
  location.inRepository ? (trust?.trustSignature() ?? 'nobody') : 'not needed';

/** The index on disk, when it is whole, ours, and about the files as they are now. */
const openFresh = (path: string, options: OpenIndexOptions): EntryIndex | undefined => {
  const opened = openOrNothing(path);
  if (opened === undefined) return undefined;
  const { descriptor, size } = opened;
  let isUsed = false;
  try {
    const head = readUpTo(descriptor, { position: 0, length: Math.min(size, 4096) });
    const preamble = readPreamble(head, size);
    if (preamble === undefined) return undefined;
    const rowsStart = preambleBytes + preamble.headerLength;
    const start = rowsStart <= head.length ? head : readUpTo(descriptor, { position: 0, length: rowsStart });
    const headerBytes = start.subarray(preambleBytes, rowsStart);
    if (!isAuthentic(start.subarray(0, preambleBytes), headerBytes, options.key)) return undefined;
    const header = parseHeader(headerBytes.toString('utf8'));
    if (header === undefined || !isCurrent(header, options)) return undefined;
    const rowAt = blockReader({ descriptor, rowsStart, ...preamble, names: header.names });
    let fallback: EntryIndex | undefined;
    const find = (digests: readonly string[]): StoredEntry[] => {
      const found =
        fallback === undefined
          ? findRows(digests, (digest) => searchRows(rowAt, preamble.rowCount, digest))
          : undefined;
      if (found !== undefined) return entriesFrom(found, options);
      fallback ??= rebuild(path, { ...options, distrust: true });
      return fallback.find(digests);
    };
    isUsed = true;
    return { ...describe(header, options), find, answeredBy: 'index', close: () => closeSync(descriptor) };
  } catch (thrown) {
    if (thrown instanceof HookwiseError || isSystemError(thrown)) return undefined;
    throw thrown;
  } finally {
    if (!isUsed) closeSync(descriptor);
  }
};

const isSystemError = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown;

/** An index that cannot be opened is as good as none: it only repeats what the rules files say. */
const openOrNothing = (path: string): { readonly descriptor: number; readonly size: number } | undefined => {
  try {
    const opened = openChecked(path, 'self');
    return opened && { descriptor: opened.descriptor, size: opened.stats.size };
  } catch (thrown) {
    if (thrown instanceof HookwiseError) return undefined;
    throw thrown;
  }
};

const isCurrent = (header: IndexHeader, options: OpenIndexOptions): boolean =>
  header.keyId === keyId(options.key) &&
  header.trust === trustOf(options) &&
  header.files.length === options.location.files.length &&
  options.location.files.every(({ path }, number) => {
    const known = header.files[number];
    return known?.path === path && known.state === signatureOf(path).state;
  });

/** Rows by number out of the last block that was read. */
const blockReader = (file: {
  readonly descriptor: number;
  readonly rowsStart: number;
  readonly rowCount: number;
  readonly seed: number;
  readonly names: readonly string[];
}): ((rowNumber: number) => IndexRow | undefined) => {
  const rowsInBlock = 256;
  let block: { readonly first: number; readonly bytes: Buffer } = { first: 0, bytes: Buffer.alloc(0) };
  return (rowNumber) => {
    const at = (rowNumber - block.first) * rowBytes;
    if (at < 0 || at + rowBytes > block.bytes.length) {
      const first = Math.max(0, rowNumber - rowsInBlock / 2);
      const position = file.rowsStart + first * rowBytes;
      block = { first, bytes: readUpTo(file.descriptor, { position, length: rowsInBlock * rowBytes }) };
    }
    const start = (rowNumber - block.first) * rowBytes;
    return readRow(block.bytes.subarray(start, start + rowBytes), {
      names: file.names,
      salt: saltOf(file.seed, rowNumber),
    });
  };
};

const digestPattern = /^[0-9a-f]{64}$/;

const findRows = (
  digests: readonly string[],
  search: (digest: Uint8Array) => readonly IndexRow[] | undefined,
): IndexRow[] | undefined => {
  const found: IndexRow[] = [];
  for (const digest of new Set(digests)) {
    if (!digestPattern.test(digest)) continue;
    const rows = search(hexToBytes(digest));
    if (rows === undefined) return undefined;
    found.push(...rows);
  }
  return found;
};

const isInForce = (row: { readonly expiresMs: number }, now: number): boolean =>
  row.expiresMs === 0 || row.expiresMs > now;

const entryFrom = (row: Omit<IndexRow, 'digest'>, { location }: OpenIndexOptions): StoredEntry => ({
  verdict: row.verdict,
  scope: location.scope,
  tier: row.tier,
  tool: row.tool,
  role: row.role,
  ...(row.change === undefined ? {} : { change: row.change }),
  source: { file: location.files[row.file]?.path ?? location.path, line: row.line },
});

const entriesFrom = (rows: readonly IndexRow[], options: OpenIndexOptions): StoredEntry[] =>
  rows.filter((row) => isInForce(row, options.now)).map((row) => entryFrom(row, options));

const describe = (
  content: {
    readonly overrides: readonly OverrideRow[];
    readonly problems: readonly LineProblem[];
    readonly problemCount: number;
    readonly untrusted: number;
  },
  options: OpenIndexOptions,
): Pick<EntryIndex, 'overrides' | 'problems' | 'problemCount' | 'untrusted'> => ({
  overrides: content.overrides
    .filter((row) => isInForce(row, options.now))
    .map((row) => ({ ...entryFrom(row, options), pattern: row.pattern })),
  problems: content.problems,
  problemCount: content.problemCount,
  untrusted: content.untrusted,
});

/** `distrust`: the file looked right but held a damaged row. */
const rebuild = (path: string, options: OpenIndexOptions & { readonly distrust?: boolean }): EntryIndex => {
  const build = (): EntryIndex => {
    const byAnother = options.distrust === true ? undefined : openFresh(path, options);
    if (byAnother !== undefined) return byAnother;
    sweepTemporary(path);
    settle(options);
    const trust = trustOf(options);
    const content = indexContent(options);
    const table = nameTable();
    for (const row of content.rows) for (const name of [row.tool, row.role]) table.numberOf(name);
    const headerText = serialiseHeader({ ...content, keyId: keyId(options.key), trust, names: table.names });
    writeAtomic(path, encodeIndex(content.rows, { key: options.key, headerText, table }), { durable: false });
    return inMemory(content, options, { answeredBy: 'rebuilt' });
  };
  try {
    ensurePrivateDirectory(options.state);
    ensurePrivateDirectory(join(options.state, 'index'));
    return withLock(`${path}.lock`, { waitMs: options.lockWaitMs ?? 500 }, build);
  } catch (thrown) {
    // Rules that cannot be read fail again here, and that failure is the one to report.
    const content = indexContent(options);
    return inMemory(content, options, { answeredBy: 'parsed', notWritten: messageOf(thrown) });
  }
};

const settleMs = 20;

/**
 * A file that changed a moment ago may change again without a new time stamp (clock ticks are up to 10 ms apart), and
 * the index would never notice: so wait until its time stamp is past.
 */
const settle = ({ location }: OpenIndexOptions): void => {
  const times = location.files.map(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0);
  const remaining = Math.max(...times) + settleMs - Date.now();
  if (remaining > 0) sleep(Math.min(remaining, settleMs));
};

const inMemory = (
  content: IndexContent,
  options: OpenIndexOptions,
  how: Pick<EntryIndex, 'answeredBy' | 'notWritten'>,
): EntryIndex => {
  const rowAt = (rowNumber: number): IndexRow | undefined => content.rows[rowNumber];
  const search = (digest: Uint8Array) => searchRows(rowAt, content.rows.length, digest);
  return {
    ...describe(
      { ...content, problemCount: content.problems.length, problems: content.problems.slice(0, 100) },
      options,
    ),
    ...how,
    find: (digests) => entriesFrom(findRows(digests, search) ?? [], options),
    close: () => undefined,
  };
};
