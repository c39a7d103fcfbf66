/** How the vector of a text is made of those of its pieces: that of the first piece, or the mean of all. */
export type Pooling = 'cls' | 'mean';

/** A model as it is published: which files of which commit. */
export interface ModelSource {
  /** `owner/name`. */
  readonly name: string;
  /** The whole commit, 40 hexadecimal digits: a branch can change. */
  readonly revision: string;
  readonly pooling: Pooling;
  /** SHA-256 in hexadecimal, by path in the repository. */
  readonly digests: Readonly<Record<string, string>>;
}

/**
 * The model that is meant when none is named. Commit, digests and sizes (133,093,490, 711,396 and 743 bytes) as published
 * on the Hugging Face hub; licence MIT, 384 dimensions, 512 pieces.
 */
export const defaultModel: ModelSource = {
  name: 'BAAI/bge-small-en-v1.5',
  revision: '5c38ec7c405ec4b44b94cc5a9bb96e735b38267a',
  pooling: 'cls',
  digests: {
    'onnx/model.onnx': '828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35',
    'tokenizer.json': 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
    'config.json': '094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750',
  },
};

/** Where models are published. */
export const defaultBaseUrl = 'https://huggingface.co';

/** The files of a model: their path where it is published, their name here, and how large they may be. */
export const modelFiles = [
  { path: 'onnx/model.onnx', name: 'model.onnx', mostBytes: 2 ** 31 },
  { path: 'tokenizer.json', name: 'tokenizer.json', mostBytes: 2 ** 26 },
  { path: 'config.json', name: 'config.json', mostBytes: 2 ** 20 },
] as const;

/** The name of a file of a model here. */
export type ModelFileName = (typeof modelFiles)[number]['name'];
