import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where a log lives, and the key that its codes are made with. */
export interface AuditPlace {
  readonly directory: string;
  readonly key: Uint8Array;
}

/** The log file that lines are added to. */
export const currentFile = (directory: string): string => join(directory, 'audit.jsonl');
/** The anchor with the last line's number and code. */
export const headFile = (directory: string): string => join(directory, 'audit.head');
/** A file that grew too long and was put aside. */
export const rotatedFile = (directory: string, number: number): string => join(directory, `audit.${number}.jsonl`);

const rotatedPattern = /^audit\.([1-9][0-9]{0,8})\.jsonl$/;

/** Numbers of the rotated files, oldest first. */
export const rotatedNumbers = (directory: string): number[] =>
  readdirSync(directory)
    .flatMap((name) => rotatedPattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
