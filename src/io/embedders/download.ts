import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { errors, messageOf } from '../../core/model/errors.ts';
import { writeAll } from '../files/atomic-write.ts';

/** One file to fetch. */
export interface Download {
  readonly url: URL;
  /** Where it is written; what is there already is taken as its beginning. */
  readonly path: string;
  readonly mostBytes: number;
  /** Longest time without a byte, in milliseconds. */
  readonly idleMs: number;
  /** Told how many bytes there are. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

const mostRedirects = 5;
const writeOnly = constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/**
 * Fetches a file, from where an earlier attempt stopped if the server can. What was written stays when it fails, to go on
 * from there. Rejects with HookwiseError `Embedding`.
 */
export const download = async (file: Download): Promise<void> => {
  const descriptor = openPart(file.path);
  try {
    await fill(descriptor, file);
  } finally {
    closeSync(descriptor);
  }
};

const openPart = (path: string): number => {
  try {
    return openSync(path, writeOnly, 0o600);
  } catch (thrown) {
    throw errors.embedding(`cannot write ${path}: ${messageOf(thrown)}`);
  }
};

/** Whether models may come from there: over https, or from this machine. */
export const isAllowedUrl = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

const fill = async (descriptor: number, file: Download): Promise<void> => {
  const { size } = fstatSync(descriptor);
  const watch = idleWatch(file.idleMs);
  try {
    const response = await ask(file.url, { from: size, signal: watch.signal });
    // A server that has nothing behind what is here may have another file: from the start then.
    if (response.status === 416 && size > 0) {
      ftruncateSync(descriptor, 0);
      await response.body?.cancel();
      await receive(descriptor, { file, watch, response: await ask(file.url, { from: 0, signal: watch.signal }) });
    } else await receive(descriptor, { file, watch, response });
  } catch (thrown) {
    throw errors.embedding(
      `cannot fetch ${shown(file.url)}: ${watch.isLate() ? `nothing came for ${file.idleMs} ms` : reasonOf(thrown)}`,
    );
  } finally {
    watch.stop();
  }
};

/** Aborts when nothing has happened for a while. */
const idleWatch = (idleMs: number) => {
  const controller = new AbortController();
  let isLate = false;
  const expire = (): void => {
    isLate = true;
    controller.abort();
  };
  let timer = setTimeout(expire, idleMs);
  return {
    signal: controller.signal,
    isLate: () => isLate,
    // Also ends an answer that nobody reads any more.
    stop: () => {
      clearTimeout(timer);
      controller.abort();
    },
    touch: () => {
      clearTimeout(timer);
      timer = setTimeout(expire, idleMs);
    },
  };
};

/** An address without what may be secret in it: the parameters of a signed link. */
const shown = (url: URL): string => `${url.origin}${url.pathname}`;

/** `fetch` puts what happened into the cause. */
const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause instanceof Error
    ? `${thrown.message}: ${thrown.cause.message}`
    : messageOf(thrown);

const ask = async (start: URL, how: { readonly from: number; readonly signal: AbortSignal }): Promise<Response> => {
  const headers = { 'accept-encoding': 'identity', ...(how.from > 0 && { range: `bytes=${how.from}-` }) };
  let url = start;
  for (let turn = 0; turn <= mostRedirects; turn++) {
    const response = await fetch(url, { headers, redirect: 'manual', signal: how.signal });
    const target = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || target === null) return response;
    await response.body?.cancel();
    url = nextUrl(url, target);
  }
  throw new Error(`more than ${mostRedirects} redirects`);
};

/** Another place is taken only over https; over http a server may only send on within itself. */
const nextUrl = (from: URL, target: string): URL => {
  const url = new URL(target, from);
  if (url.protocol === 'https:' || (from.protocol === 'http:' && url.origin === from.origin)) return url;
  throw new Error(`it sends on to ${shown(url)}, which is neither https nor the same server`);
};

interface Receiving {
  readonly file: Download;
  readonly response: Response;
  readonly watch: ReturnType<typeof idleWatch>;
}

const receive = async (descriptor: number, { file, response, watch }: Receiving): Promise<void> => {
  const { status, headers, body } = response;
  if (status !== 200 && status !== 206) {
    await body?.cancel();
    throw new Error(`status ${status}`);
  }
  const start = status === 206 ? startOf(headers.get('content-range')) : 0;
  if (start !== 0 && start !== fstatSync(descriptor).size) throw new Error('the server sent another part');
  const announced = headers.get('content-length');
  if (announced === null || !/^\d{1,15}$/.test(announced)) throw new Error('the server does not say how long it is');
  const size = start + Number(announced);
  if (size > file.mostBytes) throw new Error(`it has ${size} bytes, more than the ${file.mostBytes} it may have`);
  ftruncateSync(descriptor, start);
  const end = await write(descriptor, { file, watch, body, start, size });
  if (end !== size) throw new Error(`it ended after ${end} of ${size} bytes`);
};

const startOf = (contentRange: string | null): number => {
  const start = /^bytes (\d{1,15})-\d+\/(?:\d+|\*)$/.exec(contentRange ?? '')?.[1];
  if (start === undefined) throw new Error('the server does not say which part it sends');
  return Number(start);
};

const write = async (
  descriptor: number,
  what: Pick<Receiving, 'file' | 'watch'> & { body: Response['body']; start: number; size: number },
): Promise<number> => {
  let bytes = what.start;
  const pieces: AsyncIterable<Uint8Array> | undefined = what.body ?? undefined;
  if (pieces === undefined) return bytes;
  for await (const piece of pieces) {
    what.watch.touch();
    bytes += piece.byteLength;
    if (bytes > what.size) throw new Error(`it has more than the ${what.size} bytes it announced`);
    writeAll(descriptor, piece);
    what.file.onBytes?.(bytes);
  }
  return bytes;
};
