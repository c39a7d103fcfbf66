import type { Result } from '../model/result.ts';
import { fail, ok } from '../model/result.ts';

/** What one place of a pattern takes: a character, any one character, one of a set, or any run of characters. */
export type Unit =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: 'run' };

/** One path segment of a pattern; `deep` (`**`) takes any number of segments. */
export type Segment =
  | { readonly kind: 'deep' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'wild'; readonly units: readonly Unit[] };

/** One brace alternative of a glob, without the marks that say where it starts. */
export interface Alternative {
  readonly anchor: 'root' | 'home' | 'absolute';
  readonly segments: readonly Segment[];
}

const longestGlob = 1024;
const mostAlternatives = 64;
const mostRunsPerSegment = 3;
const mostDeep = 5;

const forms: readonly (readonly [shape: RegExp, why: string])[] = [
  [/^$/, 'it is empty'],
  [/[\0-\x1f\x7f]/, 'it contains a control character'],
  [/^!/, 'negation is not supported: use the opposite list'],
  [/[@!+*?]\(/, 'extended groups such as `@(a|b)` are not supported: write `{a,b}`'],
  [/^~[^/]/, '`~user` is not supported: write the directory in full'],
  [/^\$\{?[A-Za-z_]/, 'variables are not expanded: write `~/` for home'],
  [/(?:^|\/)\.\.(?:\/|$)/, '`..` is not allowed'],
  [/(?:^|[^\\])(?:\\\\)*\\$/, 'it ends in a backslash'],
];

const whyRefused = (glob: string): string | undefined => {
  if (glob.length > longestGlob) return `it is longer than ${longestGlob} characters`;
  return forms.find(([shape]) => shape.test(glob))?.[1];
};

/** The index of the `]` that closes the set opened at `start`, or -1. */
const setEnd = (text: string, start: number): number => {
  const first = text[start + 1] === '!' || text[start + 1] === '^' ? start + 2 : start + 1;
  return text.indexOf(']', first + 1);
};

/** The index after the piece (escape, set or character) that starts at `index`. */
const pieceEnd = (text: string, index: number): number => {
  if (text[index] === '\\') return index + 2;
  const end = text[index] === '[' ? setEnd(text, index) : -1;
  return end < 0 ? index + 1 : end + 1;
};

interface Braces {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first `{…}` of `text`; `undefined` when there is none. */
const firstBraces = (text: string): Result<Braces | undefined, string> => {
  let open = -1;
  let from = 0;
  const choices: string[] = [];
  for (let index = 0; index < text.length; index = pieceEnd(text, index)) {
    const char = text[index];
    if (char === '{') {
      if (open >= 0) return fail('braces inside braces are not supported');
      open = index;
      from = index + 1;
    } else if (open >= 0 && (char === ',' || char === '}')) {
      choices.push(text.slice(from, index));
      from = index + 1;
      if (char === '}') return ok({ before: text.slice(0, open), choices, after: text.slice(index + 1) });
    }
  }
  return open < 0 ? ok(undefined) : fail('a `{` is not closed');
};

const expandBraces = (text: string): Result<readonly string[], string> => {
  const found = firstBraces(text);
  if (!found.ok) return found;
  if (found.value === undefined) return ok([text]);
  const { before, choices, after } = found.value;
  if (choices.length === 1 && choices[0]?.includes('..')) return fail('ranges such as `{1..3}` are not supported');
  const rest = expandBraces(after);
  if (!rest.ok) return rest;
  if (choices.length * rest.value.length > mostAlternatives) return fail(`more than ${mostAlternatives} alternatives`);
  return ok(choices.flatMap((choice) => rest.value.map((tail) => before + choice + tail)));
};

const readSet = (body: string): Result<Unit, string> => {
  const negated = body.startsWith('!') || body.startsWith('^');
  const chars = [...(negated ? body.slice(1) : body)];
  if (chars.includes('/')) return fail('a set cannot hold a slash');
  const ranges: [string, string][] = [];
  for (let index = 0; index < chars.length; ) {
    const from = chars[index] ?? '';
    const to = chars[index + 1] === '-' ? chars[index + 2] : undefined;
    if (to !== undefined && to < from) return fail(`the range ${from}-${to} is backwards`);
    ranges.push([from, to ?? from]);
    index += to === undefined ? 1 : 3;
  }
  return ok({ kind: 'set', negated, ranges });
};

/** The units of a piece of pattern without slashes. */
export const readUnits = (text: string): Result<readonly Unit[], string> => {
  const units: Unit[] = [];
  for (let index = 0; index < text.length; ) {
    const char = text[index] ?? '';
    const end = pieceEnd(text, index);
    if (char === '[') {
      if (end === index + 1) return fail('a `[` is not closed');
      const set = readSet(text.slice(index + 1, end - 1));
      if (!set.ok) return set;
      units.push(set.value);
    } else if (char === '*') units.push({ kind: 'run' });
    else if (char === '?') units.push({ kind: 'one' });
    else units.push({ kind: 'char', char: char === '\\' ? (text[index + 1] ?? '') : char });
    index = end;
  }
  return ok(units);
};

/** A run of `units` that is nothing but characters, as text. */
const literalText = (units: readonly Unit[]): string | undefined => {
  const chars = units.map((unit) => (unit.kind === 'char' ? unit.char : undefined));
  return chars.includes(undefined) ? undefined : chars.join('');
};

const readSegment = (text: string): Result<Segment, string> => {
  if (text === '**') return ok({ kind: 'deep' });
  if (/^[\w.-]+$/.test(text)) return ok({ kind: 'literal', text });
  const units = readUnits(text);
  if (!units.ok) return units;
  if (/(?<!\\)\*\*/.test(text)) return fail('`**` must stand alone between slashes');
  if (units.value.filter((unit) => unit.kind === 'run').length > mostRunsPerSegment)
    return fail(`more than ${mostRunsPerSegment} \`*\` in one segment`);
  const literal = literalText(units.value);
  return ok(literal === undefined ? { kind: 'wild', units: units.value } : { kind: 'literal', text: literal });
};

/** Splits at slashes, except those inside a set (which `readSet` refuses). */
const splitSegments = (text: string): string[] => {
  if (!text.includes('[') && !text.includes('\\')) return text.split('/');
  const parts: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index = pieceEnd(text, index)) {
    if (text[index] !== '/') continue;
    parts.push(text.slice(from, index));
    from = index + 1;
  }
  return [...parts, text.slice(from)];
};

const anchorOf = (text: string): Alternative['anchor'] => {
  if (text.startsWith('/')) return 'absolute';
  return text === '~' || text.startsWith('~/') ? 'home' : 'root';
};

const readAlternative = (text: string): Result<Alternative, string> => {
  const anchor = anchorOf(text);
  const parts = splitSegments(anchor === 'home' ? text.slice(1) : text);
  const isDirectory = parts.length > 1 && parts.at(-1) === '' && text !== '/' && text !== '~/';
  const kept = parts.filter((part) => part !== '' && part !== '.');
  const segments: Segment[] = [];
  for (const part of isDirectory && kept.at(-1) !== '**' ? [...kept, '**'] : kept) {
    const segment = readSegment(part);
    if (!segment.ok) return segment;
    if (segment.value.kind !== 'deep' || segments.at(-1)?.kind !== 'deep') segments.push(segment.value);
  }
  if (segments.filter(({ kind }) => kind === 'deep').length > mostDeep) return fail(`more than ${mostDeep} \`**\``);
  return segments.length === 0 && anchor === 'root' ? fail('it names nothing') : ok({ anchor, segments });
};

/** Nearly every glob: nothing in it that `forms`, braces, sets or escapes are about. */
const isPlain = (glob: string): boolean => /^(?:~?\/)?[\w.*-][\w.*/-]*$/.test(glob) && !glob.includes('..');

/** Reads a glob, or says why it is refused. */
export const readGlob = (glob: string): Result<readonly Alternative[], string> => {
  if (glob.length <= longestGlob && isPlain(glob)) {
    const alternative = readAlternative(glob);
    return alternative.ok ? ok([alternative.value]) : alternative;
  }
  const refused = whyRefused(glob);
  if (refused !== undefined) return fail(refused);
  const expanded = expandBraces(glob);
  if (!expanded.ok) return expanded;
  const alternatives: Alternative[] = [];
  for (const text of expanded.value) {
    const why = whyRefused(text);
    const alternative = why === undefined ? readAlternative(text) : fail(why);
    if (!alternative.ok) return alternative;
    alternatives.push(alternative.value);
  }
  return ok(alternatives);
};

/** `text` as a glob that matches exactly it. */
export const escapeGlob = (text: string): string => text.replace(/[\\*?[\]{}()!~$]/g, '\\$&');
