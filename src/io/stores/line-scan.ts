import type { Question } from '../../core/engine/covers-places.ts';
import type { Change, ContextClass } from '../../core/model/record.ts';
import { storedTiers } from '../../core/model/record-from-json.ts';
import { isPrototypeName } from '../../core/model/strict-json.ts';
import { type DecisionTier, scopeLevels, type Verdict } from '../../core/model/verdict.ts';

/** What an index needs of a record. */
export interface IndexedRecord extends Question {
  readonly metadata: { readonly tier: DecisionTier };
  readonly expires_at?: string;
}

const verdicts: readonly Verdict[] = ['allow', 'deny', 'ask'];
const changes: readonly Change[] = ['create', 'modify', 'delete'];
const longestText = 65_536;
const longestReason = 8192;
const longestShort = 256;

/** Where the reading of one line stands. One object serves all lines: this runs once per line of large files. */
interface Cursor {
  text: string;
  at: number;
  hasEscapes: boolean;
  isOdd: boolean;
  /** Names that were checked before: tools and roles are few. */
  readonly names: Set<string>;
}

/**
 * Reads lines in exactly the form in which hookwise writes them: canonical JSON, known fields, nothing that would need a
 * second look. Anything else is `undefined` and has to be read the general way, which says the same of every line that is
 * read here. What is accepted is its own canonical form. Texts with control characters are not for here.
 */
export const lineScanner = (): ((text: string) => IndexedRecord | undefined) => {
  const cursor: Cursor = { text: '', at: 0, hasEscapes: false, isOdd: false, names: new Set() };
  return (text) => {
    cursor.text = text;
    cursor.at = 0;
    cursor.hasEscapes = text.includes('\\');
    cursor.isOdd = false;
    const record = recordAt(cursor);
    return cursor.isOdd || cursor.at !== text.length ? undefined : record;
  };
};

const recordAt = (cursor: Cursor): IndexedRecord | undefined => {
  wanted(cursor, '{');
  skipField(cursor, { name: '"actor":', longest: longestShort });
  skipField(cursor, { name: '"call":', longest: longestShort });
  const change = optionalOf(cursor, { name: '"change":', allowed: changes });
  const context = contextAt(cursor);
  const decision = choiceAt(cursor, { name: '"decision":', allowed: verdicts });
  wanted(cursor, ',');
  const digest = optional(cursor, { name: '"digest":', longest: longestShort });
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest)) cursor.isOdd = true;
  const expires = optional(cursor, { name: '"expires_at":', longest: longestShort });
  if (expires !== undefined && Number.isNaN(Date.parse(expires))) cursor.isOdd = true;
  skipField(cursor, { name: '"file_path":', longest: longestText });
  const key = keyAt(cursor);
  const lossy = flagAt(cursor, '"lossy":');
  const tier = tierAt(cursor);
  optionalOf(cursor, { name: '"scope":', allowed: scopeLevels });
  skipField(cursor, { name: '"session_id":', longest: longestShort });
  skipField(cursor, { name: '"timestamp":', longest: longestShort });
  wanted(cursor, '"v":1}');
  if (cursor.isOdd || decision === undefined || tier === undefined) return undefined;
  // One assignment after the other: spreading would cost more than reading the line.
  const record: { -readonly [Name in keyof IndexedRecord]: IndexedRecord[Name] } = {
    key,
    decision,
    metadata: { tier },
  };
  if (context !== undefined) record.context = context;
  if (change !== undefined) record.change = change;
  if (digest !== undefined) record.digest = digest;
  if (lossy !== undefined) record.lossy = lossy;
  if (expires !== undefined) record.expires_at = expires;
  return record;
};

const keyAt = (cursor: Cursor): IndexedRecord['key'] => {
  wanted(cursor, '"key":{"role":');
  const role = nameAt(cursor);
  wanted(cursor, ',"sanitized_input":');
  const input = textAt(cursor, longestText);
  wanted(cursor, ',"tool":');
  const tool = nameAt(cursor);
  wanted(cursor, '},');
  return { sanitized_input: input, tool, role };
};

const tierAt = (cursor: Cursor): DecisionTier | undefined => {
  wanted(cursor, '"metadata":{');
  if (take(cursor, '"confidence":')) {
    const end = cursor.text.indexOf(',', cursor.at);
    if (!isFraction(cursor.text.slice(cursor.at, end))) cursor.isOdd = true;
    cursor.at = end + 1;
  }
  skipField(cursor, { name: '"reason":', longest: longestReason });
  const tier = choiceAt(cursor, { name: '"tier":', allowed: storedTiers });
  wanted(cursor, '},');
  return tier;
};

const isFraction = (text: string): boolean =>
  text === '1' || text === '0' || (/^0\.\d{1,17}$/.test(text) && String(Number(text)) === text);

const take = (cursor: Cursor, token: string): boolean => {
  if (!cursor.text.startsWith(token, cursor.at)) return false;
  cursor.at += token.length;
  return true;
};

const wanted = (cursor: Cursor, token: string): void => {
  if (!take(cursor, token)) cursor.isOdd = true;
};

interface Choice<T extends string> {
  readonly name: string;
  readonly allowed: readonly T[];
}

const choiceAt = <T extends string>(cursor: Cursor, { name, allowed }: Choice<T>): T | undefined => {
  wanted(cursor, name);
  const text = textAt(cursor, longestShort);
  for (const candidate of allowed) if (candidate === text) return candidate;
  cursor.isOdd = true;
  return undefined;
};

const optionalOf = <T extends string>(cursor: Cursor, choice: Choice<T>): T | undefined => {
  if (!cursor.text.startsWith(choice.name, cursor.at)) return undefined;
  const found = choiceAt(cursor, choice);
  wanted(cursor, ',');
  return found;
};

interface Field {
  readonly name: string;
  /** In UTF-16 units, as the general reader counts. */
  readonly longest: number;
}

const optional = (cursor: Cursor, { name, longest }: Field): string | undefined => {
  if (!take(cursor, name)) return undefined;
  const text = textAt(cursor, longest);
  wanted(cursor, ',');
  return text;
};

/** A field that an index does not keep. */
const skipField = (cursor: Cursor, { name, longest }: Field): void => {
  if (!take(cursor, name)) return;
  if (cursor.hasEscapes) textAt(cursor, longest);
  else {
    const end = plainEnd(cursor);
    if (end - cursor.at > longest + 1) cursor.isOdd = true;
    cursor.at = end + 1;
  }
  wanted(cursor, ',');
};

const quote = 0x22;
const backslash = 0x5c;

/** The quote that closes a text without escapes which opens at the cursor. */
const plainEnd = (cursor: Cursor): number => {
  const end = cursor.text.indexOf('"', cursor.at + 1);
  if (end < 0 || cursor.text.charCodeAt(cursor.at) !== quote) cursor.isOdd = true;
  return end < 0 ? cursor.text.length : end;
};

const textAt = (cursor: Cursor, longest: number): string => {
  if (cursor.isOdd) return '';
  const end = plainEnd(cursor);
  if (cursor.hasEscapes && cursor.text.slice(cursor.at + 1, end).includes('\\')) return escapedAt(cursor, longest);
  const text = cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  if (text.length > longest) cursor.isOdd = true;
  return text;
};

const escapedAt = (cursor: Cursor, longest: number): string => {
  const { text, at } = cursor;
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1;
  const value = unescaped(text.slice(at, end + 1));
  cursor.at = end + 1;
  if (value === undefined || value.length > longest) cursor.isOdd = true;
  return value ?? '';
};

/** The value of a JSON text that is written as `JSON.stringify` would. */
const unescaped = (raw: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'string' && JSON.stringify(value) === raw ? value : undefined;
  } catch {
    return undefined;
  }
};

const nameAt = (cursor: Cursor): string => {
  const name = textAt(cursor, longestShort);
  if (cursor.names.has(name)) return name;
  if (name === '' || isPrototypeName(name)) cursor.isOdd = true;
  else cursor.names.add(name);
  return name;
};

const flagAt = (cursor: Cursor, name: string): boolean | undefined => {
  if (!take(cursor, name)) return undefined;
  if (take(cursor, 'true,')) return true;
  wanted(cursor, 'false,');
  return false;
};

const isInside = (text: string): text is `inside:${string}` => /^inside:./s.test(text);

const contextAt = (cursor: Cursor): ContextClass | undefined => {
  const text = optional(cursor, { name: '"context":', longest: longestText });
  if (text === undefined || text === 'root' || text === 'outside' || isInside(text)) return text;
  cursor.isOdd = true;
  return undefined;
};
