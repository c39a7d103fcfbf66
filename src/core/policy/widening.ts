import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ConfigProblem, WideningLine } from '../model/policy.ts';

/** Characters that would hide or reorder what a person is shown. */
const misleading = /[\u0080-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as it appears in a statement: on one line, and nothing in it invisible. */
export const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(misleading, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What `trust` records for a statement. */
export const digestOf = (file: string, statement: string): string =>
  bytesToHex(sha256(utf8ToBytes(`${file}\n${statement}`)));

/** What the repository's files say, weighed: statements that widen count only when a person has trusted them. */
export interface Scales {
  /** Whether the statement is in force. */
  readonly widen: (line: number, statement: string) => boolean;
  readonly warn: (line: number, reason: string) => void;
  readonly untrusted: WideningLine[];
  readonly problems: ConfigProblem[];
}

/** Weighs the statements of one file. */
export const scalesOf = (file: string, isTrusted: (digest: string) => boolean): Scales => {
  const untrusted: WideningLine[] = [];
  const problems: ConfigProblem[] = [];
  return {
    untrusted,
    problems,
    warn: (line, reason) => problems.push({ source: { file, line }, reason, severity: 'warning' }),
    widen: (line, statement) => {
      const digest = digestOf(file, statement);
      if (isTrusted(digest)) return true;
      untrusted.push({ source: { file, line }, statement, digest });
      return false;
    },
  };
};
