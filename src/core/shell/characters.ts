/** A stand-in for a piece of text that is not known. */
export const gap = '\uE000';

const oddCharacter =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|[\u180b-\u180d]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/u;

/** Control, format and blank characters that a reader of the text cannot see. */
export const hasOddCharacter = (text: string): boolean => oddCharacter.test(text);

/** Anything but printable ASCII: in a command word it may be a look-alike. */
export const hasNonAscii = (text: string): boolean => /[^\x20-\x7e]/.test(text);

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** What makes the text something else for the shell than for whoever shows it. */
export const brokenCharacters = (source: string): string | undefined => {
  if (source.includes('\0')) return 'NUL byte';
  if (loneSurrogate.test(source)) return 'invalid Unicode';
  return undefined;
};

/** The text as the shell takes it: NUL bytes are dropped, broken and private characters neutral. */
export const cleaned = (source: string): string =>
  /[\0\ud800-\udfff\ue000]/.test(source)
    ? source.replaceAll('\0', '').replaceAll(gap, '\ufffd').replace(new RegExp(loneSurrogate, 'g'), '\ufffd')
    : source;
