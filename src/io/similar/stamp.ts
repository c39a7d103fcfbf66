import { join } from 'node:path';
import { HookwiseError } from '../../core/model/errors.ts';
import { writeAtomic } from '../files/atomic-write.ts';
import { readPrivate } from '../files/read-private.ts';
import { type FileSignature, signatureOf } from '../stores/rules-file.ts';
import type { RulesLocation } from '../stores/rules-location.ts';
import { keyedDigest, plainDigest, sameDigest } from '../stores/user-key.ts';
import type { SimilarDocument } from './documents.ts';
import type { KnownContent } from './rules-content.ts';

/**
 * What a similarity index was made of, kept in the state directory under the user's key: the files themselves lie in the
 * repository, where anybody could put others.
 */
export interface Stamp {
  readonly v: 1;
  /** The build that made it, and the embedder. */
  readonly maker: string;
  readonly trust: string;
  readonly rules: readonly KnownContent[];
  /** Documents of lines that were added since. */
  readonly added: readonly SimilarDocument[];
  readonly artefacts: readonly FileSignature[];
}

const largestBytes = 1024 * 1024;

/** Where the stamp of a location is. */
export const stampPath = (state: string, location: RulesLocation): string =>
  join(state, 'index', `${plainDigest(location.path)}.similar`);

export const writeStamp = (path: string, stamp: Stamp, key: Uint8Array): void => {
  const text = JSON.stringify(stamp);
  writeAtomic(path, `${keyedDigest(key, `similar\n${text}`)}\n${text}`, { durable: false });
};

/** The stamp, when it is whole and this user's. */
export const readStamp = (path: string, key: Uint8Array): Stamp | undefined => {
  const bytes = readOrNothing(path);
  if (bytes === undefined) return undefined;
  const whole = bytes.toString('utf8');
  const at = whole.indexOf('\n');
  const text = whole.slice(at + 1);
  if (at < 0 || !sameDigest(whole.slice(0, at), keyedDigest(key, `similar\n${text}`))) return undefined;
  const value: unknown = JSON.parse(text);
  return isStamp(value) ? value : undefined;
};

/** An unusable stamp is as good as none: it only repeats what the files say. */
const readOrNothing = (path: string): Buffer | undefined => {
  try {
    return readPrivate(path, { maxBytes: largestBytes });
  } catch (thrown) {
    if (thrown instanceof HookwiseError) return undefined;
    throw thrown;
  }
};

const isStamp = (value: unknown): value is Stamp =>
  typeof value === 'object' && value !== null && 'v' in value && value.v === 1;

/** Whether every file is still the one that was looked at. */
export const areUnchanged = (signatures: readonly Pick<KnownContent, 'path' | 'state'>[]): boolean =>
  signatures.every(({ path, state }) => signatureOf(path).state === state);
