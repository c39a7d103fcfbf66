import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { type FilePath, pathText } from '../../../io/scan/file-path.ts';
import { visible } from '../visible.ts';

/** What the kinds say that are known by their place; all others are named after what issues them. */
const places: Readonly<Record<string, string>> = {
  assignment: 'value of a variable that is named like a credential',
  base64: 'secret inside base64',
  cookie: 'value of a cookie',
  entropy: 'random text where a value stands',
  field: 'value of a field that is named like a credential',
  header: 'credential in a header',
  hex: 'hexadecimal key',
  option: 'credential given as an option',
  parameter: 'credential in a URL parameter',
  'private-key': 'private key',
  userinfo: 'password in a URL',
};

/** A kind in words, without anything of the secret. */
export const kindInWords = (kind: string): string => places[kind] ?? kind.replaceAll('-', ' ');

/** A path as text that holds no secret: programs read it. */
export const safePath = (path: FilePath): string => sanitizeText(pathText(path));

/** A path as a terminal may show it, on one line. */
export const shownPath = (path: FilePath): string => visible(safePath(path));

/** `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
