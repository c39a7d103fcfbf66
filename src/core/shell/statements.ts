import type { ArithmeticCommand, SyntaxNode } from 'unbash';
import { defineFunction, readArithmeticFor, readCase, readFor, readIf, readWhile } from './compound.ts';
import { readTest } from './conditions.ts';
import { wordReader } from './expansions.ts';
import { maxSyntaxDepth } from './limits.ts';
import { readAndOr, readCoproc, readList, readPipeline, readRedirected, readStatement } from './lists.ts';
import { type Scope, withScope } from './scope.ts';
import { readSimpleCommand } from './simple-command.ts';
import { forkScope, insideOf, note, tick, type Walk } from './walk.ts';

/** Reads one node that runs something, in order, changing the scope as the shell would. */
export const readNode = (node: SyntaxNode, walk: Walk, scope: Scope): void => {
  if (!tick(walk)) return;
  if (scope.syntaxDepth >= maxSyntaxDepth) {
    note(walk, 'nested too deep', { text: '', hidden: true });
    return;
  }
  withScope(scope, { syntaxDepth: scope.syntaxDepth + 1 }, (inner) => {
    const isRead =
      readSequence(node, walk, inner) || readGrouped(node, walk, inner) || readBranching(node, walk, inner);
    if (!isRead) note(walk, `unknown syntax: ${node.type}`, { text: '', hidden: true });
  });
};

// Each of the three says whether the node was one of its kind.
const readSequence = (node: SyntaxNode, walk: Walk, scope: Scope): boolean => {
  switch (node.type) {
    case 'Script':
    case 'CompoundList':
      readList(node, walk, scope);
      return true;
    case 'Statement':
      readStatement(node, walk, scope);
      return true;
    case 'AndOr':
      readAndOr(node, walk, scope);
      return true;
    case 'Pipeline':
      readPipeline(node, walk, scope);
      return true;
    case 'Command':
      readSimpleCommand(node, walk, scope);
      return true;
    case 'Redirected':
      readRedirected(node, walk, scope);
      return true;
    case 'Coproc':
      readCoproc(node, walk, scope);
      return true;
    default:
      return false;
  }
};

const readGrouped = (node: SyntaxNode, walk: Walk, scope: Scope): boolean => {
  switch (node.type) {
    case 'Subshell':
      readNode(node.body, walk, forkScope(walk, scope, insideOf(scope, 'subshell')));
      return true;
    case 'BraceGroup':
      withScope(scope, insideOf(scope, 'group'), (inner) => readNode(node.body, walk, inner));
      return true;
    case 'Function':
      defineFunction(node, walk, scope);
      return true;
    case 'TestCommand':
      readTest(node.expression, wordReader(walk, scope));
      return true;
    case 'ArithmeticCommand':
      readArithmeticCommand(node, walk, scope);
      return true;
    default:
      return false;
  }
};

const readBranching = (node: SyntaxNode, walk: Walk, scope: Scope): boolean => {
  switch (node.type) {
    case 'If':
      readIf(node, walk, scope);
      return true;
    case 'For':
    case 'Select':
      readFor(node, walk, scope);
      return true;
    case 'ArithmeticFor':
      readArithmeticFor(node, walk, scope);
      return true;
    case 'While':
      readWhile(node, walk, scope);
      return true;
    case 'Case':
      readCase(node, walk, scope);
      return true;
    default:
      return false;
  }
};

const readArithmeticCommand = (node: ArithmeticCommand, walk: Walk, scope: Scope): void => {
  if (node.expression === undefined && node.body.trim() !== '')
    note(walk, 'arithmetic does not parse', { text: node.body, hidden: true });
  wordReader(walk, scope).arithmetic(node.expression);
};
