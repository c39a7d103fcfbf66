import { createHash } from 'node:crypto';

/** Where something is in a text. Lines and columns count from 1, columns in UTF-16 code units; `endColumn` is behind it. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A secret in a text: where it is, of what kind and how long. Never what it is. */
export interface Finding extends Place {
  /** The detector or the slot that found it. */
  readonly kind: string;
  /** In UTF-16 code units. */
  readonly length: number;
  /** Names the finding across moves within its file; made of nothing of the secret but its length. */
  readonly fingerprint: string;
}

/** A finding before it has a name. */
export interface Hit extends Place {
  readonly kind: string;
  readonly length: number;
  /** What stands in front of the secret on its line, with other secrets taken out. */
  readonly before: string;
}

/** 128 bits: more than enough to tell findings apart. */
const fingerprintDigits = 32;

/**
 * Gives the hits of one file their fingerprints. They depend on path, kind, length, the text in front and, among equal
 * ones, the order: not on the line number, and not on the secret, which could be found by trying.
 */
export const fingerprinter = (path: string): ((hit: Hit) => Finding) => {
  const seen = new Map<string, number>();
  return ({ before, ...hit }) => {
    const base = JSON.stringify([path, hit.kind, hit.length, before.replace(/\s+/g, ' ').trimStart()]);
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    const digest = createHash('sha256').update(`${base}${count}`).digest('hex');
    return { ...hit, fingerprint: digest.slice(0, fingerprintDigits) };
  };
};

/** In order of place; of those that lie within another, only the outer one. */
export const withoutInner = <T extends Place>(places: readonly T[]): T[] => {
  const ordered = places.toSorted(
    (one, other) =>
      compare([one.line, one.column], [other.line, other.column]) ||
      compare([other.endLine, other.endColumn], [one.endLine, one.endColumn]),
  );
  const kept: T[] = [];
  for (const place of ordered) {
    const last = kept.at(-1);
    if (last === undefined || compare([last.endLine, last.endColumn], [place.line, place.column]) <= 0)
      kept.push(place);
  }
  return kept;
};

const compare = (one: readonly [number, number], other: readonly [number, number]): number =>
  one[0] - other[0] || one[1] - other[1];
