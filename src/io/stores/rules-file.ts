import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors, messageOf } from '../../core/model/errors.ts';
import type { DecisionRecord, SourceRef } from '../../core/model/record.ts';
import { recordFromJson } from '../../core/model/record-from-json.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { parseStrictJson } from '../../core/model/strict-json.ts';
import { strictest } from '../../core/model/verdict.ts';
import { checkPrivateDirectory } from '../files/private-directory.ts';
import { openChecked } from '../files/read-private.ts';
import { mayRestrict } from './line-damage.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';

/** Longest line that is read as a record. */
export const longestLineBytes = 64 * 1024;
/** A million entries take some 350 MB. */
export const largestFileBytes = 1024 * 1024 * 1024;
const newline = 0x0a;

/** A line that was not used, and why. */
export interface LineProblem extends SourceRef {
  readonly reason: string;
  /** It may have denied or asked something. */
  readonly mayRestrict?: true;
}

/** A record with where it is written. */
export interface RecordLine {
  readonly record: DecisionRecord;
  readonly source: SourceRef;
  /** The line's JSON in canonical form: what a trust digest is made of. */
  readonly canonical: () => string;
}

/** What identifies the bytes of a file without reading them. `missing` when there is none. */
export interface FileSignature {
  readonly path: string;
  readonly state: string;
}

export interface RulesReading {
  readonly problems: readonly LineProblem[];
  readonly signatures: readonly FileSignature[];
}

/**
 * Shows every record of a location to `visit`, file by file as they are read. Lines that cannot be used become problems;
 * files that cannot be read throw: what they deny would be unknown.
 */
export const readRules = (location: RulesLocation, visit: (line: RecordLine) => void): RulesReading => {
  checkDirectories(location);
  const problems: LineProblem[] = [];
  const signatures = location.files.map((file) => {
    const { signature } = readLines(file, location, (bytes, line) => {
      const source = { file: file.path, line };
      const parsed = parseLine(bytes, { location, file });
      if (!parsed.ok) problems.push(problemOf(source, { reason: parsed.error, bytes, file }));
      else if (parsed.value !== undefined) visit({ ...parsed.value, source });
    });
    return signature;
  });
  return { problems, signatures };
};

/** A line that cannot be used, as it is reported. */
export const problemOf = (
  source: SourceRef,
  { reason, bytes, file }: { readonly reason: string; readonly bytes: Buffer; readonly file: RulesFile },
): LineProblem => ({ ...source, reason, ...(mayRestrict(bytes, file) ? { mayRestrict: true } : {}) });

/** Refuses links and foreign directories on the way to the files. Missing ones are fine. */
export const checkDirectories = (location: RulesLocation): void => {
  for (const directory of location.directories) {
    if (!location.inRepository) {
      if (!checkPrivateDirectory(directory)) return;
      continue;
    }
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory())
      throw errors.storage(`${directory} is not a real directory; remove the link or file in its place`);
  }
};

/** The identity of a file's bytes as of now. */
export const signatureOf = (path: string): FileSignature => {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return { path, state: stats === undefined ? 'missing' : stateOf(stats) };
};

/** The identity of the bytes of a file with these stats. */
export const stateOf = (stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');

/** The state of a file that was written to while it was read: no signature ever equals it. */
export const changing = 'changing';

/** How much of a file is in memory at a time. */
const chunkBytes = 1024 * 1024;

/** What was read of a file. */
interface FileReading {
  /** The signature of exactly the bytes that were shown. */
  readonly signature: FileSignature;
  readonly lines: number;
}

/**
 * Shows the lines of one file in order, with their numbers. `bytes` is only good until `visit` returns; of a line that
 * is too long to be a record it is the start.
 */
export const readLines = (
  { path }: RulesFile,
  location: RulesLocation,
  visit: (bytes: Buffer, number: number) => void,
): FileReading => {
  const opened = openChecked(path, location.inRepository ? 'anyone' : 'self');
  if (opened === undefined) return { signature: { path, state: 'missing' }, lines: 0 };
  const { descriptor } = opened;
  try {
    const before = fstatSync(descriptor, { bigint: true });
    if (before.size > largestFileBytes)
      throw errors.storage(`${path} is larger than ${largestFileBytes} bytes; shorten it or move it away`);
    const lines = showLines({ path, descriptor, size: Number(before.size) }, visit);
    const after = stateOf(fstatSync(descriptor, { bigint: true }));
    return { signature: { path, state: stateOf(before) === after ? after : changing }, lines };
  } finally {
    closeSync(descriptor);
  }
};

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly size: number;
}

const showLines = (file: OpenFile, visit: (bytes: Buffer, number: number) => void): number => {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, file.size) + longestLineBytes + 1);
  let [position, kept, number] = [0, 0, 0];
  while (position < file.size) {
    const count = fill(file, buffer, { at: kept, position });
    if (count === 0) break;
    position += count;
    const filled = buffer.subarray(0, kept + count);
    let start = 0;
    for (let end = filled.indexOf(newline); end >= 0; end = filled.indexOf(newline, start)) {
      number += 1;
      visit(filled.subarray(start, end), number);
      start = end + 1;
    }
    // The rest of a line that is too long is left out; what is kept of it is too long as well.
    kept = Math.min(filled.length - start, longestLineBytes + 1);
    buffer.copyWithin(0, start, start + kept);
  }
  if (kept === 0) return number;
  visit(buffer.subarray(0, kept), number + 1);
  return number + 1;
};

const fill = (file: OpenFile, buffer: Buffer, to: { readonly at: number; readonly position: number }): number => {
  const room = Math.min(buffer.length - to.at, file.size - to.position);
  try {
    return readSync(file.descriptor, buffer, to.at, room, to.position);
  } catch (thrown) {
    throw errors.storage(`cannot read ${file.path}: ${messageOf(thrown)}`);
  }
};

/** One line without its newline, and the slice of the file that holds it with its newline. */
export interface RawLine {
  readonly number: number;
  readonly bytes: Buffer;
  readonly whole: Buffer;
}

/** The lines of a file, byte for byte. */
export const splitLines = function* (bytes: Buffer): Generator<RawLine> {
  let start = 0;
  for (let number = 1; start < bytes.length; number++) {
    const at = bytes.indexOf(newline, start);
    const end = at < 0 ? bytes.length : at;
    const next = at < 0 ? end : end + 1;
    yield { number, bytes: bytes.subarray(start, end), whole: bytes.subarray(start, next) };
    start = next;
  }
};

/** The record of one line; `undefined` for a blank one. */
export const parseLine = (
  bytes: Buffer,
  where: { readonly location: RulesLocation; readonly file: RulesFile },
): Result<{ readonly record: DecisionRecord; readonly canonical: () => string } | undefined, string> => {
  if (bytes.length > longestLineBytes) return fail(`is longer than ${longestLineBytes} bytes`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(withoutMark(bytes))) return fail('is not valid UTF-8');
  if (text.trim() === '') return ok(undefined);
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return parsed;
  const record = recordFromJson(parsed.value, where.location.scope);
  if (!record.ok) return record;
  // A line in the wrong file can only make things stricter.
  const decision = strictest(where.file.verdict, record.value.decision) ?? record.value.decision;
  return ok({ record: { ...record.value, decision }, canonical: () => canonicalJson(parsed.value) });
};

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
