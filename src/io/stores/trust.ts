import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors } from '../../core/model/errors.ts';
import { isJsonObject, parseStrictJson } from '../../core/model/strict-json.ts';
import { sweepTemporary, writeAtomic } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { keyedDigest, plainDigest, sameDigest } from './user-key.ts';

const maxBytes = 64 * 1024 * 1024;
const digestPattern = /^[0-9a-f]{64}$/;

/** Who trusted a line, and when. */
export interface TrustMark {
  readonly who: string;
  /** ISO 8601, UTC. */
  readonly when: string;
}

/** Which widening lines of one repository this user has accepted. */
export interface TrustStore {
  readonly path: string;
  readonly isTrusted: (lineDigest: string) => boolean;
  /** Changes whenever the set may have changed. */
  readonly trustSignature: () => string;
  readonly addTrusted: (lineDigests: readonly string[], mark: TrustMark) => void;
  readonly removeTrusted: (lineDigests: readonly string[]) => void;
  readonly list: () => ReadonlyMap<string, TrustMark>;
  /** Why the file is not believed, when it is not. Nothing is trusted then. */
  readonly problem: () => string | undefined;
}

/** What identifies a line: its file's name and its canonical text, so that spacing and key order do not matter. */
export const lineDigest = (fileName: string, canonicalText: string): string =>
  plainDigest(`${basename(fileName)}\n${canonicalText}`);

/** The trust of the repository that `identity` names: its git common directory, or its root outside git. */
export const trustStore = (options: {
  readonly state: string;
  readonly key: Uint8Array;
  readonly identity: string;
}): TrustStore => {
  const directory = join(options.state, 'trust');
  const path = join(directory, `${plainDigest(options.identity)}.json`);
  let known: { readonly signature: string; readonly loaded: Loaded } | undefined;
  const current = (): Loaded => {
    const signature = signatureOf(path);
    if (known?.signature !== signature) known = { signature, loaded: load(path, options) };
    return known.loaded;
  };
  const change = (edit: (marks: Map<string, TrustMark>) => void): void => {
    ensurePrivateDirectory(options.state);
    ensurePrivateDirectory(directory);
    withLock(`${path}.lock`, {}, () => {
      sweepTemporary(path);
      const marks = new Map(load(path, options).marks);
      edit(marks);
      writeAtomic(path, serialise(marks, options), { durable: true });
      known = undefined;
    });
  };
  return {
    path,
    isTrusted: (digest) => current().marks.has(digest),
    trustSignature: () => signatureOf(path),
    list: () => current().marks,
    problem: () => current().problem,
    addTrusted: (digests, mark) => {
      const wrong = digests.find((digest) => !digestPattern.test(digest));
      if (wrong !== undefined) throw errors.storage(`"${wrong.slice(0, 80)}" is not a line digest`);
      if (digests.length === 0) return;
      change((marks) => {
        for (const digest of digests) marks.set(digest, mark);
      });
    },
    removeTrusted: (digests) =>
      change((marks) => {
        for (const digest of digests) marks.delete(digest);
      }),
  };
};

interface Loaded {
  readonly marks: ReadonlyMap<string, TrustMark>;
  readonly problem?: string;
}

const signatureOf = (path: string): string => {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return 'none';
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
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

const load = (path: string, owner: { readonly key: Uint8Array; readonly identity: string }): Loaded => {
  const bytes = readPrivate(path, { maxBytes });
  if (bytes === undefined) return { marks: new Map() };
  const untrusted = (reason: string): Loaded => ({
    marks: new Map(),
    problem: `${path} ${reason}: nothing in it is trusted; run "hookwise trust" again`,
  });
  const parsed = parseStrictJson(bytes.toString('utf8'));
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
