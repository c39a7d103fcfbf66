import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';
import { sweepTemporary } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { ensurePrivateDirectory, errorCode } from '../files/private-directory.ts';
import { checkDirectories } from './rules-file.ts';
import type { RulesLocation } from './rules-location.ts';
import { plainDigest } from './user-key.ts';

/** Whose rules change, and how long to wait for others who change them. */
export interface RulesLock {
  readonly locations: readonly RulesLocation[];
  /** The state directory: locks live there, so that the repository stays clean. */
  readonly state: string;
  readonly waitMs?: number | undefined;
}

/** Runs `work` while no other process of this user changes the rules of these locations. Makes their directories. */
export const withRulesLock = <T>({ locations, state, waitMs }: RulesLock, work: () => T): T => {
  const waiting = waitMs === undefined ? {} : { waitMs };
  const prepared = (): T => {
    for (const location of locations) {
      makeDirectories(location);
      for (const file of location.files) sweepTemporary(file.path);
    }
    return work();
  };
  makeLockDirectory(state);
  // Always in the same order, so that nobody waits for somebody who waits for them.
  const paths = [...new Set(locations.map((location) => lockPath(state, location)))].sort();
  const run = paths.reduceRight((inner: () => T, path) => () => withLock(path, waiting, inner), prepared);
  return run();
};

/** Waits until whoever changes the rules of a location now is done; throws when that takes longer. */
export const awaitWriters = ({
  location,
  state,
  waitMs,
}: {
  readonly location: RulesLocation;
  readonly state: string;
  readonly waitMs: number;
}): void => {
  const path = lockPath(state, location);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) withLock(path, { waitMs }, () => undefined);
};

const lockPath = (state: string, location: RulesLocation): string =>
  join(state, 'locks', `${plainDigest(location.path)}.lock`);

const makeLockDirectory = (state: string): void => {
  ensurePrivateDirectory(state);
  ensurePrivateDirectory(join(state, 'locks'));
};

const makeDirectories = (location: RulesLocation): void => {
  for (const directory of location.directories) {
    if (!location.inRepository) ensurePrivateDirectory(directory);
    else makeSharedDirectory(directory);
  }
  checkDirectories(location);
};

const makeSharedDirectory = (directory: string): void => {
  try {
    mkdirSync(directory);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw errors.storage(`cannot create ${directory}: ${messageOf(thrown)}`);
  }
};
