import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Change } from '../../core/model/record.ts';
import { storedTiers } from '../../core/model/record-from-json.ts';
import type { DecisionTier, Verdict } from '../../core/model/verdict.ts';

/** One indexed line: everything a `StoredEntry` needs besides what the location says. */
export interface IndexRow {
  readonly digest: Uint8Array;
  readonly verdict: Verdict;
  readonly tier: DecisionTier;
  readonly tool: string;
  readonly role: string;
  readonly change?: Change;
  /** Number of the source file in the location's list. */
  readonly file: number;
  readonly line: number;
  /** Epoch milliseconds; 0 is never. */
  readonly expiresMs: number;
}

const magic = Buffer.from('HWIDX\0\x01\n', 'latin1');
/** Magic, header length, row count, authentication code. */
export const preambleBytes = 48;
export const rowBytes = 56;
const checksumAt = 52;
const digestBytes = 32;

const verdicts: readonly Verdict[] = ['allow', 'deny', 'ask'];
const changes: readonly (Change | undefined)[] = [undefined, 'create', 'modify', 'delete'];

/** Texts by number: tools and roles are stored once. */
export interface NameTable {
  readonly names: string[];
  readonly numberOf: (name: string) => number;
}

/** An empty table. Throws `RangeError` past 65,535 names. */
export const nameTable = (): NameTable => {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    if (names.length >= 0xffff) throw new RangeError('more than 65,535 different tools and roles');
    numbers.set(name, names.length);
    return names.push(name) - 1;
  };
  return { names, numberOf };
};

/** Rows in the order of the file. */
export const sortRows = (rows: readonly IndexRow[]): IndexRow[] => {
  const placed = rows.map((row) => ({ row, at: position(row.digest) }));
  placed.sort((a, b) => a.at - b.at || Buffer.compare(a.row.digest, b.row.digest));
  return placed.map(({ row }) => row);
};

/** The whole index file, from sorted rows. `headerText` must hold the finished name table. */
export const encodeIndex = (
  rows: readonly IndexRow[],
  parts: { readonly key: Uint8Array; readonly headerText: string; readonly table: NameTable },
): Buffer => {
  const header = Buffer.from(parts.headerText);
  const file = Buffer.alloc(preambleBytes + header.length + rows.length * rowBytes);
  magic.copy(file);
  file.writeUInt32BE(header.length, 8);
  file.writeUInt32BE(rows.length, 12);
  const code = authenticate(parts.key, { counts: file.subarray(0, 16), header });
  file.set(code, 16);
  header.copy(file, preambleBytes);
  const seed = file.readUInt32BE(16);
  rows.forEach((row, number) => {
    const start = preambleBytes + header.length + number * rowBytes;
    writeRow(file.subarray(start, start + rowBytes), { row, table: parts.table, salt: saltOf(seed, number) });
  });
  return file;
};

const writeRow = (target: Buffer, parts: { row: IndexRow; table: NameTable; salt: number }): void => {
  const { row, table, salt } = parts;
  target.set(row.digest, 0);
  target.writeDoubleBE(row.expiresMs, 32);
  target.writeUInt32BE(row.line, 40);
  target.writeUInt16BE(table.numberOf(row.tool), 44);
  target.writeUInt16BE(table.numberOf(row.role), 46);
  target.writeUInt8(row.file, 48);
  target.writeUInt8(verdicts.indexOf(row.verdict), 49);
  target.writeUInt8(storedTiers.indexOf(row.tier), 50);
  target.writeUInt8(changes.indexOf(row.change), 51);
  target.writeUInt32BE(checksum(target, salt), checksumAt);
};

/** The row in `bytes`; `undefined` when it is not what was written at this place of this file. */
export const readRow = (
  bytes: Buffer,
  place: { readonly names: readonly string[]; readonly salt: number },
): IndexRow | undefined => {
  if (bytes.length !== rowBytes || bytes.readUInt32BE(checksumAt) !== checksum(bytes, place.salt)) return undefined;
  const tool = place.names[bytes.readUInt16BE(44)];
  const role = place.names[bytes.readUInt16BE(46)];
  const verdict = verdicts[bytes.readUInt8(49)];
  const tier = storedTiers[bytes.readUInt8(50)];
  const change = changes[bytes.readUInt8(51)];
  if (tool === undefined || role === undefined || verdict === undefined || tier === undefined) return undefined;
  return {
    digest: bytes.subarray(0, digestBytes),
    expiresMs: bytes.readDoubleBE(32),
    line: bytes.readUInt32BE(40),
    file: bytes.readUInt8(48),
    verdict,
    tier,
    tool,
    role,
    ...(change === undefined ? {} : { change }),
  };
};

/** What the first bytes of an index file say about the rest. */
export interface Preamble {
  readonly headerLength: number;
  readonly rowCount: number;
  readonly seed: number;
}

/** Reads the fixed part; `undefined` when this is no index or its size does not fit. */
export const readPreamble = (bytes: Buffer, fileSize: number): Preamble | undefined => {
  if (bytes.length < preambleBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const [headerLength, rowCount] = [bytes.readUInt32BE(8), bytes.readUInt32BE(12)];
  if (preambleBytes + headerLength + rowCount * rowBytes !== fileSize) return undefined;
  return { headerLength, rowCount, seed: bytes.readUInt32BE(16) };
};

/** Whether fixed part and header were written with this key. */
export const isAuthentic = (preamble: Buffer, header: Buffer, key: Uint8Array): boolean => {
  const code = authenticate(key, { counts: preamble.subarray(0, 16), header });
  return Buffer.compare(preamble.subarray(16, preambleBytes), code) === 0;
};

const authenticate = (
  key: Uint8Array,
  parts: { readonly counts: Uint8Array; readonly header: Uint8Array },
): Uint8Array =>
  hmac.create(sha256, key).update(Buffer.from('entry-index\n')).update(parts.counts).update(parts.header).digest();

/** Ties a row to its file and its place in it. */
export const saltOf = (seed: number, rowNumber: number): number => (seed ^ Math.imul(rowNumber + 1, 0x9e3779b1)) >>> 0;

/** FNV-1a: notices damage, not forgery (the directory is the user's alone). Any single changed byte shows. */
const checksum = (row: Buffer, salt: number): number => {
  let hash = (0x811c9dc5 ^ salt) | 0;
  for (let at = 0; at < checksumAt; at++) hash = Math.imul(hash ^ (row[at] ?? 0), 0x01000193);
  return hash >>> 0;
};

/** The first 48 bits of a digest as a number: digests are spread evenly, so this says where to look. */
const position = (digest: Uint8Array): number => {
  let value = 0;
  for (let at = 0; at < 6; at++) value = value * 256 + (digest[at] ?? 0);
  return value;
};
const positions = 2 ** 48;

/** Rows by number; `undefined` when the row is damaged. */
export type RowAt = (rowNumber: number) => IndexRow | undefined;

/** Guesses by interpolation before falling back to halving, which hostile digests cannot slow down. */
const mostGuesses = 4;
/** First step away from a guess, in rows: about one block on disk. */
const nearby = 128;

/** Every row with this digest; `undefined` when a damaged row was met on the way. */
export const searchRows = (rowAt: RowAt, rowCount: number, digest: Uint8Array): readonly IndexRow[] | undefined => {
  let [low, high] = [0, rowCount];
  for (let guess = 0; low < high; guess++) {
    const middle = guess < mostGuesses ? guessIn(digest, { low, high, rowCount, guess }) : (low + high) >>> 1;
    const row = rowAt(middle);
    if (row === undefined) return undefined;
    if (Buffer.compare(row.digest, digest) < 0) low = middle + 1;
    else high = middle;
  }
  const found: IndexRow[] = [];
  for (let number = low; number < rowCount; number++) {
    const row = rowAt(number);
    if (row === undefined) return undefined;
    if (Buffer.compare(row.digest, digest) !== 0) return found;
    found.push(row);
  }
  return found;
};

/** The even guess first, then steps away from it on the side where the digest must be, until it is enclosed. */
const guessIn = (digest: Uint8Array, span: { low: number; high: number; rowCount: number; guess: number }): number => {
  const estimate = Math.floor((position(digest) / positions) * span.rowCount);
  const step = span.guess === 0 ? 0 : nearby * 4 ** (span.guess - 1);
  const guess = estimate < span.low ? estimate + step : estimate - step;
  return Math.min(span.high - 1, Math.max(span.low, guess));
};
