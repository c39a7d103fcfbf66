import type { Function as FunctionNode, SyntaxNode } from 'unbash';
import { maxNodes } from './limits.ts';
import type { Link } from './links.ts';
import { listedBy } from './listing.ts';
import type {
  Inside,
  PathTarget,
  ReadAssignment,
  ReadCommand,
  ReadRedirect,
  ShellContext,
  ShellEffect,
  Taint,
  UnknownNote,
  WordReading,
} from './model.ts';
import { copyScope, type Input, type Scope } from './scope.ts';

/** A file that the call itself wrote: what is in it, as far as known. */
export interface WrittenFile {
  readonly text?: string;
  readonly from: readonly Taint[];
}

/** A simple command on its way to be read. */
export interface Call {
  readonly words: readonly WordReading[];
  readonly assignments: readonly ReadAssignment[];
  /** Assignments among the arguments of `export`, `declare` and the like. */
  readonly declared: readonly ReadAssignment[];
  readonly redirects: readonly ReadRedirect[];
  /** What redirections do and feed. */
  readonly redirected: Redirected;
}

/** What the redirections of one command come to. */
export interface Redirected {
  readonly effects: readonly ShellEffect[];
  readonly input?: Input;
  /** Where standard output goes. */
  readonly output?: PathTarget & { readonly append: boolean };
}

/** One reading in progress: everything that grows while the tree is walked. */
export interface Walk {
  readonly context: ShellContext;
  readonly commands: ReadCommand[];
  readonly notes: UnknownNote[];
  readonly files: Map<string, WrittenFile>;
  /** Links that the call makes. */
  readonly links: Link[];
  readonly definitions: { readonly node: FunctionNode; readonly scope: Scope }[];
  readonly called: Set<FunctionNode>;
  readonly engine: Engine;
  nodes: number;
  dataCharacters: number;
}

/** The mutually recursive readers, handed around so that no module needs the others. */
export interface Engine {
  node(node: SyntaxNode, walk: Walk, scope: Scope): void;
  call(call: Call, walk: Walk, scope: Scope): void;
  code(text: string, walk: Walk, scope: Scope): void;
}

export const note = (walk: Walk, why: string, detail: { readonly text: string; readonly hidden: boolean }): void => {
  if (walk.notes.some((known) => known.why === why && known.text === detail.text.slice(0, 200))) return;
  if (walk.notes.length < 100) walk.notes.push({ why, text: detail.text.slice(0, 200), hidden: detail.hidden });
};

/** Counts work; false when the budget is spent, which makes the reading incomplete. */
export const tick = (walk: Walk): boolean => {
  walk.nodes += 1;
  if (walk.nodes <= maxNodes) return true;
  note(walk, 'too much to read', { text: '', hidden: true });
  return false;
};

/** Reads something whose findings do not become part of the reading; the work counts. */
export const readAside = (walk: Walk, read: (aside: Walk) => void): readonly ShellEffect[] => {
  const aside: Walk = {
    ...walk,
    commands: [],
    notes: [],
    files: new Map(walk.files),
    links: [...walk.links],
    definitions: [],
    called: new Set(),
  };
  read(aside);
  walk.nodes = aside.nodes;
  return aside.commands.flatMap((command) => command.effects);
};

/** What flows out of commands that were read since `start`. */
export const outputSince = (walk: Walk, start: number, input: Input): Input => {
  const commands = walk.commands.slice(start);
  const from = new Set<Taint>(input.from);
  let text: string | undefined = '';
  for (const command of commands) {
    for (const effect of command.effects) for (const taint of taintsOfEffect(effect)) from.add(taint);
    for (const word of command.words) if (word.from?.includes('secret')) from.add('secret');
    text = text === undefined || command.stdout === undefined ? undefined : text + command.stdout;
  }
  const lists = listedBy(commands, input);
  return {
    ...(text === undefined || commands.length === 0 ? {} : { text }),
    ...(lists === undefined ? {} : { lists }),
    from: [...from],
    fed: true,
  };
};

const taintsOfEffect = (effect: ShellEffect): readonly Taint[] => {
  if (effect.kind === 'connect') return ['network'];
  if (effect.kind === 'decode') return ['decoded'];
  if (effect.kind === 'read' || effect.kind === 'disclose') return effect.risk === 'credentials' ? ['secret'] : [];
  return [];
};

export const insideOf = (scope: Scope, inside: Inside): { readonly inside: Inside } =>
  scope.inside === 'process-substitution' ? { inside: scope.inside } : { inside };

/** Copies a scope and counts the copying as work. */
export const forkScope = (walk: Walk, scope: Scope, changes: Partial<Scope> = {}): Scope => {
  walk.nodes += (scope.variables.size + scope.functions.size) >> 3;
  return copyScope(scope, changes);
};
