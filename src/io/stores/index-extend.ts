import { HookwiseError } from '../../core/model/errors.ts';
import { removeIfThere, writeAtomic } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { encodeIndex, type IndexFile } from './index-file.ts';
import {
  digestBytes,
  placeRow,
  type RowFields,
  readFields,
  rowBytes,
  saltOf,
  sealedStart,
  seedOf,
  viewOf,
  waitingBytes,
} from './index-format.ts';
import { type IndexState, type OverrideRow, serialiseHeader } from './index-header.ts';
import { type IndexPair, type IndexPlace, indexPaths, openPair } from './index-pair.ts';
import { compareDigests, placeWaiting, type RowSink, rowSink } from './row-sink.ts';

/** What is new since an index was opened. */
export interface Extension {
  /** `digest`: 32 characters of one byte each. */
  readonly rows: readonly { readonly row: RowFields; readonly digest: string }[];
  readonly overrides: readonly OverrideRow[];
  /** The starts of digests of lines that wait for trust, in hexadecimal. */
  readonly waiting: readonly string[];
  readonly state: IndexState;
}

/** Whoever reads or rebuilds meanwhile is not kept waiting. */
const waitMs = 100;

/**
 * Adds rows to the index that was `seen`; says whether it did. When something else changed the index meanwhile, or it
 * cannot be written, it is left as it is: then it is stale, which every reader notices.
 */
export const extendIndex = (seen: IndexPair, extension: Extension, place: IndexPlace): boolean => {
  try {
    return withLock(indexPaths(place).lock, { waitMs }, () => {
      const pair = openPair(place);
      try {
        if (pair?.base.id() !== seen.base.id() || pair.addition?.id() !== seen.addition?.id()) return false;
        return write(pair, extension, place);
      } finally {
        pair?.close();
      }
    });
  } catch (thrown) {
    if (thrown instanceof HookwiseError) return false;
    throw thrown;
  }
};

/** How much an addition may hold before it is put into its base: rewriting either costs about the same per row in the end. */
const mostAdded = (baseRows: number): number => Math.max(128, Math.ceil(Math.sqrt(baseRows)));

const write = (pair: IndexPair, extension: Extension, place: IndexPlace): boolean => {
  const { base, addition } = pair;
  const sink = rowSink(pair.names);
  if (addition !== undefined && !addRows(sink, { file: addition, names: pair.names })) return false;
  for (const { row, digest } of extension.rows) sink.add(row, digest);
  const added: Added = {
    sink,
    overrides: [...(addition?.header.overrides ?? []), ...extension.overrides],
    waiting: [...(addition?.waiting() ?? []), ...extension.waiting],
    state: extension.state,
  };
  if (sink.count() + added.overrides.length > mostAdded(base.rowCount)) return merge(base, added, place);
  const headerText = serialiseHeader({
    ...added.state,
    names: sink.table.names.slice(base.header.names.length),
    overrides: added.overrides,
    problems: [],
    problemCount: 0,
    base: base.id(),
  });
  writeAtomic(indexPaths(place).addition, encodeIndex({ ...added, headerText }, place.seal), { durable: false });
  return true;
};

interface Added {
  readonly sink: RowSink;
  readonly overrides: readonly OverrideRow[];
  readonly waiting: readonly string[];
  readonly state: IndexState;
}

/** Says whether all rows were whole. */
const addRows = (
  sink: RowSink,
  { file, names }: { readonly file: IndexFile; readonly names: readonly string[] },
): boolean => {
  let isWhole = true;
  const areIntact = file.eachRow(({ rows, start }) => {
    const fields = readFields(rows, start, names);
    if (fields === undefined) isWhole = false;
    else sink.add(fields, Buffer.from(rows.buffer, rows.byteOffset + start, digestBytes).toString('latin1'));
  });
  return areIntact && isWhole;
};

/** A new base out of the old one and what was added to it; no rules file is read for it. */
const merge = (base: IndexFile, { sink, overrides, waiting, state }: Added, place: IndexPlace): boolean => {
  const { problems, problemCount, damaged } = base.header;
  const headerText = serialiseHeader({
    ...state,
    names: sink.table.names,
    overrides: [...base.header.overrides, ...overrides],
    problems,
    problemCount,
    ...(damaged === undefined ? {} : { damaged }),
  });
  const allWaiting = [...base.waiting(), ...waiting];
  const rowCount = base.rowCount + sink.count();
  const start = sealedStart({ headerText, rowCount, waitingCount: allWaiting.length }, place.seal);
  const rowsEnd = start.length + rowCount * rowBytes;
  const file = Buffer.allocUnsafe(rowsEnd + allWaiting.length * waitingBytes);
  start.copy(file);
  if (!mergeRows(file, { base, sink, at: start.length })) return false;
  placeWaiting(file, allWaiting, rowsEnd);
  const paths = indexPaths(place);
  writeAtomic(paths.base, file, { durable: false });
  removeIfThere(paths.addition);
  return true;
};

interface Merging {
  readonly base: IndexFile;
  readonly sink: RowSink;
  /** Where the rows begin in the file. */
  readonly at: number;
}

/** Says whether all rows of the base were whole. */
const mergeRows = (file: Buffer, { base, sink, at }: Merging): boolean => {
  const target = viewOf(file);
  const seed = seedOf(file);
  const bytes = sink.count() * rowBytes;
  const added = new DataView(new ArrayBuffer(bytes));
  sink.place(added, { start: 0, seed: 0 });
  let [placed, next] = [0, 0];
  const put = (from: DataView, fromStart: number): void => {
    placeRow(target, { start: at + placed * rowBytes, salt: saltOf(seed, placed), from, fromStart });
    placed += 1;
  };
  const areIntact = base.eachRow((row) => {
    for (; next < bytes && compareDigests({ rows: added, start: next }, row) < 0; next += rowBytes) put(added, next);
    put(row.rows, row.start);
  });
  for (; next < bytes; next += rowBytes) put(added, next);
  return areIntact;
};
