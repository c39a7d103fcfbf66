import type { StoredEntry } from '../../core/model/record.ts';
import { storedTiers } from '../../core/model/record-from-json.ts';
import type { SimilarDocument } from './documents.ts';

/** What is kept of each document beside the two indexes: a fixed-width row, and its text. */
const magic = Buffer.from('HWSIM\0\x01\n', 'latin1');
/** Magic, number of documents, number of restrictions. */
const headBytes = 16;
/** Offset and length of the text, digest of the shape. */
const rowBytes = 16;

/** Reads bytes of a file: `length` at `position`, fewer at the end. */
export type ReadAt = (position: number, length: number) => Uint8Array;

/** The documents of one location, read when asked for. */
export interface EntriesFile {
  readonly documents: number;
  readonly restrictions: number;
  /** `undefined` when the file is damaged there. */
  readonly document: (number: number) => SimilarDocument | undefined;
  /** The allows of one shape: from, up to but not including. */
  readonly ofShape: (shape: number) => readonly [number, number];
}

/** The file's bytes. */
export const encodeEntries = (documents: readonly SimilarDocument[], restrictions: number): Buffer => {
  const texts = documents.map((document) => Buffer.from(JSON.stringify(document)));
  const rows = Buffer.alloc(headBytes + documents.length * rowBytes);
  magic.copy(rows);
  rows.writeUInt32BE(documents.length, 8);
  rows.writeUInt32BE(restrictions, 12);
  let offset = rows.length;
  for (const [number, text] of texts.entries()) {
    const at = headBytes + number * rowBytes;
    rows.writeUIntBE(offset, at, 6);
    rows.writeUInt32BE(text.length, at + 6);
    rows.writeUInt32BE(documents[number]?.shape ?? 0, at + 10);
    offset += text.length;
  }
  return Buffer.concat([rows, ...texts]);
};

/** Opens the file behind `read`; `undefined` when it is none. */
export const openEntries = (read: ReadAt, size: number): EntriesFile | undefined => {
  const head = Buffer.from(read(0, headBytes));
  if (head.length < headBytes || !head.subarray(0, magic.length).equals(magic)) return undefined;
  const [documents, restrictions] = [head.readUInt32BE(8), head.readUInt32BE(12)];
  if (restrictions > documents || headBytes + documents * rowBytes > size) return undefined;
  const row = (number: number): Buffer => Buffer.from(read(headBytes + number * rowBytes, rowBytes));
  const shapeAt = (number: number): number => {
    const bytes = row(number);
    return bytes.length === rowBytes ? bytes.readUInt32BE(10) : 0;
  };
  const document = (number: number): SimilarDocument | undefined => {
    const bytes = row(number);
    if (bytes.length !== rowBytes) return undefined;
    const length = bytes.readUInt32BE(6);
    const offset = bytes.readUIntBE(0, 6);
    return offset + length > size ? undefined : parse(Buffer.from(read(offset, length)));
  };
  const firstFrom = (shape: number): number => {
    let [low, high] = [restrictions, documents];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (shapeAt(middle) < shape) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { documents, restrictions, document, ofShape: (shape) => [firstFrom(shape), firstFrom(shape + 1)] };
};

const parse = (bytes: Buffer): SimilarDocument | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const verdicts: readonly StoredEntry['verdict'][] = ['allow', 'deny', 'ask'];

/** The file is this user's own, under a stamp that knows it: this finds damage, not forgery. */
const isDocument = (value: unknown): value is SimilarDocument => {
  if (typeof value !== 'object' || value === null || !('entry' in value) || !('text' in value)) return false;
  const { entry, text } = value;
  if (typeof entry !== 'object' || entry === null || typeof text !== 'string') return false;
  return (
    'verdict' in entry &&
    verdicts.some((verdict) => verdict === entry.verdict) &&
    'tier' in entry &&
    storedTiers.some((tier) => tier === entry.tier) &&
    'role' in entry &&
    typeof entry.role === 'string' &&
    'tool' in entry &&
    typeof entry.tool === 'string' &&
    'file' in value &&
    'line' in value &&
    'expiresMs' in value
  );
};
