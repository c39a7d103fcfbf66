import type { ShellEffect, WordReading } from './model.ts';
import { isSecretName } from './parameters.ts';
import { applyRole } from './roles.ts';
import { graveEffectsIn } from './suspicion.ts';
import { hidden, literalText, type Tools, word } from './tools.ts';

/** What a sed script does besides printing: `e` runs, `w` writes, `r` reads. */
export const readSed = (script: WordReading, tools: Tools): ShellEffect[] => {
  const text = literalText(script);
  if (text === undefined) return [hidden('sed script is computed')];
  const effects: ShellEffect[] = [];
  let rest = text;
  for (let turn = 0; turn < 200; turn += 1) {
    rest = rest.replace(/^[\s;{}]+/, '');
    if (rest === '') return effects;
    const next = readSedCommand(rest, effects, tools);
    if (next === undefined) return [...effects, hidden('sed script is not understood')];
    rest = next;
  }
  return [...effects, hidden('sed script is too long')];
};

const address =
  /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n[]|\\.|\[(?:\^?\]?[^\]]*)\])*\/[IM]*|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)/;

const withoutAddress = (text: string): string => {
  let rest = text.replace(address, '');
  if (rest.startsWith(','))
    rest = rest
      .slice(1)
      .replace(/^\s*[+~]?/, '')
      .replace(address, '');
  return rest.replace(/^\s*!?\s*/, '');
};

const lineOf = (text: string): [string, string] => {
  const end = text.indexOf('\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
};

// Returns what follows the command; undefined when it is not understood.
const readSedCommand = (text: string, effects: ShellEffect[], tools: Tools): string | undefined => {
  const body = withoutAddress(text);
  const name = body.charAt(0);
  const after = body.slice(1);
  if (/^[{}=dDgGhHnNpPxzF]$/.test(name)) return /^\s*(?:[;}\n#]|$)/.test(after) || name === '{' ? after : undefined;
  switch (name) {
    case '':
    case '#':
      return lineOf(after)[1];
    case 'q':
    case 'Q':
    case 'l':
    case 'L':
      return after.replace(/^\s*\d*/, '');
    case 'b':
    case 't':
    case 'T':
    case ':':
      return after.replace(/^\s*[^;\n}]*/, '');
    case 'a':
    case 'i':
    case 'c':
      return /\\$/.test(lineOf(after)[0]) ? '' : lineOf(after)[1];
    case 'r':
    case 'R':
      effects.push(...applyRole('read', word(lineOf(after)[0].trim()), tools));
      return lineOf(after)[1];
    case 'w':
    case 'W':
      effects.push(...applyRole('write', word(lineOf(after)[0].trim()), tools));
      return lineOf(after)[1];
    case 'e': {
      const code = lineOf(after)[0].trim();
      if (code === '') effects.push(hidden('sed runs its input'));
      else tools.shell(word(code));
      return lineOf(after)[1];
    }
    case 's':
    case 'y':
      return readSubstitution(name, after, { effects, tools });
    default:
      return undefined;
  }
};

const partEnd = (text: string, mark: string, start: number): number => {
  let inSet = false;
  for (let index = start; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (letter === '\\') index += 1;
    else if (letter === '[' && !inSet) inSet = true;
    else if (letter === ']') inSet = false;
    // A bracket list hides the mark only in the pattern; taking either end is safe, as the flags are checked.
    else if (letter === mark && !inSet) return index;
  }
  return inSet ? text.indexOf(mark, start) : -1;
};

const plainEnd = (text: string, mark: string, start: number): number => {
  for (let index = start; index < text.length; index += 1) {
    if (text.charAt(index) === '\\') index += 1;
    else if (text.charAt(index) === mark) return index;
  }
  return -1;
};

const readSubstitution = (
  name: string,
  after: string,
  place: { readonly effects: ShellEffect[]; readonly tools: Tools },
): string | undefined => {
  const mark = after.charAt(0);
  if (mark === '' || mark === '\n' || mark === '\\') return undefined;
  const middle = name === 's' ? partEnd(after, mark, 1) : plainEnd(after, mark, 1);
  const end = middle < 0 ? -1 : plainEnd(after, mark, middle + 1);
  if (end < 0) return undefined;
  const flags = after.slice(end + 1);
  const found = /^\s*([gpiImM0-9]*)/.exec(flags)?.[0] ?? '';
  const tail = flags.slice(found.length);
  if (name === 's' && tail.startsWith('w')) {
    place.effects.push(...applyRole('write', word(lineOf(tail.slice(1))[0].trim()), place.tools));
    return lineOf(tail)[1];
  }
  if (name === 's' && tail.startsWith('e')) {
    place.effects.push(hidden('sed runs the result'));
    return tail.replace(/^[egpiImM0-9]*/, '');
  }
  return /^\s*(?:[;}\n#]|$)/.test(tail) ? tail : undefined;
};

const stripped = (code: string): string => code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/#.*$/gm, '');

/** What an awk program does: printing is harmless; `system`, pipes, `getline` from commands and redirections are not. */
export const readAwk = (script: WordReading, tools: Tools): ShellEffect[] => {
  const text = literalText(script);
  if (text === undefined) return [hidden('awk program is computed')];
  const effects: ShellEffect[] = [];
  const bare = stripped(text);
  if (/\bsystem\s*\(/.test(bare))
    effects.push(...awkStrings(text, /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)/g, tools), hidden('awk runs a command'));
  // A single bar only pipes to or from a command; `||` is a condition.
  if (/\|&|(?<!\|)\|(?!\|)/.test(bare.replace(/\/(?:[^/\\\n]|\\.)*\//g, '')))
    effects.push(
      ...awkStrings(text, /\|&?\s*(?:getline\s*)?"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|&?\s*getline/g, tools),
      hidden('awk pipes to or from a command'),
    );
  if (/\bprintf?\b[^;}\n]*>/.test(bare)) effects.push(...awkFiles(text, tools));
  if (/\bgetline\b[^;}\n]*</.test(bare)) effects.push(hidden('awk reads a file'));
  if (/@(?:load|include|[A-Za-z_])|\/inet/.test(bare) || /\/inet/.test(text))
    effects.push(hidden('awk loads or calls indirectly'));
  const named = [...text.matchAll(/\bENVIRON\s*\[\s*"(\w*)"\s*\]/g)].map((match) => match[1] ?? '');
  const shown = (bare.match(/\bENVIRON\b/g) ?? []).length > named.length || named.some(isSecretName);
  if (shown) effects.push({ kind: 'disclose', what: 'the environment', risk: 'credentials' });
  return effects;
};

const awkStrings = (text: string, pattern: RegExp, tools: Tools): ShellEffect[] => {
  for (const match of text.matchAll(pattern)) {
    const code = (match[1] ?? match[2] ?? '').replace(/\\(["\\])/g, '$1');
    if (code !== '') tools.shell(word(code));
  }
  return graveEffectsIn(text, tools);
};

// `print > "file"` writes; a comparison needs parentheses in awk, so any other `>` is taken for a redirection.
const awkFiles = (text: string, tools: Tools): ShellEffect[] => {
  const files = [...text.matchAll(/>>?\s*"((?:[^"\\\n]|\\.)*)"/g)].map((match) => match[1] ?? '');
  if (files.length === 0)
    return /\([^()]*>[^()]*\)/.test(stripped(text)) && !/printf?\b[^;}\n(]*>/.test(stripped(text))
      ? []
      : [hidden('awk may write a file')];
  return files.flatMap((file) => applyRole('write', word(file), tools));
};
