import type { JsonObject } from './request.ts';
import { isPrototypeName } from './strict-json.ts';

/** Reads checked fields out of an object from outside; what is wrong is noted instead of thrown. */
export interface FieldReader {
  readonly text: (name: string, longest: number) => string;
  readonly optionalText: (name: string, longest: number) => string | undefined;
  /** A text that will be used as a name or a map key: not empty, no prototype name. */
  readonly name: (name: string) => string;
  readonly oneOf: <T extends string>(name: string, allowed: readonly T[]) => T | undefined;
  readonly optionalFlag: (name: string) => boolean | undefined;
  /** A number from 0 to 1. */
  readonly fraction: (name: string, fallback?: number) => number;
  readonly wrong: () => string | undefined;
  readonly note: (problem: string) => void;
}

const longestName = 256;

/** A reader over `object`. `wrong()` is the first problem met, if any. */
export const fieldReader = (object: JsonObject): FieldReader => {
  let problem: string | undefined;
  const note = (text: string): void => {
    problem ??= text;
  };
  const optionalText = (name: string, longest: number): string | undefined => {
    const value = object[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value.length <= longest) return value;
    note(`"${name}" must be a text of at most ${longest} characters`);
    return undefined;
  };
  const text = (name: string, longest: number): string => {
    const value = optionalText(name, longest);
    if (value === undefined) note(`"${name}" is missing`);
    return value ?? '';
  };
  return {
    note,
    optionalText,
    text,
    wrong: () => problem,
    name: (name) => {
      const value = text(name, longestName);
      if (value === '' || isPrototypeName(value)) note(`"${name}" is not a usable name`);
      return value;
    },
    oneOf: (name, allowed) => {
      const value = object[name];
      if (value === undefined || value === null) return undefined;
      const found = allowed.find((candidate) => candidate === value);
      if (found === undefined) note(`"${name}" must be one of ${allowed.join(', ')}`);
      return found;
    },
    optionalFlag: (name) => {
      const value = object[name];
      if (value === undefined || typeof value === 'boolean') return value;
      note(`"${name}" must be true or false`);
      return undefined;
    },
    fraction: (name, fallback) => {
      const value = object[name] ?? fallback;
      if (typeof value === 'number' && value >= 0 && value <= 1) return value;
      note(`"${name}" must be a number from 0 to 1`);
      return 0;
    },
  };
};
