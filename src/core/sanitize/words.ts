import { expandedNames } from './assignments.ts';
import { kindOf, kinds } from './characters.ts';
import { lex, type Reading } from './lex.ts';
import { type Command, hasQuotes, type Loose, type Segment, segmentsOf } from './lex-state.ts';
import { looseCommands } from './loose.ts';
import { isCrowded, once, type Span, wholeText } from './span.ts';
import { mayStartProgram } from './survey.ts';
import { applyOption, applyRules, applySetting } from './word-options.ts';
import { applyStructure, applyValues } from './word-values.ts';
import type { Walk } from './word-walk.ts';

const nestingLimit = 3;

// Too much was found, or nested, to go on.
const isFull = ({ text, spans, nested }: Walk): boolean => isCrowded(text, Math.max(spans.length, nested));

const dash = 45;
const quoting = kinds.quote | kinds.backslash;

// A quoted text may be a command of its own. It is worth looking at when it has a blank or a quote in it, and a quote,
// an option, a program with options of its own or the word `set`: all else needs no words to be found.
const mayBeCommand = ({ text, hasSetting }: Walk, { start, end }: Segment): boolean => {
  let [isSplit, isSought, before] = [false, false, kinds.space as number];
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if ((kind & quoting) !== 0) isSought = true;
    if ((kind & (kinds.quote | kinds.space)) !== 0) isSplit ||= at > start && at + 1 < end;
    else if ((before & (kinds.space | kinds.quote)) !== 0 && code === dash) isSought = true;
    else if ((kind & kinds.alnum) !== 0 && (before & kinds.alnum) === 0 && mayStartProgram(text, at)) isSought = true;
    if (isSplit && isSought) return true;
    before = kind;
  }
  return isSplit && hasSetting;
};

const walkCommand = (walk: Walk, words: Command): void => {
  let isQuoted = false;
  walk.words = words;
  walk.rules = undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) continue;
    walk.index = index;
    applyRules(walk, word);
    if (word.plain.charCodeAt(0) === dash) applyOption(walk, word);
    else if (word.isSimple && word.plain === 'set') applySetting(walk);
    applyValues(walk, word);
    isQuoted ||= hasQuotes(word);
  }
  if (isQuoted) applyStructure(walk);
};

const walkQuoted = (walk: Walk, words: Command, { isEscaped, depth }: { isEscaped: boolean; depth: number }): void => {
  for (const word of words) {
    if (word.segments === undefined) continue;
    for (const segment of segmentsOf(word)) {
      if (segment.quote === '' || segment.kind !== 'literal') continue;
      // Quotes inside quotes inside quotes are not told apart.
      if ((segment.quote === '"' && isEscaped) || !mayBeCommand(walk, segment)) continue;
      walk.nested += 1;
      walkRange(walk, { from: segment.start, to: segment.end, isEscaped: segment.quote === '"' }, depth + 1);
    }
  }
};

const walkLoose = (walk: Walk, loose: Loose): void => {
  const { isLoose } = walk;
  walk.isLoose = true;
  walk.looseFrom = loose.from;
  for (const command of looseCommands(walk.text, loose)) {
    if (isFull(walk)) break;
    walkCommand(walk, command);
  }
  walk.isLoose = isLoose;
};

function walkRange(walk: Walk, range: Reading, depth: number): void {
  if (depth > nestingLimit) {
    walkLoose(walk, { ...range, before: [] });
    return;
  }
  const { commands, loose } = lex(walk.text, range);
  for (const command of commands) {
    if (isFull(walk)) return;
    walkCommand(walk, command);
    walkQuoted(walk, command, { isEscaped: range.isEscaped ?? false, depth });
  }
  for (const part of loose) walkLoose(walk, part);
}

/** Finds the credentials in the words of a command line: values of options, assignments, headers and fields. */
export const findInWords = (text: string): Span[] => {
  const walk: Walk = {
    text,
    spans: [],
    expanded: once(() => expandedNames(text)),
    hasSetting: text.includes(' set '),
    isLoose: false,
    looseFrom: 0,
    words: [],
    index: 0,
    rules: undefined,
    nested: 0,
  };
  walkRange(walk, { from: 0, to: text.length }, 0);
  return isFull(walk) ? wholeText(text) : walk.spans;
};
