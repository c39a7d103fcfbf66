import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../core/model/errors.ts';
import { isRunning, removeIfThere, syncDirectory, writeAtomic, writeExclusive } from '../files/atomic-write.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { download, isAllowedUrl } from './download.ts';
import { digestOf } from './file-digest.ts';
import {
  defaultBaseUrl,
  defaultModel,
  type ModelFileName,
  type ModelSource,
  modelFiles,
  type Pooling,
} from './model-catalog.ts';
import {
  isDigest,
  isModelName,
  isRevision,
  type ModelManifest,
  manifestName,
  readModelManifest,
} from './model-manifest.ts';

/** What to fetch, and where to. */
export interface FetchOptions {
  /** `owner/name`; the default model when nothing is said. */
  readonly name?: string;
  /** The whole commit; must be said for every model but the default one. */
  readonly revision?: string;
  readonly pooling?: Pooling;
  /** SHA-256 in hexadecimal by path in the repository, as far as they are known. What is found is recorded. */
  readonly digests?: Readonly<Record<string, string>>;
  /** https, or http to this machine. */
  readonly baseUrl?: string;
  /** Where models live; made when it is not there, and this user's alone. */
  readonly directory: string;
  /** Longest time without a byte, in milliseconds. */
  readonly idleMs?: number;
  readonly onProgress?: (progress: FetchProgress) => void;
}

/** How far it has come. */
export interface FetchProgress {
  readonly file: ModelFileName;
  readonly bytes: number;
}

const defaultIdleMs = 30_000;

/**
 * Fetches a model: `<base>/<name>/resolve/<revision>/<file>`. Only a person asks for this, never a call of an agent. The
 * model that was there stays until the new one is whole; an attempt that fails is taken up by the next one. Rejects with
 * HookwiseError `Embedding`.
 */
export const fetchModel = async (options: FetchOptions): Promise<ModelManifest> => {
  const source = sourceOf(options);
  const base = baseOf(options.baseUrl ?? defaultBaseUrl);
  const { directory } = options;
  ensurePrivateDirectory(directory);
  const release = claim(directory);
  try {
    const place = join(directory, source.revision);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const files = { ...noFiles };
    const older = readOlder(directory);
    const known = { ...recordedDigests(older, source), ...source.digests };
    for (const file of modelFiles) {
      const url = new URL(`${base}/${source.name}/resolve/${source.revision}/${file.path}`);
      files[file.name] = await fetchFile({ ...file, url, place, digest: known[file.path] }, options);
    }
    const manifest: ModelManifest = {
      v: 1,
      name: source.name,
      revision: source.revision,
      pooling: source.pooling,
      files,
    };
    writeAtomic(join(directory, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, { durable: true });
    if (older !== undefined && older.revision !== source.revision) removeRevision(join(directory, older.revision));
    return manifest;
  } finally {
    release();
  }
};

const noFile = { bytes: 0, sha256: '' };
const noFiles = { 'model.onnx': noFile, 'tokenizer.json': noFile, 'config.json': noFile };

const sourceOf = (options: FetchOptions): ModelSource => {
  const name = options.name ?? defaultModel.name;
  const known = name === defaultModel.name ? defaultModel : undefined;
  const revision = options.revision ?? known?.revision;
  const pooling = options.pooling ?? known?.pooling;
  if (!isModelName(name))
    throw errors.embedding(`${JSON.stringify(name)} is no name of a model; it looks like owner/name`);
  if (revision === undefined || !isRevision(revision)) {
    throw errors.embedding(`say which commit of ${name} is meant, in 40 hexadecimal digits: a branch can change`);
  }
  if (pooling === undefined) throw errors.embedding(`say how ${name} pools: cls or mean`);
  const digests = { ...(revision === known?.revision && known.digests), ...options.digests };
  const wrong = Object.entries(digests).find(([, digest]) => !isDigest(digest))?.[0];
  if (wrong !== undefined)
    throw errors.embedding(`the digest of ${wrong} is no SHA-256 in lower-case hexadecimal digits`);
  return { name, revision, pooling, digests };
};

const baseOf = (text: string): string => {
  if (!URL.canParse(text) || !isAllowedUrl(new URL(text))) {
    throw errors.embedding(
      `models are fetched over https, or over http from this machine, not from ${JSON.stringify(text)}`,
    );
  }
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
};

/** One download at a time: two would write into one file. */
const claim = (directory: string): (() => void) => {
  const path = join(directory, 'fetching');
  const mine = `${process.pid}\n`;
  for (let attempt = 0; attempt < 2; attempt++) {
    if (writeExclusive(path, mine, { durable: false })) return () => void removeIfThere(path);
    const holder = Number(readPrivate(path, { maxBytes: 64 })?.toString('utf8') ?? 0);
    if (holder > 0 && isRunning(holder)) {
      throw errors.embedding(`process ${holder} fetches a model into ${directory}; wait for it, or end it`);
    }
    removeIfThere(path);
  }
  throw errors.embedding(`another process fetches a model into ${directory}; try again`);
};

interface WantedFile {
  readonly name: ModelFileName;
  readonly url: URL;
  readonly place: string;
  readonly mostBytes: number;
  readonly digest: string | undefined;
}

const fetchFile = async (file: WantedFile, options: FetchOptions): Promise<{ bytes: number; sha256: string }> => {
  const path = join(file.place, file.name);
  const partial = `${path}.part`;
  const there = statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : digestOf(path);
  if (there !== undefined && there.sha256 === file.digest) return there;
  await download({
    url: file.url,
    path: partial,
    mostBytes: file.mostBytes,
    idleMs: options.idleMs ?? defaultIdleMs,
    onBytes: (bytes) => options.onProgress?.({ file: file.name, bytes }),
  });
  const found = digestOf(partial);
  if (file.digest !== undefined && found.sha256 !== file.digest) {
    removeIfThere(partial);
    throw errors.embedding(
      `${file.url.href} is not what it should be: its SHA-256 is ${found.sha256}, expected was ${file.digest}; nothing was kept`,
    );
  }
  renameSync(partial, path);
  syncDirectory(file.place);
  return found;
};

/** The model that was there; a manifest that is damaged is replaced. */
const readOlder = (directory: string): ModelManifest | undefined => {
  try {
    return readModelManifest(directory);
  } catch {
    return undefined;
  }
};

/** What this very commit had when it was fetched before: it must not be something else now. */
const recordedDigests = (older: ModelManifest | undefined, source: ModelSource): Record<string, string> =>
  older?.name === source.name && older.revision === source.revision
    ? Object.fromEntries(modelFiles.map(({ path, name }) => [path, older.files[name].sha256]))
    : {};

/** Removes the files of a model, and nothing else. */
const removeRevision = (place: string): void => {
  for (const { name } of modelFiles) {
    removeIfThere(join(place, name));
    removeIfThere(join(place, `${name}.part`));
  }
  if (statSync(place, { throwIfNoEntry: false }) !== undefined && readdirSync(place).length === 0) rmdirSync(place);
};
