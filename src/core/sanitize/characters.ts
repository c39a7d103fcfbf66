/** Letters and digits of ASCII. */
export const isAlnum = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Lower case for ASCII letters, everything else unchanged. */
export const toLower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160;

/** Ends a word in a shell, or starts something other than literal text. */
export const isShellOperator = (code: number): boolean =>
  code === 59 || code === 124 || code === 38 || code === 60 || code === 62 || code === 40 || code === 41;

const backslash = 92;
const percent = 37;
const dash = 45;
const escapeLetters = 'nrtbf';

/**
 * Whether a word can start at `index`: after anything but a letter or digit, after an escape (`\n`, `%3D`) or after
 * the letter of an option that is glued to its value (`-p`).
 */
export const startsWord = (text: string, index: number): boolean => {
  if (index === 0 || !isAlnum(text.charCodeAt(index - 1))) return true;
  const before = text.charCodeAt(index - 2);
  if (before === backslash) return escapeLetters.includes(text.charAt(index - 1));
  if (before === dash) return index === 2 || !isAlnum(text.charCodeAt(index - 3));
  return text.charCodeAt(index - 3) === percent;
};

/** Letters, digits and the signs that mean nothing special in any of the languages a value is written in. */
export const isPlain = (code: number): boolean =>
  isAlnum(code) ||
  code === 45 ||
  code === 46 ||
  code === 47 ||
  code === 95 ||
  code === 43 ||
  code === 64 ||
  code === 126;

/** How long the longest run of characters of a token is. */
export interface Runs {
  /** Of base64 and base64url, with `+` and `/`. */
  readonly encoded: number;
  /** Of a word without `+` and `/` that holds a digit. */
  readonly withDigit: number;
  /** Of any such word. */
  readonly word: number;
}

/** Measures the runs in one pass, so that the layers can tell early that nothing long enough is there. */
export const measureRuns = (text: string): Runs => {
  let encoded = 0;
  let withDigit = 0;
  let word = 0;
  let encodedRun = 0;
  let wordRun = 0;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const isInWord = isAlnum(code) || code === 95 || code === 45;
    if (isInWord) {
      wordRun += 1;
      encodedRun += 1;
      hasDigit ||= code <= 57 && code >= 48;
      continue;
    }
    if (encodedRun > encoded) encoded = encodedRun;
    if (wordRun > word) word = wordRun;
    if (hasDigit && wordRun > withDigit) withDigit = wordRun;
    wordRun = 0;
    hasDigit = false;
    encodedRun = code === 43 || code === 47 ? encodedRun + 1 : 0;
  }
  return { encoded, withDigit, word };
};
