/**
 * 32 bits that stand for a set: each element sets one, by its hash or number. A bit that one set has and the other has not
 * stands for at least one element that they do not share.
 */
export const bitOf = (hashOrNumber: number): number => 1 << (hashOrNumber & 31);

/** How many elements of a set with the signature `signature` another set with the signature `other` surely has not. */
export const surelyMissing = (signature: number, other: number): number => {
  const bits = signature & ~other;
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const quads = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((quads + (quads >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};
