import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cosine } from '../../core/similarity/embedder.ts';
import { scratch } from '../files/scratch.cases.ts';
import { fetchModel } from './fetch-model.ts';
import type { Pooling } from './model-catalog.ts';
import { hiddenSize, type ModelServer, modelContent, revision, startModelServer } from './model-server.cases.ts';
import { onnxEmbedder } from './onnx-embedder.ts';
import { hasPeer, installPackage, peerPlaces } from './peers.cases.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const fetched = async (pooling: Pooling = 'cls'): Promise<string> => {
  const directory = join(scratch(), 'models');
  await fetchModel({ name: 'owner/tiny', revision, pooling, baseUrl: server.url, directory });
  return directory;
};

const call = (text: string, tool = 'Bash') => ({ tool, text });

/** A package with the interface of the runtimes that makes its numbers of the pieces alone. */
const runtime = (change: string): string => `
class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
const value = (id, place) => Math.sin(id * 3 + place * (id + 1));
const mean = (ids, place) => ids.reduce((sum, id) => sum + value(id, place), 0) / ids.length;
const make = (ids) => {
  const rows = ids.flatMap((id) => Array.from({ length: ${hiddenSize} }, (_, place) => value(id, place) + mean(ids, place)));
  return new Tensor('float32', Float32Array.from(rows), [1, ids.length, ${hiddenSize}]);
};
let running = 0;
const session = {
  inputNames: ['input_ids', 'attention_mask', 'token_type_ids'],
  outputNames: ['pooler_output', 'last_hidden_state'],
  run: async (feeds) => {
    if (running > 0) throw new Error('already running');
    running += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    return { last_hidden_state: make(Array.from(feeds.input_ids.data, Number)) };
  },
  release: async () => undefined,
};
exports.Tensor = Tensor;
exports.InferenceSession = function () {};
exports.InferenceSession.create = async () => session;
${change}
`;

/** The packages themselves, where they are installed, and a small one with the same interface. */
const runtimes: readonly string[] = ['stand-in', ...['onnxruntime-node', 'onnxruntime-web'].filter(hasPeer)];

describe.each(runtimes)('onnxEmbedder with %s', (which) => {
  const open = async (pooling: Pooling = 'cls') => {
    const place = scratch();
    if (which === 'stand-in') installPackage(place, 'onnxruntime-node', runtime(''));
    return onnxEmbedder({ directory: await fetched(pooling), places: which === 'stand-in' ? [place] : peerPlaces });
  };

  it.each<Pooling>(['cls', 'mean'])('turns calls into vectors, pooled by %s', async (pooling) => {
    const embedder = await open(pooling);
    expect(embedder.dimensions).toBe(hiddenSize);
    expect(embedder.name).toMatch(new RegExp(`^onnx-1 owner/tiny@${revision} ${pooling} [0-9a-f]{16}$`));
    const [one, same, other] = await Promise.all(
      ['git push', 'git  PUSH', 'npm test'].map((text) => embedder.embed(call(text))),
    );
    expect(one).toHaveLength(hiddenSize);
    expect(cosine(one ?? new Int8Array(0), same ?? new Int8Array(0))).toBe(1);
    expect(cosine(one ?? new Int8Array(0), other ?? new Int8Array(0))).toBeLessThan(0.9999);
    expect(await embedder.embed(call('git push', 'Write'))).not.toEqual(one);
    expect(await embedder.embed({ ...call('git push'), effects: ['run a'] })).not.toEqual(one);
    await embedder.close();
  });

  it('gives a call that is too long for the model a vector that is near nothing', async () => {
    const embedder = await open();
    const vector = await embedder.embed(call('a '.repeat(60)));
    expect(vector).toEqual(new Int8Array(hiddenSize));
    expect(cosine(vector, vector)).toBe(0);
    await embedder.close();
  });
});

describe.each(['onnxruntime-node', 'onnxruntime-web'].filter(hasPeer))('the model itself with %s', () => {
  it('gives the numbers that were worked out by hand', async () => {
    const embedder = await onnxEmbedder({ directory: await fetched('cls'), places: peerPlaces });
    const vector = await embedder.embed(call('a'));
    // [CLS] bash : a [SEP], each row of the table plus the mean of all; the first one counts.
    const row = (id: number, at: number): number =>
      Math.fround(Math.sin((id * hiddenSize + at) * 1.7) + 0.01 * (id * hiddenSize + at));
    const vocabulary: string[] = JSON.parse(readFileSync(join(await fetched(), revision, 'tokenizer.json'), 'utf8'))
      .model.vocab;
    const ids = ['[CLS]', 'bash', ':', 'a', '[SEP]'].map((piece) => Number(Reflect.get(vocabulary, piece)));
    const expected = Array.from(
      { length: hiddenSize },
      (_, at) => row(ids[0] ?? 0, at) + ids.reduce((sum, id) => sum + row(id, at) / ids.length, 0),
    );
    const largest = Math.max(...expected.map(Math.abs));
    for (const [at, value] of vector.entries())
      expect(Math.abs(value - ((expected[at] ?? 0) / largest) * 127)).toBeLessThan(1);
    await embedder.close();
  });
});

describe('onnxEmbedder', () => {
  let place = '';
  beforeEach(() => {
    place = scratch();
  });
  const opened = async (code: string, directory?: string) => {
    installPackage(place, 'onnxruntime-node', code);
    return onnxEmbedder({ directory: directory ?? (await fetched()), places: [place] });
  };

  it('says how to get a model', async () => {
    await expect(onnxEmbedder({ directory: place })).rejects.toThrow('fetch one with: hookwise build --fetch-model');
  });

  // Beside hookwise itself there may be one.
  it.each(runtimes.length === 1 ? ['none of them'] : [])('says what to install: %s is', async () => {
    await expect(onnxEmbedder({ directory: await fetched(), places: [place] })).rejects.toThrow(
      'embedding error: no package to run models is installed; install one beside hookwise: npm install onnxruntime-node (or onnxruntime-web)',
    );
  });

  it.each<[what: string, damage: (directory: string) => void, message: string]>([
    [
      'a changed model',
      (directory) => writeFileSync(join(directory, revision, 'model.onnx'), 'x'),
      'is not the file that was downloaded',
    ],
    [
      'a model of the same length',
      (directory) =>
        writeFileSync(
          join(directory, revision, 'model.onnx'),
          Buffer.alloc(modelContent['onnx/model.onnx']?.length ?? 0),
        ),
      'is not the file that was downloaded',
    ],
    ['a missing file', (directory) => rmSync(join(directory, revision, 'tokenizer.json')), 'tokenizer.json is missing'],
    ['a damaged manifest', (directory) => writeFileSync(join(directory, 'model.json'), '{'), 'model.json is damaged'],
    [
      'a manifest that leads elsewhere',
      (directory) => {
        const path = join(directory, 'model.json');
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll(revision, '../../../../../../../etc'));
      },
      'model.json is damaged',
    ],
  ])('refuses %s', async (_, damage, message) => {
    const directory = await fetched();
    damage(directory);
    const failure = opened(runtime(''), directory);
    await expect(failure).rejects.toMatchObject({ kind: 'Embedding' });
    await expect(failure).rejects.toThrow(message);
  });

  it.each<[what: string, code: string, message: string]>([
    ['another package', 'exports.Other = 1;', 'is not one that hookwise knows'],
    [
      'a model that cannot be opened',
      runtime('exports.InferenceSession.create = async () => { throw new Error("bad protobuf"); };'),
      'bad protobuf',
    ],
  ])('says what is wrong with %s', async (_, code, message) => {
    const failure = opened(code);
    await expect(failure).rejects.toMatchObject({ kind: 'Embedding' });
    await expect(failure).rejects.toThrow(message);
  });

  it.each<[what: string, code: string, message: string]>([
    ['wants something unknown', 'session.inputNames.push("pixel_values");', 'the model wants "pixel_values"'],
    [
      'gives other numbers',
      'session.run = async () => ({ last_hidden_state: new Tensor("float32", new Float32Array(3), [1, 3]) });',
      'the model gave 1 x 3 numbers, expected were 1 x 12',
    ],
    [
      'gives other rows',
      'session.run = async () => ({ last_hidden_state: make([1]) });',
      'the model gave 1 x 1 x 12 numbers',
    ],
    ['gives no numbers', 'session.run = async () => ({});', 'the output last_hidden_state is not of 32-bit numbers'],
    ['fails', 'session.run = async () => { throw new Error("out of memory"); };', 'the model failed: out of memory'],
  ])('says what is wrong where the model %s, every time', async (_, change, message) => {
    const embedder = await opened(runtime(change));
    for (const text of ['git push', 'npm test']) {
      const failure = embedder.embed(call(text));
      await expect(failure).rejects.toMatchObject({ kind: 'Embedding' });
      await expect(failure).rejects.toThrow(message);
    }
  });

  it('takes the vector of a model that pools by itself', async () => {
    const own = `session.run = async () => ({ last_hidden_state: new Tensor("float32", Float32Array.from({ length: ${hiddenSize} }, (_, at) => at), [1, ${hiddenSize}]) });`;
    const vector = await (await opened(runtime(own))).embed(call('git push'));
    expect([...vector]).toEqual(Array.from({ length: hiddenSize }, (_, at) => Math.round((at / 11) * 127)));
  });
});
