import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash';
import { gap } from './characters.ts';
import { evaluationTrouble } from './evaluated.ts';
import { isPattern } from './glob-match.ts';
import type { WordReading } from './model.ts';
import { type Piece, pieceOf, unknownPiece } from './pieces.ts';
import { unknownWord, type Value } from './scope.ts';
import type { WordReader } from './word-reader.ts';

interface Place {
  readonly isQuoted: boolean;
}

const numericParameters = new Set([
  '?',
  '#',
  '$',
  '!',
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'LINENO',
  'UID',
  'EUID',
  'PPID',
  'BASHPID',
  'EPOCHSECONDS',
  'SHLVL',
  'COLUMNS',
  'LINES',
]);

const secretName = /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIAL)/i;

/** Whether a variable of this name usually holds a credential. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** The value of a variable at this point, or what can be said about it. */
const variableValue = (name: string, reader: WordReader): Value => {
  const known = reader.scope.variables.get(name);
  if (known !== undefined) return known;
  if (name === 'PWD') {
    const { cwd, otherCwds } = reader.scope;
    return cwd === undefined || isPattern(cwd) || otherCwds.length > 0
      ? unknownWord('working directory not known')
      : { kind: 'literal', text: cwd };
  }
  if (numericParameters.has(name)) return { ...unknownWord(`$${name}`), numeric: true };
  if (name === '@' || name === '*') return positionalValue(reader);
  if (/^[1-9][0-9]*$/.test(name)) return reader.scope.positional?.[Number(name) - 1] ?? missingPositional(name, reader);
  if (isSecretName(name)) return { ...unknownWord(`$${name} is not set here`), from: ['secret'] };
  return unknownWord(`$${name} is not set here`);
};

// `"$*"` is one word.
const joinedValue = (items: readonly WordReading[], reader: WordReader): Piece => {
  const separators = reader.scope.variables.get('IFS');
  const separator = separators?.kind === 'literal' ? separators.text.slice(0, 1) : gap;
  const texts = items.map((item) => (item.kind === 'dynamic' ? item.shape : item.text));
  const text = texts.join(separator);
  const from = [...new Set(items.flatMap((item) => item.from ?? []))];
  return text.includes(gap)
    ? unknownPiece('arguments joined', { shape: text, from })
    : pieceOf({ kind: 'literal', text, from }, true);
};

const positionalValue = (reader: WordReader): Value =>
  reader.scope.positional === undefined
    ? unknownWord('arguments not known')
    : { kind: 'list', items: reader.scope.positional };

const missingPositional = (name: string, reader: WordReader): WordReading =>
  reader.scope.positional === undefined ? unknownWord(`$${name} is not known`) : { kind: 'literal', text: '' };

// What is not known comes first, so that no alternative is taken for the name of a program.
const alternatives = (value: WordReading, either: readonly string[], place: Place): Piece => ({
  kind: 'choice',
  why: 'default',
  options: [
    [pieceOf(value, place.isQuoted)],
    ...either.map((text) => [pieceOf({ kind: 'literal', text, from: value.from ?? [] }, place.isQuoted)]),
  ],
});

const valuePieces = (value: Value, reader: WordReader, place: Place): Piece[] => {
  if (value.kind === 'list') return [{ kind: 'list', items: value.items }];
  if (value.kind === 'dynamic' && value.either !== undefined && value.either.length > 0)
    return [alternatives(value, value.either, place)];
  return [pieceOf(place.isQuoted ? value : separated(value, reader), place.isQuoted)];
};

// Another IFS separates words elsewhere.
const separated = (value: WordReading, reader: WordReader): WordReading => {
  const separators = reader.scope.variables.get('IFS');
  if (value.kind !== 'literal' || (separators?.kind === 'literal' && separators.text === ' \t\n')) return value;
  if (separators?.kind !== 'literal')
    return { ...unknownWord('IFS is not known'), ...(value.from ? { from: value.from } : {}) };
  const text = [...value.text].map((letter) => (separators.text.includes(letter) ? ' ' : letter)).join('');
  return { ...value, text };
};

/** The pieces that `$x` or `${x...}` puts in a word. */
export const parameterPieces = (
  part: SimpleExpansionPart | ParameterExpansionPart,
  reader: WordReader,
  place: Place,
): Piece[] => {
  if (part.type === 'SimpleExpansion') {
    const value = variableValue(part.text.slice(1), reader);
    if (part.text === '$*' && place.isQuoted && value.kind === 'list') return [joinedValue(value.items, reader)];
    return valuePieces(value, reader, place);
  }
  const index = part.index === undefined ? undefined : readIndex(part.index, reader);
  if (part.prefix === '#') return [unknownPiece('length', { numeric: true })];
  if (part.parameter === '' || !/^(?:[A-Za-z_][A-Za-z0-9_]*|\d+|[@*#?$!_-])$/.test(part.parameter)) {
    readOperation(part.operation, reader);
    reader.note('expansion of another shell', part.text, { hidden: true });
    return [unknownPiece('expansion of another shell')];
  }
  if (part.prefix === '!') {
    readOperation(part.operation, reader);
    return [unknownPiece('indirect expansion')];
  }
  const value = indexed(variableValue(part.parameter, reader), index, part.parameter);
  const joins = (index === '*' || part.parameter === '*') && place.isQuoted && part.operation === undefined;
  if (joins && value.kind === 'list') return [joinedValue(value.items, reader)];
  return part.operation === undefined
    ? valuePieces(value, reader, place)
    : operationPieces({ value, part, operation: part.operation }, reader, place);
};

// A subscript is arithmetic: the shell evaluates it, substitutions in values included.
const readIndex = (index: Word, reader: WordReader): string | undefined => {
  const reading = reader.single(index);
  if (reading.kind === 'literal' && /^(?:[@*]|\d+)$/.test(reading.text)) return reading.text;
  checkSubscript(reading, reader);
  return undefined;
};

const indexed = (value: Value, index: string | undefined, name: string): Value => {
  if (index === '@' || index === '*') return value;
  if (value.kind === 'list') {
    const position = index === undefined ? 0 : Number(index);
    return value.items[position] ?? unknownWord(`an element of ${name}`);
  }
  return value;
};

interface Operated {
  readonly value: Value;
  readonly part: ParameterExpansionPart;
  readonly operation: ParameterOperation;
}

const operationPieces = (operated: Operated, reader: WordReader, place: Place): Piece[] => {
  const { value, part, operation } = operated;
  switch (operation.type) {
    case 'Default':
      return defaultPieces({ ...operated, operation }, reader, place);
    case 'Transform':
      if (/P/.test(part.text.slice(part.text.indexOf('@')))) {
        reader.note('@P evaluates the value', part.text, { hidden: true });
      }
      return [changed(value, 'transformed value')];
    case 'Unknown':
      reader.note('expansion of another shell', part.text, { hidden: true });
      return [unknownPiece('expansion of another shell')];
    case 'Remove':
      return removed({ ...operated, operation }, reader, place);
    case 'Slice':
      for (const word of [operation.offset, operation.length]) if (word !== undefined) readArithmeticWord(word, reader);
      return [changed(value, 'part of a value')];
    case 'Replace':
    case 'CaseModification':
    case 'Names':
      readOperation(operation, reader);
      return [changed(value, 'changed value')];
  }
};

const changed = (value: Value, why: string): Piece =>
  unknownPiece(why, value.kind === 'list' ? {} : { from: value.from ?? [] });

const readArithmeticWord = (word: Word, reader: WordReader): void => {
  checkSubscript(reader.single(word), reader);
};

const checkSubscript = (reading: WordReading, reader: WordReader): void => {
  if (reading.kind !== 'literal') return;
  const trouble = evaluationTrouble(reading.text, reader.scope.variables);
  if (trouble !== undefined) reader.note('subscript is evaluated', trouble.text, { hidden: trouble.hidden });
};

// Substitutions inside the operands run, whatever becomes of the value.
const readOperation = (operation: ParameterOperation | undefined, reader: WordReader): void => {
  if (operation === undefined) return;
  const words: (Word | undefined)[] = [];
  switch (operation.type) {
    case 'Default':
    case 'Remove':
    case 'Transform':
    case 'CaseModification':
      words.push(operation.operand);
      break;
    case 'Replace':
      words.push(operation.pattern, operation.replacement);
      break;
    case 'Slice':
      words.push(operation.offset, operation.length);
      break;
    case 'Names':
    case 'Unknown':
      break;
  }
  for (const word of words) if (word !== undefined) reader.words(word);
};

const defaultPieces = (
  operated: Operated & { readonly operation: Extract<ParameterOperation, { type: 'Default' }> },
  reader: WordReader,
  place: Place,
): Piece[] => {
  const { value, part, operation } = operated;
  const operand = reader
    .pieces(operation.operand)
    .map((piece) =>
      piece.kind === 'text' && place.isQuoted ? { ...piece, tilde: false, active: false, splits: false } : piece,
    );
  const name = part.parameter;
  const isSet = value.kind === 'list' || (value.kind !== 'dynamic' && value.text !== '');
  const held = valuePieces(value, reader, place);
  switch (operation.operator) {
    case '+':
    case ':+':
      if (isSet) return operand;
      return [{ kind: 'choice', why: 'default', options: [[], operand] }];
    case '?':
    case ':?':
      return held;
    case '=':
    case ':=':
      if (!isSet) reader.scope.variables.set(name, unknownWord(`$${name} may have its default`));
      return isSet ? held : [{ kind: 'choice', why: 'default', options: [held, operand] }];
    case '-':
    case ':-':
      return isSet ? held : [{ kind: 'choice', why: 'default', options: [held, operand] }];
  }
};

// `${x%suffix}` and `${x#prefix}` with plain text on both sides.
const removed = (
  operated: Operated & { readonly operation: Extract<ParameterOperation, { type: 'Remove' }> },
  reader: WordReader,
  place: Place,
): Piece[] => {
  const { value, operation } = operated;
  const cut = reader.single(operation.operand);
  if (value.kind !== 'literal' || cut.kind !== 'literal') return [changed(value, 'part of a value')];
  const text = cutText(value.text, cut.text, operation.operator);
  return text === undefined
    ? [changed(value, 'part of a value')]
    : valuePieces({ ...value, text, computed: true }, reader, place);
};

const cutText = (text: string, cut: string, operator: '#' | '##' | '%' | '%%'): string | undefined => {
  if (cut === '*/' && operator === '##') return text.slice(text.lastIndexOf('/') + 1);
  if (cut === '/*' && operator === '%') return text.includes('/') ? text.slice(0, text.lastIndexOf('/')) : text;
  if (/[*?[\\(]/.test(cut)) return undefined;
  if (operator === '#' || operator === '##') return text.startsWith(cut) ? text.slice(cut.length) : text;
  return text.endsWith(cut) ? text.slice(0, text.length - cut.length) : text;
};

/** Text with every gap shown as a variable that is not set, so that it can be read as shell text again. */
export const asShellText = (shape: string): string => shape.replaceAll(gap, `\${HOOKWISE_GAP}`);
