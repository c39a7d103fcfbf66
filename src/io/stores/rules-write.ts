import { closeSync, constants, fstatSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errors, HookwiseError, messageOf } from '../../core/model/errors.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import { syncDirectory, writeAll, writeAtomic } from '../files/atomic-write.ts';
import { readPrivate, readUpTo } from '../files/read-private.ts';
import { largestFileBytes, parseLine, splitLines, stateOf } from './rules-file.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';

/** What an append did to a file: the state that its bytes had before, and have now. */
export interface Appended {
  /** `missing`: there was no file. */
  readonly before: string;
  /** Absent when something else was written at the same moment. */
  readonly after?: string;
}

const newline = 0x0a;

/** Puts one line at the end of a file, on its own even where the last one lacks its newline; on disk when this returns. */
export const appendLine = (
  location: RulesLocation,
  { file: { path }, text }: { readonly file: RulesFile; readonly text: string },
): Appended => {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
    const descriptor = openSync(path, flags, modeOf(location));
    try {
      const stats = fstatSync(descriptor, { bigint: true });
      if (!stats.isFile()) throw errors.storage(`${path} is not a regular file; move it away`);
      const size = Number(stats.size);
      const isTorn = size > 0 && readUpTo(descriptor, { position: size - 1, length: 1 })[0] !== newline;
      writeAll(descriptor, `${isTorn ? '\n' : ''}${text}\n`);
      fsyncSync(descriptor);
      if (isNew) syncDirectory(dirname(path));
      const after = fstatSync(descriptor, { bigint: true });
      const isWhole = Number(after.size) === size + Buffer.byteLength(text) + (isTorn ? 2 : 1);
      const isInPlace = lstatSync(path, { throwIfNoEntry: false })?.ino === Number(after.ino);
      const before = isNew && size === 0 ? 'missing' : stateOf(stats);
      return { before, ...(isWhole && isInPlace ? { after: stateOf(after) } : {}) };
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    if (thrown instanceof HookwiseError) throw thrown;
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};

/** The lines of a file that are to stay, and those that are to go. */
export interface Kept {
  readonly lines: readonly Buffer[];
  /** The canonical text of each line that goes. */
  readonly gone: readonly string[];
}

/** Which records are meant, and a cheap look at a line that spares parsing others. */
export interface Choice {
  readonly remove: (record: DecisionRecord) => boolean;
  readonly mayMatch: (line: Buffer) => boolean;
}

/** Sorts the lines of a file by whether `remove` names their records. Lines that are no records stay. */
export const keptLines = (
  location: RulesLocation,
  { file, remove, mayMatch }: Choice & { readonly file: RulesFile },
): Kept => {
  const owner = location.inRepository ? 'anyone' : 'self';
  const bytes = readPrivate(file.path, { maxBytes: largestFileBytes, owner });
  const lines: Buffer[] = [];
  const gone: string[] = [];
  for (const line of bytes === undefined ? [] : splitLines(bytes)) {
    const parsed = mayMatch(line.bytes) ? parseLine(line.bytes, { location, file }) : undefined;
    if (parsed?.ok && parsed.value !== undefined && remove(parsed.value.record)) gone.push(parsed.value.canonical());
    else lines.push(line.whole);
  }
  return { lines, gone };
};

/** Replaces the lines of a file in one step; on disk when this returns. */
export const replaceLines = (
  location: RulesLocation,
  { file, lines }: { readonly file: RulesFile; readonly lines: readonly (Buffer | string)[] },
): void => {
  const mode = (lstatSync(file.path, { throwIfNoEntry: false })?.mode ?? modeOf(location)) & 0o777;
  writeAtomic(file.path, joinedLines(lines), { mode, durable: true });
};

/** Every line ends with its newline, also one that lacked it. */
export const joinedLines = (lines: readonly (Buffer | string)[]): Buffer => {
  const pieces = lines.map((line) => (typeof line === 'string' ? Buffer.from(line) : line));
  return Buffer.concat(pieces.flatMap((line) => (line.at(-1) === newline ? [line] : [line, Buffer.of(newline)])));
};

const modeOf = (location: RulesLocation): number => (location.kind === 'project' ? 0o644 : 0o600);
