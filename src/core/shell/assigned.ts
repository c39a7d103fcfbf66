import { type Command, forEachChild, type SyntaxNode } from 'unbash';
import type { Scope } from './scope.ts';
import { tick, type Walk } from './walk.ts';

/** What a piece of syntax may change in the shell that runs it. */
export interface Assigned {
  readonly names: readonly string[];
  readonly directory: boolean;
  readonly everything: boolean;
}

const namingBuiltins =
  /^(?:read|mapfile|readarray|printf|getopts|declare|local|typeset|export|readonly|unset|let|wait)$/;

interface Found {
  readonly names: Set<string>;
  directory: boolean;
  everything: boolean;
}

const visitCommand = (node: Command, found: Found, scope: Scope): void => {
  const program = node.name?.value ?? '';
  if (/^(?:cd|chdir|pushd|popd)$/.test(program)) found.directory = true;
  const isOpaque = node.name !== undefined && program !== '[' && /[`$*?[{]/.test(node.name.text);
  if (isOpaque || /^(?:eval|source|\.|command|builtin)$/.test(program) || scope.functions.has(program)) {
    found.everything = true;
    found.directory = true;
  }
  if (!namingBuiltins.test(program)) return;
  for (const word of node.args)
    if (word.type === 'Word' && /^[A-Za-z_]\w*/.test(word.value)) found.names.add(word.value.replace(/\W.*$/s, ''));
};

/** Collects the variables that nodes may assign, without reading what they assign. */
export const assignedIn = (nodes: readonly (SyntaxNode | undefined)[], scope: Scope, walk: Walk): Assigned => {
  const found: Found = { names: new Set(), directory: false, everything: false };
  const visit = (node: SyntaxNode): void => {
    if (!tick(walk)) {
      found.everything = true;
      return;
    }
    // What a subshell changes ends with it.
    if (node.type === 'Subshell' || node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') return;
    if (node.type === 'Assignment') found.names.add(node.name);
    if (node.type === 'For' || node.type === 'Select') found.names.add(node.name.value);
    if (node.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(node.value)) found.names.add(node.value);
    if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default') found.names.add(node.parameter);
    if (node.type === 'Command') visitCommand(node, found, scope);
    forEachChild(node, visit);
  };
  for (const node of nodes) if (node !== undefined) visit(node);
  return { names: [...found.names], directory: found.directory, everything: found.everything };
};
