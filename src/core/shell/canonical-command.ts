import type { Assignment, Command, CommandArgument, Redirection, Word } from 'unbash';
import {
  giveUp,
  type PrintedStage,
  type PrintedWord,
  passNode,
  passText,
  print,
  type Sheet,
} from './canonical-sheet.ts';
import {
  aliasSight,
  apart,
  assignedForm,
  isCalmWord,
  type WordForm,
  type WordPlace,
  wordForm,
} from './canonical-words.ts';

/** Passes over a word; its one form. */
export const passWord = (sheet: Sheet, word: Word, place: WordPlace): WordForm => {
  const raw = passNode(sheet, word);
  if (!isCalmWord(word)) sheet.isCalm = false;
  // A hash sign where a word starts begins a comment, whatever the tree says.
  if (raw === '' || raw.startsWith('#')) giveUp(sheet, 'not surely a word');
  return wordForm(word, raw, place);
};

const passAssignment = (sheet: Sheet, node: Assignment, place: WordPlace): string => {
  const raw = passNode(sheet, node);
  // A variable that must not change ends the line.
  sheet.isCalm = false;
  const start = `${node.name}=`;
  const isPlain = node.index === undefined && node.append !== true && node.value.type === 'Word';
  if (!isPlain || !raw.startsWith(start)) return raw;
  return node.value.type === 'Word' ? `${start}${assignedForm(node.value, raw.slice(start.length), place)}` : raw;
};

const copies = /^(?:\d+-?|-)$/;

// A target may stand right after the operator when no character of it could be taken for a part of that.
const besideOperator = (operator: string, target: string): string =>
  `${operator}${/^[A-Za-z0-9_./'"$~\\-]/.test(target) ? '' : ' '}${target}`;

/** Passes over a redirection; `2>file`, with the descriptor left out where it is the usual one. */
export const passRedirect = (sheet: Sheet, node: Redirection): string => {
  if (node.type === 'HereDoc' || node.target === undefined) {
    giveUp(sheet, 'here-document');
    return '';
  }
  const descriptor = node.descriptor === undefined ? '' : passNode(sheet, node.descriptor);
  // Some shells know only descriptors of one digit.
  if (!/^\d?$/.test(descriptor)) giveUp(sheet, 'unusual descriptor');
  if (descriptor !== '' && !sheet.source.startsWith(node.operator, sheet.at)) giveUp(sheet, 'descriptor stands apart');
  passText(sheet, node.operator);
  const raw = sheet.source.slice(node.target.pos, node.target.end);
  const form = passWord(sheet, node.target, apart);
  // Digits in front of an operator are a descriptor, even where a target is expected.
  if (/^\d+$/.test(raw) && /^[<>]/.test(sheet.source.slice(sheet.at, sheet.at + 1)))
    giveUp(sheet, 'not surely a target');
  const isCopy = node.operator === '>&' || node.operator === '<&';
  const usual = node.operator.startsWith('<') ? '0' : '1';
  const isUsual = descriptor === usual && (!isCopy || copies.test(raw));
  return besideOperator(`${isUsual ? '' : descriptor}${node.operator}`, isCopy ? raw : form.text);
};

type Item = Assignment | Word | Redirection;

const isRedirect = (item: Item): item is Redirection =>
  item.type === 'Redirect' || item.type === 'HereString' || item.type === 'HereDoc';

const printPrefix = (sheet: Sheet, node: Command): void => {
  for (const item of node.prefix)
    print(sheet, item.type === 'Assignment' ? passAssignment(sheet, item, apart) : passRedirect(sheet, item));
};

// For each word, whether the first unquoted one behind it could be an alias.
const beforeCandidates = (sheet: Sheet, items: readonly Item[]): readonly boolean[] => {
  const found: boolean[] = [];
  let isBefore = false;
  for (const item of items.toReversed()) {
    found.push(isBefore);
    const sight = isRedirect(item) ? 'passed' : aliasSight(sheet.source.slice(item.pos, item.end));
    if (sight !== 'passed') isBefore = sight === 'candidate';
  }
  return found.reverse();
};

const passArgument = (sheet: Sheet, item: CommandArgument, place: WordPlace): WordForm =>
  item.type === 'Word' ? passWord(sheet, item, place) : { text: passAssignment(sheet, item, place), value: undefined };

const harmlessRedirect = /^2>(?:&1|\/dev\/null)$/;

/**
 * Prints a simple command: redirections behind its last word. What stands in front of the name stays there: the name
 * would become a keyword or an alias. So does a redirection in the reach of an alias.
 */
export const printCommand = (sheet: Sheet, node: Command): PrintedStage | undefined => {
  printPrefix(sheet, node);
  if (node.name === undefined) return undefined;
  const name = passNode(sheet, node.name);
  print(sheet, name);
  sheet.hasQuotedName ||= aliasSight(name) === 'passed';
  if (!isCalmWord(node.name)) sheet.isCalm = false;
  const words: PrintedWord[] = [];
  const redirects: string[] = [];
  const before = beforeCandidates(sheet, node.suffix);
  let afterAlias = true;
  const lastWord = node.suffix.findLastIndex((item) => !isRedirect(item));
  let isPlain = node.prefix.length === 0;
  node.suffix.forEach((item, index) => {
    if (isRedirect(item)) {
      const text = passRedirect(sheet, item);
      isPlain &&= harmlessRedirect.test(text);
      if (afterAlias && index < lastWord) print(sheet, text);
      else redirects.push(text);
      return;
    }
    const form = passArgument(sheet, item, { afterAlias, beforeCandidate: before[index] === true });
    if (aliasSight(sheet.source.slice(item.pos, item.end)) === 'end') afterAlias = false;
    words.push({ at: sheet.tokens.length, value: form.value });
    print(sheet, form.text);
  });
  for (const text of redirects) print(sheet, text);
  return isPlain ? { name, words } : undefined;
};
