import type { OverridePattern, SourceRef } from '../../core/model/record.ts';
import type { RowFields } from './index-format.ts';
import type { LineProblem } from './rules-file.ts';

/** An override as an index keeps it. */
export interface OverrideRow extends RowFields {
  readonly pattern: OverridePattern;
}

/** The state of everything an index was made from. */
export interface IndexState {
  /** What `trust` had put into force. */
  readonly trust: string;
  /** How much of the log of trusted answers was taken into account, in bytes. */
  readonly answered: number;
  /** The signature of each file of the location. */
  readonly states: readonly string[];
  /** How many lines each file has. */
  readonly lines: readonly number[];
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
}

/** What an index file says about itself. */
export interface IndexHeader extends IndexState {
  readonly v: 2;
  /** Tools and roles by number; in an addition, those that its base lacks, counted on from there. */
  readonly names: readonly string[];
  readonly overrides: readonly OverrideRow[];
  readonly problems: readonly LineProblem[];
  readonly problemCount: number;
  /** The first line that cannot be used and may have denied or asked something. */
  readonly damaged?: SourceRef;
  /** The file to which this one is an addition. */
  readonly base?: string;
}

/** How many problems an index names; all are counted. */
const mostProblems = 100;

/** What most headers say is left out: every block of bytes that is authenticated costs a look-up time. */
const usual = { answered: 0, untrusted: 0, overrides: [], problems: [], problemCount: 0 } as const;

/** The header as text. */
export const serialiseHeader = (header: Omit<IndexHeader, 'v'>): string => {
  const { answered, untrusted, overrides, problemCount, ...rest } = header;
  const problems = header.problems.slice(0, mostProblems);
  return JSON.stringify({
    ...rest,
    v: 2,
    answered: answered === 0 ? undefined : answered,
    untrusted: untrusted === 0 ? undefined : untrusted,
    overrides: overrides.length === 0 ? undefined : overrides,
    problems: problems.length === 0 ? undefined : problems,
    problemCount: problemCount === 0 ? undefined : problemCount,
  });
};

/** A header whose authentication code was checked before: only its version can be a surprise. */
export const parseHeader = (text: string): IndexHeader | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isHeader(value) ? { ...usual, ...value } : undefined;
  } catch {
    return undefined;
  }
};

const isHeader = (value: unknown): value is Omit<IndexHeader, keyof typeof usual> & Partial<IndexHeader> =>
  typeof value === 'object' && value !== null && 'v' in value && value.v === 2;
