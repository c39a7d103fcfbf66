/**
 * A token that announces itself: `[id, prefixes, body]`. `prefixes` are case-sensitive literals separated by a space;
 * `body` is the RegExp source of what follows one. When `body` has a capture group, only the group is the secret.
 */
export type TokenRow = readonly [id: string, prefixes: string, body: string];

/** A value that is only known by the name it is assigned to: `[id, name starts, body]`, names in lower case. */
export type AssignedRow = readonly [id: string, names: string, body: string];

/** A token with a fixed mark inside: `[id, mark, offset of the mark, pattern of the whole token]`. */
export type MarkedRow = readonly [id: string, mark: string, offset: number, pattern: string];

/** One family of detectors, as data. */
export interface Family {
  readonly tokens?: readonly TokenRow[];
  readonly assigned?: readonly AssignedRow[];
  readonly marked?: readonly MarkedRow[];
}

const atLeast = (set: string, [least, exact]: readonly [number, boolean]): string =>
  exact ? `[${set}]{${least}}(?![A-Za-z0-9_-])` : `[${set}]{${least},}`;

const lettersAndDigits = 'A-Za-z0-9';
const wordCharacters = 'A-Za-z0-9_-';
const hexDigits = 'a-f0-9';

/** Letters and digits, at least so many. */
export const alnum = (least: number): string => atLeast(lettersAndDigits, [least, false]);
/** Letters and digits, exactly so many. */
export const alnumExactly = (count: number): string => atLeast(lettersAndDigits, [count, true]);
/** The alphabet of base64url, at least so many. */
export const word = (least: number): string => atLeast(wordCharacters, [least, false]);
/** The alphabet of base64url, exactly so many. */
export const wordExactly = (count: number): string => atLeast(wordCharacters, [count, true]);
/** Lower-case hexadecimal digits, at least so many. */
export const hex = (least: number): string => atLeast(hexDigits, [least, false]);
/** Lower-case hexadecimal digits, exactly so many. */
export const hexExactly = (count: number): string => atLeast(hexDigits, [count, true]);
/** Upper-case letters and digits, exactly so many. */
export const upperExactly = (count: number): string => atLeast('A-Z0-9', [count, true]);
/** Lower-case letters and digits, exactly so many. */
export const lowerExactly = (count: number): string => atLeast('a-z0-9', [count, true]);
/** The alphabet of base64 with padding, at least so many. */
export const base64 = (least: number): string => atLeast('A-Za-z0-9+/=', [least, false]);
/** A lower-case UUID. */
export const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![A-Za-z0-9])';
