import { pairPieces, partPieces, piecesFrom } from './arguments.ts';
import { kindOf, kinds } from './characters.ts';
import { type Segment, segmentsOf, startsBare, type Word } from './lex-state.ts';
import { isCredentialName, isValueName } from './names.ts';
import { isHarmlessValue, type Piece } from './values.ts';
import { hasOperator, report, reportAssigned, type Walk, wordAfter } from './word-walk.ts';

const longestName = 80;
const equals = 61;
const colon = 58;
const plus = 43;
const dot = 46;

// `--option=NAME=value`
const optionEnd = (plain: string): number =>
  plain.charCodeAt(0) === 45 ? (/^--?[A-Za-z][\w-]{0,40}=/.exec(plain)?.[0].length ?? 0) : 0;

// The end of the name at `from` that has a `=` or `+=` behind it; `from` when there is none.
const assignedNameEnd = (plain: string, from: number): number => {
  let at = from;
  while (
    at - from <= longestName &&
    ((kindOf(plain.charCodeAt(at)) & kinds.word) !== 0 || plain.charCodeAt(at) === dot)
  )
    at += 1;
  const sign = plain.charCodeAt(at) === plus ? at + 1 : at;
  return plain.charCodeAt(sign) === equals ? at : from;
};

const pairOptions =
  /^(?:-e|--env|--set|--set-string|-var|--var|--from-literal|--build-arg|--data-urlencode|-F|--form)$/;
const nextPair = /,[\w.-]{1,80}=/;

// `--set a.password=x,b=y`
const assignedPieces = (word: Word, offset: number): Piece[] => {
  const { plain } = word;
  const comma = plain.indexOf(',', offset);
  const next = comma < 0 ? null : nextPair.exec(plain.slice(comma));
  const end = next ? comma + next.index : plain.length;
  return isHarmlessValue(plain.slice(offset, end)) ? [] : piecesFrom(word, offset, end);
};

const applyAssignment = (walk: Walk, word: Word): void => {
  const { plain } = word;
  const from = optionEnd(plain);
  const end = assignedNameEnd(plain, from);
  const name = plain.slice(from, end);
  if (end === from || !isCredentialName(name)) return;
  // In `"NAME=a b"` the rest may be a command (`bash -c`), unless the option before says it is a value.
  const isOwnQuote = startsBare(word);
  const isPair = !isOwnQuote && pairOptions.test(wordAfter(walk, -1)?.plain ?? '') && !hasOperator(plain);
  const offset = end + (plain.charCodeAt(end) === plus ? 2 : 1);
  if (isOwnQuote || isPair) reportAssigned(walk, name, assignedPieces(word, offset));
};

const headerStart = /^(?:-H|--header=)?([A-Za-z][\w-]{1,60}):\s*(?:(?:bearer|basic|token|digest|apikey|bot)\s+)?/i;
const isHeaderOption = /^(?:-H|--header|--proxy-header|--add-header)$/;

const dash = 45;

const isGluedHeader = (plain: string): boolean =>
  plain.charCodeAt(0) === dash && (plain.startsWith('-H') || plain.startsWith('--header='));

const followsHeaderOption = (walk: Walk): boolean => {
  const previous = wordAfter(walk, -1)?.plain;
  return previous !== undefined && previous.charCodeAt(0) === dash && isHeaderOption.test(previous);
};

const applyHeader = (walk: Walk, word: Word): void => {
  const { plain } = word;
  if (!isGluedHeader(plain) && !followsHeaderOption(walk)) return;
  const found = headerStart.exec(plain);
  const name = found?.[1]?.toLowerCase();
  if (!found || name === undefined) return;
  if (name === 'cookie') report(walk, 'cookie', pairPieces(word, found[0].length));
  else if (isValueName(name)) report(walk, 'header', partPieces(word, found[0].length, 'whole'));
};

// `"password": "a b"` in JSON, wherever the quotes came apart into words.
const applyFields = (walk: Walk, segments: readonly Segment[]): void => {
  const { text } = walk;
  for (let index = 0; index + 2 < segments.length; index += 1) {
    const separator = segments[index + 1];
    if (separator === undefined || separator.quote !== '' || separator.end - separator.start > 2) continue;
    const sign = text.slice(separator.start, separator.end);
    if (sign !== ':' && sign !== '=>') continue;
    const [name, value] = [segments[index], segments[index + 2]];
    if (!name || name.quote === '' || name.end - name.start > longestName) continue;
    if (value?.kind !== 'literal' || value.quote === '' || !isValueName(text.slice(name.start, name.end))) continue;
    if (!isHarmlessValue(text.slice(value.start, value.end))) report(walk, 'field', [value]);
  }
};

const quotedPieces = ({ text }: Walk, word: Word): Piece[] =>
  segmentsOf(word).filter(
    ({ kind, quote, start, end }) => kind === 'literal' && quote !== '' && !isHarmlessValue(text.slice(start, end)),
  );

// `password: "a b"`, `password = "a b"`.
const applyNamedValue = (walk: Walk, { plain }: Word): void => {
  const next = wordAfter(walk);
  const isColon = plain.charCodeAt(plain.length - 1) === colon;
  if (next === undefined || next.isSimple || plain.length > longestName) return;
  if (!isColon && next.plain !== '=' && next.plain !== ':=') return;
  const value = isColon ? next : wordAfter(walk, 2);
  if (value === undefined || startsBare(value)) return;
  const name = (isColon ? plain.slice(0, -1) : plain).replace(/^[{[(]+/, '');
  if (/^[\w.-]+$/.test(name) && isValueName(name)) report(walk, 'field', quotedPieces(walk, value));
};

/** Reports the credentials that are assigned by a word, or are the value of a header or a name in front of it. */
export const applyValues = (walk: Walk, word: Word): void => {
  applyNamedValue(walk, word);
  if (word.isSimple) return;
  applyAssignment(walk, word);
  applyHeader(walk, word);
};

/** Reports the fields of a structure in a command. */
export const applyStructure = (walk: Walk): void => {
  const segments: Segment[] = [];
  for (const word of walk.words) for (const segment of segmentsOf(word)) segments.push(segment);
  applyFields(walk, segments);
};
