import { anyContext, entryKeyText, shapeKeyText } from '../model/entry-key.ts';
import type { ContextClass, DecisionRecord, SlotType } from '../model/record.ts';

/** The parts of a record that say which calls it answers. */
export type Question = Pick<
  DecisionRecord,
  'key' | 'decision' | 'context' | 'change' | 'digest' | 'lossy' | 'pattern' | 'slots'
>;

/** The shape of a call, as its entries are stored. */
export interface CallShape {
  readonly text: string;
  readonly slots: readonly SlotType[];
}

/** Where an entry is found: under the keyed digest of any of `texts`, or under the `digest` it brings along. */
export interface Places {
  readonly texts: readonly string[];
  readonly digest?: string;
}

type Context = ContextClass | typeof anyContext;

const everywhere = ['root', anyContext] as const;

/**
 * Where a record is found. Without a context an allow means the root only, an ask or a deny means everywhere. A record
 * that lost text to redaction is found by its own digest, and without one by its redacted text; overrides are nowhere.
 */
export const placesOf = (record: Question): Places => {
  if (record.pattern !== undefined) return { texts: [] };
  const isEverywhere = record.context === undefined && record.decision !== 'allow';
  return placesIn(record, isEverywhere ? everywhere : [record.context ?? 'root']);
};

const placesIn = (record: Question, contexts: readonly Context[]): Places => {
  const { tool, sanitized_input: input } = record.key;
  if (record.slots !== undefined)
    return { texts: contexts.map((context) => shapeKeyText({ tool, shape: input, context })) };
  if (record.lossy === true && record.digest !== undefined) return { texts: [], digest: record.digest };
  return { texts: contexts.map((context) => entryKeyText({ tool, input, context })) };
};

/** Where every look-up goes that would find this record, so that an entry which is there is found along with it. */
export const placesCovering = (record: Question, shape?: CallShape): Places => {
  if (record.pattern !== undefined) return { texts: [] };
  const contexts = contextsCovering(record);
  const own = placesIn(record, contexts);
  if (shape === undefined || record.slots !== undefined || !isAlwaysShaped(record)) return own;
  const { tool } = record.key;
  const shapes = contexts.map((context) => shapeKeyText({ tool, shape: shape.text, context }));
  return { ...own, texts: [...own.texts, ...shapes] };
};

/** Calls made outside the project are looked up by no shape, and what names no place holds for those too. */
const isAlwaysShaped = ({ decision, context }: Question): boolean =>
  context === undefined ? decision === 'allow' : context !== 'outside';

const contextsCovering = ({ decision, context }: Question): readonly Context[] => {
  if (decision === 'allow') return [context ?? 'root'];
  return context === undefined ? [anyContext] : [context, anyContext];
};

/** Where every look-up goes that would find this allow: an ask or a deny which is there, for any context too, beats it. */
export const placesBeating = (allow: Question, shape?: CallShape): Places =>
  placesCovering({ ...allow, decision: 'ask', context: allow.context ?? 'root' }, shape);
