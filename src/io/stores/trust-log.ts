import { closeSync, constants, fstatSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';
import { isJsonObject } from '../../core/model/strict-json.ts';
import { removeIfThere, syncDirectory, writeAll } from '../files/atomic-write.ts';
import { openChecked, readPrivate, readUpTo } from '../files/read-private.ts';
import { bulkDigests } from './bulk-digests.ts';
import type { AnswerLog } from './trust-view.ts';
import { keyedDigest, sameDigest } from './user-key.ts';

const largestLogBytes = 400 * 1024 * 1024;
/** A longer tail is not looked through: an index that far behind is made anew. */
const longestTailBytes = 256 * 1024;

/** Who trusted a line, and when. */
export interface TrustMark {
  readonly who: string;
  /** ISO 8601, UTC. */
  readonly when: string;
}

/**
 * Lines that were trusted along with a person's answer, one after the other: adding one costs the same however many there
 * are. Each line carries its own authentication code; one that was not written with the user's key counts for nothing.
 */
export interface TrustLog extends AnswerLog {
  /** Puts a line's digest on disk. Only while the store is locked; says where the log ended before and ends now. */
  readonly append: (digest: string, mark: TrustMark) => { readonly before: number; readonly end: number };
  readonly load: () => LoadedLog;
  /** Only while the store is locked. */
  readonly clear: () => void;
}

/** The log as it was at one moment. */
export interface LoadedLog {
  readonly has: (digest: string) => boolean;
  readonly marks: () => ReadonlyMap<string, TrustMark>;
  /** How many lines were not written by hookwise for this user and repository. */
  readonly foreign: () => number;
}

/** Whose log it is, and where. */
export interface TrustLogPlace {
  readonly path: string;
  readonly key: Uint8Array;
  readonly identity: string;
}

/** The log at `path`. */
export const trustLog = (place: TrustLogPlace): TrustLog => {
  const { path } = place;
  return {
    end: () => sizeOf(path),
    append: (digest, mark) => append(place, digest, mark),
    after: (position) => tailOf(path, position),
    load: () => load(place),
    clear: () => {
      if (removeIfThere(path)) syncDirectory(dirname(path));
    },
  };
};

/** The identity of the bytes of a file. */
export const signatureOf = (path: string): string => {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return 'none';
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
};

const sizeOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;

const macText = (identity: string, line: string): string => `trust-line\n${identity}\n${line}`;

const append = (
  { path, key, identity }: TrustLogPlace,
  digest: string,
  { who, when }: TrustMark,
): { before: number; end: number } => {
  const said = `${digest} ${JSON.stringify({ who, when })}`;
  const line = `${digest} ${keyedDigest(key, macText(identity, said))} ${said.slice(digest.length + 1)}\n`;
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    const descriptor = openSync(path, flags, 0o600);
    try {
      const { size: before } = fstatSync(descriptor);
      const isTorn = before > 0 && readUpTo(descriptor, { position: before - 1, length: 1 })[0] !== newline;
      const bytes = Buffer.from(isTorn ? `\n${line}` : line);
      writeAll(descriptor, bytes);
      fsyncSync(descriptor);
      if (before === 0) syncDirectory(dirname(path));
      return { before, end: before + bytes.length };
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};

const newline = 0x0a;
const linePattern = /^([0-9a-f]{64}) ([0-9a-f]{64}) (\{.*\})$/;

/** Nobody needs to believe these digests: they only say which lines to look at anew. */
const tailOf = (path: string, position: number): ReturnType<AnswerLog['after']> => {
  const size = sizeOf(path);
  if (size === position) return { digests: [], end: position };
  if (size < position || size - position > longestTailBytes) return undefined;
  const opened = openChecked(path, 'self');
  if (opened === undefined) return undefined;
  try {
    const bytes = readUpTo(opened.descriptor, { position, length: size - position });
    const whole = bytes.lastIndexOf(newline) + 1;
    const lines = bytes.toString('latin1', 0, whole).split('\n');
    return { digests: lines.flatMap((line) => /^[0-9a-f]{64}/.exec(line)?.[0] ?? []), end: position + whole };
  } finally {
    closeSync(opened.descriptor);
  }
};

const load = ({ path, key, identity }: TrustLogPlace): LoadedLog => {
  const bytes = readPrivate(path, { maxBytes: largestLogBytes });
  const lines = new Map<string, { readonly mac: string; readonly said: string }>();
  for (const line of bytes?.toString('utf8').split('\n') ?? []) {
    const [, digest, mac, mark] = linePattern.exec(line) ?? [];
    if (digest !== undefined && mac !== undefined) lines.set(digest, { mac, said: `${digest} ${mark}` });
  }
  const code = coder(key, lines.size);
  const has = (digest: string): boolean => {
    const line = lines.get(digest);
    return line !== undefined && sameDigest(code(macText(identity, line.said)), line.mac);
  };
  const believed = (): [string, TrustMark][] =>
    [...lines].flatMap(([digest, { said }]) => (has(digest) ? [[digest, markOf(said.slice(digest.length + 1))]] : []));
  return { has, marks: () => new Map(believed()), foreign: () => lines.size - believed().length };
};

/** For more lines than this the native module is worth loading. */
const fewLines = 64;

const coder = (key: Uint8Array, count: number): ((text: string) => string) => {
  if (count <= fewLines) return (text) => keyedDigest(key, text);
  const { keyed } = bulkDigests(key);
  return (text) => Buffer.from(keyed(text), 'latin1').toString('hex');
};

const markOf = (text: string): TrustMark => {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? { who: String(value.who), when: String(value.when) } : { who: '', when: '' };
};
