import { fail, ok, type Result } from './result.ts';

const deepest = 32;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name would reach into `Object.prototype` when used as a key (`__proto__`, `constructor`, `toString`). */
export const isPrototypeName = (name: string): boolean => forbiddenKeys.has(name) || name in Object.prototype;

/**
 * JSON as decisions may be stored in it: no key twice in one object, no key that names a prototype, bounded depth.
 * `JSON.parse` alone would silently keep the last of two equal keys.
 */
export const parseStrictJson = (text: string): Result<unknown, string> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('is not valid JSON');
  }
  const wrong = structureProblem(text);
  return wrong === undefined ? ok(value) : fail(wrong);
};

const codes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
};

/** Walks text that is known to be valid JSON, looking at structure and keys only. */
const structureProblem = (text: string): string | undefined => {
  const frames: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) {
      const end = stringEnd(text, at);
      const keys = frames.at(-1);
      if (expectsKey && keys !== undefined) {
        const wrong = keyProblem(keyAt(text, { start: at, end }), keys);
        if (wrong !== undefined) return wrong;
        expectsKey = false;
      }
      at = end;
    } else if (code === codes.openBrace || code === codes.openBracket) {
      expectsKey = code === codes.openBrace;
      frames.push(expectsKey ? new Set() : undefined);
      if (frames.length > deepest) return `is nested deeper than ${deepest} levels`;
    } else if (code === codes.closeBrace || code === codes.closeBracket) {
      frames.pop();
      expectsKey = false;
    } else if (code === codes.comma) {
      expectsKey = frames.at(-1) !== undefined;
    }
  }
  return undefined;
};

const keyAt = (text: string, span: { start: number; end: number }): string => {
  const raw = text.slice(span.start, span.end + 1);
  return raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1);
};

const keyProblem = (key: string, seen: Set<string>): string | undefined => {
  if (forbiddenKeys.has(key)) return `has the forbidden key "${key}"`;
  if (seen.has(key)) return `has the key ${JSON.stringify(key.slice(0, 64))} twice`;
  seen.add(key);
  return undefined;
};

/** Index of the quote that closes the string opened at `start`. */
const stringEnd = (text: string, start: number): number => {
  let at = start + 1;
  for (let code = text.charCodeAt(at); at < text.length && code !== codes.quote; code = text.charCodeAt(at)) {
    at += code === codes.backslash ? 2 : 1;
  }
  return at;
};

/** A JSON object, as opposed to an array, `null` or a plain value. */
export const isJsonObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
