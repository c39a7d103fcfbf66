/** Whitespace of any script and ASCII punctuation; letters, digits and symbols beyond ASCII belong to tokens. */
const separators = /[\s\u0085!-/:-@[-`{-~]+/;

/**
 * The set of tokens in a text, lower-case, each once, in code-unit order. `_` and `-` separate like all other ASCII
 * punctuation: `x86_64` is `64` and `x86`. Linear in the text but for the sorting of the tokens.
 */
export const tokenize = (text: string): readonly string[] => {
  const tokens = new Set<string>();
  for (const piece of text.split(separators)) if (piece !== '') tokens.add(piece.toLowerCase());
  return [...tokens].sort();
};

/** How many tokens two sorted lists without repetition have in common: one walk over both. */
export const sortedIntersectionCount = (a: readonly string[], b: readonly string[]): number => {
  let shared = 0;
  for (let left = 0, right = 0; left < a.length && right < b.length; ) {
    const one = a[left] ?? '';
    const other = b[right] ?? '';
    if (one === other) shared += 1;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
  }
  return shared;
};

/**
 * The Jaccard coefficient of two sets by their counts: `shared` tokens, and `total` = the sizes of both added up. Every
 * comparison with a threshold uses this one expression, so that no two of them round differently. 1 for two empty sets.
 */
export const coefficientOf = (shared: number, total: number): number => (total === 0 ? 1 : shared / (total - shared));

/** Tokens in both over tokens in either, of two sorted lists without repetition. Two empty sets: 1; one: 0. */
export const jaccardCoefficient = (a: readonly string[], b: readonly string[]): number =>
  coefficientOf(sortedIntersectionCount(a, b), a.length + b.length);
