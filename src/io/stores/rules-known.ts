import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { overrideCovers, reachCovers, reachOf } from '../../core/engine/covers-entry.ts';
import { type Places, placesCovering, placesOf } from '../../core/engine/covers-places.ts';
import { type CallFacts, recordCovers } from '../../core/engine/covers-record.ts';
import type { DecisionRecord, OverridePattern, SourceRef } from '../../core/model/record.ts';
import { type RowFields, wordsOf } from './index-format.ts';
import type { IndexPair } from './index-pair.ts';
import { isWidening, uselessBecause } from './line-rules.ts';
import { identityOf, mayName } from './record-line.ts';
import { parseLine, readLines } from './rules-file.ts';
import type { RulesLocation } from './rules-location.ts';
import { lineDigest } from './trust.ts';
import type { TrustView } from './trust-view.ts';
import type { Seal } from './user-key.ts';

/** What a location holds about the question of a new record. */
export interface Known {
  /** Whether older records about the same question are there, or may be. */
  readonly mayReplace: boolean;
  /** An entry that counts and says all that the new record would. */
  readonly coveredBy?: SourceRef;
}

/** A record that is about to be written, and what is known about its call. */
export interface NewRecord {
  readonly location: RulesLocation;
  readonly record: DecisionRecord;
  readonly facts: CallFacts;
}

/** What a current index tells; nothing when it turns out damaged. Looks at the rows of this one question only. */
export const knownFromIndex = (
  { pair, seal }: { readonly pair: IndexPair; readonly seal: Seal },
  { location, record, facts }: NewRecord,
): Known | undefined => {
  const rowsAt = ({ texts, digest }: Places): readonly RowFields[] | undefined => {
    const digests = [
      ...(digest === undefined ? [] : [digest]),
      ...texts.map((text) => bytesToHex(seal(utf8ToBytes(text)))),
    ];
    const found = digests.map((one) => pair.search(wordsOf(one)));
    return found.includes(undefined) ? undefined : found.flatMap((rows) => rows ?? []);
  };
  const same = rowsAt(placesOf(record));
  const around = rowsAt(placesCovering(record, facts.shape));
  if (same === undefined || around === undefined) return undefined;
  const narrow = reachOf(record);
  const { pattern } = record;
  const mayReplace =
    pattern === undefined
      ? same.some((row) => isLike(row, record))
      : pair.overrides.some((row) => isLike(row, record) && samePattern(row.pattern, pattern));
  const wide =
    around.find((row) => row.inert !== true && reachCovers(row, narrow)) ??
    pair.overrides.find((row) => row.inert !== true && overrideCovers(row, record, facts.overrideAnswers));
  return { mayReplace, ...(wide === undefined ? {} : { coveredBy: sourceOf(wide, location) }) };
};

const isLike = (row: RowFields, { key, change, slots, pattern }: DecisionRecord): boolean =>
  row.tool === key.tool &&
  row.role === key.role &&
  row.change === change &&
  (row.generalised === true) === (slots !== undefined && pattern === undefined);

const samePattern = (a: OverridePattern, b: OverridePattern): boolean =>
  a.command === b.command && a.tool === b.tool && a.file === b.file;

const sourceOf = (row: RowFields, { files, path }: RulesLocation): SourceRef => ({
  file: files[row.file]?.path ?? path,
  line: row.line,
});

/** What the text itself tells: reads every line, and parses those that could be about the question. */
export const knownFromText = ({ location, record, facts }: NewRecord, trust: TrustView | undefined): Known => {
  const identity = identityOf({ ...record, scope: location.scope });
  const named = [record.key.sanitized_input, ...(facts.shape === undefined ? [] : [facts.shape.text])].map(mayName);
  const mayMatter = (line: Buffer): boolean => named.some((mayMatch) => mayMatch(line)) || line.includes('"pattern"');
  let mayReplace = false;
  let coveredBy: SourceRef | undefined;
  for (const file of location.files)
    readLines(file, location, (bytes, line) => {
      const parsed = mayMatter(bytes) ? parseLine(bytes, { location, file }) : undefined;
      if (!parsed?.ok || parsed.value === undefined) return;
      const { record: other, canonical } = parsed.value;
      if (identityOf(other) === identity) mayReplace = true;
      if (coveredBy !== undefined || !recordCovers(other, record, facts)) return;
      const waits = isWidening(other, location) && trust?.isTrusted(lineDigest(file.path, canonical())) !== true;
      if (!waits && uselessBecause(other, location) === undefined) coveredBy = { file: file.path, line };
    });
  return { mayReplace, ...(coveredBy === undefined ? {} : { coveredBy }) };
};
