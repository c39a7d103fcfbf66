import { kindOf, kinds } from './characters.ts';
import { programsWithRules } from './option-rules.ts';
import { once } from './span.ts';

/** What one pass over a text says about it, so that the layers can tell early that nothing is there for them. */
export interface Survey {
  /** Every class of characters that occurs. */
  readonly seen: number;
  /** The longest run of base64 or base64url. */
  readonly encoded: number;
  /** The longest word with a digit in it. */
  readonly withDigit: number;
  /** The longest word. */
  readonly word: number;
  /** Whether a part of the name of a credential may be in it. */
  readonly hasHint: boolean;
  /** Whether a word that starts with a dash is in it. */
  readonly hasOption: boolean;
  /** Whether the name of a program with options of its own may be in it. */
  readonly hasProgram: boolean;
  /** Whether a word goes on behind a quote or a backslash. */
  readonly isSplit: boolean;
}

const hintParts = 'pas pwd sec tok cre key jwt bea aut psk otp pat _pw ses coo ide ver';
const parameterParts = 'sig sid hma cod acc';

/** A rolling number for the last three characters, the same for both cases of a letter. */
export const nextTrail = (trail: number, code: number): number => ((trail << 5) | (code & 31)) & 0x7fff;

const trailOf = (part: string): number => [...part].reduce((trail, one) => nextTrail(trail, one.charCodeAt(0)), 0);

const tableOf = (parts: string): Uint8Array => {
  const table = new Uint8Array(0x8000);
  for (const part of parts.split(' ')) table[trailOf(part)] = 1;
  return table;
};

/** Parts of which every name of a credential holds one, by `nextTrail`; for parameters of URLs there are more. */
export const hintTables = once(() => ({
  names: tableOf(hintParts),
  parameters: tableOf(`${hintParts} ${parameterParts}`),
}));

/** A table of the first two characters of words, for `hasPair`. A word of one letter is followed by a blank. */
export const pairTable = (words: Iterable<string>): Uint8Array => {
  const table = new Uint8Array(0x4000);
  for (const word of words) table[(word.charCodeAt(0) << 7) | (`${word} `.charCodeAt(1) & 127)] = 1;
  return table;
};

/** Whether one of the words of a table may stand at `at`. */
export const hasPair = (table: Uint8Array, text: string, at: number): boolean =>
  table[(text.charCodeAt(at) << 7) | ((at + 1 < text.length ? text.charCodeAt(at + 1) : 32) & 127)] === 1;

const programPairs = once(() => pairTable(programsWithRules));

/** Whether the name of a program with options of its own may stand at `at`. */
export const mayStartProgram = (text: string, at: number): boolean => hasPair(programPairs(), text, at);

const separatesParts = (code: number): boolean => code === 43 || code === 46;

// How a word may go on behind what closes it: `a""b`, `a\b`, `"a" + "b"`.
type Joint = 'none' | 'open' | 'blank' | 'joined';

const nextJoint = (joint: Joint, { kind, before, code }: { kind: number; before: number; code: number }): Joint => {
  if ((kind & (kinds.quote | kinds.backslash)) !== 0) {
    if ((before & kinds.word) !== 0 || joint === 'open') return 'open';
    return joint === 'joined' && kind === kinds.quote ? 'open' : 'none';
  }
  if (joint === 'none') return 'none';
  if (code === 10 || code === 13) return joint === 'open' && before === kinds.backslash ? 'open' : 'none';
  if (separatesParts(code)) return 'joined';
  return code === 32 ? (joint === 'joined' ? 'joined' : 'blank') : 'none';
};

const beforeOption = kinds.space | kinds.quote | kinds.operator;

/** Surveys a text: one pass, a word at a time. */
export const surveyOf = (text: string): Survey => {
  const { names } = hintTables();
  const { length } = text;
  let seen = 0;
  let encoded = 0;
  let withDigit = 0;
  let word = 0;
  let hint = 0;
  let before = 0;
  let encodedStart = 0;
  let hasOption = false;
  let hasProgram = false;
  let isSplit = false;
  let joint: Joint = 'none';
  for (let at = 0; at < length; ) {
    const start = at;
    let code = text.charCodeAt(at);
    let kind = kindOf(code);
    let inWord = 0;
    let trail = 0;
    while ((kind & kinds.word) !== 0) {
      inWord |= kind;
      trail = nextTrail(trail, code);
      hint |= names[trail] ?? 0;
      at += 1;
      code = at < length ? text.charCodeAt(at) : 0;
      kind = kindOf(code);
    }
    if (at > start) {
      seen |= inWord;
      if (at - start > word) word = at - start;
      if ((inWord & kinds.digit) !== 0 && at - start > withDigit) withDigit = at - start;
      hasOption ||= text.charCodeAt(start) === 45 && (start === 0 || (before & beforeOption) !== 0);
      hasProgram ||= mayStartProgram(text, start);
      isSplit ||= joint === 'open';
      joint = 'none';
      before = kinds.word;
      if (at >= length) break;
    }
    seen |= kind;
    if ((kind & kinds.encoded) === 0) {
      if (at - encodedStart > encoded) encoded = at - encodedStart;
      encodedStart = at + 1;
    }
    if (joint !== 'none' || (kind & (kinds.quote | kinds.backslash)) !== 0)
      joint = nextJoint(joint, { kind, before, code });
    before = kind;
    at += 1;
  }
  encoded = Math.max(encoded, length - encodedStart);
  return { seen, encoded, withDigit, word, hasHint: hint !== 0, hasOption, hasProgram, isSplit };
};
