import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { streamedMessage, wholeMessage } from './events.ts';
import { type JsonRecord, parseRecord, textOf } from './json.ts';
import { isSideCall, laneOf, type Script, say, type Turn } from './script.ts';

/** A request the server got, in order of arrival. */
export type Recorded =
  | { readonly kind: 'turn'; readonly lane: string; readonly turn: number; readonly body: JsonRecord }
  | { readonly kind: 'side'; readonly body: JsonRecord }
  | { readonly kind: 'other'; readonly method: string; readonly path: string };

/** A running stand-in for the Messages API. */
export type ModelServer = {
  readonly url: string;
  readonly requests: readonly Recorded[];
  /** What the script did not foresee: a turn past its end, an unknown lane. Empty in a good run. */
  readonly surprises: readonly string[];
  readonly stop: () => Promise<void>;
};

type Chosen = { readonly lane: string; readonly turn: number; readonly answer: Turn };

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

const sendJson = (response: ServerResponse, body: JsonRecord): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const sendTurn = (response: ServerResponse, asked: { readonly body: JsonRecord; readonly chosen: Chosen }): void => {
  const { lane, turn, answer } = asked.chosen;
  const place = { lane, turn, model: textOf(asked.body.model) ?? 'scripted' };
  if (asked.body.stream !== true) {
    sendJson(response, wholeMessage(answer, place));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of streamedMessage(answer, place)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
};

const isRetry = (request: IncomingMessage): boolean => Number(request.headers['x-stainless-retry-count'] ?? 0) > 0;

/** Walks a script: each lane has its own position, and a retry gets the turn that was lost. */
const scriptWalk = (script: Script, onSurprise: (what: string) => void) => {
  const positions = new Map<string, number>();
  return (lane: string, asked: { readonly retry: boolean }): Chosen => {
    const turns = lane === 'main' ? script.main : script.lanes?.[lane];
    const next = positions.get(lane) ?? 0;
    const turn = asked.retry ? Math.max(0, next - 1) : next;
    positions.set(lane, turn + 1);
    if (turns === undefined) onSurprise(`no script for lane ${lane}`);
    if (turns !== undefined && turn >= turns.length)
      onSurprise(`lane ${lane} asked for turn ${turn} of ${turns.length}`);
    return { lane, turn, answer: turns?.[turn] ?? [say('(end of script)')] };
  };
};

/** Starts the scripted model on a free loopback port. */
export const startModel = async (script: Script): Promise<ModelServer> => {
  const requests: Recorded[] = [];
  const surprises: string[] = [];
  const choose = scriptWalk(script, (what) => surprises.push(what));

  const answerMessage = (request: IncomingMessage, asked: { body: JsonRecord; response: ServerResponse }): void => {
    const { body, response } = asked;
    if (isSideCall(body)) {
      requests.push({ kind: 'side', body });
      sendTurn(response, { body, chosen: { lane: 'side', turn: requests.length, answer: [say('ok')] } });
      return;
    }
    const chosen = choose(laneOf(body), { retry: isRetry(request) });
    requests.push({ kind: 'turn', lane: chosen.lane, turn: chosen.turn, body });
    sendTurn(response, { body, chosen });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const text = await readBody(request);
    const body = request.method === 'POST' && path === '/v1/messages' ? parseRecord(text) : undefined;
    if (body !== undefined) {
      answerMessage(request, { body, response });
      return;
    }
    requests.push({ kind: 'other', method: request.method ?? '', path });
    sendJson(response, path === '/v1/messages/count_tokens' ? { input_tokens: 10 } : {});
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      surprises.push(`request failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the scripted model has no port');
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, requests, surprises, stop };
};
