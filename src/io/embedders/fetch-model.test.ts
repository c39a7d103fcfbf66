import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scratch } from '../files/scratch.cases.ts';
import { type FetchOptions, type FetchProgress, fetchModel } from './fetch-model.ts';
import { defaultModel } from './model-catalog.ts';
import { readModelManifest } from './model-manifest.ts';
import { type Answer, type ModelServer, modelContent, revision, startModelServer } from './model-server.cases.ts';

const sha256 = (bytes: Buffer | undefined): string =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
const digests = Object.fromEntries(Object.entries(modelContent).map(([path, bytes]) => [path, sha256(bytes)]));
const model = modelContent['onnx/model.onnx'] ?? Buffer.alloc(0);

describe('fetchModel', () => {
  let server: ModelServer;
  let directory = '';
  beforeEach(async () => {
    server = await startModelServer();
    directory = join(scratch(), 'models');
  });
  afterEach(() => server.close());

  const options = (change: Partial<FetchOptions> = {}): FetchOptions => ({
    name: 'owner/tiny',
    revision,
    pooling: 'mean',
    baseUrl: server.url,
    directory,
    ...change,
  });
  const fetched = (change: Partial<FetchOptions> = {}) => fetchModel(options(change));
  const partial = (): string => join(directory, revision, 'model.onnx.part');
  /** Answers requests for the model itself. */
  const forModel = (answer: (...request: Parameters<Answer>) => void): void => {
    server.answer = (request, response, path) => {
      if (!path.includes('model.onnx')) return false;
      answer(request, response, path);
      return true;
    };
  };

  it('fetches the files of one commit, records what they are, and keeps them to this user', async () => {
    const progress: FetchProgress[] = [];
    const manifest = await fetched({ digests, onProgress: (step) => progress.push(step) });
    expect(server.asked.map(({ path }) => path)).toEqual(
      ['onnx/model.onnx', 'tokenizer.json', 'config.json'].map((path) => `/owner/tiny/resolve/${revision}/${path}`),
    );
    expect(manifest).toEqual({
      v: 1,
      name: 'owner/tiny',
      revision,
      pooling: 'mean',
      files: {
        'model.onnx': { bytes: model.length, sha256: digests['onnx/model.onnx'] },
        'tokenizer.json': { bytes: modelContent['tokenizer.json']?.length, sha256: digests['tokenizer.json'] },
        'config.json': { bytes: modelContent['config.json']?.length, sha256: digests['config.json'] },
      },
    });
    expect(readModelManifest(directory)).toEqual(manifest);
    expect(readdirSync(directory).sort()).toEqual([revision, 'model.json']);
    expect(readdirSync(join(directory, revision)).sort()).toEqual(['config.json', 'model.onnx', 'tokenizer.json']);
    expect(readFileSync(join(directory, revision, 'model.onnx')).equals(model)).toBe(true);
    expect(statSync(join(directory, revision, 'model.onnx')).mode & 0o777).toBe(0o600);
    expect(progress.at(-1)).toEqual({ file: 'config.json', bytes: modelContent['config.json']?.length });
  });

  it('does not fetch again what is there', async () => {
    await fetched();
    server.asked.length = 0;
    await fetched();
    expect(server.asked).toEqual([]);
  });

  it('goes on where it stopped', async () => {
    forModel((_, response) => {
      response.writeHead(200, { 'content-length': model.length });
      response.write(model.subarray(0, 500), () => response.destroy());
    });
    await expect(fetched()).rejects.toMatchObject({ kind: 'Embedding' });
    expect(readFileSync(partial()).equals(model.subarray(0, 500))).toBe(true);
    expect(readModelManifest(directory)).toBeUndefined();
    server.answer = () => false;
    server.asked.length = 0;
    await fetched({ digests });
    expect(server.asked[0]?.range).toBe('bytes=500-');
    expect(existsSync(partial())).toBe(false);
  });

  it.each<[what: string, answer: Answer]>([
    [
      'a server that cannot go on',
      (_, response) => Boolean(response.writeHead(200, { 'content-length': model.length }).end(model)),
    ],
    [
      'what is there is longer',
      (request, response) => request.headers.range !== undefined && Boolean(response.writeHead(416).end()),
    ],
  ])('starts again: %s', async (_, answer) => {
    mkdirSync(join(directory, revision), { recursive: true, mode: 0o700 });
    writeFileSync(partial(), Buffer.alloc(model.length + 10), { mode: 0o600 });
    server.answer = (request, response, path) => path.endsWith('model.onnx') && answer(request, response, path);
    await fetched({ digests });
    expect(readFileSync(join(directory, revision, 'model.onnx')).equals(model)).toBe(true);
  });

  it.each<[what: string, answer: (...request: Parameters<Answer>) => void, message: string]>([
    ['there is none', (_, response) => response.writeHead(404).end('Entry not found'), 'status 404'],
    ['it may not', (_, response) => response.writeHead(401).end(), 'status 401'],
    ['the server has a fault', (_, response) => response.writeHead(500).end(), 'status 500'],
    [
      'it is cut off',
      (_, response) => {
        response.writeHead(200, { 'content-length': model.length });
        response.write(model.subarray(0, 100), () => response.destroy());
      },
      'cannot fetch',
    ],
    [
      'nothing comes any more',
      (_, response) => {
        response.writeHead(200, { 'content-length': model.length });
        response.write(model.subarray(0, 100));
      },
      'nothing came for 150 ms',
    ],
    ['nothing comes at all', () => undefined, 'nothing came for 150 ms'],
    [
      'it does not say how long it is',
      (_, response) => response.writeHead(200).end(model),
      'does not say how long it is',
    ],
    [
      'it is too large',
      (_, response) => {
        response.writeHead(200, { 'content-length': 2 ** 31 + 1 });
        response.write('x');
      },
      'more than the 2147483648 it may have',
    ],
    [
      'it sends another part',
      (_, response) => response.writeHead(206, { 'content-range': 'bytes 7-9/10', 'content-length': 3 }).end('abc'),
      'the server sent another part',
    ],
    [
      'it sends some part',
      (_, response) => response.writeHead(206, { 'content-length': 3 }).end('abc'),
      'which part it sends',
    ],
    [
      'it sends on for ever',
      (_, response, path) => response.writeHead(302, { location: `${path}?again` }).end(),
      'more than 5 redirects',
    ],
    [
      'it sends on to another port',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/x?signature=secret' }).end(),
      'it sends on to http://127.0.0.1:9/x, which is neither https nor the same server',
    ],
    [
      'it sends on to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
      'neither https',
    ],
    ['the line is cut', (request) => request.socket.destroy(), 'cannot fetch'],
  ])('fails where %s, and leaves no model', async (_, answer, message) => {
    forModel(answer);
    const failure = fetched({ idleMs: 150 });
    await expect(failure).rejects.toMatchObject({ kind: 'Embedding' });
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.not.toThrow('secret');
    expect(readdirSync(directory)).toEqual([revision]);
    expect(readdirSync(join(directory, revision))).not.toContain('model.onnx');
    server.answer = () => false;
    expect((await fetched({ digests })).files['model.onnx'].bytes).toBe(model.length);
  });

  it('follows a server that sends on within itself', async () => {
    server.answer = (_, response, path) => {
      if (!path.startsWith('/cache/')) return Boolean(response.writeHead(307, { location: `/cache${path}` }).end());
      const content = modelContent[path.replace(`/cache/owner/tiny/resolve/${revision}/`, '')] ?? Buffer.alloc(0);
      return Boolean(response.writeHead(200, { 'content-length': content.length }).end(content));
    };
    expect((await fetched({ digests })).files['model.onnx'].sha256).toBe(digests['onnx/model.onnx']);
  });

  it('keeps nothing of a file that is not what it should be', async () => {
    const failure = fetched({ digests: { ...digests, 'onnx/model.onnx': '0'.repeat(64) } });
    await expect(failure).rejects.toThrow(
      `its SHA-256 is ${digests['onnx/model.onnx']}, expected was ${'0'.repeat(64)}`,
    );
    expect(readdirSync(join(directory, revision))).toEqual([]);
    expect(readModelManifest(directory)).toBeUndefined();
  });

  it('does not take another file for a commit that it knows', async () => {
    await fetched();
    writeFileSync(join(directory, revision, 'config.json'), 'damaged');
    server.answer = (_, response, path) =>
      path.endsWith('config.json') && Boolean(response.writeHead(200, { 'content-length': 2 }).end('{}'));
    await expect(fetched()).rejects.toThrow('config.json is not what it should be');
    server.answer = () => false;
    await fetched();
    expect(
      readFileSync(join(directory, revision, 'config.json')).equals(modelContent['config.json'] ?? Buffer.alloc(0)),
    ).toBe(true);
  });

  it('keeps the old model until the new one is whole, then removes it', async () => {
    const before = await fetched();
    const newer = 'b'.repeat(40);
    await expect(fetched({ revision: newer })).rejects.toThrow('status 404');
    expect(readModelManifest(directory)).toEqual(before);
    server.answer = (_, response, path) => {
      const content = modelContent[path.replace(`/owner/tiny/resolve/${newer}/`, '')];
      return (
        content !== undefined && Boolean(response.writeHead(200, { 'content-length': content.length }).end(content))
      );
    };
    await fetched({ revision: newer });
    expect(readModelManifest(directory)?.revision).toBe(newer);
    expect(readdirSync(directory).sort()).toEqual([newer, 'model.json']);
  });

  it('replaces a manifest that is damaged', async () => {
    await fetched();
    writeFileSync(join(directory, 'model.json'), '{"v":1}');
    expect(() => readModelManifest(directory)).toThrow('model.json is damaged; fetch the model again');
    await fetched();
    expect(readModelManifest(directory)?.name).toBe('owner/tiny');
  });

  it.each<[what: string, change: Partial<FetchOptions>, message: string]>([
    ['a branch', { revision: 'main' }, 'say which commit of owner/tiny is meant'],
    ['a name that leads elsewhere', { name: '../../x' }, 'is no name of a model'],
    ['a name with a query', { name: 'owner/x?y' }, 'is no name of a model'],
    ['http to another machine', { baseUrl: 'http://example.org' }, 'models are fetched over https'],
    ['another protocol', { baseUrl: 'file:///tmp' }, 'models are fetched over https'],
    ['no address', { baseUrl: 'hub' }, 'models are fetched over https'],
    ['a digest that is none', { digests: { 'config.json': 'abc' } }, 'the digest of config.json is no SHA-256'],
  ])('asks nobody for %s', async (_, change, message) => {
    const failure = fetched(change);
    await expect(failure).rejects.toMatchObject({ kind: 'Embedding' });
    await expect(failure).rejects.toThrow(message);
    expect(server.asked).toEqual([]);
    expect(existsSync(directory)).toBe(false);
  });

  it('must be told how a model pools', async () => {
    const failure = fetchModel({ name: 'owner/tiny', revision, directory, baseUrl: server.url });
    await expect(failure).rejects.toThrow('say how owner/tiny pools: cls or mean');
    expect(server.asked).toEqual([]);
  });

  it('knows the default model by its commit and what its files are', async () => {
    await expect(fetchModel({ directory, baseUrl: server.url })).rejects.toThrow('status 404');
    expect(server.asked[0]?.path).toBe(
      '/BAAI/bge-small-en-v1.5/resolve/5c38ec7c405ec4b44b94cc5a9bb96e735b38267a/onnx/model.onnx',
    );
    server.answer = (_, response) => Boolean(response.writeHead(200, { 'content-length': 2 }).end('{}'));
    await expect(fetchModel({ directory, baseUrl: server.url })).rejects.toThrow(
      `expected was ${defaultModel.digests['onnx/model.onnx']}`,
    );
  });

  it('lets one process fetch at a time, and takes over from one that is gone', async () => {
    mkdirSync(directory, { mode: 0o700 });
    const claim = join(directory, 'fetching');
    writeFileSync(claim, `${process.ppid}\n`, { mode: 0o600 });
    await expect(fetched()).rejects.toThrow(`process ${process.ppid} fetches a model`);
    expect(existsSync(claim)).toBe(true);
    writeFileSync(claim, '4194399\n');
    await fetched();
    expect(existsSync(claim)).toBe(false);
  });
});
