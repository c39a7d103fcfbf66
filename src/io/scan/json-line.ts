import { sanitizeJson } from '../../core/sanitize/json.ts';
import type { Inspect } from './windows.ts';

/** How the texts in a line of JSON are judged. */
export interface JsonJudge {
  readonly inspect: Inspect;
  /** Whether a value that is only known by the text in front of it counts. */
  readonly isWanted: (found: { readonly kind: string; readonly before: string; readonly value: string }) => boolean;
}

/** A value of a line of JSON in which there is a secret, and where the value starts and ends in the line. */
export interface JsonSecret extends Secret {
  readonly start: number;
  readonly end: number;
}

interface Secret {
  readonly kind: string;
  /** In UTF-16 code units, once decoded. */
  readonly length: number;
}

interface Frame {
  readonly kind: 'object' | 'list';
  name: string;
  isName: boolean;
  /** The text of the item before, for lists like `["--token", "…"]`. */
  previous: string;
}

const plainToken = /[{}[\],]|[^\s{}[\],":]+|"/g;
/** Longer values are looked at without their name: nothing that long is one credential. */
const longestCredential = 16_384;

/**
 * The values of a line of JSON that hold a secret once their escapes are undone, the first secret of each. `undefined`
 * when the line is no JSON.
 */
export function secretsInJson(line: string, judge: JsonJudge): readonly JsonSecret[] | undefined {
  if (parsed(line) === undefined) return undefined;
  const frames: Frame[] = [];
  const found: JsonSecret[] = [];
  for (const { text, start } of tokensOf(line)) {
    const frame = frames.at(-1);
    if (text === '{' || text === '[') {
      frames.push({ kind: text === '{' ? 'object' : 'list', name: '', isName: text === '{', previous: '' });
    } else if (text === '}' || text === ']') frames.pop();
    else if (text === ',') {
      if (frame?.kind === 'object') frame.isName = true;
    } else {
      const value = parsed(text)?.value;
      const secret = frame === undefined ? secretIn(value, judge) : secretWithin(frame, value, judge);
      if (secret !== undefined) found.push({ ...secret, start, end: start + text.length });
      if (frame !== undefined) advance(frame, value);
    }
  }
  return found;
}

/** The tokens of a line that is known to be JSON, without colons. A pattern for texts would run out of stack on a long one. */
const tokensOf = function* (line: string): Generator<{ readonly text: string; readonly start: number }> {
  for (let at = 0; at < line.length; ) {
    plainToken.lastIndex = at;
    const found = plainToken.exec(line);
    if (found === null) return;
    const start = found.index;
    at = found[0] === '"' ? stringEnd(line, start) : start + found[0].length;
    yield { text: line.slice(start, at), start };
  }
};

/** Where the text that starts with the quote at `start` ends, its closing quote included. */
const stringEnd = (line: string, start: number): number => {
  let at = start + 1;
  while (at < line.length && line.charAt(at) !== '"') at += line.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
};

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const advance = (frame: Frame, value: unknown): void => {
  if (frame.kind === 'list') frame.previous = typeof value === 'string' ? value : '';
  else if (frame.isName) {
    frame.name = String(value);
    frame.isName = false;
  } else frame.name = '';
};

/** What is known about a value by itself, from its name, or from the option in front of it. */
const secretWithin = (frame: Frame, value: unknown, judge: JsonJudge): Secret | undefined => {
  const alone = secretIn(value, judge);
  if (alone !== undefined || (frame.kind === 'object' && frame.isName)) return alone;
  const text = String(value);
  // What was taken out once stands under its old name.
  if (text.length > longestCredential || placeholder.test(text)) return undefined;
  const isObject = frame.kind === 'object';
  if (!isObject && !/^--?[A-Za-z]/.test(frame.previous)) return undefined;
  const [without, ...kinds] = kindsUnder(frame, [null, value]);
  const kind = kinds.flat().at(without?.length ?? 0);
  if (kind === undefined) return undefined;
  const before = isObject ? `"${frame.name}": ` : `${frame.previous} `;
  return judge.isWanted({ kind, before, value: text }) ? { kind, length: text.length } : undefined;
};

const placeholder = /<(?:SECRET:[a-z][a-z0-9-]*|REDACTED)>/;

/** The kinds that are found with each of the values in the place of the one at hand, those of its name first. */
const kindsUnder = ({ kind, name, previous }: Frame, values: readonly unknown[]): readonly (readonly string[])[] =>
  values.map(
    (value) => sanitizeJson(kind === 'object' ? Object.fromEntries([[name, value]]) : [previous, value]).kinds,
  );

const secretIn = (value: unknown, judge: JsonJudge): Secret | undefined => {
  if (typeof value !== 'string') return undefined;
  const [span] = judge.inspect(value);
  if (span !== undefined) return { kind: span.kind, length: span.end - span.start };
  // The sanitised input of a tool is JSON by itself, with escapes of its own; each level in is shorter than its text.
  const isNested = value.includes('\\') && /^\s*[{["]/.test(value);
  return isNested ? secretsInJson(value, judge)?.[0] : undefined;
};
