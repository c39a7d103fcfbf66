import type { Assignment, Command, CommandArgument } from 'unbash';
import { evaluationTrouble } from './evaluated.ts';
import { wordReader } from './expansions.ts';
import type { ReadAssignment, WordReading } from './model.ts';
import { readRedirects } from './redirects.ts';
import type { Scope } from './scope.ts';
import type { Walk } from './walk.ts';
import type { WordReader } from './word-reader.ts';
import { concatenate, readSingle, readValue, readWord } from './words.ts';

/** Reads a simple command: its words, assignments and redirections; then what it does. */
export const readSimpleCommand = (node: Command, walk: Walk, scope: Scope): void => {
  const reader = wordReader(walk, scope);
  walk.nodes += node.args.length >> 2;
  const assignments = node.prefix
    .filter((part) => part.type === 'Assignment')
    .map((part) => readAssignment(part, reader));
  const words = node.name === undefined ? [] : readWord(node.name, reader);
  const declared: ReadAssignment[] = [];
  for (const argument of node.args) words.push(...readArgument(argument, { reader, declared }));
  const { redirected, redirects } = readRedirects(node.redirects, walk, scope);
  walk.engine.call({ words, assignments, declared, redirects, redirected }, walk, scope);
};

const readArgument = (
  argument: CommandArgument,
  place: { readonly reader: WordReader; readonly declared: ReadAssignment[] },
): WordReading[] => {
  if (argument.type === 'Word') return readWord(argument, place.reader);
  const assignment = readAssignment(argument, place.reader);
  place.declared.push(assignment);
  const start: WordReading = { kind: 'literal', text: `${assignment.name}=` };
  return [assignment.value.kind === 'list' ? start : concatenate([start, assignment.value])];
};

/** One assignment, with the value it gives as far as known. */
const readAssignment = (node: Assignment, reader: WordReader): ReadAssignment => {
  const { name } = node;
  if (node.index !== undefined) {
    const index = readSingle(node.index, reader);
    const trouble = index.kind === 'literal' ? evaluationTrouble(index.text, reader.scope.variables) : undefined;
    if (trouble !== undefined) reader.note('subscript is evaluated', node.text, { hidden: trouble.hidden });
  }
  if (node.value.type === 'ArrayValue') {
    return { name, value: { kind: 'list', items: node.value.elements.flatMap((word) => readWord(word, reader)) } };
  }
  if (node.value.text.startsWith('(')) reader.note('value looks like a list', node.text, { hidden: true });
  const value = readValue(node.value, reader);
  const partial = node.index !== undefined || node.append === true;
  return { name, value: partial ? appended(name, value, reader) : value };
};

const appended = (name: string, value: WordReading, reader: WordReader): WordReading => {
  const held = reader.scope.variables.get(name);
  const start: WordReading =
    held === undefined || held.kind === 'list'
      ? { kind: 'dynamic', why: `$${name} is not known`, knownPrefix: '', shape: '\uE000' }
      : held;
  return concatenate([start, value]);
};
