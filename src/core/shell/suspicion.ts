import { baseName } from './lexical-path.ts';
import { softNodes } from './limits.ts';
import type { ShellEffect, WordReading } from './model.ts';
import { asShellText } from './parameters.ts';
import { copyScope } from './scope.ts';
import { hidden, type Tools } from './tools.ts';
import { readAside } from './walk.ts';

const startsDanger =
  /^(?:rm|dd|mv|shred|chmod|chown|sh|bash|zsh|dash|sudo|find|git|curl|wget|mkfs.*|hookwise|captain-hook|hooker|kill|pkill|claude|truncate|tee)$/;

const dangerousArguments = 'its arguments are dangerous';

const isGrave = (effect: ShellEffect): boolean =>
  effect.kind === 'catastrophe' ||
  effect.kind === 'control' ||
  effect.risk === 'control' ||
  effect.risk === 'persist' ||
  (effect.kind === 'unknown' && effect.why.endsWith(dangerousArguments));

/** What a text would do if it were shell code. */
export const effectsOfText = (text: string, tools: Tools): readonly ShellEffect[] => {
  if (tools.walk.nodes > softNodes || tools.scope.codeDepth > 6) return [];
  const scope = copyScope(tools.scope, { codeDepth: tools.scope.codeDepth + 1, functions: new Map() });
  return readAside(tools.walk, (aside) => aside.engine.code(asShellText(text), aside, scope));
};

const effectsOfWords = (words: readonly WordReading[], tools: Tools): readonly ShellEffect[] => {
  const scope = copyScope(tools.scope, { codeDepth: tools.scope.codeDepth + 1, functions: new Map() });
  const call = { words, assignments: [], declared: [], redirects: [], redirected: { effects: [] } };
  return readAside(tools.walk, (aside) => aside.engine.call(call, aside, scope));
};

/**
 * For a program that is not in the tables: words that would be dangerous as a command of their own make it
 * something a person must see.
 */
export const suspicionOf = (args: readonly WordReading[], tools: Tools): readonly ShellEffect[] => {
  if (tools.walk.nodes > softNodes || tools.scope.codeDepth > 6) return [];
  const limited = args.slice(0, 24);
  const dangerous = limited.some((word, index) => {
    if (word.kind !== 'literal') return false;
    if (startsDanger.test(baseName(word.text)) && effectsOfWords(args.slice(index), tools).some(isGrave)) return true;
    return (
      /[\s;|&`$]/.test(word.text) &&
      word.text.length < 2000 &&
      codesIn(word.text).some((code) => effectsOfText(code, tools).some(isGrave))
    );
  });
  return dangerous ? [hidden(`${tools.program} is not known and ${dangerousArguments}`)] : [];
};

const codesIn = (text: string): string[] => [text];

const quotedString =
  /"((?:[^"\\\n]|\\.){3,800})"|'((?:[^'\\\n]|\\.){3,800})'|`([^`]{3,800})`|\be?syscmd\(([^()]{3,400})\)|%x?[{([]([^\])}]{3,400})[\])}]/g;

/** Shell texts that a program in another language may hold: its string literals and the like. */
const stringsIn = (code: string): string[] => {
  const found: string[] = [];
  for (const match of code.slice(0, 20_000).matchAll(quotedString)) {
    const text = match.slice(1).find((part) => part !== undefined);
    if (text !== undefined) found.push(text.replace(/\\(["'\\$`])/g, '$1'));
    if (found.length >= 40) break;
  }
  return found;
};

/** Words of a list literal: `['rm', '-rf', '/']` as one command. */
const listsIn = (code: string): string[] =>
  [...code.slice(0, 20_000).matchAll(/[[(]\s*((?:["'][^"'\n]{1,200}["']\s*,?\s*){2,20})[\])]/g)].map((match) =>
    [...(match[1] ?? '').matchAll(/["']([^"'\n]*)["']/g)].map((one) => one[1] ?? '').join(' '),
  );

/** Effects of the catastrophic commands that the text of another language spells out. */
export const graveEffectsIn = (code: string, tools: Tools): ShellEffect[] => {
  const candidates = [...stringsIn(code), ...listsIn(code)].filter(
    (text) => /\s|hookwise/.test(text) && /[a-z]{2}/.test(text),
  );
  return candidates.flatMap((text) => effectsOfText(text, tools).filter(isGrave));
};
