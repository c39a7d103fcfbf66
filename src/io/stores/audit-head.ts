import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { errors, messageOf } from '../../core/model/errors.ts';
import { readPrivate } from '../files/read-private.ts';
import type { ChainPoint } from './audit-line.ts';
import { keyedDigest, sameDigest } from './user-key.ts';

/** The last line that was written, and how long the file was then. */
export interface AuditHead extends ChainPoint {
  readonly size: number;
}

export type HeadState =
  | { readonly kind: 'good'; readonly head: AuditHead }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged' };

/** Number, code, size, and an authentication code over all three; always the same length. */
const headPattern = /^([0-9]{16}) ([0-9a-f]{64}) ([0-9]{16}) ([0-9a-f]{64})\n$/;
const headBytes = 16 + 1 + 64 + 1 + 16 + 1 + 64 + 1;

const digits = (value: number): string => String(value).padStart(16, '0');

/** Reads the anchor beside the log. It is what shows that last lines were cut off. */
export const readHead = (path: string, key: Uint8Array): HeadState => {
  const bytes = readPrivate(path, { maxBytes: 4096 });
  if (bytes === undefined) return { kind: 'missing' };
  const [, seq, hash, size, mac] = headPattern.exec(bytes.toString('latin1')) ?? [];
  if (seq === undefined || hash === undefined || size === undefined || mac === undefined) return { kind: 'damaged' };
  if (!sameDigest(mac, keyedDigest(key, `audit-head\n${seq} ${hash} ${size}`))) return { kind: 'damaged' };
  return { kind: 'good', head: { seq: Number(seq), hash, size: Number(size) } };
};

/** Overwrites the anchor in place: its length never changes, so one write does it. */
export const writeHead = (path: string, head: AuditHead, key: Uint8Array): void => {
  const body = `${digits(head.seq)} ${head.hash} ${digits(head.size)}`;
  const text = `${body} ${keyedDigest(key, `audit-head\n${body}`)}\n`;
  try {
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    try {
      writeSync(descriptor, Buffer.from(text), 0, headBytes, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    throw errors.storage(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};
