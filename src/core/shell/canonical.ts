import type { PipelineNode } from 'unbash';
import {
  type CanonicalPlace,
  feelsSpelling,
  hasCalmCommands,
  isHere,
  looksBack,
  opennessOf,
} from './canonical-conditions.ts';
import { escapeTokens, standIns } from './canonical-filters.ts';
import { printList } from './canonical-nodes.ts';
import { giveUp, joined, type Sheet, settled, sheetOf, type Token } from './canonical-sheet.ts';
import { fixedValue } from './canonical-words.ts';
import { hasOddCharacter } from './characters.ts';
import { parseShell } from './parse.ts';

// Here-documents, and the substitution that only the newest shells know.
const isMarked = (text: string): boolean => /(?<!<)<<(?!<)|<{4}|\$\{[\s|(]/.test(text);

// A line continued in the middle of a word or an operator: parsers differ from shells in what that makes.
const isSplit = (text: string): boolean => /\S\\\n\S/.test(text);

// Without the blanks around it that no shell sees. An escaped last blank and a here-document keep theirs.
const trimmed = (text: string): string => {
  let start = 0;
  while (start < text.length && ' \t\n'.includes(text.charAt(start))) start += 1;
  const rest = text.slice(start);
  if (isMarked(rest)) return rest;
  let end = rest.length;
  while (end > 0 && ' \t\n'.includes(rest.charAt(end - 1))) end -= 1;
  return rest.charAt(end - 1) === '\\' ? rest : rest.slice(0, end);
};

// The directory that a plain `cd` names, as written out.
const enteredBy = (node: PipelineNode, source: string): string | undefined => {
  if (node.type !== 'Command' || node.name === undefined || node.prefix.length > 0 || node.suffix.length !== 1)
    return undefined;
  const [word] = node.suffix;
  const isCd = source.slice(node.name.pos, node.name.end) === 'cd';
  return isCd && word?.type === 'Word' ? fixedValue(word, source.slice(word.pos, word.end)) : undefined;
};

/** Prints a text in one form, with nothing left open; undefined when it is not understood through and through. */
export const layOut = (text: string, place: CanonicalPlace): Sheet | undefined => {
  const parsed = parseShell(text);
  if (parsed.kind === 'refused' || parsed.notes.length > 0 || parsed.source !== text) return undefined;
  if (parsed.script.shebang !== undefined) return undefined;
  const sheet = sheetOf(text, hasCalmCommands(place.reading));
  const mayLeaveOut = !looksBack(text, place.reading);
  printList(sheet, parsed.script.commands, {
    isTop: true,
    isOpen: true,
    isMoot: (node) => {
      const entered = enteredBy(node, text);
      return mayLeaveOut && entered !== undefined && isHere(entered, place);
    },
  });
  if (sheet.at !== text.length) giveUp(sheet, 'something is left over');
  if (sheet.hasQuotedName && sheet.isRejoined) giveUp(sheet, 'an alias may reach further');
  return sheet.trouble === undefined && sheet.tokens.length > 0 ? sheet : undefined;
};

// What was printed is parsed again: the same words and operators must come out.
const isStable = (tokens: readonly Token[], place: CanonicalPlace): boolean => {
  const sheet = layOut(joined(tokens), place);
  const again = sheet === undefined ? [] : settled(sheet, sheet.tokens);
  const isSame = (token: Token, index: number): boolean =>
    token.text === tokens[index]?.text && token.kind === tokens[index]?.kind;
  return again.length === tokens.length && again.every(isSame);
};

const opened = (sheet: Sheet, text: string, place: CanonicalPlace): readonly Token[] => {
  const { isOpen, mayCut } = opennessOf(text, place);
  const pipelines = isOpen ? sheet.pipelines : [];
  const found = new Map(pipelines.flatMap((stages) => [...standIns(stages, { mayCut })]));
  return sheet.tokens.map((token, index) => ({ ...token, text: found.get(index) ?? escapeTokens(token.text) }));
};

/**
 * The text under which an exact answer about a shell command is remembered: spellings of one command have one text,
 * commands that could do different things never do. Counts and patterns of filters that only choose what is shown are
 * left open (`<ANY:number>`, `<ANY:text>`); such text in the command itself is escaped. What is not understood stays as
 * it is written, without the blanks around it. `reading` is that of the text. Total, and linear in the text.
 */
export const canonicalCommand = (text: string, place: CanonicalPlace): string => {
  const plain = trimmed(text);
  const isClear =
    place.reading.complete &&
    place.reading.unknowns.length === 0 &&
    trimmed(place.reading.source) === plain &&
    !hasOddCharacter(plain) &&
    !isMarked(plain) &&
    !isSplit(plain) &&
    !feelsSpelling(plain, place.reading);
  const sheet = isClear ? layOut(plain, place) : undefined;
  if (sheet === undefined || !isStable(settled(sheet, sheet.tokens), place)) return escapeTokens(plain);
  return joined(settled(sheet, opened(sheet, plain, place)));
};
