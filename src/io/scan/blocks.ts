/** Lines that belong together, as one text: indentation and what a language puts around a line of a text are gone. */
export interface Block {
  readonly kind: 'key' | 'base64';
  readonly text: string;
  /** The number of the first line. */
  readonly firstLine: number;
  readonly parts: readonly Part[];
}

interface Part {
  /** Where the line starts in the text of the block. */
  readonly start: number;
  readonly length: number;
  /** How many characters of the line stand in front of it. */
  readonly cut: number;
}

interface Open {
  readonly kind: Block['kind'];
  readonly firstLine: number;
  readonly lines: { readonly text: string; readonly cut: number }[];
  size: number;
}

const keyStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|^Private-Lines: \d/;
const keyEnd = /-----END |^Private-MAC:/;
const longRun = /[A-Za-z0-9+/_-]{40}/;
const base64Line = /^[A-Za-z0-9+/_-]{40,}={0,2}$/;
const base64End = /^[A-Za-z0-9+/_-]{2,}={0,2}$/;

/** A key of 16 384 bits has 200 lines of 64 characters; whatever is longer is taken in parts. */
const longestBlock = 65_536;
const sharedLines = 32;

/** No line of a wrapped key or of wrapped base64 is longer; what a longer one holds is found on the line itself. */
const longestLine = 1000;

const prefix = /^\s*(?:(?:\/\/|[#*>|]|--)\s+|[+.]?\s*["'`])?\s*/;

/** Where a line ends without what closes a text in a programming language: `\n" +`. */
const bareEnd = (line: string): number => {
  const plain = line.trimEnd().length;
  let end = plain;
  while (end > 0 && ' \t+,;.)\\'.includes(line.charAt(end - 1))) end -= 1;
  if (end === 0 || !`"'\``.includes(line.charAt(end - 1))) return plain;
  end -= 1;
  for (const written of ['\\n', '\\r']) if (line.endsWith(written, end)) end -= written.length;
  return end;
};

/** Puts together what secrets of several lines consist of. `found` gets each block when it is complete. */
export const blockCollector = (found: (block: Block) => void) => {
  let open: Open | undefined;
  const close = (): void => {
    if (open !== undefined && open.lines.length > 1) found(asBlock(open));
    open = undefined;
  };
  const take = (line: string, cut: number): void => {
    if (open === undefined) return;
    open.lines.push({ text: line, cut });
    open.size += line.length + 1;
    if (open.size > longestBlock) open = startingAgain(open, found);
  };
  return {
    /** The next line of the text. */
    add: (line: string, number: number): void => {
      if (line.length > longestLine) {
        close();
        return;
      }
      const isKey = line.includes('-') && keyStart.test(line);
      if (open === undefined && !isKey && (line.length < 40 || !longRun.test(line))) return;
      const end = bareEnd(line);
      const cut = Math.min(prefix.exec(line)?.[0].length ?? 0, end);
      const bare = line.slice(cut, end);
      if (isKey) {
        close();
        if (keyEnd.test(line)) return;
        open = { kind: 'key', firstLine: number, lines: [], size: 0 };
        take(line.slice(0, end), 0);
      } else if (open?.kind === 'key') {
        take(bare, cut);
        if (keyEnd.test(bare)) close();
      } else if (base64Line.test(bare)) {
        open ??= { kind: 'base64', firstLine: number, lines: [], size: 0 };
        take(bare, cut);
      } else {
        if (base64End.test(bare)) take(bare, cut);
        close();
      }
    },
    /** No more lines come. */
    end: close,
  };
};

const startingAgain = (open: Open, found: (block: Block) => void): Open | undefined => {
  found(asBlock(open));
  // A key that never ends is none.
  if (open.kind === 'key') return undefined;
  const lines = open.lines.slice(-sharedLines);
  const size = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  return size > longestBlock / 2
    ? undefined
    : { ...open, firstLine: open.firstLine + open.lines.length - lines.length, lines, size };
};

const asBlock = ({ kind, firstLine, lines }: Open): Block => {
  let start = 0;
  const parts = lines.map(({ text, cut }): Part => {
    const part = { start, length: text.length, cut };
    start += text.length + 1;
    return part;
  });
  return { kind, firstLine, parts, text: lines.map(({ text }) => text).join('\n') };
};

/** Where a character of a block is in the file. */
export const placeInBlock = (
  { firstLine, parts }: Block,
  at: number,
): { readonly line: number; readonly column: number } => {
  const index = Math.max(
    0,
    parts.findLastIndex(({ start }) => start <= at),
  );
  const part = parts[index];
  const inside = part === undefined ? 0 : Math.min(at - part.start, part.length);
  return { line: firstLine + index, column: (part?.cut ?? 0) + inside + 1 };
};
