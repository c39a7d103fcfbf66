import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tinyModel } from './tiny-model.cases.ts';

/** The pieces that the small model of the tests knows. */
export const vocabulary: readonly string[] = [
  ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'],
  ...'abcdefghijklmnopqrstuvwxyz0123456789-/.:'.split('').flatMap((letter) => [letter, `##${letter}`]),
  ...['git', 'push', 'npm', 'test', 'bash', 'run', '##ing', '文'],
];

/** `tokenizer.json` for it. */
export const tokenizerText = JSON.stringify({
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 20,
    vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
  },
});

/** How many numbers its vectors have. */
export const hiddenSize = 12;

/** The files of the small model, by path. */
export const modelContent: Readonly<Record<string, Buffer>> = {
  'onnx/model.onnx': Buffer.from(tinyModel(vocabulary.length, hiddenSize)),
  'tokenizer.json': Buffer.from(tokenizerText),
  'config.json': Buffer.from(JSON.stringify({ hidden_size: hiddenSize, max_position_embeddings: 40 })),
};

/** The commit they are published as. */
export const revision = 'a'.repeat(40);

/** Answers one request; says whether it did. */
export type Answer = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** A server of models on this machine that also tells what it was asked. */
export interface ModelServer {
  readonly url: string;
  readonly asked: { readonly path: string; readonly range: string | undefined }[];
  /** Answers before the files do, when it wants to. */
  answer: Answer;
  readonly close: () => Promise<void>;
}

/** Starts a server that publishes the small model as `owner/tiny`. */
export const startModelServer = async (): Promise<ModelServer> => {
  const asked: ModelServer['asked'] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, range: request.headers.range });
    if (!served.answer(request, response, path)) serveFile(request, response, path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: ModelServer = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    answer: () => false,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return served;
};

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/** With parts of files, as the hub has them. */
const serveFile = (request: IncomingMessage, response: ServerResponse, path: string): void => {
  const content = modelContent[path.replace(`/owner/tiny/resolve/${revision}/`, '')];
  if (content === undefined) {
    response.writeHead(404).end('Entry not found');
    return;
  }
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from > 0 && from >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  const part = content.subarray(from);
  const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, ...(from > 0 && range) }).end(part);
};
