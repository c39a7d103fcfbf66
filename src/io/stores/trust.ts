import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors } from '../../core/model/errors.ts';
import { isJsonObject, parseStrictJson } from '../../core/model/strict-json.ts';
import { sweepTemporary, writeAtomic } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { type LoadedLog, signatureOf, type TrustMark, trustLog } from './trust-log.ts';
import type { AnswerLog, TrustView } from './trust-view.ts';
import { keyedDigest, plainDigest, sameDigest } from './user-key.ts';

export type { TrustMark } from './trust-log.ts';

const maxBytes = 256 * 1024 * 1024;
const digestPattern = /^[0-9a-f]{64}$/;

/** Which widening lines of one repository this user has accepted. */
export interface TrustStore extends TrustView {
  readonly path: string;
  readonly answers: AnswerLog;
  readonly snapshot: () => (lineDigest: string) => boolean;
  /** What a person puts into force by command. */
  readonly addTrusted: (lineDigests: readonly string[], mark: TrustMark) => void;
  /**
   * The line that a person's answer becomes. Costs the same however much is trusted, and leaves `trustSignature` as it is.
   * Says where the log of answers ended before and ends now.
   */
  readonly addAnswered: (lineDigest: string, mark: TrustMark) => { readonly before: number; readonly end: number };
  readonly removeTrusted: (lineDigests: readonly string[]) => void;
  readonly list: () => ReadonlyMap<string, TrustMark>;
  /** Why something is not believed, when it is not. Nothing of it is trusted then. */
  readonly problem: () => string | undefined;
}

/** What a line's digest is made of: its file's name and its canonical text, so that spacing and key order do not matter. */
export const lineDigestText = (fileName: string, canonicalText: string): string =>
  `${basename(fileName)}\n${canonicalText}`;

/** What identifies a line. */
export const lineDigest = (fileName: string, canonicalText: string): string =>
  plainDigest(lineDigestText(fileName, canonicalText));

/** The trust of the repository that `identity` names: its git common directory, or its root outside git. */
export const trustStore = (options: {
  readonly state: string;
  readonly key: Uint8Array;
  readonly identity: string;
}): TrustStore => {
  const directory = join(options.state, 'trust');
  const stem = join(directory, plainDigest(options.identity));
  const path = `${stem}.json`;
  const logPath = `${stem}.log`;
  const log = trustLog({ path: logPath, key: options.key, identity: options.identity });
  let known: { readonly signature: string; readonly loaded: Loaded } | undefined;
  const current = (): Loaded => {
    const signature = `${lookOf(path)} ${lookOf(logPath)}`;
    if (known?.signature !== signature) known = { signature, loaded: { ...load(path, options), answered: log.load() } };
    return known.loaded;
  };
  const locked = <T>(work: () => T): T => {
    ensurePrivateDirectory(options.state);
    ensurePrivateDirectory(directory);
    return withLock(`${path}.lock`, {}, work);
  };
  const change = (edit: (marks: Map<string, TrustMark>) => void): void =>
    locked(() => {
      sweepTemporary(path);
      const answered = log.load().marks();
      const marks = new Map([...load(path, options).marks, ...answered]);
      const write = (): void => writeAtomic(path, serialise(marks, options), { durable: true });
      // The log goes only when what it says is in the file, and nothing is taken out while it could be read again.
      if (answered.size > 0) write();
      log.clear();
      edit(marks);
      write();
      known = undefined;
    });
  return {
    path,
    isTrusted: (digest) => isIn(current(), digest),
    snapshot: () => {
      const now = current();
      return (digest) => isIn(now, digest);
    },
    trustSignature: () => signatureOf(path),
    answers: { end: log.end, after: log.after },
    list: () => new Map([...current().marks, ...current().answered.marks()]),
    problem: () => current().problem ?? foreignLines(stem, current().answered),
    addTrusted: (digests, mark) => {
      for (const digest of digests) checkDigest(digest);
      if (digests.length === 0) return;
      change((marks) => {
        for (const digest of digests) marks.set(digest, mark);
      });
    },
    addAnswered: (digest, mark) => {
      checkDigest(digest);
      return locked(() => log.append(digest, mark));
    },
    removeTrusted: (digests) =>
      change((marks) => {
        for (const digest of digests) marks.delete(digest);
      }),
  };
};

/** Tells quickly whether a file was replaced or has grown: asked for every line of a file. */
const lookOf = (path: string): string => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
};

const checkDigest = (digest: string): void => {
  if (!digestPattern.test(digest)) throw errors.storage(`"${digest.slice(0, 80)}" is not a line digest`);
};

interface Base {
  readonly marks: ReadonlyMap<string, TrustMark>;
  readonly problem?: string;
}

interface Loaded extends Base {
  readonly answered: LoadedLog;
}

const isIn = ({ marks, answered }: Loaded, digest: string): boolean => marks.has(digest) || answered.has(digest);

const foreignLines = (stem: string, answered: LoadedLog): string | undefined => {
  const count = answered.foreign();
  return count === 0
    ? undefined
    : `${stem}.log has ${count} lines that were not written by hookwise for this user and repository: they trust nothing`;
};

const serialise = (
  marks: ReadonlyMap<string, TrustMark>,
  owner: { readonly key: Uint8Array; readonly identity: string },
): string => {
  const trusted = Object.fromEntries([...marks].sort(([a], [b]) => (a < b ? -1 : 1)));
  const body = { v: 1, identity: owner.identity, trusted };
  return `${canonicalJson({ ...body, mac: macOf(owner.key, body) })}\n`;
};

const macOf = (key: Uint8Array, body: { v: unknown; identity: unknown; trusted: unknown }): string =>
  keyedDigest(key, `trust\n${canonicalJson(body)}`);

const ownStart = /^(\{"identity":"(?:[^"\\]|\\.)*"),"mac":"([0-9a-f]{64})"(?=,"trusted":\{)/;
const longestStart = 16_384;

/**
 * The marks of a file that is byte for byte as it was written, which its authentication code alone can tell: no part of a
 * large file needs a second look then. Nothing for any other file, also one that says the same in other words.
 */
const ownMarks = (
  text: string,
  owner: { readonly key: Uint8Array; readonly identity: string },
): Map<string, TrustMark> | undefined => {
  const [start = '', identity = '', mac = ''] = ownStart.exec(text.slice(0, longestStart)) ?? [];
  const isOurs = identity === `{"identity":${JSON.stringify(owner.identity)}` && text.endsWith('}\n');
  const body = `${identity}${text.slice(start.length, -1)}`;
  if (!isOurs || !sameDigest(mac, keyedDigest(owner.key, `trust\n${body}`))) return undefined;
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) && isJsonObject(value.trusted) ? marksFrom(value.trusted) : undefined;
};

const load = (path: string, owner: { readonly key: Uint8Array; readonly identity: string }): Base => {
  const bytes = readPrivate(path, { maxBytes });
  if (bytes === undefined) return { marks: new Map() };
  const untrusted = (reason: string): Base => ({
    marks: new Map(),
    problem: `${path} ${reason}: nothing in it is trusted; run "hookwise trust" again`,
  });
  const text = bytes.toString('utf8');
  const own = ownMarks(text, owner);
  if (own !== undefined) return { marks: own };
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return untrusted(parsed.error);
  const value = parsed.value;
  if (!isJsonObject(value) || !isJsonObject(value.trusted) || typeof value.mac !== 'string')
    return untrusted('is not a trust file');
  const body = { v: value.v, identity: value.identity, trusted: value.trusted };
  if (value.identity !== owner.identity || !sameDigest(value.mac, macOf(owner.key, body))) {
    return untrusted('was not written by hookwise for this user and repository');
  }
  return { marks: marksFrom(value.trusted) };
};

const marksFrom = (trusted: { readonly [digest: string]: unknown }): Map<string, TrustMark> => {
  const marks = new Map<string, TrustMark>();
  for (const [digest, mark] of Object.entries(trusted)) {
    if (!digestPattern.test(digest) || !isJsonObject(mark)) continue;
    marks.set(digest, { who: String(mark.who), when: String(mark.when) });
  }
  return marks;
};
