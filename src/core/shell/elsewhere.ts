import { softNodes } from './limits.ts';
import type { ShellEffect } from './model.ts';
import { copyScope, type Scope } from './scope.ts';
import { type Call, note, readAside, type Walk } from './walk.ts';

// These only say where the shell stands, which is followed for all directories at once.
const movers = /^(?:cd|chdir|pushd|popd|dirs)$/;

/**
 * What else a command does when it runs in another directory, because nobody looked whether the `cd` before it worked.
 * `before` is the scope as the command found it.
 */
export const effectsElsewhere = (
  { call, start }: { readonly call: Call; readonly start: number },
  walk: Walk,
  before: Scope,
): ShellEffect[] => {
  const program = walk.commands[start]?.program ?? '';
  if (movers.test(program)) return [];
  if (walk.nodes > softNodes) {
    note(walk, 'working directory is not certain', { text: program, hidden: true });
    return [];
  }
  const known = new Set(
    walk.commands.slice(start).flatMap((command) => command.effects.map((one) => JSON.stringify(one))),
  );
  const { input } = call.redirected;
  const again: Call = {
    ...call,
    redirects: [],
    redirected: { effects: [], ...(input === undefined ? {} : { input }) },
  };
  return before.otherCwds.flatMap((cwd) => {
    const scope = copyScope(before, { cwd, otherCwds: [], failedCwds: undefined });
    return readAside(walk, (aside) => aside.engine.call(again, aside, scope)).filter((effect) => {
      const key = JSON.stringify(effect);
      if (known.has(key)) return false;
      known.add(key);
      return true;
    });
  });
};
