import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors, messageOf } from '../../core/model/errors.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import { recordFromJson } from '../../core/model/record-from-json.ts';
import { sweepTemporary, syncDirectory, writeAll, writeAtomic } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { ensurePrivateDirectory, errorCode } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { checkDirectories, longestLineBytes, parseLine, splitLines } from './rules-file.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';
import { lineDigest, type TrustMark, type TrustStore } from './trust.ts';
import { plainDigest } from './user-key.ts';

const largestFileBytes = 256 * 1024 * 1024;

export interface ChangeOptions {
  /** The state directory: locks live there, so that the repository stays clean. */
  readonly state: string;
  readonly waitMs?: number;
  /** The repository's trust: lines that go lose it, so that a merge cannot bring them back into force. */
  readonly trust?: TrustStore;
}

export interface SaveOptions extends ChangeOptions {
  /** Who stands behind the record. With `trust`: its line is trusted before it is written. */
  readonly by?: TrustMark;
}

/**
 * Writes a record, in place of every older one that is about the same call in the same scope. The new line is on disk
 * before an old one goes: a crash in between leaves both, and the strictest wins.
 */
export const saveDecision = (location: RulesLocation, record: DecisionRecord, options: SaveOptions): void => {
  const { text, file } = checkedLine(location, record);
  const identity = identityOf({ ...record, scope: location.scope });
  changeRules(location, options, () => {
    const choose = {
      remove: (candidate: DecisionRecord) => identityOf(candidate) === identity,
      mayMatch: candidateFilter(record),
    };
    const kept = location.files.map((target) => ({ target, rest: keptLines(location, target, choose) }));
    if (options.by !== undefined) options.trust?.addTrusted([lineDigest(file.path, text)], options.by);
    for (const { target, rest } of kept) if (target === file) writeTarget(location, { target, rest, text });
    // From here on the new line is in force, so what goes may lose its trust before it goes.
    forgetTrust(kept, { trust: options.trust, except: lineDigest(file.path, text) });
    for (const { target, rest } of kept) {
      if (target !== file && rest.removed > 0) replaceFile(location, target, rest.lines);
    }
  });
};

const writeTarget = (
  location: RulesLocation,
  { target, rest, text }: { readonly target: RulesFile; readonly rest: Kept; readonly text: string },
): void => {
  const line = Buffer.from(`${rest.endsTorn ? '\n' : ''}${text}\n`);
  if (rest.removed === 0) appendBytes(target.path, { line, mode: modeOf(location) });
  else replaceFile(location, target, [...rest.lines, line]);
};

const forgetTrust = (
  kept: readonly { readonly target: RulesFile; readonly rest: Kept }[],
  { trust, except }: { readonly trust: TrustStore | undefined; readonly except?: string },
): void => {
  const gone = kept.flatMap(({ target, rest }) => rest.gone.map((canonical) => lineDigest(target.path, canonical)));
  // The same line written again is both gone and new.
  const digests = gone.filter((digest) => digest !== except);
  if (digests.some((digest) => trust?.isTrusted(digest))) trust?.removeTrusted(digests);
};

/** Deletes the records that `remove` names; says how many. Lines that are no records stay. */
export const removeRecords = (
  location: RulesLocation,
  remove: (record: DecisionRecord) => boolean,
  options: ChangeOptions,
): number => {
  let count = 0;
  changeRules(location, options, () => {
    const kept = location.files.map((target) => ({
      target,
      rest: keptLines(location, target, { remove, mayMatch: () => true }),
    }));
    forgetTrust(kept, { trust: options.trust });
    for (const { target, rest } of kept) {
      if (rest.removed > 0) replaceFile(location, target, rest.lines);
      count += rest.removed;
    }
  });
  return count;
};

const changeRules = (location: RulesLocation, options: ChangeOptions, work: () => void): void => {
  const locks = join(options.state, 'locks');
  ensurePrivateDirectory(options.state);
  ensurePrivateDirectory(locks);
  const waiting = options.waitMs === undefined ? {} : { waitMs: options.waitMs };
  withLock(join(locks, `${plainDigest(location.path)}.lock`), waiting, () => {
    makeDirectories(location);
    for (const file of location.files) sweepTemporary(file.path);
    work();
  });
};

const makeDirectories = (location: RulesLocation): void => {
  for (const directory of location.directories) {
    if (!location.inRepository) ensurePrivateDirectory(directory);
    else makeSharedDirectory(directory);
  }
  checkDirectories(location);
};

const makeSharedDirectory = (directory: string): void => {
  try {
    mkdirSync(directory);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw errors.storage(`cannot create ${directory}: ${messageOf(thrown)}`);
  }
};

/** The line to write, once it is sure that it will be read back and may live here. */
const checkedLine = (location: RulesLocation, record: DecisionRecord): { text: string; file: RulesFile } => {
  const text = canonicalJson({ ...record, scope: location.scope });
  const read = recordFromJson(JSON.parse(text), location.scope);
  if (!read.ok) throw errors.storage(`this decision cannot be stored: it ${read.error}`);
  if (Buffer.byteLength(text) > longestLineBytes)
    throw errors.storage('this decision cannot be stored: its call is too long');
  if (location.kind === 'project' && record.lossy === true) {
    throw errors.storage(
      'a decision that lost text to redaction cannot be shared; store it for yourself with --scope user',
    );
  }
  if (location.inRepository && record.decision === 'allow' && record.key.role === '*') {
    throw errors.storage('an allow for every role cannot come from a repository; name a role, or use --scope user');
  }
  const file = location.files.find(({ verdict }) => verdict === undefined || verdict === record.decision);
  if (file === undefined) throw errors.storage(`${location.path} has no file for "${record.decision}"`);
  return { text, file };
};

/** Two records with one identity answer the same question. */
const identityOf = (record: DecisionRecord): string =>
  canonicalJson([
    record.key.tool,
    record.key.role,
    record.key.sanitized_input,
    record.context ?? null,
    record.change ?? null,
    record.scope,
    record.pattern ?? null,
    record.lossy === true ? (record.digest ?? null) : null,
  ]);

/** A cheap look that spares parsing lines about other calls. Text that may be spelled with escapes is always parsed. */
const candidateFilter = (record: DecisionRecord): ((line: Buffer) => boolean) => {
  const input = record.key.sanitized_input;
  // Letters that JSON may leave alone or write as an escape.
  const plain = /^[A-Za-z0-9 _.,:;=+*-]+/.exec(input)?.[0];
  if (plain === undefined) return () => true;
  return (line) => line.includes(plain) || line.includes('\\u');
};

interface Kept {
  readonly lines: readonly Buffer[];
  readonly removed: number;
  /** The canonical text of each removed line. */
  readonly gone: readonly string[];
  /** The last line lacks its newline: somebody was killed, or edited by hand. */
  readonly endsTorn: boolean;
}

const keptLines = (
  location: RulesLocation,
  file: RulesFile,
  choose: { readonly remove: (record: DecisionRecord) => boolean; readonly mayMatch: (line: Buffer) => boolean },
): Kept => {
  const bytes = readPrivate(file.path, {
    maxBytes: largestFileBytes,
    owner: location.inRepository ? 'anyone' : 'self',
  });
  if (bytes === undefined) return { lines: [], removed: 0, gone: [], endsTorn: false };
  const lines: Buffer[] = [];
  const gone: string[] = [];
  for (const line of splitLines(bytes)) {
    const parsed = choose.mayMatch(line.bytes) ? parseLine(line.bytes, { location, file }) : undefined;
    if (parsed?.ok && parsed.value !== undefined && choose.remove(parsed.value.record))
      gone.push(parsed.value.canonical());
    else lines.push(line.whole);
  }
  const last = lines.at(-1);
  return { lines, removed: gone.length, gone, endsTorn: last !== undefined && last.at(-1) !== 0x0a };
};

const replaceFile = (location: RulesLocation, file: RulesFile, lines: readonly Buffer[]): void => {
  const mode = (lstatSync(file.path, { throwIfNoEntry: false })?.mode ?? modeOf(location)) & 0o777;
  writeAtomic(file.path, Buffer.concat(lines), { mode, durable: true });
};

const modeOf = (location: RulesLocation): number => (location.kind === 'project' ? 0o644 : 0o600);

const appendBytes = (path: string, write: { readonly line: Buffer; readonly mode: number }): void => {
  try {
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    const descriptor = openSync(path, flags, write.mode);
    try {
      writeAll(descriptor, write.line);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    syncDirectory(dirname(path));
  } catch (thrown) {
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};
