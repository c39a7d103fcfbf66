import type { CacheKey, ContextClass } from './record.ts';

/** Tools that change files share one family: an ask or a deny for one of them holds for all. */
const families: Readonly<Record<string, string>> = {
  Write: 'Write',
  Edit: 'Write',
  MultiEdit: 'Write',
  NotebookEdit: 'Write',
};

/** The family a tool belongs to; most tools are their own. */
export const toolFamily = (tool: string): string => (Object.hasOwn(families, tool) ? (families[tool] ?? tool) : tool);

/** The context of an ask or a deny that names none: it holds wherever the call is made. */
export const anyContext = '*';

/**
 * The text whose keyed digest finds remembered entries: tool family, canonical input and context class. Tool, role and
 * change are not part of it: an index entry carries them beside the digest, so that one look-up answers for
 * the role at hand, for `*`, and for the whole family.
 */
export const entryKeyText = (entry: {
  readonly tool: CacheKey['tool'];
  readonly input: string;
  readonly context: ContextClass | typeof anyContext;
}): string => JSON.stringify(['hookwise-entry-1', toolFamily(entry.tool), entry.input, entry.context]);

/** The text whose keyed digest finds entries that hold for every call of one shape; never equal to an `entryKeyText`. */
export const shapeKeyText = (entry: {
  readonly tool: CacheKey['tool'];
  readonly shape: string;
  readonly context: ContextClass | typeof anyContext;
}): string => JSON.stringify(['hookwise-shape-1', toolFamily(entry.tool), entry.shape, entry.context]);
