/** Classes of ASCII characters, one bit each; a character may be in several. */
export const kinds = {
  alnum: 1,
  digit: 2,
  /** Of a word: letters, digits, `_` and `-`. */
  word: 4,
  /** Of base64 and base64url. */
  encoded: 8,
  space: 16,
  /** Ends a word in a shell, or starts something other than literal text. */
  operator: 32,
  /** Means nothing special in any of the languages a value is written in. */
  plain: 64,
  quote: 128,
  /** Stands between a name and its value. */
  assign: 256,
  percent: 512,
  less: 1024,
  backslash: 2048,
  at: 4096,
  /** Stands in front of a parameter. */
  query: 8192,
  upper: 16384,
  lower: 32768,
} as const;

const members: readonly (readonly [kind: number, characters: string])[] = [
  [kinds.digit | kinds.alnum | kinds.word | kinds.encoded | kinds.plain, '0123456789'],
  [kinds.alnum | kinds.word | kinds.encoded | kinds.plain | kinds.lower, 'abcdefghijklmnopqrstuvwxyz'],
  [kinds.alnum | kinds.word | kinds.encoded | kinds.plain | kinds.upper, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [kinds.word | kinds.encoded | kinds.plain, '_-'],
  [kinds.encoded | kinds.plain, '+/'],
  [kinds.plain, '.@~'],
  [kinds.space, ' \t\n\v\f\r'],
  [kinds.operator, ';|&<>()'],
  [kinds.quote, '"\'`'],
  [kinds.assign, '=:'],
  [kinds.percent, '%'],
  [kinds.less, '<'],
  [kinds.backslash, '\\'],
  [kinds.at, '@'],
  [kinds.query, '?&;'],
];

const table = new Uint16Array(128);
for (const [kind, characters] of members)
  for (const character of characters) table[character.charCodeAt(0)] = (table[character.charCodeAt(0)] ?? 0) | kind;

/** The classes of a character; none for what is not ASCII. */
export const kindOf = (code: number): number => (code < 128 ? (table[code] ?? 0) : code === 160 ? kinds.space : 0);

/** Letters and digits of ASCII. */
export const isAlnum = (code: number): boolean => (kindOf(code) & kinds.alnum) !== 0;

/** Lower case for ASCII letters, everything else unchanged. */
export const toLower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

export const isSpace = (code: number): boolean => (kindOf(code) & kinds.space) !== 0;

export const isShellOperator = (code: number): boolean => (kindOf(code) & kinds.operator) !== 0;

/** The end of the run of characters of some class that starts at `from`. */
export const runEnd = (text: string, from: number, kind: number): number => {
  let at = from;
  while (at < text.length && (kindOf(text.charCodeAt(at)) & kind) !== 0) at += 1;
  return at;
};

/** The start of the run of characters of some class that ends at `to`, at most so long. */
export const runStart = (text: string, to: number, { kind, most }: { kind: number; most: number }): number => {
  let at = to;
  while (at > 0 && to - at < most && (kindOf(text.charCodeAt(at - 1)) & kind) !== 0) at -= 1;
  return at;
};
