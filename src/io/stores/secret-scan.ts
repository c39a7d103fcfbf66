import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';
import { sanitizeJson } from '../../core/sanitize/json.ts';
import { defaultPipeline } from '../../core/sanitize/sanitize.ts';
import { readPrivate } from '../files/read-private.ts';
import { splitLines } from './rules-file.ts';

/** A secret in a file. It says where and of what kind, never what. */
export interface SecretFinding {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly description: string;
  readonly detector: string;
}

const largestFileBytes = 256 * 1024 * 1024;

/** Looks for secrets in a file, or in every file below a directory; links are not followed. */
export const scanForSecrets = (path: string): readonly SecretFinding[] => {
  const { inspect } = defaultPipeline({ markers: 'keep' });
  const kindsIn = (text: string): readonly string[] => [
    ...new Set([...inspect(text).spans.map(({ kind }) => kind), ...kindsInJson(text)]),
  ];
  return filesBelow(path).flatMap((file) => {
    const bytes = readPrivate(file, { maxBytes: largestFileBytes, owner: 'anyone' }) ?? Buffer.alloc(0);
    return [...splitLines(bytes)].flatMap((line) =>
      kindsIn(line.bytes.toString('utf8')).map((detector): SecretFinding => {
        const description = `${file}:${line.number} holds what looks like a secret (${detector})`;
        return { file, line: line.number, description, detector };
      }),
    );
  });
};

/** Escapes in JSON text can hide a secret from a look at the text alone. */
const kindsInJson = (text: string): readonly string[] => {
  if (!text.trimStart().startsWith('{')) return [];
  try {
    return sanitizeJson(JSON.parse(text)).kinds;
  } catch {
    return [];
  }
};

const filesBelow = (path: string): readonly string[] => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw errors.io(`${path} is not there to be scanned`);
  if (stats.isFile()) return [path];
  if (!stats.isDirectory()) return [];
  try {
    return readdirSync(path)
      .toSorted()
      .flatMap((name) => filesBelow(join(path, name)));
  } catch (thrown) {
    throw errors.io(`${path} cannot be scanned: ${messageOf(thrown)}`);
  }
};
