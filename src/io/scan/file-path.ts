/** A path as the file system and git know it: bytes, which need not be UTF-8. */
export type FilePath = Buffer;

const slash = Buffer.from('/');

/** `name` below `directory`. */
export const joinPath = (directory: FilePath, name: FilePath): FilePath =>
  directory.length === 0
    ? name
    : Buffer.concat(directory.at(-1) === 0x2f ? [directory, name] : [directory, slash, name]);

/** A path as text. Bytes that are no UTF-8 are written as `\xNN`, so that different paths stay different. */
export const pathText = (path: FilePath): string => {
  const text = path.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text).equals(path)) return text;
  return piecesOf(path)
    .map((piece) =>
      piece.isText ? piece.bytes.toString('utf8') : [...piece.bytes].map((byte) => `\\x${hex(byte)}`).join(''),
    )
    .join('');
};

/** A relative path as a URI reference. */
export const pathUri = (path: FilePath): string =>
  [...path].map((byte) => (isUnreserved(byte) ? String.fromCharCode(byte) : `%${hex(byte).toUpperCase()}`)).join('');

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

const isUnreserved = (byte: number): boolean => /[A-Za-z0-9._~/-]/.test(String.fromCharCode(byte)) && byte < 0x80;

interface Piece {
  readonly isText: boolean;
  readonly bytes: Buffer;
}

/** Cuts bytes where valid UTF-8 starts and ends. */
const piecesOf = (bytes: Buffer): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    pieces.push({ isText: length > 0, bytes: bytes.subarray(at, at + Math.max(length, 1)) });
    at += Math.max(length, 1);
  }
  return pieces;
};

/** How many bytes the character at `at` has; 0 when there is none. */
const characterLength = (bytes: Buffer, at: number): number =>
  [1, 2, 3, 4].find((length) => {
    const piece = bytes.subarray(at, at + length);
    const text = piece.toString('utf8');
    return piece.length === length && [...text].length === 1 && Buffer.from(text).equals(piece);
  }) ?? 0;
