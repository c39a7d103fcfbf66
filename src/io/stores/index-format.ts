import type { Change } from '../../core/model/record.ts';
import { storedTiers } from '../../core/model/record-from-json.ts';
import type { DecisionTier, Verdict } from '../../core/model/verdict.ts';
import type { Seal } from './user-key.ts';

// A look-up is the first thing that a process does with an index. It uses what the engine has built in (DataView, plain
// loops) and few functions: compiling one of Node's own or of ours takes longer than everything that it does here.

/** What a row says besides the digest under which it is found. */
export interface RowFields {
  readonly verdict: Verdict;
  readonly tier: DecisionTier;
  readonly tool: string;
  readonly role: string;
  readonly change?: Change | undefined;
  /** Found by the shape of a call. */
  readonly generalised?: true | undefined;
  /** The line is there and does not count: it waits for trust, or never applies where it is written. */
  readonly inert?: true | undefined;
  /** Number of the source file in the location's list. */
  readonly file: number;
  readonly line: number;
  /** Epoch milliseconds; 0 is never. */
  readonly expiresMs: number;
}

const codeBytes = 32;
/** `HWIDX`, zero, version 3, newline. */
const magic = [0x48574944, 0x5800030a] as const;
const magicAt = codeBytes;
const headerLengthAt = magicAt + 8;
const rowCountAt = headerLengthAt + 4;
const waitingCountAt = rowCountAt + 4;
/** Authentication code of all that follows up to the rows; magic; length of the header, numbers of rows and waiting lines. */
export const preambleBytes = waitingCountAt + 4;

export const rowBytes = 56;
/** A line that waits for trust, by the start of its digest. */
export const waitingBytes = 8;
export const digestBytes = 32;
/** The words of a digest, and those of a row that its checksum covers. */
const digestWords = 8;
const rowWords = 13;
const checksumAt = 4 * rowWords;

const verdicts: readonly Verdict[] = ['allow', 'deny', 'ask'];
const changes: readonly (Change | undefined)[] = [undefined, 'create', 'modify', 'delete'];
const changeBits = 0x03;
const generalisedBit = 0x04;
const inertBit = 0x08;
const knownBits = changeBits | generalisedBit | inertBit;

/** Bytes as words and numbers. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Texts by number: tools and roles are stored once. */
export interface NameTable {
  readonly names: readonly string[];
  readonly numberOf: (name: string) => number;
}

/** A table that starts with `known`. Throws `RangeError` past 65,535 names. */
export const nameTable = (known: readonly string[] = []): NameTable => {
  const names = [...known];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const numberOf = (name: string): number => {
    const number = numbers.get(name);
    if (number !== undefined) return number;
    if (names.length >= 0xffff) throw new RangeError('more than 65,535 different tools and roles');
    numbers.set(name, names.length);
    return names.push(name) - 1;
  };
  return { names, numberOf };
};

/** Writes a row without digest and checksum at `start`. */
export const writeFields = (
  target: DataView,
  { start, row, table }: { readonly start: number; readonly row: RowFields; readonly table: NameTable },
): void => {
  target.setFloat64(start + 32, row.expiresMs);
  target.setUint32(start + 40, row.line);
  target.setUint16(start + 44, table.numberOf(row.tool));
  target.setUint16(start + 46, table.numberOf(row.role));
  target.setUint8(start + 48, row.file);
  target.setUint8(start + 49, verdicts.indexOf(row.verdict));
  target.setUint8(start + 50, storedTiers.indexOf(row.tier));
  const flags = (row.generalised === true ? generalisedBit : 0) | (row.inert === true ? inertBit : 0);
  target.setUint8(start + 51, changes.indexOf(row.change) | flags);
};

/** Copies a row and closes it with the checksum of its new place. */
export const placeRow = (
  target: DataView,
  place: { readonly start: number; readonly salt: number; readonly from: DataView; readonly fromStart: number },
): void => {
  const { start, salt, from, fromStart } = place;
  let hash = (fnvBasis ^ salt) | 0;
  for (let at = 0; at < checksumAt; at += 4) {
    const word = from.getUint32(fromStart + at);
    target.setUint32(start + at, word);
    hash = Math.imul(hash ^ word, fnvPrime);
  }
  target.setUint32(start + checksumAt, hash >>> 0);
};

const fnvBasis = 0x811c9dc5;
const fnvPrime = 0x01000193;

/**
 * Whether a row is as it was written at this place of this file: FNV-1a over words. Notices damage, not forgery (the
 * directory is the user's alone). Any single changed word shows.
 */
export const isIntact = (rows: DataView, start: number, salt: number): boolean => {
  let hash = (fnvBasis ^ salt) | 0;
  for (let at = 0; at < checksumAt; at += 4) hash = Math.imul(hash ^ rows.getUint32(start + at), fnvPrime);
  return rows.getUint32(start + checksumAt) === hash >>> 0;
};

/** A digest as the eight words of 32 bits by which rows are ordered. */
export type DigestWords = readonly number[];

/** The words of a digest in hexadecimal. */
export const wordsOf = (digest: string): DigestWords => {
  const words: number[] = [];
  for (let at = 0; at < 64; at += 8) words.push(Number.parseInt(digest.slice(at, at + 8), 16));
  return words;
};

/** Below 0 when the row comes before the digest, above 0 when it comes after it. */
export const compareRow = (rows: DataView, start: number, digest: DigestWords): number => {
  for (let at = 0; at < digestWords; at++) {
    const difference = rows.getUint32(start + 4 * at) - (digest[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** What the row at `start` says; `undefined` when this version cannot know. */
export const readFields = (rows: DataView, start: number, names: readonly string[]): RowFields | undefined => {
  const tool = names[rows.getUint16(start + 44)];
  const role = names[rows.getUint16(start + 46)];
  const verdict = verdicts[rows.getUint8(start + 49)];
  const tier = storedTiers[rows.getUint8(start + 50)];
  const flags = rows.getUint8(start + 51);
  if (tool === undefined || role === undefined || verdict === undefined || tier === undefined) return undefined;
  // A flag that this version does not know may mean that the row does not count.
  if ((flags & ~knownBits) !== 0) return undefined;
  return {
    verdict,
    tier,
    tool,
    role,
    change: changes[flags & changeBits],
    generalised: (flags & generalisedBit) === 0 ? undefined : true,
    inert: (flags & inertBit) === 0 ? undefined : true,
    file: rows.getUint8(start + 48),
    line: rows.getUint32(start + 40),
    expiresMs: rows.getFloat64(start + 32),
  };
};

/** What the first bytes of an index file say about the rest. */
export interface Preamble {
  readonly headerLength: number;
  readonly rowCount: number;
  readonly waitingCount: number;
  readonly seed: number;
}

/** Reads the fixed part; `undefined` when this is no index or its size does not fit. */
export const readPreamble = (bytes: Uint8Array, fileSize: number): Preamble | undefined => {
  if (bytes.length < preambleBytes) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(magicAt) !== magic[0] || view.getUint32(magicAt + 4) !== magic[1]) return undefined;
  const headerLength = view.getUint32(headerLengthAt);
  const rowCount = view.getUint32(rowCountAt);
  const waitingCount = view.getUint32(waitingCountAt);
  if (preambleBytes + headerLength + rowCount * rowBytes + waitingCount * waitingBytes !== fileSize) return undefined;
  return { headerLength, rowCount, waitingCount, seed: view.getUint32(0) };
};

/** Preamble and header, closed with their authentication code. */
export const sealedStart = (
  parts: { readonly headerText: string; readonly rowCount: number; readonly waitingCount: number },
  seal: Seal,
): Buffer => {
  const header = Buffer.from(parts.headerText);
  const start = Buffer.alloc(preambleBytes + header.length);
  const view = viewOf(start);
  view.setUint32(magicAt, magic[0]);
  view.setUint32(magicAt + 4, magic[1]);
  view.setUint32(headerLengthAt, header.length);
  view.setUint32(rowCountAt, parts.rowCount);
  view.setUint32(waitingCountAt, parts.waitingCount);
  header.copy(start, preambleBytes);
  start.set(seal(start.subarray(codeBytes)), 0);
  return start;
};

/** Whether preamble and header (`start` ends with it) were written with this key. */
export const isAuthentic = (start: Uint8Array, seal: Seal): boolean => {
  const code = seal(start.subarray(codeBytes));
  let difference = 0;
  for (let at = 0; at < codeBytes; at++) difference |= (start[at] ?? 0) ^ (code[at] ?? 0xff);
  return difference === 0;
};

/** What tells the file that begins with `start` from every other one: its authentication code, in hexadecimal. */
export const idOf = (start: Uint8Array): string => Buffer.from(start.subarray(0, codeBytes)).toString('hex');

/** Salts the rows of the file that begins with `start`. */
export const seedOf = (start: Uint8Array): number => viewOf(start).getUint32(0);

/** Ties a row to its file and its place in it. */
export const saltOf = (seed: number, rowNumber: number): number => (seed ^ Math.imul(rowNumber + 1, 0x9e3779b1)) >>> 0;
