import type { ConfigProblem } from '../model/policy.ts';
import type { Result } from '../model/result.ts';
import { fail, ok } from '../model/result.ts';
import { globProblem } from '../paths/glob.ts';

/** A parsed configuration file: plain data in which everything knows its line. */
export type DataNode = { readonly line: number } & (
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly DataNode[] }
  | { readonly kind: 'map'; readonly entries: readonly DataEntry[] }
);

export interface DataEntry {
  readonly key: string;
  /** The line of the key. */
  readonly line: number;
  readonly value: DataNode;
}

/** A value and the line that states it. */
export interface Stated<T> {
  readonly value: T;
  readonly line: number;
}

/** Reads one value, or says what it should have been. */
export type ReadValue<T> = (node: DataNode) => Result<T, string>;

const longestList = 500;
const mostEntries = 200;

const spelled = (node: DataNode): string => {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'number' ? String(node.value) : JSON.stringify(node.value);
    case 'list':
      return 'a list';
    case 'map':
      return 'a map';
  }
};

const expected = (what: string, node: DataNode): Result<never, string> =>
  fail(`expected ${what}, found ${spelled(node).slice(0, 80)}`);

/** A finite number between two bounds. */
export const numberBetween =
  (least: number, most: number, { whole }: { readonly whole: boolean } = { whole: false }): ReadValue<number> =>
  (node) => {
    const value = node.kind === 'scalar' ? node.value : undefined;
    const isGood = typeof value === 'number' && value >= least && value <= most && (!whole || Number.isInteger(value));
    return isGood ? ok(value) : expected(`a ${whole ? 'whole ' : ''}number from ${least} to ${most}`, node);
  };

/** One of a few words. */
export const oneOf =
  <const T extends string>(words: readonly T[]): ReadValue<T> =>
  (node) => {
    const found = words.find((word) => node.kind === 'scalar' && node.value === word);
    return found === undefined ? expected(`one of ${words.join(', ')}`, node) : ok(found);
  };

/** Text that is not empty. */
export const textUpTo =
  (
    longest: number,
    { matching = /^/, what = 'text' }: { readonly matching?: RegExp; readonly what?: string } = {},
  ): ReadValue<string> =>
  (node) => {
    const value = node.kind === 'scalar' ? node.value : undefined;
    const isGood = typeof value === 'string' && value !== '' && value.length <= longest && matching.test(value);
    return isGood ? ok(value) : expected(`${what} of at most ${longest} characters`, node);
  };

/** The items of a list; a single scalar counts as a list of one, nothing as an empty one. */
const itemsOf = (node: DataNode): Result<readonly DataNode[], string> => {
  if (node.kind === 'map') return expected('a list', node);
  if (node.kind === 'scalar') return ok(node.value === null ? [] : [node]);
  return node.items.length > longestList ? fail(`a list may have at most ${longestList} items`) : ok(node.items);
};

/** A list of values of one kind. */
export const listOf =
  <T>(read: ReadValue<T>): ReadValue<readonly T[]> =>
  (node) => {
    const items = itemsOf(node);
    if (!items.ok) return items;
    const values: T[] = [];
    for (const item of items.value) {
      const value = read(item);
      if (!value.ok) return value;
      values.push(value.value);
    }
    return ok(values);
  };

/** Names that every plain object already answers to. */
const isPrototypeName = (name: string): boolean => name in Object.prototype || name === 'prototype';

/** Whether a role may be called so. `disable` is what people choose to have none. */
export const isRoleName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) && !isPrototypeName(name) && name !== 'disable';

/** Whether an agent type or tool may be called so; `*` stands for any run of characters. */
export const isSubjectName = (name: string): boolean =>
  /^[A-Za-z0-9_.:*-]{1,200}$/.test(name) && !isPrototypeName(name);

export const roleName: ReadValue<string> = (node) => {
  const value = node.kind === 'scalar' ? node.value : undefined;
  return typeof value === 'string' && isRoleName(value) ? ok(value) : expected('the name of a role', node);
};

/** Collects what is wrong in one file. */
export interface Reader {
  readonly file: string;
  readonly problems: ConfigProblem[];
  readonly warn: (line: number, reason: string) => void;
  /** For what leaves a restriction unknown: nobody may count on this file. */
  readonly broken: (line: number, reason: string) => void;
}

export const readerOf = (file: string): Reader => {
  const problems: ConfigProblem[] = [];
  const report = (severity: ConfigProblem['severity']) => (line: number, reason: string) => {
    problems.push({ source: { file, line }, reason, severity });
  };
  return { file, problems, warn: report('warning'), broken: report('broken') };
};

/** The entries of a map; `undefined` (and a problem) when it is not one. An empty value is an empty map. */
export const entriesOf = (reader: Reader, where: string, node: DataNode): readonly DataEntry[] | undefined => {
  if (node.kind === 'scalar' && node.value === null) return [];
  if (node.kind !== 'map') {
    reader.broken(node.line, `${where}: expected a map, found ${spelled(node).slice(0, 80)}`);
    return undefined;
  }
  if (node.entries.length <= mostEntries) return node.entries;
  reader.broken(node.line, `${where}: more than ${mostEntries} entries`);
  return undefined;
};

/** The globs of a list, each with its line. A restriction that cannot be read makes the file broken. */
export const readGlobs = (
  reader: Reader,
  node: DataNode,
  { where, restricts }: { readonly where: string; readonly restricts: boolean },
): readonly Stated<string>[] => {
  const report = restricts ? reader.broken : reader.warn;
  const items = itemsOf(node);
  if (!items.ok) {
    report(node.line, `${where}: ${items.error}`);
    return [];
  }
  return items.value.flatMap((item) => {
    const text = textUpTo(1024, { what: 'a glob' })(item);
    const problem = text.ok ? globProblem(text.value)?.message : text.error;
    if (text.ok && problem === undefined) return [{ value: text.value, line: item.line }];
    report(item.line, `${where}: ${problem}`);
    return [];
  });
};

const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let at = 1; at <= a.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= b.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (a[at - 1] === b[to - 1] ? 0 : 1);
      next.push(Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

/** Reports a key that nothing reads, with the one that was probably meant. */
export const warnUnknown = (
  reader: Reader,
  entry: DataEntry,
  { within, known }: { readonly within: string; readonly known: readonly string[] },
): void => {
  const key = entry.key.slice(0, 64);
  const ranked = known.map((name) => ({ name, far: distance(key, name) })).sort((a, b) => a.far - b.far);
  const nearest = ranked[0];
  const hint =
    nearest !== undefined && nearest.far <= Math.max(2, key.length / 3) ? `: did you mean ${nearest.name}?` : '';
  reader.warn(entry.line, `unknown key ${within}${key}${hint}`);
};
