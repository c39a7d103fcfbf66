import { lstatSync } from 'node:fs';
import {
  type CallKnowledge,
  type Fate,
  fatesOf,
  inFileOrder,
  type RememberedLine,
} from '../../core/engine/covers-lines.ts';
import type { SourceRef } from '../../core/model/record.ts';
import { readPrivate } from '../files/read-private.ts';
import { isWidening, uselessBecause } from '../stores/line-rules.ts';
import { forgetTrust, type Sorted } from '../stores/rules-edit.ts';
import { largestFileBytes, parseLine, splitLines } from '../stores/rules-file.ts';
import type { RulesFile, RulesLocation } from '../stores/rules-location.ts';
import { withRulesLock } from '../stores/rules-lock.ts';
import { joinedLines, replaceLines } from '../stores/rules-write.ts';
import { lineDigest, type TrustStore } from '../stores/trust.ts';

/** What to tidy, and how thoroughly. */
export interface TidyOptions {
  readonly location: RulesLocation;
  readonly state: string;
  readonly trust?: TrustStore | undefined;
  /** Epoch milliseconds: what expired before goes. */
  readonly now: number;
  readonly knowledge?: CallKnowledge | undefined;
  /** Only put lines into their order. */
  readonly sortOnly?: boolean | undefined;
  /** Take out allows that an ask or a deny of the same question beats. */
  readonly conflicts?: boolean | undefined;
  /** Take out lines that cannot be used. */
  readonly damaged?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Why a line was looked at twice. */
export type Finding =
  | { readonly kind: 'expired' }
  /** The same entry once more. */
  | { readonly kind: 'duplicate'; readonly by: SourceRef }
  | { readonly kind: 'covered'; readonly by: SourceRef }
  | { readonly kind: 'beaten'; readonly by: SourceRef }
  | { readonly kind: 'useless'; readonly reason: string }
  | { readonly kind: 'damaged'; readonly reason: string };

/** A line that goes, or that a person should look at. */
export interface TidiedLine {
  readonly source: SourceRef;
  /** The line as it is written, whole. */
  readonly text: string;
  readonly finding: Finding;
  readonly goes: boolean;
}

/** What became of one file. */
export interface TidiedFile {
  readonly path: string;
  readonly lines: readonly TidiedLine[];
  readonly before: number;
  readonly after: number;
  /** Whether the bytes of the file change. */
  readonly changes: boolean;
}

/**
 * Tidies the rules of one location: takes out what says nothing any more, and puts the rest into its order and form. No
 * call gets another answer by it, except through lines that `damaged` takes out. Lines that stay keep their trust.
 */
export const tidyLocation = (options: TidyOptions): readonly TidiedFile[] => {
  const { location, state, trust } = options;
  if (options.dryRun === true) return planned(options).map(({ report }) => report);
  const isThere = location.files.some(({ path }) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  // Where nothing is to be tidied nothing is touched, not even a directory made.
  if (!isThere) return [];
  return withRulesLock({ locations: [location], state }, () => {
    const plans = planned(options);
    const stays = plans.flatMap(({ file, stays: texts }) => texts.map((text) => lineDigest(file.path, text)));
    const gone = plans.map(({ file, goes }): Sorted => ({ file, kept: { lines: [], gone: goes } }));
    forgetTrust(gone, { trust, except: stays });
    for (const { file, lines, report } of plans) if (report.changes) replaceLines(location, { file, lines });
    return plans.map(({ report }) => report);
  });
};

/** A line of a file: a record, or something that is none. */
type Written = { readonly file: RulesFile; readonly source: SourceRef; readonly raw: Buffer } & (
  | { readonly kind: 'record'; readonly line: RememberedLine; readonly useless: string | undefined }
  | { readonly kind: 'damaged'; readonly reason: string }
);

interface FilePlan {
  readonly file: RulesFile;
  readonly report: TidiedFile;
  /** The lines of the file as it will be. */
  readonly lines: readonly (Buffer | string)[];
  /** Canonical texts of the records that stay, and of those that go. */
  readonly stays: readonly string[];
  readonly goes: readonly string[];
}

const planned = (options: TidyOptions): readonly FilePlan[] => {
  const files = options.location.files.map((file) => ({ file, bytes: bytesOf(file, options.location) }));
  const written = files.flatMap(({ file, bytes }) => writtenIn({ file, bytes }, options));
  const records = written.flatMap((one) => (one.kind === 'record' ? [one] : []));
  const { now, knowledge, sortOnly } = options;
  const fates =
    sortOnly === true
      ? []
      : fatesOf(
          records.map(({ line }) => line),
          { now, ...(knowledge === undefined ? {} : { knowledge }) },
        );
  const findings = new Map<Written, Finding>();
  for (const [number, one] of records.entries()) {
    const finding = findingOf({ one, fate: fates[number] }, records);
    if (finding !== undefined) findings.set(one, finding);
  }
  return files.map(({ file, bytes }) =>
    planOf({ file, bytes, written: written.filter((one) => one.file === file) }, { findings, options }),
  );
};

const bytesOf = ({ path }: RulesFile, { inRepository }: RulesLocation): Buffer =>
  readPrivate(path, { maxBytes: largestFileBytes, owner: inRepository ? 'anyone' : 'self' }) ?? Buffer.alloc(0);

const writtenIn = (
  { file, bytes }: { readonly file: RulesFile; readonly bytes: Buffer },
  { location, trust }: TidyOptions,
): Written[] =>
  [...splitLines(bytes)].flatMap(({ bytes: raw, number }): Written[] => {
    const source = { file: file.path, line: number };
    const parsed = parseLine(raw, { location, file });
    if (!parsed.ok) return [{ kind: 'damaged', file, source, raw, reason: parsed.error }];
    if (parsed.value === undefined) return [];
    const { record } = parsed.value;
    const text = parsed.value.canonical();
    const useless = uselessBecause(record, location);
    const waits = isWidening(record, location) && trust?.isTrusted(lineDigest(file.path, text)) !== true;
    const line = { record, text, counts: useless === undefined && !waits };
    return [{ kind: 'record', file, source, raw, line, useless }];
  });

type WrittenRecord = Extract<Written, { readonly kind: 'record' }>;

const findingOf = (
  { one, fate }: { readonly one: WrittenRecord; readonly fate: Fate | undefined },
  records: readonly WrittenRecord[],
): Finding | undefined => {
  const by = fate !== undefined && 'by' in fate ? records[fate.by] : undefined;
  if (fate?.kind === 'expired') return { kind: 'expired' };
  if (fate?.kind === 'covered' && by !== undefined)
    return { kind: by.line.text === one.line.text ? 'duplicate' : 'covered', by: by.source };
  if (fate?.kind === 'beaten' && by !== undefined) return { kind: 'beaten', by: by.source };
  return one.useless === undefined ? undefined : { kind: 'useless', reason: one.useless };
};

interface FileLines {
  readonly file: RulesFile;
  readonly bytes: Buffer;
  readonly written: readonly Written[];
}

interface Judged {
  readonly findings: ReadonlyMap<Written, Finding>;
  readonly options: TidyOptions;
}

const planOf = ({ file, bytes, written }: FileLines, { findings, options }: Judged): FilePlan => {
  const isGone = (one: Written): boolean =>
    one.kind === 'damaged'
      ? options.damaged === true && options.sortOnly !== true
      : goesFor(findings.get(one), options.conflicts === true);
  const stays = written.filter((one) => !isGone(one));
  const records = stays.flatMap((one) => (one.kind === 'record' ? [one.line] : [])).sort(inFileOrder);
  // What cannot be read cannot be put into an order either: it stays as it is, at the end.
  const rest = stays.flatMap((one) => (one.kind === 'damaged' ? [one.raw] : []));
  const lines = [...records.map(({ text }) => text), ...rest];
  const report: TidiedFile = {
    path: file.path,
    lines: written.flatMap((one): TidiedLine[] => {
      const finding = one.kind === 'damaged' ? damage(one) : findings.get(one);
      const { source, raw } = one;
      return finding === undefined ? [] : [{ source, text: raw.toString('utf8'), finding, goes: isGone(one) }];
    }),
    before: written.length,
    after: lines.length,
    changes: !bytes.equals(joinedLines(lines)),
  };
  const goes = written.flatMap((one) => (one.kind === 'record' && isGone(one) ? [one.line.text] : []));
  return { file, report, lines, stays: records.map(({ text }) => text), goes };
};

const damage = ({ reason }: { readonly reason: string }): Finding => ({ kind: 'damaged', reason });

const goesFor = (finding: Finding | undefined, conflicts: boolean): boolean => {
  switch (finding?.kind) {
    case 'expired':
    case 'duplicate':
    case 'covered':
      return true;
    case 'beaten':
      return conflicts;
    case 'useless':
    case 'damaged':
    case undefined:
      return false;
  }
};
