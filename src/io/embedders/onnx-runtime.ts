import { errors, messageOf } from '../../core/model/errors.ts';
import { findPeer, loadPeer } from './peer.ts';

/** A model that is ready to run. */
export interface ModelSession {
  readonly inputNames: readonly string[];
  /** The numbers of one text, by input, and what comes out first. */
  readonly run: (inputs: ReadonlyMap<string, BigInt64Array>) => Promise<ModelOutput>;
  readonly close: () => Promise<void>;
}

/** Numbers in rows: one row for each piece, or one for the whole text. */
export interface ModelOutput {
  readonly values: Float32Array;
  readonly shape: readonly number[];
}

/** Packages that run models, the faster one first. Users install one of them; hookwise depends on none. */
const runtimes = ['onnxruntime-node', 'onnxruntime-web'] as const;

/** Makes a model ready to run. Rejects with HookwiseError `Embedding`: no package, or one that cannot use the model. */
export const openModel = async (model: Uint8Array, places: readonly string[]): Promise<ModelSession> => {
  const name = runtimes.find((runtime) => findPeer(runtime, places) !== undefined);
  if (name === undefined) {
    const [first, second] = runtimes;
    throw errors.embedding(
      `no package to run models is installed; install one beside hookwise: npm install ${first} (or ${second})`,
    );
  }
  const runtime = await loadPeer(name, places);
  if (!isRuntime(runtime)) throw errors.embedding(`the package ${name} is not one that hookwise knows`);
  // Threads of the WebAssembly runtime are workers that would keep a short process alive.
  if (runtime.env?.wasm !== undefined) runtime.env.wasm.numThreads = 1;
  return failing(`the model cannot be opened with ${name}`, async () =>
    sessionOf(runtime, await runtime.InferenceSession.create(model)),
  );
};

const failing = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw errors.embedding(`${what}: ${messageOf(thrown)}`);
  }
};

interface Tensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  release?(): Promise<void>;
}
interface Runtime {
  readonly env?: { readonly wasm?: { numThreads?: number } };
  readonly InferenceSession: { create(model: Uint8Array): Promise<Session> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

const isRuntime = (value: unknown): value is Runtime =>
  typeof value === 'object' &&
  value !== null &&
  'InferenceSession' in value &&
  typeof value.InferenceSession === 'function' &&
  'Tensor' in value &&
  typeof value.Tensor === 'function';

/** The output that BERT models have; of others the first. */
const usualOutput = 'last_hidden_state';

const sessionOf = (runtime: Runtime, session: Session): ModelSession => {
  const [firstOutput = usualOutput] = session.outputNames;
  const output = session.outputNames.includes(usualOutput) ? usualOutput : firstOutput;
  // A session runs one thing at a time.
  let last: Promise<unknown> = Promise.resolve();
  const run = async (inputs: ReadonlyMap<string, BigInt64Array>): Promise<ModelOutput> => {
    const feeds = [...inputs].map(([name, values]) => [name, new runtime.Tensor('int64', values, [1, values.length])]);
    const { [output]: found } = await session.run(Object.fromEntries(feeds));
    if (!(found?.data instanceof Float32Array)) throw new TypeError(`the output ${output} is not of 32-bit numbers`);
    return { values: found.data, shape: found.dims };
  };
  return {
    inputNames: session.inputNames,
    run: (inputs) => {
      const next = last.then(() => failing('the model failed', () => run(inputs)));
      last = next.catch(() => undefined);
      return next;
    },
    close: async () => {
      await last;
      await session.release?.();
    },
  };
};
