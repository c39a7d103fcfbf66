import type { JsonObject } from '../../core/model/request.ts';

/** Whether `value` is a JSON object (not null, not an array). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The string under `key`, or nothing when it is absent or of another type. */
export const stringAt = (object: JsonObject, key: string): string | undefined => {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** Text that no honest host sends as a command or path: NUL, or half of a surrogate pair. */
export const isBrokenText = (text: string): boolean => text.includes('\0') || !isWellFormed(text);

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const isWellFormed = (text: string): boolean => !loneSurrogate.test(text);

const deepest = 32;

/** Every string in a JSON value, keys included, outermost first; nothing below 32 levels. */
export const stringsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return [value];
  if (depth >= deepest || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => stringsIn(item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsIn(item, depth + 1)]);
};

/** Whether a JSON value nests deeper than `levels`. Stops looking as soon as it knows. */
export const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
};
