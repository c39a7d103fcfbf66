import type { Function as FunctionNode } from 'unbash';
import { mergeDirectories, type Standing } from './directories.ts';
import type { DynamicWord, Inside, ShellContext, Taint, WordReading } from './model.ts';

/** What a command reads on its standard input. */
export interface Input {
  readonly text?: string;
  readonly from: readonly Taint[];
  /** Paths of which it lists names, as patterns. */
  readonly lists?: readonly string[];
  /** Something is connected: a pipe, a file, a here-document. */
  readonly fed: boolean;
}

export const noInput: Input = { from: [], fed: false };

export type Value = WordReading | { readonly kind: 'list'; readonly items: readonly WordReading[] };

export interface KnownFunction {
  readonly bodies: readonly FunctionNode[];
  /** It may not be defined on every way here. */
  readonly maybe: boolean;
}

/** What is known about the shell at one point of the text. Mutable: commands change it in order. */
export interface Scope extends Standing {
  errexit: boolean;
  /** Where `cd -` goes. */
  previousCwd: string | undefined;
  variables: Map<string, Value>;
  exported: Set<string>;
  functions: Map<string, KnownFunction>;
  /** Words after the program or function name; undefined when not known. */
  positional: readonly WordReading[] | undefined;
  readonly input: Input;
  readonly inside: Inside;
  readonly wrappers: readonly string[];
  readonly syntaxDepth: number;
  readonly codeDepth: number;
  /** In a function: what its local variables hide. */
  readonly locals: Map<string, Value | undefined> | undefined;
  /** Functions being read, to notice recursion. */
  readonly calls: readonly FunctionNode[];
}

const literal = (text: string): WordReading => ({ kind: 'literal', text });

/** A word of which nothing is known. */
export const unknownWord = (why: string, shape = '\uE000'): DynamicWord => ({
  kind: 'dynamic',
  why,
  knownPrefix: '',
  shape,
});

export const initialScope = (context: ShellContext): Scope => ({
  cwd: context.cwd,
  otherCwds: [],
  failedCwds: undefined,
  errexit: false,
  previousCwd: undefined,
  variables: new Map<string, Value>([
    ['HOME', literal(context.home)],
    ['USER', literal(context.user)],
    ['LOGNAME', literal(context.user)],
    ['IFS', literal(' \t\n')],
  ]),
  exported: new Set(),
  functions: new Map(),
  positional: undefined,
  input: noInput,
  inside: 'top',
  wrappers: [],
  syntaxDepth: 0,
  codeDepth: 0,
  locals: undefined,
  calls: [],
});

/** A scope whose changes do not reach the outer one: a subshell, a branch. */
export const copyScope = (scope: Scope, changes: Partial<Scope> = {}): Scope => ({
  ...scope,
  variables: new Map(scope.variables),
  exported: new Set(scope.exported),
  functions: new Map(scope.functions),
  locals: scope.locals === undefined ? undefined : new Map(scope.locals),
  ...changes,
});

/** The same state under other circumstances; changes reach the outer scope. */
export const withScope = (scope: Scope, changes: Partial<Scope>, read: (inner: Scope) => void): void => {
  const inner: Scope = { ...scope, ...changes };
  read(inner);
  scope.cwd = inner.cwd;
  scope.otherCwds = inner.otherCwds;
  scope.failedCwds = inner.failedCwds;
  scope.errexit = inner.errexit;
  scope.previousCwd = inner.previousCwd;
  scope.variables = inner.variables;
  scope.exported = inner.exported;
  scope.functions = inner.functions;
  if (!('positional' in changes)) scope.positional = inner.positional;
};

/** Reads where a failure is looked at: `set -e` does not end the shell there. */
export const whereTested = (scope: Scope, read: () => void): void => {
  const { errexit } = scope;
  scope.errexit = false;
  read();
  scope.errexit = errexit;
};

const sameValue = (one: Value | undefined, other: Value | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** After alternatives that may or may not have run: what differs between them is not known. */
export const mergeScopes = (target: Scope, ways: readonly Scope[]): void => {
  const names = new Set(ways.flatMap((way) => [...way.variables.keys()]));
  const variables = new Map<string, Value>();
  for (const name of names) {
    const values = ways.map((way) => way.variables.get(name));
    const first = values[0];
    const agreed = first !== undefined && values.every((value) => sameValue(value, first));
    variables.set(name, agreed ? first : eitherOf(name, values));
  }
  target.variables = variables;
  target.exported = new Set(ways.flatMap((way) => [...way.exported]));
  target.functions = mergedFunctions(ways);
  mergeDirectories(target, ways);
  target.errexit = ways.every((way) => way.errexit);
  target.previousCwd = ways.every((way) => way.previousCwd === ways[0]?.previousCwd) ? ways[0]?.previousCwd : undefined;
};

const eitherOf = (name: string, values: readonly (Value | undefined)[]): DynamicWord => {
  const readings = values.flatMap((value) =>
    value === undefined ? [] : value.kind === 'list' ? value.items : [value],
  );
  const texts = readings.flatMap((one) => (one.kind === 'dynamic' ? (one.either ?? []) : [one.text]));
  const from = [...new Set(readings.flatMap((one) => one.from ?? []))];
  return {
    ...unknownWord(`$${name} depends on the way taken`),
    either: [...new Set(texts)].slice(0, 8),
    ...(from.length > 0 ? { from } : {}),
  };
};

const mergedFunctions = (ways: readonly Scope[]): Map<string, KnownFunction> => {
  const merged = new Map<string, KnownFunction>();
  for (const name of new Set(ways.flatMap((way) => [...way.functions.keys()]))) {
    const known = ways.map((way) => way.functions.get(name));
    const bodies = [...new Set(known.flatMap((one) => one?.bodies ?? []))];
    merged.set(name, { bodies, maybe: known.some((one) => one === undefined || one.maybe) });
  }
  return merged;
};

/** Remembers what a local variable hides until the function ends. */
export const hideLocal = (scope: Scope, name: string): void => {
  if (scope.locals !== undefined && !scope.locals.has(name)) scope.locals.set(name, scope.variables.get(name));
};

/** Ends the local variables of a function. */
export const restoreLocals = (scope: Scope): void => {
  for (const [name, value] of scope.locals ?? []) {
    if (value === undefined) scope.variables.delete(name);
    else scope.variables.set(name, value);
  }
};
