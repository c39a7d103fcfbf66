/** An object of unknown values: what outside JSON is until it has been looked at. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Is this a plain JSON object (not null, not a list)? */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; nothing when the value is no list. */
export const recordsIn = (value: unknown): readonly JsonRecord[] =>
  Array.isArray(value) ? value.filter((entry): entry is JsonRecord => isRecord(entry)) : [];

/** The value when it is text, else undefined. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The text of a message's content, which is either text itself or a list of blocks. */
export const contentText = (content: unknown): string =>
  textOf(content) ??
  recordsIn(content)
    .map((block) => textOf(block.text) ?? '')
    .join('\n');

/** Parses JSON that must be an object; undefined when it is anything else. */
export const parseRecord = (text: string): JsonRecord | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
