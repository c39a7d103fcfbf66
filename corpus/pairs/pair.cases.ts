/** The home directory of the person in every pair. */
export const homeDirectory = '/home/user';

/** The project every call is made in; paths without a leading slash are below it. */
export const projectRoot = `${homeDirectory}/project`;

/** Tools a pair may speak of. For Bash the text is the command, for the file tools the path, for WebFetch the URL. */
export type PairTool = 'Bash' | 'Write' | 'Edit' | 'MultiEdit' | 'NotebookEdit' | 'Read' | 'WebFetch';

/**
 * Two calls: a person allowed exactly `first`, and `second` comes next.
 * What may follow is said by the list a pair is in. Left out: tool Bash, role coder, directory the project root.
 */
export interface Pair {
  readonly first: string;
  readonly second: string;
  /** What differs between the two; the counts are printed by it. */
  readonly kind: string;
  readonly why?: string;
  /** Where the second is called; never given without `firstCwd`. */
  readonly cwd?: string;
  /** Where the first was allowed. */
  readonly firstCwd?: string;
  /** The tool of the second call, and of the first unless `firstTool` says otherwise. */
  readonly tool?: PairTool;
  readonly firstTool?: PairTool;
  /** The role that makes the second call, and was given the first unless `firstRole` says otherwise. */
  readonly role?: string;
  readonly firstRole?: string;
}

/** One call with nothing left out, as a text that two equal calls share. */
const callText = (call: readonly [text: string, tool: string, role: string, cwd: string]): string =>
  JSON.stringify(call);

/** The two calls of a pair, each as a text that only equal calls share. */
export const callsOf = (pair: Pair): { readonly first: string; readonly second: string } => {
  const tool = pair.tool ?? 'Bash';
  const role = pair.role ?? 'coder';
  return {
    first: callText([pair.first, pair.firstTool ?? tool, pair.firstRole ?? role, pair.firstCwd ?? projectRoot]),
    second: callText([pair.second, tool, role, pair.cwd ?? projectRoot]),
  };
};

/** A text that only equal pairs share; what they are filed under does not count. */
export const identityOf = (pair: Pair): string => {
  const { first, second } = callsOf(pair);
  return `${first} -> ${second}`;
};

/** `count` entries of the table, starting at `turn`, so that growing turns use every entry equally often. */
export const inTurn = <T>(table: readonly T[], { turn, count }: { turn: number; count: number }): readonly T[] => {
  const start = (turn * count) % table.length;
  return [...table, ...table].slice(start, start + Math.min(count, table.length));
};

/** The text as one word of a shell command. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The first word of a command that is not an assignment. */
export const programOf = (call: string): string =>
  call.split(' ').find((word) => !/^[A-Za-z_][A-Za-z_0-9]*=/.test(word)) ?? call;
