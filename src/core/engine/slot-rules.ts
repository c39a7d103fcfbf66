import type { Facts } from '../model/facts.ts';
import type { Shape } from '../similarity/shape.ts';
import type { Slot } from '../similarity/slot-kinds.ts';
import type { Matchers } from './matchers.ts';
import { type PathUse, readFindings, writeFindings } from './path-rules.ts';
import type { Plan } from './plan.ts';
import { isInProject, spellingsOf } from './spellings.ts';

/** What is known when the slots of a call are looked at. */
export interface SlotKnowledge {
  readonly plan: Plan;
  readonly facts: Facts;
  readonly matchers: Matchers;
}

/**
 * Why what fills the slots of a call may not be carried over, or nothing. A place must lie in the project with all its
 * links, be open to the role, and hold nothing sensitive; what is changed must be a file that the role may change anyway.
 */
export const slotObjection = (shape: Shape, known: SlotKnowledge): string | undefined => {
  for (const slot of shape.slots) {
    const why = slot.path === undefined ? undefined : placeObjection(slot, slot.path, known);
    if (why !== undefined) return why;
  }
  return undefined;
};

const placeObjection = (slot: Slot, path: string, { plan, facts, matchers }: SlotKnowledge): string | undefined => {
  const { context } = plan;
  const fact = facts.paths.get(path);
  const spellings = spellingsOf(path, [fact], context);
  const use: PathUse = { spelled: slot.text, spellings, fact, text: [] };
  if (fact === undefined || fact.type === 'unreadable') return `${slot.text} cannot be resolved on disk`;
  if (!isInProject(spellings)) return `${slot.text} leads out of the project`;
  const reads = readFindings(use, context, matchers).find(({ verdict }) => verdict !== 'allow');
  if (reads !== undefined) return reads.why;
  // Whoever tests or checks a protected file runs or shows it: asked like a change of it.
  const writes = writeFindings(use, context, matchers);
  const objection = writes.find(
    ({ verdict, tier }) => verdict !== 'allow' && (slot.isWritten || tier === 'SensitivePath'),
  );
  if (objection !== undefined) return objection.why;
  const isSingle = fact.type === 'file' || fact.type === 'missing';
  if ((slot.isWritten || slot.isFile === true) && !isSingle) return `${slot.text} is not a single file`;
  const mayWrite = writes.some(({ verdict }) => verdict === 'allow');
  return slot.isWritten && !mayWrite ? `role ${context.roleName} may not write ${slot.text} unasked` : undefined;
};
