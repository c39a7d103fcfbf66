/**
 * What a terminal would not show as it is: controls, format and bidirectional characters, marks that sit on other
 * characters, blanks that are no plain blank, lone surrogates, and what has no assigned meaning.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Mn}\p{Me}]|(?! )\p{Zs}|[\u115f\u1160\u2800\u3164\uffa0]/u;

/**
 * Letters and signs of other scripts that look like ASCII ones, written as ranges. Wide, mathematical and circled
 * letters are found by what they fold to instead.
 */
const lookAlikes =
  /[\u01c0\u01c3\u0251\u0261\u026a\u02b9\u02bb-\u02bd\u02c2\u02c3\u02c6-\u02c8\u02cb\u02d0\u02d7\u02dc\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b3\u03b9\u03ba\u03bd\u03bf\u03c1\u03c3-\u03c5\u03f2\u03f3\u03f9\u03fa\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0423\u0425\u0430\u0433\u0435\u043e\u043f\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0474\u0475\u04ae\u04af\u04bb\u04c0\u04cf\u0501\u051b-\u051d\u0555\u0561\u0563\u0566\u0570\u0578\u057c\u057d\u0581\u0584\u0585\u0589\u05c0\u05c3\u05f3\u05f4\u060c\u066a\u066b\u0701-\u0704\u07c0\u0966\u09e6\u0a66\u0ae6\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u1040\u10e7\u10ff\u13a0-\u13f4\u1400-\u167f\u16b7\u16c1\u16cc\u16d5\u1735\u1803\u1d04\u1d0f-\u1d11\u1d1c\u1d20-\u1d22\u1e9d\u2010-\u201b\u201f\u2024\u2032\u2035\u2039\u203a\u2041\u2043\u2044\u204e\u2052\u2053\u205a\u2090-\u209c\u2202\u220f\u2211\u2212\u2215-\u2217\u2219\u221f\u2223\u2228\u222a\u2236\u223c\u22c1\u22c3\u22c5\u22ff\u2373-\u237a\u23fd\u2571-\u2573\u2758\u275c-\u275f\u2768-\u2775\u2795-\u2797\u27cb\u27cd\u27d9\u292b\u292c\u2981-\u2986\u29b8\u29f5\u29f8-\u29fb\u2c60-\u2ce4\u2cf9-\u2cff\u2d00-\u2d2d\u2d38\u2d39\u2d4f-\u2d55\u2d5d\u2e1a\u2e26-\u2e29\u2e3a-\u2e40\u2f02\u2f03\u3003\u3014\u3015\u301c-\u301f\u3033\u30a0\u31d3\u31d4\ua4d0-\ua4fd\ua60e\ua644\ua647\ua6df\ua6ef\ua731\ua740-\ua75b\ua76e\ua77a\ua789\ua78c\ua798\ua799\ua79f\ua7ab\ua7b2-\ua7b4\uab32\uab35\uab3d\uab47\uab48\uab4e\uab52\uab5a\uab75\uab81\uab83\uab93\uaba9\uabaa\ufb29-\ufb4f\ufd3e\ufd3f]/u;

/** Letters with their own marks (`é`, `ü`) are what they look like; the rest that folds to ASCII only pretends to be it. */
const foldsToAscii = (char: string): boolean => {
  const folded = char.normalize('NFKC');
  return folded !== char && /[\x20-\x7e]/.test(folded);
};

const isPlain = (char: string): boolean => {
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return true;
  return !unseen.test(char) && !lookAlikes.test(char) && !foldsToAscii(char) && !isOldOrRare(code);
};

/** Ancient, fictional and private scripts beyond the basic plane hold many more look-alikes, and nobody's file names. */
const isOldOrRare = (code: number): boolean =>
  code >= 0x1_0000 && !(code >= 0x1_f300 && code < 0x1_fb00) && code < 0x2_0000;

const escapeOf = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** A long run of blanks pushes what follows it out of sight. */
const longRun = / {17,}/g;

/**
 * Text as a terminal may show it: everything invisible, misleading or pretending to be something else is written as
 * `\u{…}`, a long run of blanks as `\u{20}{count}`. Different texts stay different. Secrets are for `sanitizeText`, before.
 */
export const visible = (text: string): string => {
  const written = text.replaceAll('\\u{', '\\u{5c}u{').replace(longRun, (run) => `\\u{20}{${run.length}}`);
  let shown = '';
  for (const char of written) shown += isPlain(char) ? char : escapeOf(char);
  return shown;
};

/** The lines of a text, each made visible: for a command of several lines, shown with a mark before each. */
export const visibleLines = (text: string): string[] => text.split('\n').map(visible);

/** JSON in which nothing is invisible or misleading; programs read the same text as before. */
export const visibleJson = (value: unknown): string => {
  let shown = '';
  for (const char of JSON.stringify(value)) {
    if (isPlain(char)) shown += char;
    else for (let at = 0; at < char.length; at++) shown += `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return shown;
};
