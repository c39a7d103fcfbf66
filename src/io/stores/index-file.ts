import { closeSync, lstatSync } from 'node:fs';
import { HookwiseError } from '../../core/model/errors.ts';
import { openChecked, readUpTo } from '../files/read-private.ts';
import {
  compareRow,
  type DigestWords,
  idOf,
  isAuthentic,
  isIntact,
  type Preamble,
  preambleBytes,
  type RowFields,
  readFields,
  readPreamble,
  rowBytes,
  saltOf,
  sealedStart,
  seedOf,
  viewOf,
  waitingBytes,
} from './index-format.ts';
import { type IndexHeader, parseHeader } from './index-header.ts';
import { type CompareAt, firstRow, usualMiss } from './index-search.ts';
import { placeWaiting, type RowPlace, type RowSink } from './row-sink.ts';
import type { Seal } from './user-key.ts';

/** Bytes of an index, wherever they are. */
interface IndexBytes {
  readonly size: number;
  /** Fewer bytes than asked for where the file ends. */
  readonly read: (position: number, length: number) => Buffer;
  readonly close: () => void;
}

/** One index file that is whole and was written with the user's key. */
export interface IndexFile {
  /** Two files with one id hold the same. */
  readonly id: () => string;
  readonly header: IndexHeader;
  readonly rowCount: number;
  /** Every row under a digest; `undefined` when damage was met on the way. `names`: those of all files together. */
  readonly search: (digest: DigestWords, names: readonly string[]) => readonly RowFields[] | undefined;
  /** Shows all rows in order; says whether all were whole. What is shown is only good until `visit` returns. */
  readonly eachRow: (visit: (row: RowPlace) => void) => boolean;
  /** Whether a line that starts with this digest waits for trust. */
  readonly isWaiting: (prefix: Buffer) => boolean;
  readonly waiting: () => readonly string[];
  readonly close: () => void;
}

/** The index at `path`, or nothing: one that cannot be used only repeats what the rules files say. Call `close` after use. */
export const openIndexFile = (path: string, seal: Seal): IndexFile | undefined => {
  const bytes = bytesOnDisk(path);
  if (bytes === undefined) return undefined;
  let file: IndexFile | undefined;
  try {
    file = indexFileOf(bytes, seal);
    return file;
  } catch (thrown) {
    if (thrown instanceof HookwiseError || isSystemError(thrown)) return undefined;
    throw thrown;
  } finally {
    if (file === undefined) bytes.close();
  }
};

const isSystemError = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown;

/** Whether something is at `path`. Cheaper than the error that opening a missing file makes. */
export const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file in place of a directory on the way, say: then there is no index.
    return false;
  }
};

const bytesOnDisk = (path: string): IndexBytes | undefined => {
  if (!isThere(path)) return undefined;
  try {
    const opened = openChecked(path, 'self');
    if (opened === undefined) return undefined;
    const { descriptor } = opened;
    return {
      size: opened.stats.size,
      read: (position, length) => readUpTo(descriptor, { position, length }),
      close: () => closeSync(descriptor),
    };
  } catch (thrown) {
    if (thrown instanceof HookwiseError) return undefined;
    throw thrown;
  }
};

/** An index that was just encoded, without a file. */
export const indexInMemory = (bytes: Buffer, seal: Seal): IndexFile | undefined =>
  indexFileOf(
    {
      size: bytes.length,
      read: (position, length) => bytes.subarray(position, position + length),
      close: () => undefined,
    },
    seal,
  );

/** The first read: it holds preamble and header of nearly every index. */
const firstBytes = 4096;

const indexFileOf = (bytes: IndexBytes, seal: Seal): IndexFile | undefined => {
  const head = bytes.read(0, Math.min(bytes.size, firstBytes));
  const preamble = readPreamble(head, bytes.size);
  if (preamble === undefined) return undefined;
  const rowsStart = preambleBytes + preamble.headerLength;
  const start = rowsStart <= head.length ? head.subarray(0, rowsStart) : bytes.read(0, rowsStart);
  if (!isAuthentic(start, seal)) return undefined;
  const header = parseHeader(start.toString('utf8', preambleBytes));
  if (header === undefined) return undefined;
  const rows: Rows = { bytes, rowsStart, rowCount: preamble.rowCount, seed: preamble.seed };
  return {
    id: () => idOf(start),
    header,
    rowCount: rows.rowCount,
    search: (digest, names) => search(rows, digest, names),
    eachRow: (visit) => eachRow(rows, visit),
    ...waitingIn(bytes, preamble),
    close: bytes.close,
  };
};

interface Rows {
  readonly bytes: IndexBytes;
  readonly rowsStart: number;
  readonly rowCount: number;
  readonly seed: number;
}

const rowsInStream = 16_384;

const search = (
  { bytes, rowsStart, rowCount, seed }: Rows,
  digest: DigestWords,
  names: readonly string[],
): readonly RowFields[] | undefined => {
  // One read around where the digest should be does for nearly every look-up.
  const around = usualMiss(rowCount);
  let [first, last] = [0, 0];
  let block: DataView = new DataView(new ArrayBuffer(0));
  const compareAt: CompareAt = (rowNumber) => {
    if (rowNumber < first || rowNumber >= last) {
      first = Math.max(0, rowNumber - around);
      const read = bytes.read(rowsStart + first * rowBytes, Math.min(2 * around, rowCount - first) * rowBytes);
      last = first + Math.floor(read.length / rowBytes);
      block = viewOf(read);
      if (rowNumber >= last) return undefined;
    }
    const start = (rowNumber - first) * rowBytes;
    return isIntact(block, start, saltOf(seed, rowNumber)) ? compareRow(block, start, digest) : undefined;
  };
  const at = firstRow(compareAt, rowCount, digest);
  if (at === undefined) return undefined;
  const found: RowFields[] = [];
  for (let rowNumber = at; rowNumber < rowCount; rowNumber++) {
    const order = compareAt(rowNumber);
    if (order === undefined) return undefined;
    if (order !== 0) break;
    const row = readFields(block, (rowNumber - first) * rowBytes, names);
    if (row === undefined) return undefined;
    found.push(row);
  }
  return found;
};

const eachRow = ({ bytes, rowsStart, rowCount, seed }: Rows, visit: (row: RowPlace) => void): boolean => {
  for (let first = 0; first < rowCount; first += rowsInStream) {
    const count = Math.min(rowsInStream, rowCount - first);
    const read = bytes.read(rowsStart + first * rowBytes, count * rowBytes);
    if (read.length < count * rowBytes) return false;
    const rows = viewOf(read);
    for (let at = 0; at < count; at++) {
      const start = at * rowBytes;
      if (!isIntact(rows, start, saltOf(seed, first + at))) return false;
      visit({ rows, start });
    }
  }
  return true;
};

const waitingIn = (
  bytes: IndexBytes,
  { headerLength, rowCount, waitingCount }: Preamble,
): Pick<IndexFile, 'isWaiting' | 'waiting'> => {
  const start = preambleBytes + headerLength + rowCount * rowBytes;
  const at = (number: number): Buffer => bytes.read(start + number * waitingBytes, waitingBytes);
  return {
    isWaiting: (prefix) => {
      let [low, high] = [0, waitingCount];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (Buffer.compare(at(middle), prefix) < 0) low = middle + 1;
        else high = middle;
      }
      return low < waitingCount && Buffer.compare(at(low), prefix) === 0;
    },
    waiting: () => {
      const all = bytes.read(start, waitingCount * waitingBytes);
      return Array.from({ length: waitingCount }, (_, number) =>
        all.toString('hex', number * waitingBytes, (number + 1) * waitingBytes),
      );
    },
  };
};

/** What an index file is made of. */
export interface IndexParts {
  readonly headerText: string;
  readonly sink: RowSink;
  /** The starts of digests of lines that wait for trust, in hexadecimal. */
  readonly waiting: readonly string[];
}

/** A whole index file. */
export const encodeIndex = ({ headerText, sink, waiting }: IndexParts, seal: Seal): Buffer => {
  const rowCount = sink.count();
  const start = sealedStart({ headerText, rowCount, waitingCount: waiting.length }, seal);
  const rowsEnd = start.length + rowCount * rowBytes;
  const file = Buffer.allocUnsafe(rowsEnd + waiting.length * waitingBytes);
  start.copy(file);
  sink.place(viewOf(file), { start: start.length, seed: seedOf(start) });
  placeWaiting(file, waiting, rowsEnd);
  return file;
};
