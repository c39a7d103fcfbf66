import { errors } from '../../core/model/errors.ts';
import type { Embedder, EmbeddingInput } from '../../core/similarity/embedder.ts';
import { quantise } from '../../core/similarity/embedding-hash.ts';
import type { Pooling } from './model-catalog.ts';
import { type ModelManifest, readModelFile, readModelManifest } from './model-manifest.ts';
import { type ModelOutput, type ModelSession, openModel } from './onnx-runtime.ts';
import { readTokenizer } from './tokenizer-file.ts';
import { type Tokenizer, wordPieceTokenizer } from './wordpiece.ts';

/** An embedder that runs a model. */
export interface OnnxEmbedder extends Embedder {
  readonly embed: (input: EmbeddingInput) => Promise<Int8Array>;
  /** Gives the memory of the model back. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a model that `fetchModel` put into `directory`; every file must be what was recorded then. A call with more text
 * than the model reads gets a vector of zeros, which is near nothing: its end would not count. `places` are directories
 * beside which the package that runs models may be installed. Rejects with HookwiseError `Embedding`.
 */
export const onnxEmbedder = async (options: {
  readonly directory: string;
  readonly places?: readonly string[];
}): Promise<OnnxEmbedder> => {
  const { directory, places = [] } = options;
  const manifest = readModelManifest(directory);
  if (manifest === undefined) {
    throw errors.embedding(`no model is in ${directory}; fetch one with: hookwise build --fetch-model`);
  }
  const { hiddenSize, mostPieces } = readConfig(readModelFile(directory, { manifest, name: 'config.json' }));
  const settings = readTokenizer(readModelFile(directory, { manifest, name: 'tokenizer.json' }).toString('utf8'));
  if (!settings.ok) throw errors.embedding(settings.error);
  const session = await openModel(readModelFile(directory, { manifest, name: 'model.onnx' }), places);
  const model = {
    session,
    tokenizer: wordPieceTokenizer(settings.value),
    pooling: manifest.pooling,
    hiddenSize,
    mostPieces,
  };
  return {
    name: nameOf(manifest),
    dimensions: hiddenSize,
    embed: (input) => embed(model, input),
    close: session.close,
  };
};

/** Says everything that makes one vector differ from another: model, pooling and how a call is put into words here. */
const nameOf = ({ name, revision, pooling, files }: ModelManifest): string =>
  `onnx-1 ${name}@${revision} ${pooling} ${files['model.onnx'].sha256.slice(0, 16)}`;

interface Model {
  readonly session: ModelSession;
  readonly tokenizer: Tokenizer;
  readonly pooling: Pooling;
  readonly hiddenSize: number;
  readonly mostPieces: number;
}

const embed = async (model: Model, input: EmbeddingInput): Promise<Int8Array> => {
  const { session, tokenizer, hiddenSize } = model;
  const { ids, isCut } = tokenizer(wordsFor(input), model.mostPieces);
  if (isCut) return new Int8Array(hiddenSize);
  const inputs = new Map(session.inputNames.map((name) => [name, valuesFor(name, ids)]));
  return quantise(pooled(await session.run(inputs), { model, pieces: ids.length }));
};

const wordsFor = ({ tool, text, effects = [] }: EmbeddingInput): string => [`${tool}: ${text}`, ...effects].join('\n');

/** The inputs that BERT models have: the pieces, which of them count, and to which of two texts they belong. */
const valuesFor = (name: string, ids: readonly number[]): BigInt64Array => {
  switch (name) {
    case 'input_ids':
      return BigInt64Array.from(ids, BigInt);
    case 'attention_mask':
      return new BigInt64Array(ids.length).fill(1n);
    case 'token_type_ids':
      return new BigInt64Array(ids.length);
  }
  throw errors.embedding(`the model wants ${JSON.stringify(name)}, which hookwise cannot give it`);
};

/** One vector from the rows of the pieces, or the one that the model has made of them itself. */
const pooled = (output: ModelOutput, from: { readonly model: Model; readonly pieces: number }): Float32Array => {
  const { values, shape } = output;
  const { hiddenSize, pooling } = from.model;
  const isFirst = pooling === 'cls' || shape.length === 2;
  const rows = shape.length === 2 ? 1 : from.pieces;
  const wanted = shape.length === 2 ? [1, hiddenSize] : [1, rows, hiddenSize];
  if (shape.join() !== wanted.join() || values.length !== rows * hiddenSize) {
    throw errors.embedding(`the model gave ${shape.join(' x ')} numbers, expected were ${wanted.join(' x ')}`);
  }
  if (isFirst) return values.subarray(0, hiddenSize);
  const mean = new Float32Array(hiddenSize);
  values.forEach((value, at) => {
    mean[at % hiddenSize] = (mean[at % hiddenSize] ?? 0) + value / rows;
  });
  return mean;
};

const mostHidden = 4096;
const mostPositions = 1 << 20;

const readConfig = (bytes: Buffer): { readonly hiddenSize: number; readonly mostPieces: number } => {
  const fields = new Map(Object.entries(parsed(bytes)));
  const [hiddenSize, mostPieces] = [fields.get('hidden_size'), fields.get('max_position_embeddings')];
  if (!isBetween(hiddenSize, mostHidden) || !isBetween(mostPieces, mostPositions)) {
    throw errors.embedding('config.json does not say how large the vectors and texts of the model are');
  }
  return { hiddenSize, mostPieces };
};

const parsed = (bytes: Buffer): object => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

const isBetween = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= most;
