import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { errors } from '../../core/model/errors.ts';
import { readPrivate } from '../files/read-private.ts';
import { type ModelFileName, modelFiles, type Pooling } from './model-catalog.ts';

/** What was downloaded, as it is checked at every load. The files lie in a directory named like the revision. */
export interface ModelManifest {
  readonly v: 1;
  readonly name: string;
  readonly revision: string;
  readonly pooling: Pooling;
  /** By file name. */
  readonly files: Readonly<Record<ModelFileName, { readonly bytes: number; readonly sha256: string }>>;
}

/** The file that says which model a directory holds. */
export const manifestName = 'model.json';
const mostManifestBytes = 16_384;

/** The manifest of a directory; nothing when there is none. Throws HookwiseError `Embedding` for one that is damaged. */
export const readModelManifest = (directory: string): ModelManifest | undefined => {
  const path = join(directory, manifestName);
  const bytes = readPrivate(path, { maxBytes: mostManifestBytes });
  if (bytes === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    value = undefined;
  }
  if (isModelManifest(value)) return value;
  throw errors.embedding(`${path} is damaged; fetch the model again`);
};

/** A whole commit. */
export const isRevision = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);
/** `owner/name`, or a name alone; nothing that leads elsewhere. */
export const isModelName = (text: string): boolean => /^(?:[\w-][\w.-]{0,95}\/)?[\w-][\w.-]{0,95}$/.test(text);
/** A SHA-256 in hexadecimal. */
export const isDigest = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

const isModelManifest = (value: unknown): value is ModelManifest => {
  const fields = fieldsOf(value);
  const [name, revision, pooling] = ['name', 'revision', 'pooling'].map((field) => fields.get(field));
  const files = fieldsOf(fields.get('files'));
  return (
    fields.get('v') === 1 &&
    typeof name === 'string' &&
    isModelName(name) &&
    typeof revision === 'string' &&
    isRevision(revision) &&
    (pooling === 'cls' || pooling === 'mean') &&
    modelFiles.every((file) => {
      const entry = fieldsOf(files.get(file.name));
      return Number.isSafeInteger(entry.get('bytes')) && isDigest(entry.get('sha256'));
    })
  );
};

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

/** The bytes of one file of a model, if they are what the manifest says. Throws HookwiseError `Embedding` otherwise. */
export const readModelFile = (directory: string, file: { manifest: ModelManifest; name: ModelFileName }): Buffer => {
  const { manifest, name } = file;
  const path = join(directory, manifest.revision, name);
  const { bytes, sha256 } = manifest.files[name];
  const content = readPrivate(path, { maxBytes: bytes });
  if (content === undefined) throw errors.embedding(`${path} is missing; fetch the model again`);
  if (createHash('sha256').update(content).digest('hex') === sha256) return content;
  throw errors.embedding(`${path} is not the file that was downloaded; fetch the model again`);
};
