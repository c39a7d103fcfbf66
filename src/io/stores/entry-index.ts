import { lstatSync } from 'node:fs';
import { errors, messageOf } from '../../core/model/errors.ts';
import type { SourceRef, StoredEntry, StoredOverride } from '../../core/model/record.ts';
import { removeIfThere, sweepTemporary, writeAtomic } from '../files/atomic-write.ts';
import { sleep, withLock } from '../files/lock.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { type BuiltRows, buildRows, type RowSource } from './index-build.ts';
import { extendIndex } from './index-extend.ts';
import { encodeIndex, indexInMemory } from './index-file.ts';
import { type RowFields, wordsOf } from './index-format.ts';
import { serialiseHeader } from './index-header.ts';
import {
  type CurrentPair,
  type IndexPair,
  indexDirectory,
  indexPaths,
  openCurrent,
  pairOf,
  trustOf,
} from './index-pair.ts';
import { checkDirectories, type LineProblem } from './rules-file.ts';
import { awaitWriters } from './rules-lock.ts';
import { keyedDigest, type Seal, sealWith } from './user-key.ts';

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
  /** The first skipped line that may have denied or asked something: what it forbade is not known. */
  readonly restrictionsDamaged?: SourceRef;
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
  const opening = openingOf(options);
  return opened(openCurrent(opening), opening) ?? rebuild(opening);
};

/** Writes the index of a location anew, whatever is there. Close the result after use. */
export const rebuildIndex = (options: OpenIndexOptions): EntryIndex => {
  checkDirectories(options.location);
  return rebuild({ ...openingOf(options), isDistrusted: true });
};

interface Opening extends OpenIndexOptions {
  readonly seal: Seal;
}

const openingOf = (options: OpenIndexOptions): Opening => ({ ...options, seal: sealWith(options.key) });

/** Answers trusted elsewhere are looked through at every look-up until they are noted in the index. */
const mostUnseen = 64;

const opened = (current: CurrentPair | undefined, options: Opening): EntryIndex | undefined => {
  if (current === undefined) return undefined;
  const { pair, answered, unseen } = current;
  if (unseen > mostUnseen) {
    const state = { ...pair.state, answered };
    extendIndex(pair, { rows: [], overrides: [], waiting: [], state }, options);
  }
  let instead: EntryIndex | undefined;
  const find = (digests: readonly string[]): StoredEntry[] => {
    const found = instead === undefined ? findRows(digests, pair) : undefined;
    if (found !== undefined) return entriesFrom(found, options);
    // It looked right but holds a damaged row.
    instead ??= rebuild({ ...options, isDistrusted: true });
    return instead.find(digests);
  };
  return { ...describe(pair, options), find, answeredBy: 'index', close: pair.close };
};

const digestPattern = /^[0-9a-f]{64}$/;

const findRows = (digests: readonly string[], { search }: IndexPair): RowFields[] | undefined => {
  const found: RowFields[] = [];
  for (const digest of new Set(digests)) {
    if (!digestPattern.test(digest)) continue;
    const rows = search(wordsOf(digest));
    if (rows === undefined) return undefined;
    found.push(...rows);
  }
  return found;
};

const counts = (row: RowFields, now: number): boolean =>
  row.inert !== true && (row.expiresMs === 0 || row.expiresMs > now);

const entryFrom = (row: RowFields, { location }: OpenIndexOptions): StoredEntry => ({
  verdict: row.verdict,
  scope: location.scope,
  tier: row.tier,
  tool: row.tool,
  role: row.role,
  ...(row.change === undefined ? {} : { change: row.change }),
  ...(row.generalised === undefined ? {} : { generalised: row.generalised }),
  source: { file: location.files[row.file]?.path ?? location.path, line: row.line },
});

const entriesFrom = (rows: readonly RowFields[], options: OpenIndexOptions): StoredEntry[] =>
  rows.filter((row) => counts(row, options.now)).map((row) => entryFrom(row, options));

const describe = (
  { base: { header }, overrides, state }: IndexPair,
  options: OpenIndexOptions,
): Omit<EntryIndex, 'find' | 'answeredBy' | 'close'> => ({
  overrides: overrides
    .filter((row) => counts(row, options.now))
    .map((row) => ({ ...entryFrom(row, options), pattern: row.pattern })),
  problems: header.problems,
  problemCount: header.problemCount,
  ...(header.damaged === undefined ? {} : { restrictionsDamaged: header.damaged }),
  untrusted: state.untrusted,
});

/** How long a reader waits for a person's answer that is being written. */
const writersWaitMs = 500;

/** `isDistrusted`: whatever is there is not to be used. */
const rebuild = (options: Opening & { readonly isDistrusted?: boolean }): EntryIndex => {
  const { state, location, lockWaitMs, isDistrusted } = options;
  const paths = indexPaths(options);
  const build = (): EntryIndex => {
    const byAnother = isDistrusted === true ? undefined : opened(openCurrent(options), options);
    if (byAnother !== undefined) return byAnother;
    sweepTemporary(paths.base);
    sweepTemporary(paths.addition);
    settle(options);
    const bytes = encode(options);
    writeAtomic(paths.base, bytes, { durable: false });
    removeIfThere(paths.addition);
    return inMemory(bytes, { options, how: { answeredBy: 'rebuilt' } });
  };
  try {
    if (isDistrusted !== true) awaitWriters({ location, state, waitMs: lockWaitMs ?? writersWaitMs });
    ensurePrivateDirectory(state);
    ensurePrivateDirectory(indexDirectory(state));
    return withLock(paths.lock, { waitMs: lockWaitMs ?? 500 }, build);
  } catch (thrown) {
    // Rules that cannot be read fail again here, and that failure is the one to report.
    const how = { answeredBy: 'parsed', notWritten: messageOf(thrown) } as const;
    return inMemory(encode(options), { options, how });
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

/** The index of the files as they are now. Trust is looked at first: what changes meanwhile is seen by the next reader. */
const encode = (options: Opening): Buffer => {
  const trust = trustOf(options);
  const answered = options.location.inRepository ? (options.trust?.answers?.end() ?? 0) : 0;
  const built = buildRows(options);
  return encodeIndex({ ...built, headerText: headerOf(built, { trust, answered }) }, options.seal);
};

const headerOf = (
  built: BuiltRows,
  { trust, answered }: { readonly trust: string; readonly answered: number },
): string => {
  const { overrides, problems, untrusted, lines, signatures, sink } = built;
  const damaged = problems.find(({ mayRestrict }) => mayRestrict === true);
  return serialiseHeader({
    trust,
    answered,
    states: signatures.map(({ state }) => state),
    lines,
    untrusted,
    names: sink.table.names,
    overrides,
    problems,
    problemCount: problems.length,
    ...(damaged === undefined ? {} : { damaged: { file: damaged.file, line: damaged.line } }),
  });
};

const inMemory = (
  bytes: Buffer,
  { options, how }: { readonly options: Opening; readonly how: Pick<EntryIndex, 'answeredBy' | 'notWritten'> },
): EntryIndex => {
  const file = indexInMemory(bytes, options.seal);
  if (file === undefined) throw errors.indexBuild(`the index of ${options.location.path} cannot be read back`);
  const pair = pairOf(file);
  return {
    ...describe(pair, options),
    ...how,
    find: (digests) => entriesFrom(findRows(digests, pair) ?? [], options),
    close: () => undefined,
  };
};
