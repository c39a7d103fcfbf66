import type { OverrideAnswers } from '../../core/engine/covers-entry.ts';
import type { CallShape } from '../../core/engine/covers-places.ts';
import type { DecisionRecord, SourceRef } from '../../core/model/record.ts';
import { digestsOf, fewDigests } from './index-build.ts';
import { extendIndex } from './index-extend.ts';
import { isThere } from './index-file.ts';
import { type CurrentPair, type IndexPlace, indexPaths, openCurrent } from './index-pair.ts';
import { isWidening, rowFields, uselessBecause } from './line-rules.ts';
import { identityOf, lineFor, mayName } from './record-line.ts';
import { waitingPrefix } from './row-sink.ts';
import { knownFromIndex, knownFromText, type NewRecord } from './rules-known.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';
import { type Appended, appendLine, type Choice, type Kept, keptLines, replaceLines } from './rules-write.ts';
import { lineDigest, type TrustMark, type TrustStore } from './trust.ts';
import { loadUserKey, sealWith } from './user-key.ts';

/** Where the user's state is, and what the repository's trust is. */
export interface EditOptions {
  /** The state directory, which also holds the user's key and the index. */
  readonly state: string;
  /** The repository's trust: lines that go lose it, so that a merge cannot bring them back into force. */
  readonly trust?: TrustStore | undefined;
}

/** Who stands behind a record, and what is known about its call besides. */
export interface SaveFacts {
  /** The person behind the record. With `trust`: its line is trusted before it is written. */
  readonly by?: TrustMark | undefined;
  /** The shape of the record's call. For an allow only when an entry of that shape would count for this very call. */
  readonly shape?: CallShape | undefined;
  /** Tells which overrides answer the call; without it only overrides on a whole tool cover a record. */
  readonly overrideAnswers?: OverrideAnswers | undefined;
}

/** What became of a record. `coveredBy`: the entry that says it already; nothing was written then. */
export type SaveOutcome = { readonly saved: true } | { readonly saved: false; readonly coveredBy: SourceRef };

/**
 * Writes a record, in place of every older one about the same question, while the location is locked. The new line is
 * on disk before an old one goes: a crash in between leaves both, and the strictest wins. A record that another one of
 * the location covers is not written; narrower ones that it covers itself stay until `tidy`.
 */
export const saveLocked = (
  location: RulesLocation,
  record: DecisionRecord,
  options: EditOptions & SaveFacts,
): SaveOutcome => {
  const full = complete(record, { location, by: options.by });
  const { text, file } = lineFor(location, full);
  const index = currentIndex(location, options);
  try {
    const asked: NewRecord = { location, record: full, facts: options };
    const known =
      (index && knownFromIndex({ pair: index.current.pair, seal: index.place.seal }, asked)) ??
      knownFromText(asked, options.trust);
    const identity = identityOf(full);
    const remove = (candidate: DecisionRecord) => identityOf(candidate) === identity;
    const mayMatch = mayName(full.key.sanitized_input);
    const older = known.mayReplace ? sorted(location, { remove, mayMatch }) : [];
    const line: NewLine = { record: full, text, file };
    if (older.some(({ kept }) => kept.gone.length > 0)) {
      replaceOlder(location, { line, older }, options);
      return { saved: true };
    }
    if (known.coveredBy !== undefined) return { saved: false, coveredBy: known.coveredBy };
    const noted = trustLine(location, line, options);
    const appended = appendLine(location, line);
    if (index !== undefined) follow({ ...index, line, noted, appended });
    return { saved: true };
  } finally {
    index?.current.pair.close();
  }
};

interface NewLine {
  readonly record: DecisionRecord;
  readonly text: string;
  readonly file: RulesFile;
}

const complete = (
  record: DecisionRecord,
  { location, by }: { readonly location: RulesLocation; readonly by: TrustMark | undefined },
): DecisionRecord => ({
  ...record,
  scope: location.scope,
  ...(record.actor === undefined && by !== undefined ? { actor: by.who } : {}),
});

interface CurrentIndex {
  readonly place: IndexPlace;
  readonly current: CurrentPair;
}

/** The index of a location, if there is one that says what the files say: another one cannot be kept up. */
const currentIndex = (location: RulesLocation, { state, trust }: EditOptions): CurrentIndex | undefined => {
  const { base } = indexPaths({ location, state });
  if (!isThere(base)) return undefined;
  const place = { location, state, trust, seal: sealWith(loadUserKey(state)) };
  const current = openCurrent(place);
  return current && { place, current };
};

type Noted = ReturnType<TrustStore['addAnswered']> | undefined;

const trustLine = (
  location: RulesLocation,
  { record, file, text }: NewLine,
  { trust, by }: EditOptions & SaveFacts,
): Noted =>
  by === undefined || !isWidening(record, location) ? undefined : trust?.addAnswered(lineDigest(file.path, text), by);

interface Following extends CurrentIndex {
  readonly line: NewLine;
  readonly noted: Noted;
  readonly appended: Appended;
}

/** Brings the index to where the file is now. Where it cannot, the index is stale, and the next reader makes it anew. */
const follow = ({ current, place, line, noted, appended }: Following): void => {
  const { location } = place;
  const { record, file, text } = line;
  const was = current.pair.state;
  const number = location.files.indexOf(file);
  const isKnown = was.states[number] === appended.before && appended.after !== undefined;
  if (!isKnown || uselessBecause(record, location) !== undefined) return;
  const waits = isWidening(record, location) && noted === undefined;
  const lines = was.lines.map((count, at) => (at === number ? count + 1 : count));
  const row = rowFields(record, { file: number, line: lines[number] ?? 0, inert: waits });
  const digests = record.pattern === undefined ? digestsOf(record, fewDigests(place.seal)) : [];
  extendIndex(
    current.pair,
    {
      rows: digests.map((digest) => ({ row, digest })),
      overrides: record.pattern === undefined ? [] : [{ ...row, pattern: record.pattern }],
      waiting: waits ? [waitingPrefix(lineDigest(file.path, text))] : [],
      state: {
        ...was,
        lines,
        states: was.states.map((old, at) => (at === number ? (appended.after ?? old) : old)),
        // What others trusted in between is still to be looked at.
        answered: noted?.before === current.answered ? noted.end : current.answered,
        untrusted: was.untrusted + (waits ? 1 : 0),
      },
    },
    place,
  );
};

/** A file with what stays of it and what goes. */
export interface Sorted {
  readonly file: RulesFile;
  readonly kept: Kept;
}

const sorted = (location: RulesLocation, choice: Choice): readonly Sorted[] =>
  location.files.map((file) => ({ file, kept: keptLines(location, { file, ...choice }) }));

const replaceOlder = (
  location: RulesLocation,
  { line, older }: { readonly line: NewLine; readonly older: readonly Sorted[] },
  options: EditOptions & SaveFacts,
): void => {
  trustLine(location, line, options);
  for (const { file, kept } of older) {
    if (file !== line.file) continue;
    if (kept.gone.length === 0) appendLine(location, line);
    else replaceLines(location, { file, lines: [...kept.lines, line.text] });
  }
  // From here on the new line is in force, so what goes may lose its trust before it goes.
  forgetTrust(older, { trust: options.trust, except: [lineDigest(line.file.path, line.text)] });
  for (const { file, kept } of older)
    if (file !== line.file && kept.gone.length > 0) replaceLines(location, { file, lines: kept.lines });
};

/** Takes the trust from lines that go. `except`: digests of lines that stay, or come again. */
export const forgetTrust = (
  files: readonly Sorted[],
  { trust, except = [] }: { readonly trust: TrustStore | undefined; readonly except?: readonly string[] },
): void => {
  const stays = new Set(except);
  const gone = files.flatMap(({ file, kept }) => kept.gone.map((canonical) => lineDigest(file.path, canonical)));
  const digests = gone.filter((digest) => !stays.has(digest));
  if (digests.some((digest) => trust?.isTrusted(digest))) trust?.removeTrusted(digests);
};

/** Deletes the records that `remove` names, while the location is locked; says how many. Other lines stay. */
export const removeLocked = (
  location: RulesLocation,
  remove: (record: DecisionRecord) => boolean,
  { trust }: EditOptions,
): number => {
  const files = sorted(location, { remove, mayMatch: () => true });
  forgetTrust(files, { trust });
  for (const { file, kept } of files) if (kept.gone.length > 0) replaceLines(location, { file, lines: kept.lines });
  return files.reduce((sum, { kept }) => sum + kept.gone.length, 0);
};
