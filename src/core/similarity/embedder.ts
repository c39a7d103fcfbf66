import { toolFamily } from '../model/entry-key.ts';
import { featureDimensions, featureVector, type Reading } from './embedding-features.ts';
import { hashPart, quantise } from './embedding-hash.ts';
import { type IntentOf, intentLookup, readHead } from './embedding-heads.ts';
import { intentRows } from './embedding-intents.ts';
import { readToolInput } from './embedding-tool-input.ts';
import { readWords } from './embedding-words.ts';

/** A call as an embedder sees it. */
export interface EmbeddingInput {
  readonly tool: string;
  /** The sanitised canonical text of the call. */
  readonly text: string;
  /** What the call would do, in short texts, where that is known for every call of an index. */
  readonly effects?: readonly string[];
}

/** Turns calls into vectors: the nearer two calls are, the larger the cosine of their vectors. */
export interface Embedder {
  /** With its version: an index made by another name is stale. */
  readonly name: string;
  readonly dimensions: number;
  /** A vector of length 1, as whole numbers from -127 to 127. Rejects with HookwiseError `Embedding`. */
  embed(input: EmbeddingInput): Int8Array | Promise<Int8Array>;
}

/** An embedder that needs nothing but the call: pure, synchronous, and the same on every machine. */
export interface LocalEmbedder extends Embedder {
  embed(input: EmbeddingInput): Int8Array;
}

/** The built-in embedder, made for commands: see `embedding-features.ts` for what counts how much. */
export const localEmbedder = (): LocalEmbedder => {
  const intentOf = intentLookup(intentRows);
  return {
    name: 'hookwise-commands-1',
    dimensions: featureDimensions,
    embed: (input) => quantise(featureVector(readInput(input, intentOf))),
  };
};

const shellTools = new Set(['Bash', 'Shell', 'run_shell_command']);

const readInput = ({ tool, text, effects }: EmbeddingInput, intentOf: IntentOf): Reading => {
  if (!shellTools.has(tool)) return { ...readToolInput(toolFamily(tool), text), effects };
  const { commands, joints, end } = readWords(text);
  return {
    heads: commands.map((command) => readHead(command, intentOf)),
    structure: [...joints, ...commands.flatMap(({ redirects, fills }) => [...redirects, ...fills])],
    rest: end < text.length ? hashPart(7, { text, from: end, to: text.length }) : 0,
    effects,
  };
};

/** The cosine of two quantised vectors: exact arithmetic on whole numbers, one rounding at the end. 0 for a vector of zeros. */
export const cosine = (a: Int8Array, b: Int8Array): number => {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [left, right] = [a[at] ?? 0, b[at] ?? 0];
    product += left * right;
    squareA += left * left;
    squareB += right * right;
  }
  return squareA === 0 || squareB === 0 ? 0 : product / Math.sqrt(squareA * squareB);
};
