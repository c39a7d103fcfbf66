import { isCredentialName, isCredentialOption } from './names.ts';
import { sanitize } from './sanitize.ts';
import { isHarmlessValue } from './values.ts';

/** A JSON value with its secrets replaced. */
export interface SanitizedJson {
  readonly value: unknown;
  /** The kinds that were replaced, in order of their places. */
  readonly kinds: readonly string[];
  /** Whether something outside a structural slot was replaced or left out. */
  readonly lossy: boolean;
}

/** How much of a value is looked at; what is beyond is left out, never passed on unseen. */
export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly maxCharacters: number;
}

const defaultLimits: JsonLimits = { maxDepth: 32, maxNodes: 20_000, maxCharacters: 2_000_000 };

const omitted = '<OMITTED>';

interface Walk {
  readonly limits: JsonLimits;
  readonly kinds: string[];
  nodes: number;
  characters: number;
  isLossy: boolean;
}

const omit = (walk: Walk): string => {
  walk.isLossy = true;
  return omitted;
};

const cleanText = (walk: Walk, text: string): string => {
  walk.characters += text.length;
  if (walk.characters > walk.limits.maxCharacters) return omit(walk);
  const { text: clean, spans, lossy } = sanitize(text);
  walk.kinds.push(...spans.map((span) => span.kind));
  walk.isLossy ||= lossy;
  return clean;
};

// In a field named for a credential the whole value is the secret, unless it only refers to one.
const cleanCredential = (walk: Walk, text: string): string => {
  if (isHarmlessValue(text) || /^\$(?:\w+|\{[^}]*\})$/.test(text)) return cleanText(walk, text);
  const { spans } = sanitize(text);
  const [only] = spans;
  const kind = only && only.start === 0 && only.end === text.length ? only.kind : 'field';
  walk.kinds.push(kind);
  return `<SECRET:${kind}>`;
};

const cleanList = (walk: Walk, list: readonly unknown[], depth: number): unknown[] =>
  list.map((item, index) => {
    const previous: unknown = list[index - 1];
    const option = typeof previous === 'string' ? /^--?([A-Za-z][\w-]*)$/.exec(previous)?.[1] : undefined;
    const isValue =
      option !== undefined && isCredentialOption(option) && typeof item === 'string' && !item.startsWith('-');
    return isValue ? cleanCredential(walk, item) : cleanNode(walk, item, depth + 1);
  });

const cleanField = (walk: Walk, [name, value]: readonly [string, unknown], depth: number): unknown => {
  if (!isCredentialName(name)) return cleanNode(walk, value, depth);
  if (typeof value === 'string') return cleanCredential(walk, value);
  if (typeof value === 'number') return cleanCredential(walk, String(value));
  return cleanNode(walk, value, depth);
};

const cleanObject = (walk: Walk, object: object, depth: number): unknown =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [cleanText(walk, name), cleanField(walk, [name, value], depth + 1)]),
  );

function cleanNode(walk: Walk, value: unknown, depth: number): unknown {
  walk.nodes += 1;
  if (depth > walk.limits.maxDepth || walk.nodes > walk.limits.maxNodes) return omit(walk);
  if (typeof value === 'string') return cleanText(walk, value);
  if (Array.isArray(value)) return cleanList(walk, value, depth);
  if (typeof value === 'object' && value !== null) return cleanObject(walk, value, depth);
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : omit(walk);
}

/** Sanitises every string, name and credential field of a JSON value. */
export const sanitizeJson = (value: unknown, limits: Partial<JsonLimits> = {}): SanitizedJson => {
  const walk: Walk = { limits: { ...defaultLimits, ...limits }, kinds: [], nodes: 0, characters: 0, isLossy: false };
  const clean = cleanNode(walk, value, 0);
  return { value: clean, kinds: walk.kinds, lossy: walk.isLossy };
};
