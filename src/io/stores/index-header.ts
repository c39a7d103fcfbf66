import type { OverrideRow } from './index-rows.ts';
import type { FileSignature, LineProblem } from './rules-file.ts';

/** What an index file says about itself. */
export interface IndexHeader {
  readonly v: 1;
  readonly keyId: string;
  /** The state of trust that was looked at. */
  readonly trust: string;
  readonly files: readonly FileSignature[];
  /** Tools and roles by number. */
  readonly names: readonly string[];
  readonly overrides: readonly OverrideRow[];
  readonly problems: readonly LineProblem[];
  readonly problemCount: number;
  readonly untrusted: number;
}

const mostProblems = 100;

/** The header as text. */
export const serialiseHeader = (
  content: Omit<IndexHeader, 'v' | 'files' | 'problemCount'> & { readonly signatures: readonly FileSignature[] },
): string => {
  const header: IndexHeader = {
    v: 1,
    keyId: content.keyId,
    trust: content.trust,
    files: content.signatures,
    names: content.names,
    overrides: content.overrides,
    problems: content.problems.slice(0, mostProblems),
    problemCount: content.problems.length,
    untrusted: content.untrusted,
  };
  return JSON.stringify(header);
};

/** A header whose authentication code was checked before: only its version can be a surprise. */
export const parseHeader = (text: string): IndexHeader | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isHeader(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isHeader = (value: unknown): value is IndexHeader =>
  typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
