import { once } from '../sanitize/span.ts';
import { readSlot, type Slot, type SlotPlace } from './slot-kinds.ts';
import { changeRows } from './slots/changes.ts';
import { checkRows } from './slots/checks.ts';
import { launchers } from './slots/launchers.ts';
import type { SlotRow } from './slots/row.ts';
import { testRows } from './slots/tests.ts';

/** One command as a shape: its words in one order, with its data as slots. */
export interface WordShape {
  readonly words: readonly string[];
  readonly slots: readonly Slot[];
}

/** The marker that stands for data of one type. No word of a command prints like it: `<` is always quoted. */
const marker = (slot: Slot): string => `<ANY:${slot.type}>`;

const bare = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** A literal word in the one form in which shapes show it. */
export const printWord = (text: string): string =>
  bare.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Finds the data among the words of one command; nothing when no row of the table knows all its options. */
export const shapeWords = (words: readonly string[], place: SlotPlace): WordShape | undefined => {
  const length = launcherLength(words);
  for (const start of length === 0 ? [0] : [0, length]) {
    const program = words[start];
    if (program === undefined) continue;
    for (const row of rowsOf(program)) {
      const found = shapeByRow(row, words.slice(start + 1), place);
      if (found === undefined) continue;
      const front = words.slice(0, start + 1).map(printWord);
      return { words: [...front, ...found.words], slots: found.slots };
    }
  }
  return undefined;
};

/** How many words only start another program. */
const launcherLength = (words: readonly string[]): number => {
  if (words[0] === 'timeout' && /^\d{1,5}[sm]?$/.test(words[1] ?? '')) return 2 + launcherLength(words.slice(2));
  const lengths = launchers.map((launcher) => {
    const wanted = launcher.split(' ');
    return wanted.every((word, index) => words[index] === word) ? wanted.length : 0;
  });
  return Math.max(0, ...lengths);
};

interface Grammar {
  readonly row: SlotRow;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly slots: ReadonlyMap<string, string>;
  readonly subs: readonly (readonly string[])[];
  readonly writes: ReadonlySet<string>;
}

const listOf = (text: string | undefined): string[] => (text ?? '').split(' ').filter((word) => word !== '');

const grammarOf = (row: SlotRow): Grammar => ({
  row,
  flags: new Set(listOf(row.flags)),
  values: new Set(listOf(row.values)),
  slots: new Map(
    listOf(row.slots).map((text) => {
      const at = text.lastIndexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  ),
  subs:
    row.sub === undefined
      ? [[]]
      : row.sub
          .split('|')
          .map(listOf)
          .toSorted((a, b) => b.length - a.length),
  writes: new Set(listOf(row.writes)),
});

const rowsOf = (program: string): readonly Grammar[] => rowsByProgram().get(program) ?? [];

const rowsByProgram = once((): ReadonlyMap<string, readonly Grammar[]> => {
  const found = new Map<string, Grammar[]>();
  for (const row of [...testRows, ...checkRows, ...changeRows]) {
    const grammar = grammarOf(row);
    for (const program of listOf(row.programs)) found.set(program, [...(found.get(program) ?? []), grammar]);
  }
  return found;
});

interface Option {
  readonly name: string;
  readonly words: readonly string[];
}

interface Parsed {
  readonly options: Option[];
  readonly operands: string[];
  readonly slots: Slot[];
  readonly given: string[];
}

/** What follows `--` is for another program, or no option at all: it keeps its place. */
const shapeByRow = (grammar: Grammar, words: readonly string[], place: SlotPlace): WordShape | undefined => {
  const barrier = grammar.flags.has('--') ? words.indexOf('--') : -1;
  const isWritten =
    grammar.row.writes === 'always' || words.some((word) => grammar.writes.has(word.split('=')[0] ?? ''));
  const front = parseWords(barrier < 0 ? words : words.slice(0, barrier), grammar, place);
  const back = parseWords(barrier < 0 ? [] : words.slice(barrier + 1), grammar, place);
  if (front === undefined || back === undefined) return undefined;
  const { needs, operands: wanted } = grammar.row;
  if (needs !== undefined && !front.given.includes(needs)) return undefined;
  const sub = grammar.subs.find((names) => names.every((word, number) => front.operands[number] === word));
  if (sub === undefined) return undefined;
  const first = operandShape(front.operands.slice(sub.length), { wanted, place, isWritten });
  const second = operandShape(back.operands, { wanted, place, isWritten });
  const separator = barrier < 0 ? [] : ['--'];
  return {
    words: [...sub, ...optionWords(front), ...first.words, ...separator, ...optionWords(back), ...second.words],
    slots: [...front.slots, ...first.slots, ...back.slots, ...second.slots],
  };
};

const optionWords = ({ options }: Parsed): readonly string[] =>
  options.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).flatMap((option) => option.words);

const parseWords = (words: readonly string[], grammar: Grammar, place: SlotPlace): Parsed | undefined => {
  const parsed: Parsed = { options: [], operands: [], slots: [], given: [] };
  for (let at = 0; at < words.length; ) {
    const taken = takeWord(words, at, { grammar, parsed, place });
    if (taken === 0) return undefined;
    at += taken;
  }
  return parsed;
};

interface Taking {
  readonly grammar: Grammar;
  readonly parsed: Parsed;
  readonly place: SlotPlace;
}

/** Takes an option with its value, or an operand; says how many words that was, 0 for an option that no row names. */
const takeWord = (words: readonly string[], at: number, { grammar, parsed, place }: Taking): number => {
  const word = words[at] ?? '';
  if (!word.startsWith('-') || word === '-') {
    parsed.operands.push(word);
    return 1;
  }
  const { name, attached } = splitOption(word, grammar);
  const keep = (shown: readonly string[]): void => {
    parsed.options.push({ name, words: shown });
    parsed.given.push(name);
  };
  const kind = grammar.slots.get(name);
  const value = attached ?? words[at + 1];
  if (attached === undefined && grammar.flags.has(name)) {
    // An option that may go without its value takes the next word only when that is the data it is for.
    const slot =
      kind === undefined || value === undefined
        ? undefined
        : readSlot(value, { wanted: kind, place, isWritten: false });
    if (slot === undefined || kind === 'path') {
      keep([printWord(name)]);
      return 1;
    }
  }
  if (kind === undefined && !grammar.values.has(name)) {
    if (!areFlags(word, grammar.flags)) return 0;
    keep([printWord(word)]);
    return 1;
  }
  if (value === undefined) return 0;
  const slot = kind === undefined ? undefined : readSlot(value, { wanted: kind, place, isWritten: false });
  if (slot !== undefined) parsed.slots.push(slot);
  keep([printWord(name), slot === undefined ? printWord(value) : marker(slot)]);
  return attached === undefined ? 2 : 1;
};

/** The word itself, or a bundle of one-letter options. */
const areFlags = (word: string, flags: ReadonlySet<string>): boolean =>
  flags.has(word) || (/^-[A-Za-z]{2,8}$/.test(word) && [...word.slice(1)].every((letter) => flags.has(`-${letter}`)));

/** `--name=value`, `-nvalue` for a known one-letter option with a number, or the bare option. */
const splitOption = (
  word: string,
  { flags, slots, values }: Grammar,
): { readonly name: string; readonly attached?: string } => {
  if (flags.has(word)) return { name: word };
  const equals = word.indexOf('=');
  if (equals > 0) return { name: word.slice(0, equals), attached: word.slice(equals + 1) };
  if (slots.has(word) || values.has(word)) return { name: word };
  const [, short, number] = /^(-[A-Za-z])(\d{1,6})$/.exec(word) ?? [];
  return short !== undefined && number !== undefined && /^(?:number|count)$/.test(slots.get(short) ?? '')
    ? { name: short, attached: number }
    : { name: word };
};

/** Operands in order; neighbours of one type become one slot, since their number says nothing. */
const operandShape = (
  operands: readonly string[],
  at: { readonly wanted: string | undefined; readonly place: SlotPlace; readonly isWritten: boolean },
): WordShape => {
  const words: string[] = [];
  const slots: Slot[] = [];
  for (const operand of operands) {
    const slot = at.wanted === undefined ? undefined : readSlot(operand, { ...at, wanted: at.wanted });
    const shown = slot === undefined ? printWord(operand) : marker(slot);
    if (slot !== undefined) slots.push(slot);
    if (slot === undefined || words.at(-1) !== shown || slot.isWritten) words.push(shown);
  }
  return { words, slots };
};
