import { StringDecoder } from 'node:string_decoder';

/** How the bytes of a file are to be read. */
export type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'binary';

const examined = 8000;

/** Tells text from other bytes as git does, by a NUL among the first 8000; a mark of UTF-16 makes it text all the same. */
export const encodingOf = (start: Uint8Array): Encoding => {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return start.subarray(0, examined).includes(0) ? 'binary' : 'utf8';
};

/**
 * The lines of a text that arrives in pieces, without their ends and without a byte order mark. What is no valid text
 * becomes U+FFFD. Binary bytes are read as UTF-8.
 */
export const linesOf = function* (pieces: Iterable<Buffer>, encoding: Encoding = 'utf8'): Generator<string> {
  const decode = decoderFor(encoding);
  // Parts of a line that goes on, joined only at its end: joining at each piece would make a long line quadratic.
  let parts: string[] = [];
  let isFirst = true;
  const finish = (last: string): string => {
    const line = parts.length === 0 ? last : parts.join('') + last;
    parts = [];
    const from = isFirst && line.charCodeAt(0) === 0xfeff ? 1 : 0;
    isFirst = false;
    return line.slice(from, line.endsWith('\r') ? -1 : line.length);
  };
  for (const piece of pieces) {
    const text = decode.write(piece);
    let start = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
      yield finish(text.slice(start, at));
      start = at + 1;
    }
    if (start < text.length) parts.push(text.slice(start));
  }
  const rest = decode.end();
  if (rest !== '' || parts.length > 0) yield finish(rest);
};

interface Decoder {
  readonly write: (piece: Buffer) => string;
  readonly end: () => string;
}

const decoderFor = (encoding: Encoding): Decoder => {
  if (encoding === 'utf16be') return swappingDecoder();
  return new StringDecoder(encoding === 'utf16le' ? 'utf16le' : 'utf8');
};

/** UTF-16 with the high byte first: an odd byte at the end of a piece waits for the next one. */
const swappingDecoder = (): Decoder => {
  const decoder = new StringDecoder('utf16le');
  let odd: Buffer = Buffer.alloc(0);
  return {
    write: (piece) => {
      const bytes = Buffer.concat([odd, piece]);
      const even = bytes.length - (bytes.length % 2);
      odd = bytes.subarray(even);
      return decoder.write(Buffer.from(bytes.subarray(0, even)).swap16());
    },
    end: () => decoder.end() + (odd.length > 0 ? '\ufffd' : ''),
  };
};
