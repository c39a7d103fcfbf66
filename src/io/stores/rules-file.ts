import { closeSync, fstatSync, lstatSync } from 'node:fs';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors } from '../../core/model/errors.ts';
import type { DecisionRecord, SourceRef } from '../../core/model/record.ts';
import { recordFromJson } from '../../core/model/record-from-json.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { parseStrictJson } from '../../core/model/strict-json.ts';
import { strictest } from '../../core/model/verdict.ts';
import { checkPrivateDirectory } from '../files/private-directory.ts';
import { openChecked, readWhole } from '../files/read-private.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';

/** Longest line that is read as a record. */
export const longestLineBytes = 64 * 1024;
const largestFileBytes = 256 * 1024 * 1024;
const newline = 0x0a;

/** A line that was not used, and why. */
export interface LineProblem extends SourceRef {
  readonly reason: string;
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
 * Shows every record of a location to `visit`. Lines that cannot be used become problems; files that cannot be read
 * throw: what they deny would be unknown.
 */
export const readRules = (location: RulesLocation, visit: (line: RecordLine) => void): RulesReading => {
  checkDirectories(location);
  const problems: LineProblem[] = [];
  const signatures: FileSignature[] = [];
  for (const file of location.files) {
    const { bytes, signature } = readSource(file.path, location);
    signatures.push(signature);
    for (const line of splitLines(bytes)) {
      const source = { file: file.path, line: line.number };
      const parsed = parseLine(line.bytes, { location, file });
      if (!parsed.ok) problems.push({ ...source, reason: parsed.error });
      else if (parsed.value !== undefined) visit({ ...parsed.value, source });
    }
  }
  return { problems, signatures };
};

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

const stateOf = (stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string =>
  [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');

const readAttempts = 5;

/** The bytes of a file with the signature that belongs to exactly these bytes. */
const readSource = (path: string, location: RulesLocation): { bytes: Buffer; signature: FileSignature } => {
  for (let attempt = 1; ; attempt++) {
    const opened = openChecked(path, location.inRepository ? 'anyone' : 'self');
    if (opened === undefined) return { bytes: Buffer.alloc(0), signature: { path, state: 'missing' } };
    try {
      const before = stateOf(fstatSync(opened.descriptor, { bigint: true }));
      const size = fstatSync(opened.descriptor).size;
      const bytes = readWhole(opened.descriptor, { path, size, maxBytes: largestFileBytes });
      const after = stateOf(fstatSync(opened.descriptor, { bigint: true }));
      // A writer was busy: read again, and in the end take what there is under a signature that never matches.
      if (before === after) return { bytes, signature: { path, state: after } };
      if (attempt === readAttempts) return { bytes, signature: { path, state: 'changing' } };
    } finally {
      closeSync(opened.descriptor);
    }
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
