import type { Context } from '../model/context.ts';
import type { PathFact } from '../model/facts.ts';
import { relativeTo } from '../paths/normalise.ts';

/** One way to name a file: absolute, and seen from the project root where it lies inside. */
export interface Spelling {
  readonly absolute: string;
  readonly relative?: string;
}

/**
 * Every name the policy has to hold for: as given, and with links resolved. `/proc/self/root` and the like show their
 * target in the real name.
 */
export const spellingsOf = (path: string, facts: readonly (PathFact | undefined)[], context: Context): Spelling[] => {
  const names = new Set([path, ...facts.flatMap((fact) => (fact === undefined ? [] : [fact.real]))]);
  return [...names].map((absolute) => {
    const relative = relativeTo(context.root, absolute) ?? relativeTo(context.realRoot, absolute);
    return relative === undefined ? { absolute } : { absolute, relative };
  });
};

/** Whether every name of the file lies inside the project. */
export const isInProject = (spellings: readonly Spelling[]): boolean =>
  spellings.every((spelling) => spelling.relative !== undefined);
