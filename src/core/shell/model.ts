import type { RiskClass } from '../model/effect.ts';

/** Where the call is made and by whom. Paths are absolute. */
export interface ShellContext {
  readonly cwd: string;
  readonly home: string;
  readonly user: string;
  /** The project root. */
  readonly root: string;
}

/** Where bytes came from, as far as the text of the call shows. */
export type Taint = 'network' | 'decoded' | 'secret' | 'arguments';

interface WordOrigin {
  /** What the word was computed from. */
  readonly from?: readonly Taint[];
  /** For a process substitution: the text that can be read from it, when known. */
  readonly content?: string;
  /** The word was not written out but computed (substitution, variable, glob, brace). */
  readonly computed?: boolean;
}

export interface LiteralWord extends WordOrigin {
  readonly kind: 'literal';
  readonly text: string;
}

/** A pathname pattern; quoted pattern characters are escaped with a backslash in `text`. */
export interface GlobWord extends WordOrigin {
  readonly kind: 'glob';
  readonly text: string;
  /** The literal text in front of the first pattern character. */
  readonly prefix: string;
}

export interface DynamicWord extends WordOrigin {
  readonly kind: 'dynamic';
  readonly why: string;
  readonly knownPrefix: string;
  /** The text with `gap` in place of every unknown piece. */
  readonly shape: string;
  /** It can only be a number. */
  readonly numeric?: boolean;
  /** Texts that it has on some of the ways that may have been taken. */
  readonly either?: readonly string[];
}

/** What is known about one word of a command. */
export type WordReading = LiteralWord | GlobWord | DynamicWord;

export type Certainty = 'literal' | 'glob' | 'dynamic';

/** A path an effect is about: absolute and lexically normal; for `dynamic` only as far as it is known. */
export interface PathTarget {
  readonly path: string;
  readonly spelled: string;
  readonly certainty: Certainty;
}

/** How a repository is changed. */
export type RepositoryChange =
  | 'commit'
  | 'stage'
  | 'branch'
  | 'switch'
  | 'integrate'
  | 'fetch'
  | 'push'
  | 'push-force'
  | 'push-delete'
  | 'discard'
  | 'rewrite'
  | 'configure';

/** One thing a shell text would do. */
export type ShellEffect = { readonly risk?: RiskClass } & (
  | (PathTarget & { readonly kind: 'read'; readonly how: 'content' | 'list' | 'search'; readonly shown: boolean })
  | (PathTarget & {
      readonly kind: 'write';
      readonly how: 'replace' | 'append' | 'create' | 'modify' | 'attributes' | 'link' | 'move-away';
      readonly recursive?: boolean;
      readonly from?: readonly Taint[];
    })
  | (PathTarget & { readonly kind: 'delete'; readonly recursive: boolean; readonly from?: readonly string[] })
  | { readonly kind: 'connect'; readonly host: string; readonly sendsData: boolean; readonly method?: string }
  | { readonly kind: 'run'; readonly program: string; readonly script?: string }
  | {
      readonly kind: 'code';
      readonly language: string;
      readonly text?: string;
      readonly from?: readonly Taint[];
    }
  | { readonly kind: 'decode' }
  | { readonly kind: 'disclose'; readonly what: string }
  | { readonly kind: 'signal'; readonly what: string }
  | { readonly kind: 'privilege'; readonly how: string }
  | { readonly kind: 'publish'; readonly what: string }
  | { readonly kind: 'catastrophe'; readonly what: string }
  | { readonly kind: 'repository'; readonly change: RepositoryChange; readonly what: string }
  | { readonly kind: 'control'; readonly name: string; readonly words: readonly string[]; readonly plain: boolean }
  | { readonly kind: 'state'; readonly what: string }
  /** `hidden`: something runs or happens that the text does not show; a person must see it. */
  | { readonly kind: 'unknown'; readonly why: string; readonly hidden: boolean }
);

/** Where in the text a command stands. */
export type Inside =
  | 'top'
  | 'group'
  | 'subshell'
  | 'branch'
  | 'loop'
  | 'function'
  | 'substitution'
  | 'process-substitution'
  | 'coproc'
  | 'nested-shell'
  | 'wrapper'
  | 'trap';

export interface ReadAssignment {
  readonly name: string;
  readonly value: WordReading | { readonly kind: 'list'; readonly items: readonly WordReading[] };
}

export interface ReadRedirect {
  readonly operator: string;
  readonly descriptor?: number | string;
  readonly target?: WordReading;
}

/** One simple command, with everything known about it. */
export interface ReadCommand {
  /** Base name of the program; empty when only assignments or redirections are there. */
  readonly program: string;
  /** The program word and its arguments. */
  readonly words: readonly WordReading[];
  /** Programs that start this one (`sudo`, `xargs`, ...), outermost first. */
  readonly wrappers: readonly string[];
  readonly assignments: readonly ReadAssignment[];
  readonly redirects: readonly ReadRedirect[];
  readonly depth: number;
  readonly cwd: string | undefined;
  readonly inside: Inside;
  readonly effects: readonly ShellEffect[];
  /** What it prints, when that is known. */
  readonly stdout?: string;
}

export interface UnknownNote {
  readonly why: string;
  readonly text: string;
  readonly hidden: boolean;
}

/** Everything understood about one shell text. */
export interface ShellReading {
  readonly source: string;
  readonly commands: readonly ReadCommand[];
  readonly effects: readonly ShellEffect[];
  /** True when nothing in the text is unknown. */
  readonly complete: boolean;
  readonly unknowns: readonly UnknownNote[];
  /** Syntax nodes visited: the measure of work. */
  readonly nodes: number;
}
