import { join } from 'node:path';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { errors } from '../../core/model/errors.ts';
import { writeExclusive } from '../files/atomic-write.ts';
import { checkPrivateDirectory, ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';

const keyBytes = 32;

/** The key that is this user's alone, made on first use. */
export const loadUserKey = (state: string): Uint8Array => {
  const path = join(state, 'key');
  checkPrivateDirectory(state);
  return readKey(path) ?? createKey(state, path);
};

const readKey = (path: string): Uint8Array | undefined => {
  const bytes = readPrivate(path, { maxBytes: keyBytes });
  if (bytes === undefined || bytes.length === keyBytes) return bytes;
  throw errors.storage(
    `${path} holds ${bytes.length} bytes instead of ${keyBytes}; restore it from a backup, or delete it to forget what was trusted with it`,
  );
};

const createKey = (state: string, path: string): Uint8Array => {
  ensurePrivateDirectory(state);
  writeExclusive(path, globalThis.crypto.getRandomValues(new Uint8Array(keyBytes)), { durable: true });
  const key = readKey(path);
  if (key === undefined) throw errors.storage(`${path} disappeared while it was created`);
  return key;
};

/** Above this the native module is worth its start-up time (3 ms), below it the pure one is. */
const largestPure = 6 * 1024;

/** HMAC-SHA-256 of a text, in hexadecimal. */
export const keyedDigest = (key: Uint8Array, text: string): string =>
  text.length > largestPure
    ? process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(text).digest('hex')
    : bytesToHex(hmac(sha256, key, utf8ToBytes(text)));

/** HMAC-SHA-256 with one user's key. */
export type Seal = (bytes: Uint8Array) => Uint8Array;

/** The seal of a key. */
export const sealWith =
  (key: Uint8Array): Seal =>
  (bytes) =>
    hmac(sha256, key, bytes);

/** SHA-256 of a text, in hexadecimal. */
export const plainDigest = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** Whether two digests are equal, in a time that does not depend on where they differ. */
export const sameDigest = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
};
