import { lstatSync } from 'node:fs';
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { placesOf } from '../../core/engine/covers-places.ts';
import { ok, type Result } from '../../core/model/result.ts';
import { strictest } from '../../core/model/verdict.ts';
import { type BulkDigests, bulkDigests } from './bulk-digests.ts';
import type { OverrideRow } from './index-header.ts';
import { isWidening, rowFields, uselessBecause } from './line-rules.ts';
import { type IndexedRecord, lineScanner } from './line-scan.ts';
import { type RowSink, rowSink, waitingPrefix } from './row-sink.ts';
import {
  changing,
  checkDirectories,
  type FileSignature,
  type LineProblem,
  longestLineBytes,
  parseLine,
  problemOf,
  readLines,
} from './rules-file.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';
import { lineDigestText } from './trust.ts';
import type { TrustView } from './trust-view.ts';
import { plainDigest, type Seal, sealWith } from './user-key.ts';

/** Where rows come from. */
export interface RowSource {
  readonly location: RulesLocation;
  readonly key: Uint8Array;
  /** Needed for locations in a repository; without it none of their allows count. */
  readonly trust?: TrustView | undefined;
}

/** Everything an index says, before it is written. Lines that do not count are there as inert rows. */
export interface BuiltRows {
  readonly sink: RowSink;
  readonly overrides: readonly OverrideRow[];
  readonly problems: readonly LineProblem[];
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
  /** The starts of their digests, in hexadecimal. */
  readonly waiting: readonly string[];
  readonly signatures: readonly FileSignature[];
  readonly lines: readonly number[];
}

const attempts = 5;

/**
 * Reads a location and works out which of its lines count, and under which digests they are found. While somebody writes
 * to the files it reads again; in the end it takes what there is, under signatures that never match.
 */
export const buildRows = (source: RowSource): BuiltRows => {
  checkDirectories(source.location);
  for (let attempt = 1; ; attempt++) {
    const built = readRows(source);
    if (attempt === attempts || built.signatures.every(({ state }) => state !== changing)) return built;
  }
};

const readRows = ({ location, key, trust }: RowSource): BuiltRows => {
  const digests = digestsFor(location, key);
  const isTrusted = trust?.snapshot?.() ?? trust?.isTrusted ?? (() => false);
  const sink = rowSink();
  const overrides: OverrideRow[] = [];
  const problems: LineProblem[] = [];
  const useless: LineProblem[] = [];
  const waiting: string[] = [];
  const read = lineReader(location);
  const files = location.files.map((file, number) =>
    readLines(file, location, (bytes, line) => {
      const found = read(bytes, file);
      const source = { file: file.path, line };
      if (!found.ok) problems.push(problemOf(source, { reason: found.error, bytes, file }));
      if (!found.ok || found.value === undefined) return;
      const { record, canonical } = found.value;
      const reason = uselessBecause(record, location);
      if (reason !== undefined) useless.push({ ...source, reason });
      const isOpen = reason === undefined && isWidening(record, location);
      const digest = isOpen ? digests.plain(lineDigestText(file.path, canonical())) : '';
      const waits = isOpen && !isTrusted(digest);
      if (waits) waiting.push(waitingPrefix(digest));
      const row = rowFields(record, { file: number, line, inert: reason !== undefined || waits });
      if (record.pattern !== undefined) overrides.push({ ...row, pattern: record.pattern });
      else for (const place of digestsOf(record, digests)) sink.add(row, place);
    }),
  );
  return {
    sink,
    overrides,
    problems: [...problems, ...useless],
    untrusted: waiting.length,
    waiting,
    signatures: files.map(({ signature }) => signature),
    lines: files.map(({ lines }) => lines),
  };
};

/** The digests under which a record is found, as 32 characters of one byte each. */
export const digestsOf = (record: IndexedRecord, { keyed }: Pick<BulkDigests, 'keyed'>): string[] => {
  const { texts, digest } = placesOf(record);
  const found = texts.map(keyed);
  if (digest !== undefined) found.push(binaryOf(hexToBytes(digest)));
  return found;
};

const binaryOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Below this the native module is not worth loading. */
const fewBytes = 32 * 1024;

const digestsFor = (location: RulesLocation, key: Uint8Array): BulkDigests => {
  const sizes = location.files.map(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return Math.max(...sizes) > fewBytes ? bulkDigests(key) : fewDigests(sealWith(key));
};

/** The same digests for a handful of texts, without the native module. */
export const fewDigests = (seal: Seal): BulkDigests => ({
  keyed: (text) => binaryOf(seal(utf8ToBytes(text))),
  plain: plainDigest,
});

interface ReadLine {
  readonly record: IndexedRecord;
  readonly canonical: () => string;
}

type LineReader = (bytes: Buffer, file: RulesFile) => Result<ReadLine | undefined, string>;

const beyondAscii = /[^\x20-\x7e]/;
/** Control characters, and what broken UTF-8 is read as: such a line is looked at byte by byte. */
const doubtful = /[\0-\x1f\ufffd]/;

/** Reads lines in hookwise's own form at once, all others the general way. */
const lineReader = (location: RulesLocation): LineReader => {
  const scan = lineScanner();
  return (bytes, file) => {
    const bytewise = bytes.toString('latin1');
    const isPlain = !beyondAscii.test(bytewise);
    const text = isPlain ? bytewise : bytes.toString('utf8');
    const isFit = bytes.length <= longestLineBytes && (isPlain || !doubtful.test(text));
    const scanned = isFit ? scan(text) : undefined;
    if (scanned === undefined) return parseLine(bytes, { location, file });
    // A line in the wrong file can only make things stricter.
    const decision = strictest(file.verdict, scanned.decision) ?? scanned.decision;
    return ok({ record: decision === scanned.decision ? scanned : { ...scanned, decision }, canonical: () => text });
  };
};
