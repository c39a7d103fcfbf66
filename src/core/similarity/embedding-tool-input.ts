import { type Hash, hashPart } from './embedding-hash.ts';
import type { Head } from './embedding-heads.ts';
import { toolIntents } from './embedding-intents.ts';

/** Text is read this far, in UTF-16 code units; what follows counts as one hash. */
const mostCharacters = 8192;

interface ToolReading {
  readonly heads: readonly Head[];
  readonly structure: readonly string[];
  readonly rest: Hash;
}

/** Reads the text of a call that is no shell text: JSON as its keys and values, anything else as one operand. */
export const readToolInput = (tool: string, text: string): ToolReading => {
  const isObject = text.startsWith('{');
  const { keys, values, choices } = isObject
    ? readStrings(text.slice(0, mostCharacters))
    : { keys: [], values: [text.slice(0, mostCharacters)], choices: [] };
  const intent = Object.hasOwn(toolIntents, tool) ? (toolIntents[tool] ?? tool) : tool;
  const options = [...new Set([...keys, ...choices])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const head = { name: `tool ${tool}`, program: `tool ${tool}`, intent, around: [], options, valued: [] };
  return {
    heads: [{ ...head, operands: values, code: [] }],
    structure: [],
    rest: text.length > mostCharacters ? hashPart(7, { text, from: mostCharacters, to: text.length }) : 0,
  };
};

interface Strings {
  readonly keys: string[];
  readonly values: string[];
  /** `key=word`, for values that look like one of a few choices. */
  readonly choices: string[];
}

// A string that is not closed ends with the text, so that nothing is read twice.
const string = /"((?:[^"\\]|\\(?:.|$))*)(?:"|$)(\s*:)?|:\s*(-?[\w.+]+)/gs;
const choice = /^[A-Za-z_-]{1,24}$/;

/** The strings of a JSON text, in order, without judging whether it is JSON. */
const readStrings = (text: string): Strings => {
  const strings: Strings = { keys: [], values: [], choices: [] };
  let key = '';
  for (const [, quoted, colon, bare] of text.matchAll(string)) {
    const value = quoted ?? bare ?? '';
    if (colon !== undefined) {
      key = value;
      strings.keys.push(key);
    } else if (choice.test(value)) strings.choices.push(`${key}=${value}`);
    else strings.values.push(value);
  }
  return strings;
};
