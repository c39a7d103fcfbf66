import type { IntentRow } from './embedding-intents.ts';
import {
  globalValueOptions,
  interpreters,
  oneDashPrograms,
  programNames,
  shellKeywords,
  subcommandDepth,
  wrapperOptions,
} from './embedding-programs.ts';
import type { WordList } from './embedding-words.ts';

/** What a simple command is and what it is given. */
export interface Head {
  /** `git push`: the program with the words that say what it does; one name for commands that are interchangeable. */
  readonly name: string;
  /** The program as it was written. */
  readonly program: string;
  readonly intent: string;
  /** Words in front that run the rest (`sudo`, `xargs`), and the names of variables set for it. */
  readonly around: readonly string[];
  /** Option names, sorted, each once. */
  readonly options: readonly string[];
  /** `--name=value`, where a value stands in the same word. */
  readonly valued: readonly string[];
  readonly operands: readonly string[];
  /** Text that is run as code: part of what the command is. */
  readonly code: readonly string[];
}

/** Finds the intent of a command by its name. */
export type IntentOf = (name: string) => { readonly intent: string; readonly name: string };

/** Makes the table searchable: by the whole name, then without its last words. */
export const intentLookup = (rows: readonly IntentRow[]): IntentOf => {
  const known = new Map<string, { intent: string; name: string }>();
  for (const row of rows) {
    for (const head of row.heads.split(',')) {
      const name = head.trim();
      known.set(name, { intent: row.intent, name: row.same ?? name });
    }
  }
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const shorter = shortened(name);
    const general = shorter === undefined ? undefined : known.get(shorter);
    return { intent: general?.intent ?? name, name };
  };
};

/** `docker system prune` may pass for `docker system`, `python x.py` for `python`, but `yarn x` is no `yarn`. */
const shortened = (name: string): string | undefined => {
  const cut = name.lastIndexOf(' ');
  if (cut === -1) return undefined;
  const shorter = name.slice(0, cut);
  return shorter.includes(' ') || !isKnown(subcommandDepth, shorter) ? shorter : undefined;
};

interface Cursor {
  readonly words: readonly string[];
  at: number;
}

const isKnown = (table: Readonly<Record<string, unknown>>, name: string): boolean => Object.hasOwn(table, name);
const valueOptionsOf = (name: string): readonly string[] =>
  isKnown(globalValueOptions, name) ? (globalValueOptions[name] ?? []) : [];

/** Reads one simple command. */
export const readHead = (command: WordList, intentOf: IntentOf): Head => {
  const cursor: Cursor = { words: command.words, at: 0 };
  const around = readAround(cursor);
  const program = readProgram(cursor);
  const skipped: string[] = [];
  const name = readName(cursor, { program, skipped, intentOf });
  const rest = [...skipped, ...cursor.words.slice(cursor.at)];
  const { options, valued, operands } = sortWords(rest, oneDashPrograms.has(program));
  const isCode = interpreters.has(program);
  const runsText = isCode && options.some((option) => codeOptions.has(option));
  return {
    program: program.split(' ', 1)[0] ?? program,
    ...intentOf(name),
    around,
    options: [...new Set(options)].sort(byCodeUnits),
    valued,
    operands: [...operands, ...command.fed],
    code: isCode ? [...(runsText ? operands : []), ...command.fed] : [],
  };
};

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const codeOptions = new Set(['-c', '-e', '--eval', '-p', '--print', '-E', '-r']);
const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** Steps over assignments and wrappers. */
const readAround = (cursor: Cursor): string[] => {
  const around: string[] = [];
  while (cursor.at < cursor.words.length) {
    const word = cursor.words[cursor.at] ?? '';
    const assigned = assignment.exec(word)?.[0];
    const wrapper = wrapperAt(cursor);
    if (assigned !== undefined) {
      around.push(assigned);
      cursor.at += 1;
    } else if (wrapper !== undefined) {
      around.push(wrapper);
      cursor.at += wrapper.includes(' ') ? 2 : 1;
      skipWrapperOptions(cursor, { wrapper, around });
    } else break;
  }
  return around;
};

const wrapperAt = ({ words, at }: Cursor): string | undefined => {
  const first = programOf(words[at] ?? '');
  const pair = `${first} ${words[at + 1] ?? ''}`;
  if (isKnown(wrapperOptions, pair)) return pair;
  const isFirst = isKnown(wrapperOptions, first) || shellKeywords.has(first);
  return isFirst && at + 1 < words.length ? first : undefined;
};

const skipWrapperOptions = (cursor: Cursor, how: { wrapper: string; around: string[] }): void => {
  const taking = isKnown(wrapperOptions, how.wrapper) ? (wrapperOptions[how.wrapper] ?? []) : [];
  for (let word = cursor.words[cursor.at]; word !== undefined; word = cursor.words[cursor.at]) {
    const isDuration = how.wrapper === 'timeout' && /^[0-9.]+[smhd]?$/.test(word);
    if (!word.startsWith('-') && !isDuration) return;
    if (!isDuration) how.around.push(`${how.wrapper} ${word}`);
    cursor.at += taking.includes(word) ? 2 : 1;
    if (isDuration) return;
  }
};

const ordinaryPlaces =
  /^(?:(?:\/usr(?:\/local)?)?\/s?bin|\.|(?:\.\/)?node_modules\/\.bin|(?:\.\/)?vendor\/bin)\/([^/]+)$/;

/** A program in an ordinary place goes by its name, any other by its path. */
const programOf = (written: string): string => {
  const name = written.includes('/') ? (ordinaryPlaces.exec(written)?.[1] ?? written) : written;
  return isKnown(programNames, name) ? (programNames[name] ?? name) : name;
};

/** One word, or two that are known to make another program of it. */
const readProgram = (cursor: Cursor): string => {
  const program = programOf(cursor.words[cursor.at] ?? '');
  const pair = `${program} ${cursor.words[cursor.at + 1] ?? ''}`;
  const isPair = isKnown(programNames, pair);
  cursor.at += isPair ? 2 : 1;
  return isPair ? (programNames[pair] ?? pair) : program;
};

const plainWord = /^[A-Za-z][\w:.@-]*$/;

/** The program with its subcommands. Options in front of a subcommand go to `skipped`. */
const readName = (cursor: Cursor, start: { program: string; skipped: string[]; intentOf: IntentOf }): string => {
  const { program, skipped, intentOf } = start;
  let name = program;
  let depth = program.split(' ').length - 1;
  const isTabled = isKnown(subcommandDepth, program);
  const isStranger = !isTabled && intentOf(program).intent === program;
  const first = isTabled ? (subcommandDepth[program] ?? 0) : isStranger || interpreters.has(program) ? 1 : 0;
  let most = first;
  while (depth < most && cursor.at < cursor.words.length) {
    const word = cursor.words[cursor.at] ?? '';
    if (word.startsWith('-')) {
      const taken = !word.includes('=') && valueOptionsOf(name).includes(word) ? 2 : 1;
      if (codeOptions.has(word) && interpreters.has(program)) break;
      skipped.push(...cursor.words.slice(cursor.at, cursor.at + taken));
      cursor.at += taken;
      continue;
    }
    if (!plainWord.test(word) && !interpreters.has(program)) break;
    name = `${name} ${word}`;
    depth += 1;
    cursor.at += 1;
    if (isKnown(subcommandDepth, name)) most = Math.max(most, subcommandDepth[name] ?? 0);
  }
  return name;
};

interface Sorted {
  readonly options: string[];
  readonly valued: string[];
  readonly operands: string[];
}

const sortWords = (words: readonly string[], isOneDash: boolean): Sorted => {
  const sorted: Sorted = { options: [], valued: [], operands: [] };
  let isPast = false;
  for (const word of words) {
    if (!word.startsWith('-') || word === '-') sorted.operands.push(word);
    else if (word === '--') isPast = true;
    else sortOption(word, { sorted, isOneDash, before: isPast ? '-- ' : '' });
  }
  if (isPast) sorted.options.push('--');
  return sorted;
};

const cluster = /^-[A-Za-z]{2,4}$/;
const numbered = /^-[A-Za-z]?\d+$/;

const sortOption = (word: string, how: { sorted: Sorted; isOneDash: boolean; before: string }): void => {
  const { sorted, before } = how;
  const equals = word.indexOf('=');
  if (equals > 0) {
    sorted.options.push(before + word.slice(0, equals));
    sorted.valued.push(word);
  } else if (numbered.test(word)) {
    sorted.options.push(`${before}${word.replace(/\d+$/, '')}#`);
    sorted.operands.push(word);
  } else if (!how.isOneDash && cluster.test(word)) {
    for (const letter of word.slice(1)) sorted.options.push(`${before}-${letter}`);
  } else sorted.options.push(before + word);
};
