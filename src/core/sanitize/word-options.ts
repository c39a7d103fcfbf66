import { partPieces } from './arguments.ts';
import { kindOf, kinds } from './characters.ts';
import type { Command, Word } from './lex-state.ts';
import { isCredentialName, isCredentialOption, isShortCredentialOption } from './names.ts';
import { flagOptions, type OptionRule, optionRules, type Part, programsWithRules } from './option-rules.ts';
import { once } from './span.ts';
import { hasPair, mayStartProgram, pairTable } from './survey.ts';
import type { Piece } from './values.ts';
import { isOptionLike, type Rules, report, type Walk, wordAfter } from './word-walk.ts';

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

const isInName = (code: number): boolean => code === 43 || code === 46 || (kindOf(code) & kinds.word) !== 0;

const groupBy = (keysOf: (rule: OptionRule) => readonly string[]): ReadonlyMap<string, readonly OptionRule[]> => {
  const groups = new Map<string, OptionRule[]>();
  for (const rule of optionRules) for (const key of keysOf(rule)) groups.set(key, [...(groups.get(key) ?? []), rule]);
  return groups;
};

const rulesByProgram = once(() => groupBy((rule) => rule.programs));
const rulesByOption = once(() => groupBy((rule) => rule.options));
const flagsByOption = once(
  () => new Map(flagOptions.flatMap(({ options, programs }) => options.map((option) => [option, programs] as const))),
);

const startProgram = ({ programs, active, waiting }: Rules, name: string): void => {
  programs.add(name);
  for (const rule of rulesByProgram().get(name) ?? []) (rule.with ? waiting : active).add(rule);
};

const activate = ({ active, waiting }: Rules, word: string): void => {
  for (const rule of waiting)
    if (rule.with?.includes(word)) {
      waiting.delete(rule);
      active.add(rule);
    }
};

interface Option {
  readonly rule: OptionRule;
  readonly pieces: readonly Piece[];
}

const gluedOption = (plain: string): string | undefined => {
  if (plain.startsWith('--')) {
    const equals = plain.indexOf('=');
    return equals < 0 ? undefined : plain.slice(0, equals);
  }
  return plain.charAt(0) === '/' ? plain.slice(0, 3) : plain.slice(0, 2);
};

// The options of the rules that a word is or starts with, and what is secret in their values.
const optionsAt = ({ active }: Rules, word: Word, next: Word | undefined): Option[] => {
  const { plain } = word;
  const options: Option[] = [];
  for (const rule of rulesByOption().get(plain) ?? []) {
    if (!active.has(rule)) continue;
    const hasValue = rule.form !== 'glued' && next !== undefined && !isOptionLike(next);
    options.push({ rule, pieces: hasValue ? partPieces(next, 0, rule.part) : [] });
  }
  const glued = gluedOption(plain);
  if (glued === undefined || glued === plain || glued.length < 2) return options;
  const offset = glued.length + (plain.startsWith('--') ? 1 : 0);
  for (const rule of rulesByOption().get(glued) ?? []) {
    if (rule.form !== 'next' && active.has(rule)) options.push({ rule, pieces: partPieces(word, offset, rule.part) });
  }
  return options;
};

const optionPairs = once(() => pairTable([...rulesByOption().keys()]));

const slash = 47;

// Where the name of a program starts in its path.
const nameStartOf = (plain: string): number => {
  let at = plain.length;
  while (at > 0 && plain.charCodeAt(at - 1) !== slash) at -= 1;
  return at;
};

/** Applies the rules of the programs that were named in a command so far to its current word. */
export const applyRules = (walk: Walk, word: Word): void => {
  const { plain } = word;
  if (walk.rules && walk.rules.waiting.size > 0) activate(walk.rules, plain);
  const nameStart = nameStartOf(plain);
  const name = mayStartProgram(plain, nameStart) ? plain.slice(nameStart) : '';
  const isProgram = name !== '' && programsWithRules.has(name) && !walk.rules?.programs.has(name);
  if (isProgram) walk.rules ??= { programs: new Set(), active: new Set(), waiting: new Set() };
  const { rules } = walk;
  if (rules === undefined) return;
  // The word behind the program itself may be the value.
  if (isProgram && name.startsWith('sql')) startProgram(rules, name);
  if (rules.active.size > 0 && hasPair(optionPairs(), plain, 0))
    for (const { rule, pieces } of optionsAt(rules, word, wordAfter(walk))) {
      report(walk, 'option', pieces);
      if (rule.isOnce) rules.active.delete(rule);
    }
  if (isProgram) startProgram(rules, name);
};

const equals = 61;
const longestName = 61;

// The end of the name of an option that starts at `from`; `from` when it is none.
const optionNameEnd = (plain: string, from: number): number => {
  let at = from;
  if ((kindOf(plain.charCodeAt(at)) & (kinds.lower | kinds.upper)) === 0) return from;
  while (at - from < longestName && isInName(plain.charCodeAt(at))) at += 1;
  return at - from < 2 ? from : at;
};

const isFlag = (name: string, words: Command): boolean => {
  const programs = flagsByOption().get(name);
  return programs !== undefined && words.slice(0, 12).some(({ plain }) => programs.includes(nameOf(plain)));
};

// `--secret id=x,src=/path` names a secret, it does not hold one.
const optionValue = (word: Word, part: Part): Piece[] =>
  /^(?:id|type|src|name|env|file)=/.test(word.plain) ? [] : partPieces(word, 0, part);

/** Reports the value of an option that is named for a credential. */
export const applyOption = (walk: Walk, word: Word): void => {
  const { plain } = word;
  const from = plain.charCodeAt(1) === 45 ? 2 : 1;
  const end = optionNameEnd(plain, from);
  if (end === from) return;
  const name = plain.slice(from, end);
  if (!(from === 2 ? isCredentialOption(name) : isShortCredentialOption(name))) return;
  const next = wordAfter(walk);
  const hasOwnValue = plain.charCodeAt(end) === equals;
  const valued = hasOwnValue ? word : next;
  const part: Part = name.toLowerCase() === 'auth' && valued?.plain.includes(':') ? 'after-colon' : 'whole';
  if (hasOwnValue) report(walk, 'option', partPieces(word, end + 1, part));
  else if (end < plain.length || isFlag(name, walk.words)) return;
  else if (next && !isOptionLike(next)) report(walk, 'option', optionValue(next, part));
};

const settingPrograms = /^(?:config|configure|npm|pnpm|yarn)$/;

/**
 * Reports what is set by the word `set`: `npm config set x-token VALUE`, `aws configure set secret_key VALUE`,
 * `pulumi config set --secret name VALUE`.
 */
export const applySetting = (walk: Walk): void => {
  const { words, index } = walk;
  if (!words.slice(Math.max(0, index - 4), index).some(({ plain }) => settingPrograms.test(plain))) return;
  const rest = words.slice(index + 1, index + 12);
  const isSecret = rest.some(({ plain }) => plain === '--secret');
  const [name, value] = rest.filter((word) => !isOptionLike(word));
  if (!name || !value) return;
  if (isSecret || isCredentialName(name.plain.slice(name.plain.lastIndexOf(':') + 1))) {
    report(walk, 'option', partPieces(value, 0, 'whole'));
  }
};

const mayApply = (text: string, rule: OptionRule): boolean =>
  (!rule.with || rule.with.some((word) => text.includes(word))) && rule.options.some((option) => text.includes(option));

// A text that names more programs is looked at in any case.
const mostPrograms = 6;

/** Whether a program with options of its own may be called with one of them, going by the text alone. */
export const mayCallProgram = (text: string): boolean => {
  const asked = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    if ((kindOf(text.charCodeAt(at)) & kinds.alnum) === 0) continue;
    const start = at;
    while (at < text.length && isInName(text.charCodeAt(at))) at += 1;
    if (!mayStartProgram(text, start) || text.charCodeAt(at) === 58) continue;
    const name = text.slice(start, at);
    if (!programsWithRules.has(name) || asked.has(name)) continue;
    asked.add(name);
    if (
      asked.size > mostPrograms ||
      rulesByProgram()
        .get(name)
        ?.some((rule) => mayApply(text, rule))
    )
      return true;
  }
  return false;
};
