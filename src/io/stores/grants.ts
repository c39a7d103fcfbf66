import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors, messageOf } from '../../core/model/errors.ts';
import { fieldReader } from '../../core/model/field-reader.ts';
import { isSessionId } from '../../core/model/session.ts';
import { isJsonObject, parseStrictJson } from '../../core/model/strict-json.ts';
import { removeIfThere, syncDirectory, writeAtomic } from '../files/atomic-write.ts';
import { checkPrivateDirectory, ensurePrivateDirectory, errorCode } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { keyedDigest, sameDigest } from './user-key.ts';

const maxBytes = 16 * 1024;
/** How long an approval waits for the call to be tried again. */
export const grantLifetimeMs = 10 * 60 * 1000;

/** A person's approval of one call, to be used once. */
export interface Grant {
  readonly call_digest: string;
  readonly session_id: string;
  /** ISO 8601, UTC. */
  readonly expires_at: string;
  readonly actor: string;
}

export type GrantResult =
  | { readonly kind: 'granted'; readonly grant: Grant }
  | { readonly kind: 'none'; readonly why: string };

export interface GrantStore {
  /** Writes a grant that holds for ten minutes from `now` (epoch ms). */
  readonly mint: (request: {
    readonly callDigest: string;
    readonly sessionId: string;
    readonly actor: string;
    readonly now: number;
  }) => Grant;
  /** Uses up the grant of this call and session. Of many that try at once, one gets it. */
  readonly take: (request: {
    readonly callDigest: string;
    readonly sessionId: string;
    readonly now: number;
  }) => GrantResult;
}

/** One-shot grants under `<state>/grants/`, signed with the user's key. */
export const grantStore = ({ state, key }: { readonly state: string; readonly key: Uint8Array }): GrantStore => {
  const directory = join(state, 'grants');
  const pathOf = (callDigest: string): string => {
    if (!/^[0-9a-f]{64}$/.test(callDigest)) throw errors.storage('a call digest must be 64 hexadecimal digits');
    return join(directory, `${callDigest}.json`);
  };
  return {
    mint: ({ callDigest, sessionId, actor, now }) => {
      if (!isSessionId(sessionId)) throw errors.storage('this is not a session id');
      const expires = new Date(now + grantLifetimeMs).toISOString();
      const grant: Grant = {
        call_digest: callDigest,
        session_id: sessionId,
        expires_at: expires,
        actor: actor.slice(0, 256),
      };
      const path = pathOf(callDigest);
      ensurePrivateDirectory(state);
      ensurePrivateDirectory(directory);
      sweep(directory, now);
      writeAtomic(path, `${canonicalJson({ ...grant, mac: macOf(key, grant) })}\n`, { durable: true });
      return grant;
    },
    take: (request) => {
      const path = pathOf(request.callDigest);
      if (!checkPrivateDirectory(directory)) return none('there is no grant');
      // Looked at before it is claimed: somebody else's grant must stay for them.
      const seen = checked(readPrivate(path, { maxBytes }), { ...request, key });
      return seen.kind === 'none' ? seen : claim(path, { ...request, directory, key });
    },
  };
};

interface Check {
  readonly callDigest: string;
  readonly sessionId: string;
  readonly now: number;
  readonly key: Uint8Array;
}

const none = (why: string): GrantResult => ({ kind: 'none', why });

/** Moves the grant to a name that only this caller knows; whoever managed to move it has it. */
const claim = (path: string, request: Check & { readonly directory: string }): GrantResult => {
  const own = join(request.directory, `.taken-${process.pid}-${process.hrtime.bigint()}`);
  try {
    renameSync(path, own);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return none('the grant was used by somebody else');
    throw errors.storage(`cannot use up the grant ${path}: ${messageOf(thrown)}`);
  }
  // On disk before it counts: a power cut must not bring the grant back.
  syncDirectory(request.directory);
  const result = checked(readPrivate(own, { maxBytes }), request);
  removeIfThere(own);
  return result;
};

const checked = (bytes: Buffer | undefined, request: Check): GrantResult => {
  if (bytes === undefined) return none('there is no grant');
  const parsed = parseStrictJson(bytes.toString('utf8'));
  if (!parsed.ok || !isJsonObject(parsed.value)) return none('the grant file is damaged');
  const reader = fieldReader(parsed.value);
  const grant: Grant = {
    call_digest: reader.text('call_digest', 64),
    session_id: reader.text('session_id', 128),
    expires_at: reader.text('expires_at', 64),
    actor: reader.text('actor', 256),
  };
  const mac = reader.text('mac', 64);
  if (reader.wrong() !== undefined) return none('the grant file is damaged');
  if (!sameDigest(mac, macOf(request.key, grant))) return none('the grant was not signed by hookwise for this user');
  if (grant.call_digest !== request.callDigest) return none('the grant is for another call');
  if (grant.session_id !== request.sessionId) return none('the grant is for another session');
  const expires = Date.parse(grant.expires_at);
  // A grant from the future was made under another clock: nobody knows how long it would live.
  if (!(expires > request.now) || expires > request.now + 2 * grantLifetimeMs) return none('the grant has expired');
  return { kind: 'granted', grant };
};

const macOf = (key: Uint8Array, grant: Grant): string => keyedDigest(key, `grant\n${canonicalJson(grant)}`);

/** Deletes what nobody used in its time. */
const sweep = (directory: string, now: number): void => {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const changed = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (changed < now - 2 * grantLifetimeMs) removeIfThere(path);
  }
};
