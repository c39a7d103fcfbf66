import { maxCodeDepth } from './limits.ts';
import { throughLinks } from './links.ts';
import type { Inside, ReadAssignment, WordReading } from './model.ts';
import { asShellText } from './parameters.ts';
import { copyScope, type Input, type Scope, withScope } from './scope.ts';
import { targetOf } from './targets.ts';
import type { CommandOptions, ShellOptions, Tools } from './tools.ts';
import { type Call, insideOf, note, type Walk } from './walk.ts';
import { shapeOf } from './words.ts';

/** Where a command is being read. */
export interface Place {
  readonly walk: Walk;
  readonly scope: Scope;
  readonly input: Input;
  readonly print: (text: string) => void;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

// Programs that act on a link itself, not on what it leads to.
const keepsLinks = /^g?(?:rm|unlink|mv|ln|ls|stat|file|readlink|trash|trash-put)$/;

/** What the reader of a program may ask for and do at that place. */
export const toolsFor = (call: Call, name: string, place: Place): Tools => {
  const { walk, scope, input, print } = place;
  const atLink = keepsLinks.test(name) ? 'keep' : 'follow';
  return {
    program: name,
    call,
    walk,
    scope,
    context: walk.context,
    input,
    target: (one) => throughLinks(targetOf(one, scope.cwd), walk.links, atLink),
    print,
    shell: (code, options) => readShellCode({ code, options, name, call }, place),
    command: (words, options) => readInnerCommand({ words, options, name }, place),
  };
};

const deeper = (place: Place, name: string, inside: Inside): Partial<Mutable<Scope>> => ({
  ...insideOf(place.scope, inside),
  codeDepth: place.scope.codeDepth + 1,
  input: place.input,
  wrappers: [...place.scope.wrappers, name],
});

const isTooDeep = (place: Place, name: string): boolean => {
  if (place.scope.codeDepth < maxCodeDepth) return false;
  note(place.walk, 'code within code too deep', { text: name, hidden: true });
  return true;
};

interface ShellCode {
  readonly code: WordReading;
  readonly options: ShellOptions | undefined;
  readonly name: string;
  readonly call: Call;
}

const readShellCode = ({ code, options, name, call }: ShellCode, place: Place): void => {
  const { walk, scope } = place;
  if (isTooDeep(place, name)) return;
  if (code.kind !== 'literal') note(walk, 'code is computed', { text: shapeOf(code), hidden: true });
  const text = asShellText(shapeOf(code));
  const changes = deeper(place, name, options?.inside ?? 'nested-shell');
  if (options?.input !== undefined) changes.input = options.input;
  const positional = options?.positional;
  if (options?.sameShell) {
    const held = { ...changes, positional: positional ?? scope.positional };
    withScope(scope, held, (inner) => walk.engine.code(text, walk, inner));
  } else walk.engine.code(text, walk, childScope(scope, call.assignments, { ...changes, positional }));
};

interface InnerCommand {
  readonly words: readonly WordReading[];
  readonly options: CommandOptions | undefined;
  readonly name: string;
}

const readInnerCommand = ({ words, options, name }: InnerCommand, place: Place): void => {
  const { walk, scope } = place;
  if (isTooDeep(place, name) || words.length === 0) return;
  const { functions } = scope;
  const changes = { ...deeper(place, name, 'wrapper'), functions: new Map() };
  if (options?.input !== undefined) changes.input = options.input;
  const inner: Call = {
    words,
    assignments: options?.assignments ?? [],
    declared: [],
    redirects: [],
    redirected: { effects: [] },
  };
  if (options?.sameShell) {
    withScope(scope, changes, (same) => walk.engine.call(inner, walk, same));
    scope.functions = functions;
  } else walk.engine.call(inner, walk, copyScope(scope, changes));
};

// A new shell sees exported variables only; whatever else it names comes from elsewhere.
const childScope = (scope: Scope, assignments: readonly ReadAssignment[], changes: Partial<Scope>): Scope => {
  const kept = [...scope.variables].filter(
    ([name]) => scope.exported.has(name) || /^(?:HOME|USER|LOGNAME|PWD)$/.test(name),
  );
  const variables = new Map(kept);
  variables.set('IFS', { kind: 'literal', text: ' \t\n' });
  for (const assignment of assignments) variables.set(assignment.name, assignment.value);
  return { ...copyScope(scope), errexit: false, ...changes, variables, functions: new Map() };
};
