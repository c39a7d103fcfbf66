import { join } from 'node:path';
import { errors } from '../../core/model/errors.ts';
import { isSessionId } from '../../core/model/session.ts';
import { isJsonObject, parseStrictJson } from '../../core/model/strict-json.ts';
import { sweepTemporary, writeAtomic } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { checkPrivateDirectory, ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';

const maxBytes = 16 * 1024 * 1024;

/** A file that holds one collection, changed only as a whole and under a lock. */
export interface CollectionFile<T> {
  readonly path: string;
  readonly read: () => T;
  /** Lets `edit` change a fresh copy; writes it when `edit` says that something changed. Returns what `edit` said. */
  readonly change: (edit: (collection: T) => boolean) => boolean;
}

interface Place {
  readonly state: string;
  readonly name: string;
}

/** Where session files live. */
export const sessionDirectory = (state: string): string => join(state, 'sessions');

/** A JSON object by session id. Entries are kept as they are, so that nothing unknown is lost on a change. */
export const mapFile = (place: Place): CollectionFile<Map<string, unknown>> =>
  collectionFile(place, {
    empty: () => new Map<string, unknown>(),
    decode: (value) => (isJsonObject(value) ? new Map(Object.entries(value)) : undefined),
    encode: (entries) => Object.fromEntries(entries),
  });

/** `{"disabled": [...]}` or, as older tools wrote it, only the list. */
export const setFile = (place: Place): CollectionFile<Set<string>> =>
  collectionFile(place, {
    empty: () => new Set<string>(),
    decode: (value) => {
      const list = isJsonObject(value) ? value.disabled : value;
      return Array.isArray(list) && list.every(isSessionId) ? new Set(list) : undefined;
    },
    encode: (ids) => ({ disabled: [...ids] }),
  });

const collectionFile = <T>(
  place: Place,
  form: {
    readonly empty: () => T;
    readonly decode: (value: unknown) => T | undefined;
    readonly encode: (collection: T) => unknown;
  },
): CollectionFile<T> => {
  const directory = sessionDirectory(place.state);
  const path = join(directory, place.name);
  const read = (): T => {
    // A directory that others can write could have been filled by them.
    if (!checkPrivateDirectory(place.state) || !checkPrivateDirectory(directory)) return form.empty();
    const bytes = readPrivate(path, { maxBytes });
    if (bytes === undefined) return form.empty();
    const parsed = parseStrictJson(bytes.toString('utf8'));
    const collection = parsed.ok ? form.decode(parsed.value) : undefined;
    if (collection !== undefined) return collection;
    const reason = parsed.ok ? 'does not have the expected form' : parsed.error;
    throw errors.storage(`${path} ${reason}; repair it or move it away, then register the sessions again`);
  };
  return {
    path,
    read,
    change: (edit) => {
      ensurePrivateDirectory(place.state);
      ensurePrivateDirectory(directory);
      return withLock(`${path}.lock`, {}, () => {
        sweepTemporary(path);
        const collection = read();
        const changed = edit(collection);
        if (changed) writeAtomic(path, `${JSON.stringify(form.encode(collection), null, 2)}\n`, { durable: true });
        return changed;
      });
    },
  };
};
