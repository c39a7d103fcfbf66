/**
 * A sequence of 32-bit words in pages. The last word of every page is a checksum of the page, its number and the file it
 * belongs to: damage, or pages of two files mixed, is noticed before it can answer. Pages are small, because a process
 * that asks once spends its time on the words it has to check; they are read in blocks, because a read costs the same for
 * one page as for sixteen. Words are in the byte order of the machine; one with the other order finds a wrong first word.
 */
export const pageBytes = 256;
/** Words of a page, the checksum among them. */
const pageLength = pageBytes / 4;
/** Words of content in a page. */
export const pageWords = pageLength - 1;
const pagesInBlock = 16;
const blockBytes = pagesInBlock * pageBytes;
/** Blocks kept in memory at most: 8 MiB. */
const mostBlocks = 2048;

/** The word that holds the identity of the file: a checksum of all its pages. Lies on the first page. */
export const identityAt = 3;

interface PageOfFile {
  readonly number: number;
  readonly identity: number;
  /** Where the words of the page start. */
  readonly at: number;
}

/**
 * The checksum of a page with its number, in the file with this identity, which the first page says itself. Any one changed
 * word, and any other number or file, changes it. The product is exact, so that a cold process calls nothing for a word.
 */
const checksumOf = (words: Uint32Array, { number, identity, at }: PageOfFile): number => {
  let sum = number === 0 ? 0 : (identity * 69_069 + number) | 0;
  for (let word = at; word < at + pageWords; word++) sum = (sum * 69_069 + (words[word] ?? 0)) | 0;
  return sum >>> 0;
};

/** How many bytes `words` words take. */
export const sealedBytes = (words: number): number => Math.ceil(words / pageWords) * pageBytes;

/** The words as pages, with their identity. Throws `RangeError` when they do not fit one byte string. */
export const sealPages = (words: Uint32Array): Uint8Array => {
  const bytes = new Uint8Array(sealedBytes(words.length));
  const sealed = new Uint32Array(bytes.buffer);
  words[identityAt] = 0;
  let identity = words.length;
  for (let number = 0; number * pageLength < sealed.length; number++) {
    const at = number * pageLength;
    sealed.set(words.subarray(number * pageWords, (number + 1) * pageWords), at);
    identity = checksumOf(sealed, { number: number + 1, identity, at });
  }
  sealed[identityAt] = identity;
  for (let number = 0; number * pageLength < sealed.length; number++) {
    const at = number * pageLength;
    sealed[at + pageWords] = checksumOf(sealed, { number, identity, at });
  }
  return bytes;
};

/** The bytes from `position` on: `length` of them, fewer only where the file ends. They may be reused after the call. */
export type ReadBytes = (position: number, length: number) => Uint8Array;

/** Words by their place in a section. Outside of it, and where a page is damaged, it is 0 and the damage is marked. */
export type WordAt = (place: number) => number;

/** Reads words, and remembers whether anything was wrong. */
export interface PagedWords {
  /** The words from `from` on, `length` of them; each section remembers its page, so that walks are cheap. */
  readonly section: (from: number, length: number) => WordAt;
  /** From the first damage on, nothing that was read may be believed. */
  readonly isDamaged: () => boolean;
  readonly markDamaged: () => void;
}

interface Block {
  /** Those of the whole pages that were there. */
  readonly words: Uint32Array;
  /** A bit for each page whose checksum is right. */
  checked: number;
}

const readBlock = (read: ReadBytes, number: number): Block => {
  const bytes = read(number * blockBytes, blockBytes);
  const pages = Math.min(pagesInBlock, Math.floor(bytes.length / pageBytes));
  const words = new Uint32Array(pages * pageLength);
  new Uint8Array(words.buffer).set(bytes.subarray(0, pages * pageBytes));
  return { words, checked: 0 };
};

const nothing = new Uint32Array(0);

/** The words behind `read`. */
export const pagedWords = (read: ReadBytes): PagedWords => {
  const blocks = new Map<number, Block>();
  let identity = 0;
  let damaged = false;
  const blockOf = (number: number): Block => {
    const known = blocks.get(number);
    if (known !== undefined) return known;
    if (blocks.size >= mostBlocks) blocks.clear();
    const block = readBlock(read, number);
    blocks.set(number, block);
    return block;
  };
  /** The words of the block with the page, once the page was checked. */
  const wordsWith = (number: number): Uint32Array => {
    const block = blockOf(Math.floor(number / pagesInBlock));
    const place = number % pagesInBlock;
    if ((block.checked & (1 << place)) !== 0) return block.words;
    const at = place * pageLength;
    if (block.words[at + pageWords] !== checksumOf(block.words, { number, identity, at })) {
      damaged = true;
      return nothing;
    }
    block.checked |= 1 << place;
    return block.words;
  };
  const section = (from: number, length: number): WordAt => {
    let words: Uint32Array = nothing;
    let first = Number.NaN;
    let shift = 0;
    return (place) => {
      if (!(place >= 0 && place < length) || damaged) {
        damaged = true;
        return 0;
      }
      const word = from + place;
      if (!(word >= first && word < first + pageWords)) {
        const number = Math.floor(word / pageWords);
        words = wordsWith(number);
        first = number * pageWords;
        shift = (number % pagesInBlock) * pageLength - first;
      }
      return words[word + shift] ?? 0;
    };
  };
  const markDamaged = (): void => {
    damaged = true;
  };
  identity = section(0, pageWords)(identityAt);
  return { section, isDamaged: () => damaged, markDamaged };
};
