import { errors, HookwiseError, messageOf } from '../../core/model/errors.ts';
import { pathText } from './file-path.ts';
import { fileScanner, type ScannedFile } from './file-scan.ts';
import { type Walked, walkAll } from './walk.ts';
import { withFile } from './work-tree.ts';

/** A secret in a file. It says where and of what kind, never what. */
export interface SecretFinding {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly description: string;
  readonly detector: string;
}

/**
 * Looks for secrets in a file, or in every file below a directory, read as hookwise's own files are: nothing is passed over
 * as code or as an example, and JSON is decoded. Links are not followed. Throws `Io` when something cannot be looked at.
 */
export const scanForSecrets = (path: string): readonly SecretFinding[] => {
  const scan = fileScanner({ report: 'everything' });
  return [...walkAll(Buffer.from(path))].flatMap((walked) => {
    const file = pathText(walked.path);
    const scanned = scannedAs(walked, scan);
    if (scanned?.kind !== 'scanned') return [];
    return scanned.findings.map(({ line, kind: detector }): SecretFinding => {
      const description = `${file}:${line} holds what looks like a secret (${detector})`;
      return { file, line, description, detector };
    });
  });
};

const scannedAs = (walked: Walked, scan: ReturnType<typeof fileScanner>): ScannedFile | undefined => {
  const name = pathText(walked.path);
  switch (walked.kind) {
    case 'unreadable':
      throw errors.io(`${name} cannot be scanned: ${walked.why}`);
    case 'skipped':
      return undefined;
    case 'file': {
      const scanned = read(walked, scan);
      if (scanned.kind === 'skipped') throw errors.io(`${name} cannot be scanned: it is ${scanned.why}`);
      return scanned;
    }
  }
};

const read = ({ path }: Pick<Walked, 'path'>, scan: ReturnType<typeof fileScanner>): ScannedFile => {
  const name = pathText(path);
  try {
    return withFile(path, (file) => scan({ ...file, name, isRules: true }));
  } catch (thrown) {
    if (thrown instanceof HookwiseError) throw thrown;
    throw errors.io(`${name} cannot be scanned: ${messageOf(thrown)}`);
  }
};
