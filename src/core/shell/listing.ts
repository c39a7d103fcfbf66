import { escapeGlob } from './glob-match.ts';
import type { ReadCommand, WordReading } from './model.ts';
import type { Input } from './scope.ts';
import { targetOf } from './targets.ts';

const filters = new Set(['grep', 'egrep', 'head', 'tail', 'sort', 'uniq', 'cat', 'tee']);

const narrowing =
  /^-(?:i?name|i?path|i?regex|i?wholename|newer.*|[mac](?:time|min)|size|empty|user|group|perm|links|inum)$/;

const textOf = (word: WordReading | undefined): string =>
  word === undefined || word.kind === 'dynamic' ? '' : word.text;

const isBroad = (name: string): boolean => /^\*+$|^\*\.\*$|^\?\*$/.test(name);

const below = (path: string, name: string, narrowed: boolean): string => {
  const base = path === '/' ? '' : escapeGlob(path);
  return narrowed ? `${base}/**/${name}` : `${base}/${name}`;
};

const startsOf = (command: ReadCommand): string[] | undefined => {
  const reads = command.effects.filter((effect) => effect.kind === 'read');
  if (reads.length === 0 || reads.some((effect) => effect.certainty !== 'literal')) return undefined;
  return reads.map((effect) => effect.path);
};

// `find` names everything below its starts, or what its tests leave of it.
const foundBy = (command: ReadCommand): string[] | undefined => {
  const tests = command.words.findIndex((word) => /^-i?name$/.test(textOf(word)));
  const name = textOf(command.words[tests + 1]);
  const narrowed = command.words.some((word) => narrowing.test(textOf(word))) && !(tests >= 0 && isBroad(name));
  const single = command.words.filter((word) => /^-(?:i?name|o|or)$/.test(textOf(word))).length === 1;
  const shown = narrowed ? (single && name !== '' ? name : '?*?') : '*';
  return startsOf(command)?.map((path) => below(path, shown, narrowed));
};

// `ls folder` prints bare names, which mean other files in this directory.
const namedByLs = (command: ReadCommand): string[] | undefined => {
  const operands = command.words.slice(1).filter((word) => !textOf(word).startsWith('-'));
  if (command.words.some((word) => /^-\w*d/.test(textOf(word)))) return startsOf(command);
  if (operands.length > 0 && operands.every((word) => word.kind === 'glob' && /\.\w+$/.test(word.text)))
    return operands.map((word) => targetOf(word, command.cwd).path);
  const inside = startsOf(command)?.map((path) => below(path, '*', false));
  if (inside === undefined || operands.length === 0 || command.cwd === undefined) return inside;
  return [...inside, below(command.cwd, '*', false)];
};

const listOf = (command: ReadCommand): string[] | undefined => {
  const first = textOf(command.words[1]);
  switch (command.program) {
    case 'find':
      return foundBy(command);
    case 'ls':
      return namedByLs(command);
    case 'fd':
    case 'rg':
    case 'grep':
      return startsOf(command)?.map((path) => below(path, '?*?', true));
    case 'git': {
      if (!/^(?:ls-files|diff|grep)$/.test(first) || command.cwd === undefined) return undefined;
      const named = command.words.slice(2).filter((word) => !textOf(word).startsWith('-') && first === 'ls-files');
      if (named.length === 0) return [below(command.cwd, first === 'ls-files' ? '*' : '?*?', true)];
      return named.map((word) => below(command.cwd ?? '', targetOf(word, command.cwd).path.replace(/^.*\//, ''), true));
    }
    default:
      return undefined;
  }
};

/** Patterns for the names that a member of a pipeline prints, when it lists files or passes such a list on. */
export const listedBy = (commands: readonly ReadCommand[], input: Input): readonly string[] | undefined => {
  const [only] = commands;
  if (only === undefined || commands.length !== 1) return undefined;
  const reads = only.effects.some((effect) => effect.kind === 'read');
  if (filters.has(only.program) && !reads && input.lists !== undefined) return input.lists;
  return listOf(only);
};
