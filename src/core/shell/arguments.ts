import type { WordReading } from './model.ts';

/** One permitted option: how many words it takes and what its value (or the flag itself) means. */
export interface OptionSpec {
  readonly name: string;
  readonly takes: 'nothing' | 'value' | 'optional';
  readonly role: string;
}

export type OptionTable = ReadonlyMap<string, OptionSpec>;

/**
 * Reads a table of options: `-x` and `--name` flags, `-x:role` and `--name=role` with a value, `-x?role` and
 * `--name?role` with an optional attached value, `-x!role` and `--name!role` flags that mean something themselves.
 */
export const optionTable = (text: string): OptionTable => {
  const table = new Map<string, OptionSpec>();
  for (const entry of text.split(/\s+/).filter(Boolean)) {
    const found = /^(--?[^:=?!]+|-[?:=!])([:=?!]?)(.*)$/.exec(entry);
    if (found === null) continue;
    const [, name = '', sign = '', role = ''] = found;
    const takes = sign === ':' || sign === '=' ? 'value' : sign === '?' ? 'optional' : 'nothing';
    table.set(name, { name, takes, role });
  }
  return table;
};

export interface GivenOption {
  readonly name: string;
  readonly role: string;
  readonly value?: WordReading;
}

export interface Arguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly WordReading[];
  /** Options that the table does not permit. */
  readonly unknown: readonly string[];
  /** A word whose text is not known stands where an option could stand. */
  readonly maybeOption: boolean;
}

export interface ArgumentStyle {
  /** Options end at the first operand. */
  readonly stopsAtOperand?: boolean;
  /** Words with one dash are whole options: `-name`, never a cluster. */
  readonly singleDash?: boolean;
  /** `-5` and `+5` are counts. */
  readonly counts?: boolean;
  /** Unknown long options may be abbreviations, as with getopt. */
  readonly abbreviates?: boolean;
}

interface State {
  readonly options: GivenOption[];
  readonly operands: WordReading[];
  readonly unknown: string[];
  maybeOption: boolean;
}

const valueFrom = (word: WordReading, start: number): WordReading => {
  switch (word.kind) {
    case 'literal':
      return { ...word, text: word.text.slice(start) };
    case 'glob':
      return { ...word, text: word.text.slice(start), prefix: word.prefix.slice(start) };
    case 'dynamic':
      return { ...word, knownPrefix: word.knownPrefix.slice(start), shape: word.shape.slice(start) };
  }
};

const knownTextOf = (word: WordReading): string =>
  word.kind === 'literal' ? word.text : word.kind === 'glob' ? word.prefix : word.knownPrefix;

/** Splits arguments in options and operands by a table. */
export const parseArguments = (
  words: readonly WordReading[],
  table: OptionTable,
  style: ArgumentStyle = {},
): Arguments => {
  const state: State = { options: [], operands: [], unknown: [], maybeOption: false };
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined) break;
    const text = knownTextOf(word);
    if (word.kind === 'literal' && text === '--') {
      state.operands.push(...words.slice(index + 1));
      break;
    }
    if (text === '' && word.kind !== 'literal') state.maybeOption = true;
    if (!text.startsWith('-') || text === '-') {
      if (style.stopsAtOperand) {
        state.operands.push(...words.slice(index));
        break;
      }
      if (style.counts && /^\+\d+$/.test(text) && word.kind === 'literal') state.options.push({ name: '+N', role: '' });
      else state.operands.push(word);
      index += 1;
      continue;
    }
    index += 1 + readOption({ word, text, next: words[index + 1] }, { table, style, state });
  }
  return state;
};

interface At {
  readonly word: WordReading;
  readonly text: string;
  readonly next: WordReading | undefined;
}

interface Reading {
  readonly table: OptionTable;
  readonly style: ArgumentStyle;
  readonly state: State;
}

// Returns how many further words the option takes.
const readOption = (at: At, reading: Reading): number => {
  const { text, word } = at;
  const isLong = text.startsWith('--') || reading.style.singleDash === true;
  if (isLong) return readLong(at, reading);
  if (reading.style.counts && /^-\d+$/.test(text) && word.kind === 'literal') {
    reading.state.options.push({ name: '-N', role: '' });
    return 0;
  }
  return readCluster(at, reading);
};

const readLong = (at: At, { table, style, state }: Reading): number => {
  const { word, text } = at;
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const spec = table.get(name) ?? (style.abbreviates === false || equals === 1 ? undefined : abbreviated(name, table));
  if (spec === undefined) {
    const cluster = style.singleDash && !text.startsWith('--') ? attached(text, table) : undefined;
    if (cluster !== undefined) {
      state.options.push({ name: cluster.name, role: cluster.role, value: valueFrom(word, cluster.name.length) });
      return 0;
    }
    state.unknown.push(name === '' ? text : name);
    return 0;
  }
  const base = { name: spec.name, role: spec.role };
  if (equals >= 0) {
    if (spec.takes === 'nothing' && spec.role === '') state.unknown.push(text);
    else state.options.push({ ...base, value: valueFrom(word, equals + 1) });
    return 0;
  }
  if (word.kind !== 'literal') state.unknown.push(name);
  if (spec.takes !== 'value') {
    state.options.push(base);
    return 0;
  }
  if (at.next === undefined) state.unknown.push(name);
  else state.options.push({ ...base, value: at.next });
  return 1;
};

// `-O2`, `-j4`, `-I/dir` of programs whose options are words: only those that take an attached value.
const attached = (text: string, table: OptionTable): OptionSpec | undefined => {
  const spec = table.get(text.slice(0, 2));
  return spec?.takes === 'optional' ? spec : undefined;
};

const abbreviated = (name: string, table: OptionTable): OptionSpec | undefined => {
  if (!name.startsWith('--') || name.length < 3) return undefined;
  const found = [...table.values()].filter((spec) => spec.name.startsWith(name));
  return found.length === 1 ? found[0] : found.find((spec) => spec.role === 'hidden');
};

const readCluster = (at: At, { table, state }: Reading): number => {
  const { word, text } = at;
  for (let index = 1; index < text.length; index += 1) {
    const name = `-${text.charAt(index)}`;
    const spec = table.get(name);
    if (spec === undefined) {
      state.unknown.push(name);
      return 0;
    }
    const base = { name, role: spec.role };
    if (spec.takes === 'nothing') {
      state.options.push(base);
      continue;
    }
    const isLast = index === text.length - 1 && word.kind === 'literal';
    if (!isLast) {
      state.options.push({ ...base, value: valueFrom(word, index + 1) });
      return 0;
    }
    if (spec.takes === 'optional') {
      state.options.push(base);
      return 0;
    }
    if (at.next === undefined) state.unknown.push(name);
    else state.options.push({ ...base, value: at.next });
    return 1;
  }
  if (word.kind !== 'literal') state.unknown.push(text);
  return 0;
};

/** Whether one of the options was given. */
export const has = (given: Arguments, ...names: readonly string[]): boolean =>
  given.options.some((option) => names.includes(option.name));

/** The value of the last of these options. */
export const valueOfOption = (given: Arguments, ...names: readonly string[]): WordReading | undefined =>
  given.options.filter((option) => names.includes(option.name)).at(-1)?.value;
