import { gap } from './characters.ts';
import { escapeGlob, isPattern } from './glob-match.ts';
import { maxWords } from './limits.ts';
import type { Taint, WordReading } from './model.ts';

/** A run of text of a word, before braces, splitting and patterns are applied. */
export interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  /** Written without quotes, so that a leading `~` counts. */
  readonly tilde: boolean;
  /** Pattern characters in it are active. */
  readonly active: boolean;
  /** White space in it separates words. */
  readonly splits: boolean;
  readonly from?: readonly Taint[];
  readonly content?: string;
  readonly computed?: boolean;
}

export interface UnknownPiece {
  readonly kind: 'unknown';
  readonly why: string;
  readonly from: readonly Taint[];
  readonly numeric: boolean;
  /** What it surely starts with. */
  readonly shape: string;
}

/** Alternatives, each a list of pieces: brace lists, `${x:-default}`. */
export interface ChoicePiece {
  readonly kind: 'choice';
  readonly options: readonly (readonly Piece[])[];
  /** Which pieces the options come from: an empty option of these is no word at all. */
  readonly why: 'brace' | 'default';
}

/** Several words at once: `"$@"`, `"${list[@]}"`. */
export interface ListPiece {
  readonly kind: 'list';
  readonly items: readonly WordReading[];
}

export type Piece = TextPiece | UnknownPiece | ChoicePiece | ListPiece;
type FlatPiece = TextPiece | UnknownPiece;

export const quoted = (text: string): TextPiece => ({
  kind: 'text',
  text,
  tilde: false,
  active: false,
  splits: false,
});

export const unknownPiece = (why: string, extra: Partial<Omit<UnknownPiece, 'kind' | 'why'>> = {}): UnknownPiece => ({
  kind: 'unknown',
  why,
  from: extra.from ?? [],
  numeric: extra.numeric ?? false,
  shape: extra.shape ?? gap,
});

/** A known value put in a word by an expansion. */
export const pieceOf = (value: WordReading, isQuoted: boolean): Piece => {
  const origin = { ...(value.from ? { from: value.from } : {}), computed: true };
  switch (value.kind) {
    case 'literal':
      return {
        kind: 'text',
        text: value.text,
        tilde: false,
        active: !isQuoted && isPattern(value.text),
        splits: !isQuoted,
        ...origin,
        ...(value.content === undefined ? {} : { content: value.content }),
      };
    case 'glob':
      return { kind: 'text', text: value.text, tilde: false, active: true, splits: false, ...origin };
    case 'dynamic':
      return unknownPiece(value.why, {
        from: value.from ?? [],
        numeric: value.numeric ?? false,
        shape: value.shape,
      });
  }
};

/** All combinations of the alternatives; undefined when there are too many. */
const combinations = (pieces: readonly Piece[]): (readonly (FlatPiece | ListPiece)[])[] | undefined => {
  let found: (FlatPiece | ListPiece)[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind !== 'choice') {
      for (const way of found) way.push(piece);
      continue;
    }
    const options = optionsOf(piece);
    if (options === undefined || found.length * options.length > maxWords) return undefined;
    found = found.flatMap((start) => options.map((option) => [...start, ...option]));
  }
  return found;
};

const optionsOf = (piece: ChoicePiece): (readonly (FlatPiece | ListPiece)[])[] | undefined => {
  const all: (readonly (FlatPiece | ListPiece)[])[] = [];
  for (const option of piece.options) {
    const inner = combinations(option);
    if (inner === undefined || all.length + inner.length > maxWords) return undefined;
    all.push(...inner);
  }
  return all;
};

/** Resolves a leading `~name`; undefined when the home is not known. */
export type HomeOf = (login: string) => string | undefined;

// The home directory stands for `~` at the start of a word only.
const withTilde = (pieces: readonly (FlatPiece | ListPiece)[], homeOf: HomeOf): (FlatPiece | ListPiece)[] => {
  const [first, ...rest] = pieces;
  if (first?.kind !== 'text' || !first.tilde || !first.text.startsWith('~')) return [...pieces];
  const slash = first.text.indexOf('/');
  const login = slash < 0 ? first.text.slice(1) : first.text.slice(1, slash);
  const home = homeOf(login);
  const tail = slash < 0 ? '' : first.text.slice(slash);
  if (home === undefined) return [unknownPiece(`~${login}`), quoted(tail), ...rest];
  return [quoted(home), { ...first, tilde: false, text: tail }, ...rest];
};

const flatOf = (item: WordReading): FlatPiece => {
  const piece = pieceOf(item, true);
  return piece.kind === 'text' || piece.kind === 'unknown' ? piece : unknownPiece('several values');
};

// Splits at white space that came out of an unquoted expansion.
const fieldsOf = (pieces: readonly (FlatPiece | ListPiece)[], homeOf: HomeOf): FlatPiece[][] => {
  const fields: FlatPiece[][] = [];
  let current: FlatPiece[] | undefined;
  for (const piece of pieces) {
    if (piece.kind === 'list') {
      // The first word joins what stands before, the last one what comes after.
      const [first, ...more] = piece.items.map((item) => flatOf(item));
      if (first === undefined) continue;
      current = [...(current ?? []), first];
      for (const item of more) {
        fields.push(current);
        current = [item];
      }
      continue;
    }
    if (piece.kind === 'unknown' || !piece.splits || !/[ \t\n]/.test(piece.text)) {
      if (piece.kind === 'text' && piece.splits && piece.text === '') continue;
      current ??= [];
      current.push(piece);
      continue;
    }
    const parts = piece.text.split(/[ \t\n]+/);
    parts.forEach((part, index) => {
      if (index > 0 && current !== undefined) {
        fields.push(current);
        current = undefined;
      }
      if (part === '') return;
      current ??= [];
      current.push({ ...piece, text: part });
    });
  }
  if (current !== undefined) fields.push(current);
  return fields.map((field) => afterSplit(field, homeOf));
};

// `rm${IFS}~`: the shell would not take this `~` for the home; whoever writes so means it.
const afterSplit = (field: FlatPiece[], homeOf: HomeOf): FlatPiece[] => {
  const [first, ...rest] = field;
  if (first?.kind !== 'text' || first.active || !first.text.startsWith('~') || !(first.tilde || first.splits))
    return field;
  const opened = withTilde([{ ...first, tilde: true }], homeOf);
  return [...opened.filter((piece): piece is FlatPiece => piece.kind !== 'list'), ...rest];
};

const mergedFrom = (pieces: readonly FlatPiece[]): readonly Taint[] => [
  ...new Set(pieces.flatMap((piece) => piece.from ?? [])),
];

// Values that double themselves must not fill the memory.
const maxComputedCharacters = 65_536;

const isTooLarge = (pieces: readonly FlatPiece[]): boolean => {
  let length = 0;
  for (const piece of pieces)
    length += piece.kind === 'unknown' ? piece.shape.length : piece.computed ? piece.text.length : 0;
  return length > maxComputedCharacters;
};

/** One field, as far as it is known. */
export const readingOf = (pieces: readonly FlatPiece[]): WordReading => {
  if (isTooLarge(pieces))
    return { kind: 'dynamic', why: 'value is too large', shape: gap, knownPrefix: '', from: mergedFrom(pieces) };
  const from = mergedFrom(pieces);
  const computed = pieces.some((piece) => piece.kind === 'unknown' || piece.computed);
  const origin = { ...(from.length > 0 ? { from } : {}), ...(computed ? { computed } : {}) };
  const unknown = pieces.find((piece): piece is UnknownPiece => piece.kind === 'unknown');
  if (unknown !== undefined) {
    const shape = pieces.map((piece) => (piece.kind === 'unknown' ? piece.shape : piece.text)).join('');
    const end = shape.search(/\uE000/);
    const numeric = pieces.every((piece) => piece.kind === 'unknown' && piece.numeric);
    return {
      kind: 'dynamic',
      why: unknown.why,
      shape,
      knownPrefix: end < 0 ? shape : shape.slice(0, end),
      ...(numeric ? { numeric } : {}),
      ...origin,
    };
  }
  const texts = pieces.filter((piece): piece is TextPiece => piece.kind === 'text');
  if (texts.some((piece) => piece.active && isPattern(piece.text))) return globOf(texts, origin);
  const content = texts.find((piece) => piece.content !== undefined)?.content;
  return {
    kind: 'literal',
    text: texts.map((piece) => piece.text).join(''),
    ...origin,
    ...(content === undefined ? {} : { content }),
  };
};

const globOf = (texts: readonly TextPiece[], origin: { from?: readonly Taint[]; computed?: boolean }): WordReading => {
  const text = texts.map((piece) => (piece.active ? piece.text : escapeGlob(piece.text))).join('');
  const first = texts.findIndex((piece) => piece.active && isPattern(piece.text));
  const before = texts.slice(0, first).map((piece) => piece.text);
  const start = texts[first]?.text.match(/^[^*?[+@!(]*/)?.[0] ?? '';
  return { kind: 'glob', text, prefix: [...before, start].join(''), ...origin };
};

/** Turns the pieces of one written word into the words the command gets. */
export const assemble = (pieces: readonly Piece[], homeOf: HomeOf): WordReading[] => {
  const ways = combinations(pieces);
  if (ways === undefined) {
    const known = pieces[0]?.kind === 'text' ? pieces[0].text : '';
    return [{ kind: 'dynamic', why: 'too many alternatives', shape: `${known}${gap}`, knownPrefix: known }];
  }
  const words: WordReading[] = [];
  for (const way of ways) {
    for (const field of fieldsOf(withTilde(way, homeOf), homeOf)) {
      words.push(readingOf(field));
    }
  }
  return words.length > maxWords && ways.length > 1
    ? [{ kind: 'dynamic', why: 'too many alternatives', shape: gap, knownPrefix: '' }]
    : words;
};
