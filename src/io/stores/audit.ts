import { closeSync, constants, fstatSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';
import { writeAll } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { checkPrivateDirectory, ensurePrivateDirectory, ownershipProblem } from '../files/private-directory.ts';
import { readUpTo } from '../files/read-private.ts';
import { type AuditPlace, currentFile, headFile, rotatedFile, rotatedNumbers } from './audit-files.ts';
import { type HeadState, readHead, writeHead } from './audit-head.ts';
import { type AuditEntry, auditLine, type ChainPoint, chainStart, readAuditLine } from './audit-line.ts';
import { type AuditReading, type AuditVerification, readAudit, verifyAudit } from './audit-read.ts';

const rotateAtBytes = 10 * 1024 * 1024;
/** Longest line that may be logged; the end of the file is searched this far for the last one. */
const longestAuditLine = 256 * 1024;

export interface AuditLog {
  /** Adds one line. `time` is ISO 8601, UTC. The event is sanitised by the caller; `seq`, `time`, `prev` and `hash` are the log's own. */
  readonly append: (event: { readonly [field: string]: unknown }, time: string) => ChainPoint;
  readonly verify: () => AuditVerification;
  readonly read: (choice: { readonly since?: string; readonly limit?: number }) => AuditReading;
}

/** The audit log under `<state>/log/`: lines that each vouch for the one before. Not synced to disk line by line. */
export const auditLog = (options: {
  readonly state: string;
  readonly key: Uint8Array;
  readonly rotateAt?: number;
}): AuditLog => {
  const directory = join(options.state, 'log');
  const place: AuditPlace = { directory, key: options.key };
  return {
    append: (event, time) => {
      if (!checkPrivateDirectory(directory)) ensurePrivateDirectory(options.state);
      ensurePrivateDirectory(directory);
      return withLock(join(directory, 'audit.lock'), {}, () =>
        append(place, { event, time, rotateAt: options.rotateAt ?? rotateAtBytes }),
      );
    },
    verify: () => verifyAudit(place),
    read: (choice) => readAudit(place, choice),
  };
};

interface Addition {
  readonly event: { readonly [field: string]: unknown };
  readonly time: string;
  readonly rotateAt: number;
}

const append = (place: AuditPlace, addition: Addition): ChainPoint => {
  const path = currentFile(place.directory);
  const anchor = readHead(headFile(place.directory), place.key);
  const opened = openLog(path);
  let { descriptor } = opened;
  try {
    const start = standingOf({ descriptor, size: opened.size, anchor, key: place.key });
    const { text, point } = auditLine(addition.event, { key: place.key, time: addition.time, ...start });
    if (Buffer.byteLength(text) > longestAuditLine) throw errors.storage('this event is too long for the audit log');
    let bytes = Buffer.from(`${start.endsTorn ? '\n' : ''}${text}\n`);
    let size = opened.size;
    if (size > 0 && size + bytes.length > addition.rotateAt) {
      closeSync(descriptor);
      descriptor = -1;
      rotate(place.directory);
      ({ descriptor, size } = openLog(path));
      bytes = Buffer.from(`${text}\n`);
    }
    writeAll(descriptor, bytes);
    writeHead(headFile(place.directory), { ...point, size: size + bytes.length }, place.key);
    return point;
  } finally {
    if (descriptor >= 0) closeSync(descriptor);
  }
};

const openLog = (path: string): { descriptor: number; size: number } => {
  let descriptor: number;
  try {
    descriptor = openSync(
      path,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
      0o600,
    );
  } catch (thrown) {
    throw errors.storage(`cannot open the audit log ${path}: ${messageOf(thrown)}`);
  }
  const stats = fstatSync(descriptor);
  const problem = stats.isFile() ? ownershipProblem(path, stats) : `${path} is not a regular file; move it away`;
  if (problem === undefined) return { descriptor, size: stats.size };
  closeSync(descriptor);
  throw errors.storage(problem);
};

interface Standing {
  /** The line that the next one follows. */
  readonly last: ChainPoint;
  readonly endsTorn: boolean;
  /** Why the anchor could not be believed; kept in the log for `verify`. */
  readonly recovered?: string;
}

/** Where the chain stands. Normally the anchor says so; after a kill or a cut the end of the file is looked at. */
const standingOf = (log: { descriptor: number; size: number; anchor: HeadState; key: Uint8Array }): Standing => {
  const { anchor, size } = log;
  if (anchor.kind === 'good' && anchor.head.size === size) {
    return {
      last: anchor.head,
      endsTorn: size > 0 && readUpTo(log.descriptor, { position: size - 1, length: 1 })[0] !== 0x0a,
    };
  }
  const { entries, endsTorn } = endOf(log);
  if (anchor.kind === 'good') {
    // Writers killed before they moved the anchor left lines that follow it. Where none do, the chain goes on from
    // the anchor all the same, so that a gap stays visible.
    let last: ChainPoint = anchor.head;
    for (const entry of entries) if (entry.seq === last.seq + 1 && entry.prev === last.hash) last = entry;
    return { last, endsTorn };
  }
  const newest = entries.at(-1);
  const isFirst = newest === undefined ? size === 0 || endsTorn : newest.seq === 1;
  const recovered = anchor.kind === 'missing' && isFirst ? {} : { recovered: `the anchor was ${anchor.kind}` };
  return { last: newest ?? chainStart, endsTorn, ...recovered };
};

/** The genuine lines near the end of the file, and whether its last line lacks a newline. */
const endOf = (log: {
  descriptor: number;
  size: number;
  key: Uint8Array;
}): { entries: AuditEntry[]; endsTorn: boolean } => {
  const length = Math.min(log.size, 2 * longestAuditLine);
  const text = readUpTo(log.descriptor, { position: log.size - length, length }).toString('utf8');
  const entries = text.split('\n').flatMap((line) => {
    const read = readAuditLine(line, log.key);
    return read.ok ? [read.value] : [];
  });
  return { entries, endsTorn: text !== '' && !text.endsWith('\n') };
};

const rotate = (directory: string): void => {
  const next = (rotatedNumbers(directory).at(-1) ?? 0) + 1;
  try {
    renameSync(currentFile(directory), rotatedFile(directory, next));
  } catch (thrown) {
    throw errors.storage(`cannot rotate the audit log in ${directory}: ${messageOf(thrown)}`);
  }
};
