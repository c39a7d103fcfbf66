import { createHash } from 'node:crypto';
import { closeSync, fstatSync } from 'node:fs';
import { openChecked, readWhole } from '../files/read-private.ts';
import type { RecordLine } from '../stores/rules-file.ts';
import { parseLine, splitLines, stateOf } from '../stores/rules-file.ts';
import type { RulesFile, RulesLocation } from '../stores/rules-location.ts';

/** What a rules file held when it was looked at. */
export interface KnownContent {
  readonly path: string;
  /** Its signature then. */
  readonly state: string;
  readonly bytes: number;
  readonly lines: number;
  /** SHA-256 of those bytes, in hexadecimal. */
  readonly digest: string;
}

/** Larger files are not compared with what they were. */
const mostBytes = 128 * 1024 * 1024;

interface Content {
  readonly state: string;
  readonly bytes: Buffer;
}

/** The bytes of a rules file with their signature; nothing when it is too large, or changes while it is read. */
const contentOf = (path: string, location: RulesLocation): Content | undefined => {
  const opened = openChecked(path, location.inRepository ? 'anyone' : 'self');
  if (opened === undefined) return { state: 'missing', bytes: Buffer.alloc(0) };
  const { descriptor, stats } = opened;
  try {
    if (stats.size > mostBytes) return undefined;
    const before = stateOf(fstatSync(descriptor, { bigint: true }));
    const bytes = readWhole(descriptor, { path, size: stats.size, maxBytes: mostBytes });
    return stateOf(fstatSync(descriptor, { bigint: true })) === before ? { state: before, bytes } : undefined;
  } finally {
    closeSync(descriptor);
  }
};

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const newline = 0x0a;

/** What the files of a location hold now; nothing when that cannot be said of one of them. */
export const knownContents = (location: RulesLocation): readonly KnownContent[] | undefined => {
  const contents = location.files.map(({ path }) => {
    const content = contentOf(path, location);
    return content && knownOf(path, content);
  });
  return allOf(contents);
};

const knownOf = (path: string, { state, bytes }: Content): KnownContent => {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return { path, state, bytes: bytes.length, lines, digest: digestOf(bytes) };
};

const allOf = <T>(items: readonly (T | undefined)[]): readonly T[] | undefined => {
  const found = items.flatMap((item) => (item === undefined ? [] : [item]));
  return found.length === items.length ? found : undefined;
};

/** What was added to the files of a location. */
export interface Additions {
  readonly contents: readonly KnownContent[];
  readonly lines: readonly RecordLine[];
}

/** The lines behind those that are known; nothing when anything before them has changed. */
export const additionsTo = (known: readonly KnownContent[], location: RulesLocation): Additions | undefined => {
  const lines: RecordLine[] = [];
  const contents = location.files.map((file, number) => {
    const before = known[number];
    const content = contentOf(file.path, location);
    if (before === undefined || content === undefined || before.path !== file.path) return undefined;
    if (content.bytes.length < before.bytes || digestOf(content.bytes.subarray(0, before.bytes)) !== before.digest)
      return undefined;
    if (before.bytes > 0 && content.bytes[before.bytes - 1] !== newline) return undefined;
    lines.push(...linesIn(content.bytes.subarray(before.bytes), { file, location, from: before.lines }));
    return knownOf(file.path, content);
  });
  const all = allOf(contents);
  return all && { contents: all, lines };
};

const linesIn = (
  bytes: Buffer,
  where: { readonly file: RulesFile; readonly location: RulesLocation; readonly from: number },
): RecordLine[] =>
  [...splitLines(bytes)].flatMap((line) => {
    const parsed = parseLine(line.bytes, where);
    if (!parsed.ok || parsed.value === undefined) return [];
    return [{ ...parsed.value, source: { file: where.file.path, line: where.from + line.number } }];
  });
