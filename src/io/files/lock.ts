import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { errors, messageOf } from '../../core/model/errors.ts';
import { isRunning, removeIfThere, writeExclusive } from './atomic-write.ts';
import { errorCode } from './private-directory.ts';

export interface LockOptions {
  /** How long to wait for somebody else's work to end. */
  readonly waitMs?: number;
}

const defaultWaitMs = 10_000;
const longestSleepMs = 20;
const checkEvery = 5;
/** An unreadable lock file this old was left by a crash of the machine. */
const tornAfterMs = 5000;
/** A holder in another process namespace cannot be looked up; nothing under a lock takes this long. */
const foreignAfterMs = 60_000;
/** Breakers that died while breaking breakers: more than a few is something else. */
const deepestBreak = 4;

/**
 * Runs `work` while no other process runs under the same lock. A lock whose holder is gone is broken; one that stays
 * held ends in a storage error. Not reentrant.
 */
export const withLock = <T>(path: string, options: LockOptions, work: () => T): T => {
  const mine = acquire(path, options.waitMs ?? defaultWaitMs);
  try {
    return work();
  } finally {
    if (contentOf(path)?.text === mine) removeIfThere(path);
  }
};

const acquire = (path: string, waitMs: number): string => {
  const mine = ownMark();
  const deadline = Date.now() + waitMs;
  for (let attempt = 0; ; attempt++) {
    const isFree = lstatSync(path, { throwIfNoEntry: false }) === undefined;
    if (isFree && writeExclusive(path, mine, { durable: false })) return mine;
    // Looking the holder up costs more than waiting for it, so it is not done every time.
    const held = isFree || attempt % checkEvery !== 1 ? undefined : contentOf(path);
    if (held !== undefined && isStale(held) && breakLock(path, { held, depth: 0 })) continue;
    if (Date.now() >= deadline) {
      throw errors.storage(
        `${path} is held by ${holderName(contentOf(path)?.text ?? '')} for more than ${waitMs} ms; if that process hangs, end it and try again`,
      );
    }
    sleep(Math.min(longestSleepMs, 1 + attempt) * (0.5 + Math.random()));
  }
};

/** Blocks this thread. */
export const sleep = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

interface Held {
  readonly text: string;
  /** Tells one lock file from the next one at the same path. */
  readonly identity: string;
  readonly ageMs: number;
}

const contentOf = (path: string): Held | undefined => {
  try {
    const before = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (before === undefined) return undefined;
    const text = before.isFile() ? readFileSync(path, 'utf8').slice(0, 256) : '';
    const after = lstatSync(path, { bigint: true });
    if (identityOf(before) !== identityOf(after)) return undefined;
    return { text, identity: `${identityOf(after)}:${text}`, ageMs: Date.now() - Number(after.mtimeMs) };
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw errors.storage(`cannot read the lock ${path}: ${messageOf(thrown)}`);
  }
};

const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}:${stats.mtimeNs}`;

/**
 * Removes a stale lock. Only the holder of a second lock, named after this very incarnation of the first, may do so,
 * and looks again before it does: so a lock that was taken meanwhile is never removed.
 */
const breakLock = (path: string, stale: { readonly held: Held; readonly depth: number }): boolean => {
  if (stale.depth > deepestBreak) return false;
  const marker = breakerOf(path, stale.held);
  const mine = ownMark();
  if (!writeExclusive(marker, mine, { durable: false })) {
    const breaker = contentOf(marker);
    if (breaker !== undefined && isStale(breaker)) breakLock(marker, { held: breaker, depth: stale.depth + 1 });
    return false;
  }
  try {
    if (contentOf(path)?.identity === stale.held.identity) removeIfThere(path);
    return true;
  } finally {
    removeIfThere(marker);
  }
};

const breakerOf = (path: string, held: Held): string => `${path}.${shortHash(held.identity)}`;

/** The second lock that must be taken to break the lock at `path` as it is now. */
export const breakerPath = (path: string): string | undefined => {
  const held = contentOf(path);
  return held && breakerOf(path, held);
};

/** FNV-1a in two halves: a name, not a secret. */
const shortHash = (text: string): string => {
  let [low, high] = [0x811c9dc5, 0x9dc5811c];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000197);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
};

const markPattern = /^([0-9]{1,10}) ([0-9]{1,20}|-) ([^ \n]{1,64}) ([0-9]+)\n$/;

/** Process id, start time, process namespace, and a moment: no two locks ever look the same. */
const ownMark = (): string =>
  `${process.pid} ${processState(process.pid)?.startTime ?? '-'} ${namespace()} ${process.hrtime.bigint()}\n`;

const isStale = (held: Held): boolean => {
  const [, pid, startTime, where] = markPattern.exec(held.text) ?? [];
  if (pid === undefined) return held.ageMs > tornAfterMs;
  if (where !== namespace()) return held.ageMs > foreignAfterMs;
  if (!isRunning(Number(pid))) return true;
  const state = processState(Number(pid));
  if (state === undefined || startTime === '-') return false;
  // A zombie never comes back to release its lock.
  return state.startTime !== startTime || state.letter === 'Z' || state.letter === 'X';
};

const holderName = (mark: string): string => {
  const pid = markPattern.exec(mark)?.[1];
  return pid === undefined ? 'an unfinished lock file' : `process ${pid}`;
};

/** Linux only; elsewhere a process is known by its id alone. */
const processState = (pid: number): { readonly letter: string; readonly startTime: string } | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name in parentheses may hold anything, so fields are counted from its last parenthesis.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [letter, startTime] = [fields[0], fields[19]];
    return letter === undefined || startTime === undefined ? undefined : { letter, startTime };
  } catch {
    // Hidden by the system (hidepid) or just gone: the process id alone decides.
    return undefined;
  }
};

const namespace = (): string => {
  if (process.platform !== 'linux') return 'host';
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'host';
  }
};
