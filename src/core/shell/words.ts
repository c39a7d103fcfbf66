import type { ArithmeticExpression, DoubleQuotedChild, Word, WordPart } from 'unbash';
import { gap, hasOddCharacter } from './characters.ts';
import { isPattern } from './glob-match.ts';
import type { Taint, WordReading } from './model.ts';
import { parameterPieces } from './parameters.ts';
import { assemble, type Piece, pieceOf, quoted, readingOf, type TextPiece, unknownPiece } from './pieces.ts';
import type { WordPlace, WordReader } from './word-reader.ts';

const bare = (text: string, raw: string): TextPiece => ({
  kind: 'text',
  text,
  tilde: raw.startsWith('~'),
  active: false,
  splits: false,
});

const checked = (piece: TextPiece, reader: WordReader): TextPiece => {
  if (hasOddCharacter(piece.text)) reader.note('invisible or control character', piece.text, { hidden: true });
  return piece;
};

/** The home of a login, by convention of the system at hand. */
const homeOf =
  (reader: WordReader) =>
  (login: string): string | undefined => {
    if (login === '') {
      const home = reader.scope.variables.get('HOME');
      return home?.kind === 'literal' ? home.text : undefined;
    }
    if (login === '+') return reader.scope.otherCwds.length > 0 ? undefined : reader.scope.cwd;
    if (login === '-') return reader.scope.previousCwd;
    if (login === reader.context.user) return reader.context.home;
    if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(login)) return undefined;
    if (login === 'root') return '/root';
    const parent = reader.context.home.slice(0, reader.context.home.lastIndexOf('/'));
    return `${parent === '' ? '/home' : parent}/${login}`;
  };

/** The words that a written word becomes. */
export const readWord = (word: Word, reader: WordReader): WordReading[] =>
  assemble(piecesOfWord(word, reader), homeOf(reader));

/** A word where the shell neither splits nor expands braces and patterns: values, redirect-like places. */
export const readSingle = (word: Word, reader: WordReader): WordReading => {
  const pieces = piecesOfWord(word, reader, 'single').map((piece) =>
    piece.kind === 'text' ? { ...piece, active: false, splits: false } : piece,
  );
  const words = assemble(pieces, homeOf(reader));
  return words[0] !== undefined && words.length === 1 ? words[0] : joined(words);
};

const joined = (words: readonly WordReading[]): WordReading =>
  words.length === 0
    ? { kind: 'literal', text: '' }
    : {
        kind: 'dynamic',
        why: 'several values',
        knownPrefix: '',
        shape: gap,
        either: words.flatMap((word) => (word.kind === 'dynamic' ? [] : [word.text])).slice(0, 8),
        from: [...new Set(words.flatMap((word) => word.from ?? []))],
      };

/** The pieces of a word; in a `single` place braces are plain text. */
export const piecesOfWord = (word: Word, reader: WordReader, place: WordPlace = 'many'): Piece[] => {
  const parts = word.parts;
  if (parts === undefined) return [checked(bare(word.value, word.text), reader)];
  return parts.flatMap((part) => piecesOfPart(part, reader, place));
};

const piecesOfPart = (part: WordPart, reader: WordReader, place: WordPlace): Piece[] => {
  switch (part.type) {
    case 'Literal':
      return [checked(bare(part.value, part.text), reader)];
    case 'SingleQuoted':
      reader.data(part.value.length);
      return [quoted(part.value)];
    case 'AnsiCQuoted':
      return [quoted(part.value)];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.length === 0 ? [quoted('')] : part.parts.flatMap((child) => quotedPieces(child, reader));
    case 'Glob':
      for (const inner of part.parts ?? []) piecesOfPart(inner, reader, place);
      return [{ ...bare(part.text, part.text), active: true }];
    case 'ExtendedGlob':
      for (const inner of part.parts ?? []) piecesOfPart(inner, reader, place);
      return [{ ...bare(part.text, part.text), active: true }];
    case 'BraceExpansion':
      for (const inner of part.parts ?? []) piecesOfPart(inner, reader, place);
      return place === 'single' ? [bare(part.text, part.text)] : bracePieces(part.text);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return parameterPieces(part, reader, { isQuoted: false });
    case 'CommandExpansion':
      return [pieceOf(reader.substitute(part), false)];
    case 'ArithmeticExpansion':
      return [arithmeticPiece(part, reader)];
    case 'ProcessSubstitution':
      return [pieceOf(reader.pipe(part), true)];
    default:
      return unknownPart(part, reader);
  }
};

// Reached only when the parser learns a part that this walker does not know.
const unknownPart = (_part: never, reader: WordReader): Piece[] => {
  reader.note('unknown kind of word', '', { hidden: true });
  return [unknownPiece('unknown kind of word')];
};

const quotedPieces = (part: DoubleQuotedChild, reader: WordReader): Piece[] => {
  switch (part.type) {
    case 'Literal':
      return [quoted(part.value)];
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return parameterPieces(part, reader, { isQuoted: true });
    case 'CommandExpansion':
      return [pieceOf(reader.substitute(part), true)];
    case 'ArithmeticExpansion':
      return [arithmeticPiece(part, reader)];
    default:
      return unknownPart(part, reader);
  }
};

const arithmeticPiece = (
  part: { readonly text: string; readonly expression: ArithmeticExpression | undefined },
  reader: WordReader,
): Piece => {
  if (part.expression === undefined) reader.note('arithmetic does not parse', part.text, { hidden: true });
  reader.arithmetic(part.expression);
  return unknownPiece('arithmetic', { numeric: true });
};

// Splits `{a,{b,c}}` at its own commas only.
const braceItems = (text: string): string[] | undefined => {
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let index = 1; index < text.length - 1; index += 1) {
    const letter = text.charAt(index);
    if (letter === '{') depth += 1;
    else if (letter === '}') depth -= 1;
    else if (letter === ',' && depth === 0) {
      items.push(text.slice(start, index));
      start = index + 1;
    }
  }
  items.push(text.slice(start, -1));
  return depth === 0 && items.length > 1 ? items : undefined;
};

const sequenceItems = (text: string): string[] | undefined => {
  const found = /^\{(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.(-?\d{1,6}))?\}$/.exec(text);
  if (found === null) return undefined;
  const [from, to] = [Number(found[1]), Number(found[2])];
  const step = Math.max(1, Math.abs(Number(found[3] ?? 1)));
  if (Math.abs(to - from) / step >= 64) return undefined;
  const items: string[] = [];
  for (let offset = 0; offset <= Math.abs(to - from); offset += step)
    items.push(String(from + Math.sign(to - from) * offset));
  return items;
};

// Quotes and expansions inside braces make the list unknown; its substitutions have been read already.
const bracePieces = (text: string): Piece[] => {
  if (/["'`$\\]/.test(text)) return [unknownPiece('braces')];
  const items = sequenceItems(text) ?? braceItems(text);
  if (items === undefined) return [unknownPiece('braces')];
  return [{ kind: 'choice', why: 'brace', options: items.map((item) => braceItemPieces(item)) }];
};

const braceItemPieces = (item: string): Piece[] => {
  const open = item.indexOf('{');
  const close = item.lastIndexOf('}');
  const plain = (text: string): TextPiece => ({ ...bare(text, text), active: isPattern(text), computed: true });
  if (open < 0 || close < open) return [plain(item)];
  const inner = item.slice(open, close + 1);
  const items = sequenceItems(inner) ?? braceItems(inner);
  if (items === undefined) return /[,]|\.\./.test(inner) ? [unknownPiece('braces')] : [plain(item)];
  return [
    plain(item.slice(0, open)),
    { kind: 'choice', why: 'brace', options: items.map((one) => braceItemPieces(one)) },
    plain(item.slice(close + 1)),
  ];
};

/** A value of a variable: `~` also counts after each `:`. */
export const readValue = (word: Word, reader: WordReader): WordReading => readSingle(word, reader);

/** The pieces of here-document text, whose delimiter decided that expansions happen. */
export const readBody = (parts: readonly WordPart[], reader: WordReader): WordReading => {
  const pieces = parts.flatMap((part) =>
    part.type === 'Literal' ? [quoted(part.value)] : piecesOfPart(part, reader, 'single'),
  );
  const flat = pieces.map((piece) =>
    piece.kind === 'text'
      ? { ...piece, active: false, splits: false }
      : piece.kind === 'unknown'
        ? piece
        : unknownPiece('several values'),
  );
  return readingOf(flat);
};

/** A word put together from readings without separators, e.g. `--name=` and its value. */
export const concatenate = (readings: readonly WordReading[]): WordReading =>
  readingOf(
    readings
      .map((reading) => pieceOf(reading, true))
      .filter((piece) => piece.kind === 'text' || piece.kind === 'unknown'),
  );

/** The text of a word with gaps in place of what is not known. */
export const shapeOf = (word: WordReading): string => (word.kind === 'dynamic' ? word.shape : word.text);

/** The taints of a word. */
export const taintsOf = (word: WordReading): readonly Taint[] => word.from ?? [];
