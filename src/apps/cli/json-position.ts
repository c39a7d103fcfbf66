/** Where a text stops being JSON; lines and columns count from 1. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

const blank = /[ \t\n\r]*/y;
const token =
  /(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or ]' | ', or }' | 'end';

const names: Record<Expected, string> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  key: 'a key in double quotes',
  'key or }': 'a key in double quotes or "}"',
  ':': '":"',
  ', or ]': '"," or "]"',
  ', or }': '"," or "}"',
  end: 'the end of the file',
};

/** Finds the first place at which `text` is not JSON. The engine's own messages name it in some versions of Node only. */
export const jsonErrorAt = (text: string): JsonError | undefined => {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => (open.at(-1) === '{' ? ', or }' : open.at(-1) === '[' ? ', or ]' : 'end');
  for (;;) {
    blank.lastIndex = at;
    const start = at + (blank.exec(text)?.[0].length ?? 0);
    if (start === text.length) return expected === 'end' ? undefined : errorAt(text, start, expected);
    token.lastIndex = start;
    const found = token.exec(text);
    const next: Expected | undefined =
      found === null ? undefined : after(expected, { mark: found[1], text: found[2], open, afterValue });
    if (next === undefined) return errorAt(text, start, expected);
    expected = next;
    at = token.lastIndex;
  }
};

interface Token {
  readonly mark: string | undefined;
  readonly text: string | undefined;
  readonly open: ('{' | '[')[];
  readonly afterValue: () => Expected;
}

const after = (expected: Expected, { mark, text, open, afterValue }: Token): Expected | undefined => {
  const wantsValue = expected === 'value' || expected === 'value or ]';
  if (mark === '{' || mark === '[') {
    if (!wantsValue) return undefined;
    open.push(mark);
    return mark === '{' ? 'key or }' : 'value or ]';
  }
  if (mark === '}' || mark === ']') {
    if (!expected.endsWith(`or ${mark}`)) return undefined;
    open.pop();
    return afterValue();
  }
  if (mark === ',') return expected === ', or }' ? 'key' : expected === ', or ]' ? 'value' : undefined;
  if (mark === ':') return expected === ':' ? 'value' : undefined;
  if (wantsValue) return afterValue();
  return text !== undefined && (expected === 'key' || expected === 'key or }') ? ':' : undefined;
};

const errorAt = (text: string, at: number, expected: Expected): JsonError => {
  const before = text.slice(0, at).split('\n');
  const found = at === text.length ? 'the end of the file' : JSON.stringify(text.slice(at, at + 1));
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    reason: `expected ${names[expected]}, found ${found}`,
  };
};
