import { closeSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errors, HookwiseError, messageOf } from '../../core/model/errors.ts';
import type { LocalEmbedder } from '../../core/similarity/embedder.ts';
import { encodeTokenIndex, openTokenIndex, type TokenIndex } from '../../core/similarity/token-index.ts';
import { writeAtomic } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { ensurePrivateDirectory, errorCode } from '../files/private-directory.ts';
import { openChecked, readUpTo } from '../files/read-private.ts';
import { checkDirectories, signatureOf } from '../stores/rules-file.ts';
import type { RulesLocation } from '../stores/rules-location.ts';
import { encodeVectors, openVectors, type VectorIndex } from '../vectors/vectors.ts';
import {
  type DocumentSet,
  type DocumentSource,
  documentsIn,
  documentsOf,
  inOrder,
  type SimilarDocument,
  tokensOf,
} from './documents.ts';
import { type EntriesFile, encodeEntries, openEntries, type ReadAt } from './entries-file.ts';
import { additionsTo, knownContents } from './rules-content.ts';
import { areUnchanged, readStamp, type Stamp, stampPath, writeStamp } from './stamp.ts';

/** Where the similarity index of a location comes from, and how it is told from a stale one. */
export interface LocationIndexOptions extends DocumentSource {
  readonly state: string;
  readonly key: Uint8Array;
  /** The build that makes indexes. */
  readonly build: string;
  readonly embedder: LocalEmbedder;
}

/** Documents, and the ways to find them. */
export interface SimilarIndex {
  readonly entries: EntriesFile;
  readonly tokens: TokenIndex;
  readonly vectors: VectorIndex;
}

/** The similarity index of one location. */
export interface LocationIndex extends SimilarIndex {
  /** The same for lines that were added since. */
  readonly added?: SimilarIndex;
  /** `index`: as it was on disk; `built`: made just now. */
  readonly answeredBy: 'index' | 'built';
  readonly close: () => void;
}

/** The directory in which a location's derived indexes lie: never committed. */
export const indexDirectory = (location: RulesLocation): string => {
  const [own = location.path, second = own, third = own] = location.directories;
  const beside = { project: own, 'repository-user': own, user: second, org: third }[location.kind];
  return join(beside, '.index');
};

const names: Readonly<Record<RulesLocation['kind'], string>> = {
  project: '',
  'repository-user': 'here-',
  user: '',
  org: '',
};

/** Where the artefacts of a location are, in the order of `encodeIndex`. */
const artefactPaths = ({ kind }: RulesLocation, directory: string): readonly string[] => {
  const scope = { project: 'project', 'repository-user': 'user', user: 'user', org: 'org' }[kind];
  return ['similar.bin', 'jaccard.bin', `${scope}.vec`].map((name) => join(directory, `${names[kind]}${name}`));
};

/** The bytes of every artefact. */
const encodeIndex = (
  { documents, restrictions }: Omit<DocumentSet, 'signatures'>,
  embedder: LocalEmbedder,
): readonly Uint8Array[] => {
  const vectorOf = ({ entry, text }: SimilarDocument): Int8Array => embedder.embed({ tool: entry.tool, text });
  return [
    encodeEntries(documents, restrictions),
    encodeTokenIndex(documents.map(tokensOf)),
    encodeVectors({ embedder, vectors: documents.map(vectorOf) }),
  ];
};

/** The index on disk, when it is about the files as they are now. Call `close` after use. */
export const openLocationIndex = (options: LocationIndexOptions): LocationIndex | undefined => {
  checkDirectories(options.location);
  const stamp = readStamp(stampPath(options.state, options.location), options.key);
  if (stamp === undefined || stamp.maker !== makerOf(options) || stamp.trust !== trustOf(options)) return undefined;
  if (stamp.rules.length !== options.location.files.length) return undefined;
  const current = areUnchanged(stamp.rules) ? stamp : caughtUp(stamp, options);
  const index = current && openArtefacts(options, current);
  if (index === undefined || current === undefined || current.added.length === 0) return index;
  return { ...index, added: indexDocuments(inOrder(current.added), options.embedder) };
};

/** How many added lines are looked at one by one before the index is made anew. */
const mostAdded = 64;

/** The stamp with what was added to the files since; nothing when they changed in any other way, or too much. */
const caughtUp = (stamp: Stamp, options: LocationIndexOptions): Stamp | undefined => {
  const additions = additionsTo(stamp.rules, options.location);
  if (additions === undefined) return undefined;
  const added = [...stamp.added, ...documentsIn(additions.lines, options)];
  if (added.length > mostAdded) return undefined;
  const current = { ...stamp, rules: additions.contents, added };
  try {
    writeStamp(stampPath(options.state, options.location), current, options.key);
  } catch (thrown) {
    // The next look-up catches up by itself.
    if (!(thrown instanceof HookwiseError) && !isSystemError(thrown)) throw thrown;
  }
  return current;
};

const isSystemError = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown;

const makerOf = ({ build, embedder }: LocationIndexOptions): string => `${build} ${embedder.name}`;

const trustOf = ({ location, trust }: LocationIndexOptions): string =>
  location.inRepository ? trust.trustSignature() : 'not needed';

const openArtefacts = (options: LocationIndexOptions, stamp: Stamp): LocationIndex | undefined => {
  const opened: number[] = [];
  const close = (): void => {
    for (const descriptor of opened) closeSync(descriptor);
  };
  const read = (path: string): { readonly read: ReadAt; readonly size: number } | undefined => {
    const file = openChecked(path, 'anyone');
    if (file === undefined) return undefined;
    opened.push(file.descriptor);
    const isKnown = stamp.artefacts.some((known) => known.path === path && known.state === signatureOf(path).state);
    const { descriptor } = file;
    return isKnown
      ? { read: (position, length) => readUpTo(descriptor, { position, length }), size: file.stats.size }
      : undefined;
  };
  try {
    const paths = artefactPaths(options.location, indexDirectory(options.location));
    const index = indexOf(paths.map(read), options.embedder);
    if (index !== undefined) return { ...index, answeredBy: 'index', close };
  } catch (thrown) {
    if (!(thrown instanceof HookwiseError)) throw thrown;
  }
  close();
  return undefined;
};

interface Bytes {
  readonly read: ReadAt;
  readonly size: number;
}

const indexOf = (artefacts: readonly (Bytes | undefined)[], embedder: LocalEmbedder): SimilarIndex | undefined => {
  const [first, second, third] = artefacts;
  const entries = first && openEntries(first.read, first.size);
  const tokens = second && openTokenIndex(second.read, second.size);
  const vectors = third && openVectors(third.read, third.size);
  if (entries === undefined || tokens === undefined || vectors === undefined) return undefined;
  const isWhole = entries.documents === tokens.documents && entries.documents === vectors.count;
  return isWhole && vectors.embedder === embedder.name ? { entries, tokens, vectors } : undefined;
};

/** Makes the index anew and writes it. When it cannot be written it still answers, from memory. */
export const buildLocationIndex = (options: LocationIndexOptions): LocationIndex & { readonly notWritten?: string } => {
  checkDirectories(options.location);
  const trust = trustOf(options);
  const rules = knownContents(options.location);
  const set = documentsOf(options);
  const bytes = encodeIndex(set, options.embedder);
  const index = indexInMemory(bytes, options.embedder);
  if (index === undefined)
    throw errors.indexBuild(`the similarity index of ${options.location.path} cannot be read back`);
  const answer = { ...index, answeredBy: 'built', close: () => undefined } as const;
  if (
    set.documents.length === 0 &&
    lstatSync(indexDirectory(options.location), { throwIfNoEntry: false }) === undefined
  )
    return answer;
  try {
    // Files that somebody writes to at this moment are looked at again at the next question.
    const isSteady = rules?.every(({ state }, number) => state === set.signatures[number]?.state) === true;
    if (rules !== undefined && isSteady) write(options, { bytes, rules, trust });
    return isSteady ? answer : { ...answer, notWritten: 'its rules files are being changed' };
  } catch (thrown) {
    return { ...answer, notWritten: messageOf(thrown) };
  }
};

/** The index out of its artefacts' bytes. */
const indexInMemory = (bytes: readonly Uint8Array[], embedder: LocalEmbedder): SimilarIndex | undefined =>
  indexOf(
    bytes.map((each): Bytes => ({ read: readerOf(each), size: each.length })),
    embedder,
  );

/** The index of documents that are in no file. */
export const indexDocuments = (set: Omit<DocumentSet, 'signatures'>, embedder: LocalEmbedder): SimilarIndex => {
  const index = indexInMemory(encodeIndex(set, embedder), embedder);
  if (index === undefined) throw errors.indexBuild('the documents cannot be indexed');
  return index;
};

const readerOf =
  (bytes: Uint8Array): ReadAt =>
  (position, length) =>
    bytes.subarray(position, position + length);

interface Made {
  readonly bytes: readonly Uint8Array[];
  readonly rules: Stamp['rules'];
  readonly trust: string;
}

const write = (options: LocationIndexOptions, { bytes, rules, trust }: Made): void => {
  const { state, key, location } = options;
  ensurePrivateDirectory(state);
  ensurePrivateDirectory(join(state, 'index'));
  const stamp = stampPath(state, location);
  withLock(`${stamp}.lock`, { waitMs: 500 }, () => {
    makeDirectory(location);
    const paths = artefactPaths(location, indexDirectory(location));
    for (const [number, path] of paths.entries()) writeAtomic(path, bytes[number] ?? '', { durable: false });
    const artefacts = paths.map(signatureOf);
    writeStamp(stamp, { v: 1, maker: makerOf(options), trust, rules, artefacts, added: [] }, key);
  });
};

const makeDirectory = (location: RulesLocation): void => {
  const directory = indexDirectory(location);
  if (!location.inRepository) {
    ensurePrivateDirectory(directory);
    return;
  }
  try {
    mkdirSync(directory);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw errors.storage(`cannot create ${directory}: ${messageOf(thrown)}`);
  }
  if (!lstatSync(directory).isDirectory()) throw errors.storage(`${directory} is not a real directory; remove it`);
};
