import { type ArgumentStyle, type Arguments, has, type OptionTable, optionTable, parseArguments } from './arguments.ts';
import type { ShellEffect, WordReading } from './model.ts';
import { applyRole } from './roles.ts';
import { hidden, literalText, type Program, type ReadProgram, type Tools, uncovered, word } from './tools.ts';

/**
 * A plain program as data. `operands` are roles in order; a last one with `*` repeats (`text read*`), and a role
 * after that belongs to the last operand (`read* write`). `idle` is what it does without operands.
 */
export interface Row {
  readonly names: string;
  readonly options?: string;
  readonly operands?: string;
  readonly idle?: string;
  readonly style?: ArgumentStyle;
  /** Further options only change how it does what it does anyway: for programs that run project code. */
  readonly lenient?: boolean;
  /** What it does whatever the arguments are. */
  readonly always?: readonly ShellEffect[];
  /** What else it does, when the table is not enough. */
  readonly also?: (given: Arguments, tools: Tools) => readonly ShellEffect[];
}

const common = '--help --version';

interface Prepared {
  readonly row: Row;
  readonly table: OptionTable;
  readonly roles: readonly string[];
  readonly canHide: boolean;
}

const prepare = (row: Row): Prepared => {
  const table = optionTable(`${common} ${row.options ?? ''}`);
  const canHide = [...table.values()].some(
    (spec) => !['', 'text', 'read', 'list', 'use', 'search'].includes(spec.role),
  );
  return { row, table, roles: (row.operands ?? '').split(/\s+/).filter(Boolean), canHide };
};

/** A reader made from a row. */
export const readRow = (row: Row): ReadProgram => {
  let prepared: Prepared | undefined;
  return (args, tools) => {
    prepared ??= prepare(row);
    return readPrepared(prepared, args, tools);
  };
};

const readPrepared = (prepared: Prepared, args: readonly WordReading[], tools: Tools): readonly ShellEffect[] => {
  const { row, table } = prepared;
  const given = parseArguments(args, table, row.style ?? {});
  if (given.unknown.length === 0 && args.length === 1 && has(given, '--help', '--version')) return [];
  const effects: ShellEffect[] = [...(row.always ?? [])];
  if (!row.lenient) for (const name of given.unknown) effects.push(uncovered(`${tools.program} ${name}`));
  for (const option of given.options) effects.push(...applyRole(option.role, option.value ?? word(option.name), tools));
  if (given.maybeOption && prepared.canHide && !row.lenient)
    effects.push(uncovered('a word may turn out to be an option'));
  effects.push(...operandEffects(prepared, given, tools));
  effects.push(...(row.also?.(given, tools) ?? []));
  return effects;
};

const operandEffects = (prepared: Prepared, given: Arguments, tools: Tools): ShellEffect[] => {
  const { row, roles } = prepared;
  if (given.operands.length === 0 && row.idle !== undefined) return [...applyRole(row.idle, word('.'), tools)];
  return given.operands.flatMap((operand, index) => [
    ...applyRole(roleAt(roles, index, given.operands.length), operand, tools),
  ]);
};

/** The role of one operand among several. */
const roleAt = (roles: readonly string[], index: number, count: number): string => {
  const star = roles.findIndex((role) => role.endsWith('*'));
  if (star < 0) return roles[index] ?? 'open';
  if (index < star) return roles[index] ?? 'open';
  const fromEnd = count - index;
  const tail = roles.length - star - 1;
  if (fromEnd <= tail && count > 1) return roles[roles.length - fromEnd] ?? 'open';
  return (roles[star] ?? 'open').slice(0, -1);
};

/** Programs made from rows. */
export const rows = (list: readonly Row[]): Program[] =>
  list.map((row) => ({ names: row.names.split(' '), read: readRow(row) }));

/** A table of subcommands: a row for each, by its space-separated names. */
export interface Suite {
  readonly names: string;
  /** Options in front of the subcommand. */
  readonly globals?: string;
  readonly subcommands: readonly Row[];
  /** Subcommands with readers of their own. */
  readonly special?: Readonly<Record<string, ReadProgram>>;
  /** Without any subcommand. */
  readonly bare?: ReadProgram;
  readonly style?: ArgumentStyle;
  /** Words that together name one subcommand: `compose up`. */
  readonly nested?: readonly string[];
}

/** A reader for programs with subcommands; an unknown subcommand is unknown. */
export const suite = (spec: Suite): Program => {
  let readers: Map<string, ReadProgram> | undefined;
  const globals = optionTable(`${common} ${spec.globals ?? ''}`);
  const nested = new Set(spec.nested ?? []);
  const style: ArgumentStyle = { ...(spec.style ?? {}), stopsAtOperand: true };
  const read: ReadProgram = (args, tools) => {
    readers ??= readersOf(spec);
    const given = parseArguments(args, globals, style);
    const effects: ShellEffect[] = given.unknown.map((name) => uncovered(`${tools.program} ${name}`));
    for (const option of given.options)
      effects.push(...applyRole(option.role, option.value ?? word(option.name), tools));
    const [first, second] = given.operands;
    if (
      first === undefined &&
      args.length > 0 &&
      effects.length === 0 &&
      has(given, '--help', '--version', '-v', '-V', '-h')
    )
      return [];
    if (first === undefined) return [...effects, ...(spec.bare?.([], tools) ?? [])];
    const name = literalText(first);
    if (name === undefined || first.computed) return [...effects, hidden(`${tools.program} subcommand is computed`)];
    const pair = nested.has(name) && literalText(second) !== undefined ? `${name} ${literalText(second)}` : name;
    const reader = readers.get(pair) ?? readers.get(name);
    if (reader === undefined) return [...effects, uncovered(`${tools.program} ${pair}`)];
    const rest = given.operands.slice(readers.has(pair) && pair !== name ? 2 : 1);
    return [...effects, ...reader(rest, tools)];
  };
  return { names: spec.names.split(' '), read };
};

const readersOf = (spec: Suite): Map<string, ReadProgram> => {
  const readers = new Map<string, ReadProgram>();
  for (const row of spec.subcommands) {
    const reader = readRow(row);
    for (const name of row.names.split('|')) readers.set(name, reader);
  }
  for (const [name, reader] of Object.entries(spec.special ?? {})) readers.set(name, reader);
  return readers;
};
