import { closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs';

/** Largest payload that is read. File contents of several megabytes are ordinary; more than this is not. */
const longestPayload = 64 * 1024 * 1024;

const chunkSize = 64 * 1024;
const againAfterMs = 1;

/** Standard input on its way in. */
export interface Input {
  /** Everything that came, or nothing when it is more than `longestPayload`. */
  readonly bytes: Promise<Uint8Array | undefined>;
  /** Whether a thread is held by a read that nothing can interrupt: then a normal exit would wait for it. */
  readonly holdsThread: () => boolean;
}

/**
 * Reads standard input without a stream (a stream costs milliseconds at start) and without blocking the event loop, so
 * that the watchdog can fire. A pipe is opened again as non-blocking; what cannot be is read by a thread.
 */
export const readStdin = (): Input => {
  const pipe = reopenPipe();
  if (pipe !== undefined)
    return { bytes: collect(pollRead(pipe)).finally(() => closeSync(pipe)), holdsThread: () => false };
  let isReading = false;
  const bytes = collect((buffer, done) => {
    isReading = true;
    read(0, buffer, 0, buffer.length, null, (error, count) => {
      isReading = false;
      done(error, count);
    });
  });
  return { bytes, holdsThread: () => isReading };
};

type Read = (buffer: Buffer, done: (error: NodeJS.ErrnoException | null, count: number) => void) => void;

/** A second, non-blocking descriptor of the pipe on standard input; nothing where it is no pipe or the system has no such path. */
const reopenPipe = (): number | undefined => {
  try {
    if (!fstatSync(0).isFIFO()) return undefined;
    return openSync('/proc/self/fd/0', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
};

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined);

const pollRead =
  (descriptor: number): Read =>
  (buffer, done) => {
    try {
      done(null, readSync(descriptor, buffer, 0, buffer.length, null));
    } catch (thrown) {
      if (codeOf(thrown) === 'EAGAIN') setTimeout(() => pollRead(descriptor)(buffer, done), againAfterMs);
      else done(thrown instanceof Error ? thrown : new Error(String(thrown)), 0);
    }
  };

const collect = (readMore: Read): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const next = (): void => {
      const buffer = Buffer.allocUnsafe(chunkSize);
      readMore(buffer, (error, count) => {
        if (codeOf(error) === 'EAGAIN') return void setTimeout(next, againAfterMs);
        if (error !== null && error.code !== 'EOF') return reject(error);
        if (error !== null || count === 0) return resolve(Buffer.concat(chunks));
        size += count;
        if (size > longestPayload) return resolve(undefined);
        chunks.push(buffer.subarray(0, count));
        // A long payload comes in many chunks: the stack must not grow with them.
        if (chunks.length % 64 === 0) setTimeout(next, 0);
        else next();
      });
    };
    next();
  });
