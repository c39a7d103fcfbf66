import type { Word, WordPart } from 'unbash';

/** The value of a written word in which nothing is expanded. `isQuoted`: something in it takes away a meaning. */
interface FixedWord {
  readonly value: string;
  readonly isQuoted: boolean;
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

const singleQuoted = (raw: string, at: number): Piece | undefined => {
  const end = raw.indexOf("'", at + 1);
  // Two quotes in a row are one quote under an option of zsh.
  if (end < 0 || raw.charAt(end + 1) === "'") return undefined;
  return { text: raw.slice(at + 1, end), end: end + 1 };
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\', "'": "'" };

// Only the escapes that every shell has; `at` is that of the dollar sign.
const dollarQuoted = (raw: string, at: number): Piece | undefined => {
  let text = '';
  for (let index = at + 2; index < raw.length; index += 1) {
    const letter = raw.charAt(index);
    if (letter === "'") return raw.charAt(index + 1) === "'" ? undefined : { text, end: index + 1 };
    if (letter !== '\\') text += letter;
    else {
      index += 1;
      const escaped = escapes[raw.charAt(index)];
      if (escaped === undefined) return undefined;
      text += escaped;
    }
  }
  return undefined;
};

// A dollar sign in front of these stands for itself; `!` may be history.
const afterPlainDollar = new Set(['"', ' ', '|', ')']);

const doubleQuoted = (raw: string, at: number): Piece | undefined => {
  let text = '';
  for (let index = at + 1; index < raw.length; index += 1) {
    const letter = raw.charAt(index);
    const next = raw.charAt(index + 1);
    if (letter === '"') return { text, end: index + 1 };
    if (letter === '`' || letter === '!') return undefined;
    if (letter === '$' && !afterPlainDollar.has(next)) return undefined;
    if (letter !== '\\') {
      text += letter;
      continue;
    }
    if (next === '!' || next === '') return undefined;
    if (next !== '\n') text += '$`"\\'.includes(next) ? next : `\\${next}`;
    index += 1;
  }
  return undefined;
};

const plainLetter = /[A-Za-z0-9_./,:@%+-]/;

// Where `=` starts a word, or follows another or a colon, zsh may look for a program.
const isPlain = (letter: string, before: string): boolean =>
  letter === '=' ? before !== '' && before !== '=' && before !== ':' : plainLetter.test(letter);

const quotedAt = (raw: string, at: number): Piece | undefined => {
  const letter = raw.charAt(at);
  if (letter === "'") return singleQuoted(raw, at);
  if (letter === '"') return doubleQuoted(raw, at);
  if (letter === '$' && raw.charAt(at + 1) === "'") return dollarQuoted(raw, at);
  if (letter !== '\\' || at + 1 >= raw.length) return undefined;
  return { text: raw.charAt(at + 1), end: at + 2 };
};

/** The value of a written word when nothing in it is expanded by any shell. */
const fixedWord = (raw: string): FixedWord | undefined => {
  let value = '';
  // The last letter of the value, on its own: looking into a value that still grows takes time.
  let last = '';
  let isQuoted = false;
  for (let at = 0; at < raw.length; ) {
    if (raw.startsWith('\\\n', at)) {
      at += 2;
    } else if (isPlain(raw.charAt(at), last)) {
      last = raw.charAt(at);
      value += last;
      at += 1;
    } else {
      const piece = quotedAt(raw, at);
      if (piece === undefined) return undefined;
      value += piece.text;
      last = piece.text.slice(-1) || last;
      isQuoted = true;
      at = piece.end;
    }
  }
  return { value, isQuoted };
};

/** The value of a word when nothing in it is expanded, as both its text and the tree have it. */
export const fixedValue = (word: Word, raw: string): string | undefined => {
  const fixed = fixedWord(raw);
  return fixed?.value === word.value ? fixed.value : undefined;
};

const reserved = new Set(
  (
    'if then elif else fi for while until do done case esac select function time coproc in ' +
    'repeat foreach end nocorrect noglob always'
  ).split(' '),
);

const safe = /^[A-Za-z0-9_./,:@%+=-]+$/;

/** Whether a value may be written without quotes where a word is expected. */
const isBare = (value: string): boolean =>
  safe.test(value) && !reserved.has(value) && !/^=|[=:]=|^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(value);

const inQuotes = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Whether an unquoted word could be the name of an alias; options are taken not to be. */
const couldBeAlias = (text: string): boolean => text === '-' || !/^-|[/=$`]/.test(text);

/** What an alias that ends in a blank finds in a word: a quoted one is passed over, another one ends the search. */
type AliasSight = 'passed' | 'candidate' | 'end';

export const aliasSight = (raw: string): AliasSight => {
  const text = raw.replaceAll('\\\n', '');
  if (/['"\\]/.test(text)) return 'passed';
  return couldBeAlias(text) ? 'candidate' : 'end';
};

/**
 * Where a word stands to aliases. `afterAlias`: one that ends in a blank may reach it. `beforeCandidate`: were the word
 * unquoted, none would reach a later word any more.
 */
export interface WordPlace {
  readonly afterAlias: boolean;
  readonly beforeCandidate: boolean;
}

/** Where no alias reaches. */
export const apart: WordPlace = { afterAlias: false, beforeCandidate: false };

const keepsQuotes = (value: string, place: WordPlace): boolean =>
  place.afterAlias && (place.beforeCandidate || couldBeAlias(value));

/** A word in one form, with its value when nothing in it is computed. */
export interface WordForm {
  readonly text: string;
  readonly value: string | undefined;
}

/**
 * A word in one form: bare where that is the same, in single quotes where it is not, as written when something in it
 * is expanded.
 */
export const wordForm = (word: Word, raw: string, place: WordPlace): WordForm => {
  const fixed = fixedWord(raw);
  if (fixed === undefined || fixed.value !== word.value) return { text: raw, value: undefined };
  const { value, isQuoted } = fixed;
  const isKept = keepsQuotes(value, place);
  if (!isQuoted || (isBare(value) && !isKept)) return { text: value, value };
  // What reads option values and assignments in a text finds them where they were.
  const name = (/^--?[A-Za-z][A-Za-z0-9-]*=/.exec(value) ?? /^[A-Za-z_][A-Za-z0-9_]*=/.exec(raw))?.[0] ?? '';
  const rest = value.slice(name.length);
  return { text: `${name}${isKept || name === '' ? inQuotes(rest) : valueForm(rest)}`, value };
};

const valueForm = (value: string): string => (isBare(value) ? value : inQuotes(value));

/** The value of an assignment in one form. */
export const assignedForm = (value: Word, raw: string, place: WordPlace): string => {
  const fixed = fixedWord(raw);
  if (fixed === undefined || fixed.value !== value.value) return raw;
  if (!fixed.isQuoted && fixed.value !== '') return fixed.value;
  return place.afterAlias && place.beforeCandidate ? raw : valueForm(fixed.value);
};

const isCalmPart = (part: WordPart): boolean => {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'CommandExpansion':
      return true;
    case 'DoubleQuoted':
      return part.parts.every(isCalmPart);
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'LocaleString':
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return false;
  }
};

/** Whether expanding a word cannot fail in a way that ends the line that it stands in. */
export const isCalmWord = (word: Word): boolean => !/^[~=]/.test(word.text) && (word.parts ?? []).every(isCalmPart);
