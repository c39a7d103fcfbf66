import { callReader } from './call.ts';
import { maxShellCharacters } from './limits.ts';
import type { ShellContext, ShellReading } from './model.ts';
import { parseShell } from './parse.ts';
import type { Registry } from './program-name.ts';
import { copyScope, initialScope, type Scope, unknownWord } from './scope.ts';
import { readNode } from './statements.ts';
import { type Engine, note, type Walk } from './walk.ts';

const readCode = (text: string, walk: Walk, scope: Scope): void => {
  const parsed = parseShell(text);
  if (parsed.kind === 'refused') {
    note(walk, parsed.why, { text: text.slice(0, 100), hidden: true });
    if (parsed.before !== undefined) readNode(parsed.before, walk, scope);
    return;
  }
  for (const why of parsed.notes) note(walk, why, { text: '', hidden: true });
  readNode(parsed.script, walk, scope);
};

// A function that is never called by name may still be: from a trap, an exported shell, a computed name.
const readUncalled = (walk: Walk): void => {
  for (let index = 0; index < walk.definitions.length; index += 1) {
    const definition = walk.definitions[index];
    if (definition === undefined || walk.called.has(definition.node)) continue;
    walk.called.add(definition.node);
    const scope = copyScope(definition.scope, { inside: 'function', positional: undefined, calls: [definition.node] });
    for (const name of scope.variables.keys())
      if (!/^(?:HOME|USER|LOGNAME|IFS)$/.test(name)) scope.variables.set(name, unknownWord(`$${name}`));
    readNode(definition.node.body, walk, scope);
  }
};

/** Reads shell text: what it would do, as typed effects. Pure, never throws for any text. */
export const shellReader = (registry: Registry) => {
  const engine: Engine = { node: readNode, call: callReader(registry), code: readCode };
  return (source: string, context: ShellContext): ShellReading => {
    const walk: Walk = {
      context,
      commands: [],
      notes: [],
      files: new Map(),
      links: [],
      definitions: [],
      called: new Set(),
      engine,
      nodes: 0,
      dataCharacters: 0,
    };
    readCode(source, walk, initialScope(context));
    readUncalled(walk);
    if (source.length - walk.dataCharacters > maxShellCharacters) {
      note(walk, 'too long', { text: '', hidden: true });
    }
    return readingOf(source, walk);
  };
};

const readingOf = (source: string, walk: Walk): ShellReading => {
  const effects = walk.commands.flatMap((command) => command.effects);
  const unknowns = [...walk.notes];
  for (const command of walk.commands) {
    for (const effect of command.effects) {
      if (effect.kind === 'unknown') unknowns.push({ why: effect.why, text: command.program, hidden: effect.hidden });
    }
  }
  return { source, commands: walk.commands, effects, complete: unknowns.length === 0, unknowns, nodes: walk.nodes };
};
