import type {
  AndOr,
  CompoundList,
  Coproc,
  Pipeline,
  Redirected as RedirectedNode,
  Script,
  Statement,
  SyntaxNode,
} from 'unbash';
import { assumeEntered, assumeFailed, settleDirectory } from './directories.ts';
import { wordReader } from './expansions.ts';
import { readRedirects, recordOutput } from './redirects.ts';
import { type Input, mergeScopes, type Scope, whereTested, withScope } from './scope.ts';
import { forkScope, insideOf, outputSince, type Walk } from './walk.ts';
import { readSingle } from './words.ts';

/** Reads commands one after the other. What the last one leaves open stays open for whoever asks how it ended. */
export const readList = (node: Script | CompoundList, walk: Walk, scope: Scope): void => {
  for (const statement of node.commands) {
    settleDirectory(scope);
    walk.engine.node(statement, walk, scope);
  }
};

export const readStatement = (node: Statement, walk: Walk, scope: Scope): void => {
  const inner = node.background ? forkScope(walk, scope, insideOf(scope, 'subshell')) : scope;
  walk.engine.node(node.command, walk, inner);
};

/**
 * The right side of `&&` sees what the left side did, the right side of `||` how it failed; afterwards it is open how
 * far the chain came.
 */
export const readAndOr = (node: AndOr, walk: Walk, scope: Scope): void => {
  let failed: Scope[] = [];
  const readPart = (command: SyntaxNode, index: number, at: Scope): void => {
    if (index === node.commands.length - 1) walk.engine.node(command, walk, at);
    else whereTested(at, () => walk.engine.node(command, walk, at));
  };
  node.commands.forEach((command, index) => {
    const previous = node.commands[index - 1];
    if (node.operators[index - 1] === '||') {
      const other = forkScope(walk, scope);
      assumeFailed(other);
      if (failed.length > 0) mergeScopes(other, [other, ...failed]);
      failed = [];
      assumeEntered(scope);
      readPart(command, index, other);
      if (!leaves(command)) mergeScopes(scope, [scope, other]);
      return;
    }
    if (previous !== undefined && !cannotFail(previous)) {
      const before = forkScope(walk, scope);
      assumeFailed(before);
      failed.push(before);
    }
    if (previous !== undefined) assumeEntered(scope);
    readPart(command, index, scope);
  });
  if (failed.length > 0) mergeScopes(scope, [scope, ...failed]);
};

const cannotFail = (node: SyntaxNode): boolean =>
  node.type === 'Command' &&
  node.redirects.length === 0 &&
  !/[`$]/.test(node.prefix.map((part) => (part.type === 'Assignment' ? part.text : '')).join('')) &&
  (node.name === undefined || /^(?:true|:|echo|export|set)$/.test(node.name.text));

/** Whether what comes after the node does not run once it has run. */
const leaves = (node: SyntaxNode): boolean => {
  if (node.type === 'Command') return ['exit', 'return', 'continue', 'break'].includes(node.name?.text ?? '');
  if (node.type === 'BraceGroup') return endsByLeaving(node.body);
  return false;
};

/** Whether a list surely ends by leaving what is around it. */
export const endsByLeaving = (list: CompoundList): boolean => {
  const last = list.commands.at(-1)?.command;
  return last !== undefined && leaves(last);
};

export const readPipeline = (node: Pipeline, walk: Walk, scope: Scope): void => {
  const [only] = node.commands;
  if (node.commands.length === 1 && only !== undefined) {
    if (!node.prefixes.some((prefix) => prefix.type === 'Negation')) walk.engine.node(only, walk, scope);
    else
      whereTested(scope, () => {
        walk.engine.node(only, walk, scope);
        settleDirectory(scope);
      });
    return;
  }
  let input = scope.input;
  node.commands.forEach((command, index) => {
    const start = walk.commands.length;
    const inner = forkScope(walk, scope, { input });
    walk.engine.node(command, walk, inner);
    input = outputSince(walk, start, input);
    // zsh runs the last member in the shell itself.
    if (index === node.commands.length - 1) mergeScopes(scope, [scope, inner]);
  });
};

export const readRedirected = (node: RedirectedNode, walk: Walk, scope: Scope): void => {
  const { redirected, redirects } = readRedirects(node.redirects, walk, scope);
  const start = walk.commands.length;
  if (redirected.effects.length > 0) {
    walk.commands.push({
      program: '',
      words: [],
      wrappers: scope.wrappers,
      assignments: [],
      redirects,
      depth: scope.syntaxDepth,
      cwd: scope.cwd,
      inside: scope.inside,
      effects: redirected.effects,
      stdout: '',
    });
  }
  const input: Input = redirected.input ?? scope.input;
  withScope(scope, { input }, (inner) => walk.engine.node(node.command, walk, inner));
  recordOutput(redirected, outputSince(walk, start, input), walk);
};

export const readCoproc = (node: Coproc, walk: Walk, scope: Scope): void => {
  if (node.name !== undefined) readSingle(node.name, wordReader(walk, scope));
  walk.engine.node(node.body, walk, forkScope(walk, scope, { inside: 'coproc' }));
};
