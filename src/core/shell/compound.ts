import type {
  ArithmeticFor,
  Case,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  Select,
  SyntaxNode,
  While,
} from 'unbash';
import { assignedIn } from './assigned.ts';
import { assumeEntered, assumeFailed, settleDirectory } from './directories.ts';
import { wordReader } from './expansions.ts';
import { maxTurns, softNodes } from './limits.ts';
import { endsByLeaving } from './lists.ts';
import type { WordReading } from './model.ts';
import { mergeScopes, type Scope, unknownWord, whereTested } from './scope.ts';
import { forkScope, insideOf, type Walk } from './walk.ts';
import { readSingle, readWord } from './words.ts';

export const readIf = (node: If, walk: Walk, scope: Scope): void => {
  const ways: Scope[] = [];
  const branch = (list: CompoundList, isTaken: boolean): void => {
    const way = forkScope(walk, scope, insideOf(scope, 'branch'));
    if (isTaken) assumeEntered(way);
    walk.engine.node(list, walk, way);
    if (!endsByLeaving(list)) ways.push(way);
  };
  const arm = (clause: CompoundList, then: CompoundList): void => {
    whereTested(scope, () => walk.engine.node(clause, walk, scope));
    branch(then, true);
    assumeFailed(scope);
  };
  arm(node.clause, node.then);
  for (const elif of node.elif) arm(elif.clause, elif.then);
  if (node.else !== undefined) branch(node.else, false);
  else ways.push(forkScope(walk, scope));
  if (ways.length > 0) mergeScopes(scope, ways);
};

// Where the home is does not become open because something unknown runs.
const isBasic = (name: string): boolean => /^(?:HOME|USER|LOGNAME|IFS)$/.test(name);

// Whatever a loop changes may have any value at its start.
const forgetAssigned = (nodes: readonly (SyntaxNode | undefined)[], walk: Walk, scope: Scope): void => {
  const assigned = assignedIn(nodes, scope, walk);
  const names = assigned.everything ? [...scope.variables.keys()].filter((name) => !isBasic(name)) : assigned.names;
  for (const name of names) scope.variables.set(name, unknownWord(`$${name} changes in a loop`));
  settleDirectory(scope);
  if (assigned.directory && !scope.otherCwds.includes(undefined)) scope.otherCwds = [...scope.otherCwds, undefined];
};

const readBody = (body: CompoundList, walk: Walk, scope: Scope): void => {
  const inner = forkScope(walk, scope, insideOf(scope, 'loop'));
  walk.engine.node(body, walk, inner);
  mergeScopes(scope, [scope, inner]);
};

export const readFor = (node: For | Select, walk: Walk, scope: Scope): void => {
  const reader = wordReader(walk, scope);
  const words = node.wordlist?.flatMap((word) => readWord(word, reader));
  const isEnumerated =
    words !== undefined && words.length <= maxTurns && words.every((word) => word.kind === 'literal');
  if (!isEnumerated || walk.nodes >= softNodes) forgetAssigned([node.body], walk, scope);
  const name = node.name.value;
  const values: readonly WordReading[] = words ?? scope.positional ?? [unknownWord('arguments not known')];
  if (values.length <= maxTurns && walk.nodes < softNodes && node.type === 'For') {
    for (const value of values) {
      scope.variables.set(name, value);
      readBody(node.body, walk, scope);
    }
  } else {
    const from = [...new Set(values.flatMap((value) => value.from ?? []))];
    scope.variables.set(name, { ...unknownWord(`$${name} has several values`), ...(from.length > 0 ? { from } : {}) });
    readBody(node.body, walk, scope);
    readRiskyTurns(values, { node, name }, walk, scope);
  }
  scope.variables.set(name, unknownWord(`$${name} after the loop`));
};

// A long list may hide one dangerous value: literal words that are paths upwards or absolute are tried one by one.
const readRiskyTurns = (
  values: readonly WordReading[],
  loop: { readonly node: For | Select; readonly name: string },
  walk: Walk,
  scope: Scope,
): void => {
  const risky = values
    .filter((value) => value.kind === 'literal' && /^(?:[/~.]|-)|[\s;|&]/.test(value.text))
    .slice(0, 32);
  for (const value of risky) {
    if (walk.nodes > softNodes) return;
    scope.variables.set(loop.name, value);
    readBody(loop.node.body, walk, scope);
  }
};

export const readArithmeticFor = (node: ArithmeticFor, walk: Walk, scope: Scope): void => {
  forgetAssigned([node.body, node.initialize, node.test, node.update], walk, scope);
  const reader = wordReader(walk, scope);
  for (const expression of [node.initialize, node.test, node.update]) reader.arithmetic(expression);
  readBody(node.body, walk, scope);
};

export const readWhile = (node: While, walk: Walk, scope: Scope): void => {
  forgetAssigned([node.clause, node.body], walk, scope);
  whereTested(scope, () => {
    walk.engine.node(node.clause, walk, scope);
    settleDirectory(scope);
  });
  readBody(node.body, walk, scope);
};

export const readCase = (node: Case, walk: Walk, scope: Scope): void => {
  const reader = wordReader(walk, scope);
  readSingle(node.word, reader);
  const ways: Scope[] = [forkScope(walk, scope)];
  for (const item of node.items) {
    for (const pattern of item.pattern) readSingle(pattern, reader);
    const way = forkScope(walk, scope, insideOf(scope, 'branch'));
    walk.engine.node(item.body, walk, way);
    ways.push(way);
  }
  mergeScopes(scope, ways);
};

export const defineFunction = (node: FunctionNode, walk: Walk, scope: Scope): void => {
  scope.functions.set(node.name.value, { bodies: [node], maybe: false });
  walk.definitions.push({ node, scope: forkScope(walk, scope) });
};
