import { maxCodeDepth, softNodes } from './limits.ts';
import { type Input, type KnownFunction, restoreLocals, type Scope, withScope } from './scope.ts';
import { type Call, insideOf, note, type Walk } from './walk.ts';

interface CalledFunction {
  readonly name: string;
  readonly known: KnownFunction;
  readonly call: Call;
  readonly input: Input;
}

/** Reads the body of a function with the words it is called with. */
export const callFunction = (called: CalledFunction, walk: Walk, scope: Scope): void => {
  const { name, known, call, input } = called;
  for (const body of known.bodies) walk.called.add(body);
  if (scope.codeDepth >= maxCodeDepth || walk.nodes > softNodes * 4) {
    note(walk, 'function calls too deep', { text: name, hidden: true });
    return;
  }
  const changes: Partial<Scope> = {
    ...insideOf(scope, 'function'),
    positional: call.words.slice(1),
    codeDepth: scope.codeDepth + 1,
    input,
  };
  for (const body of known.bodies) {
    if (scope.calls.includes(body)) note(walk, 'function calls itself', { text: name, hidden: true });
    else {
      withScope(scope, { ...changes, locals: new Map(), calls: [...scope.calls, body] }, (inner) => {
        walk.engine.node(body.body, walk, inner);
        restoreLocals(inner);
      });
    }
  }
};
