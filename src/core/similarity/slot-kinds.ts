import type { SlotType } from '../model/record.ts';
import { relativeTo, resolvePath } from '../paths/normalise.ts';

/** Where a command runs: what its operands are relative to. Absolute paths. */
export interface SlotPlace {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
}

/** One data operand: what may differ between two calls of one shape. */
export interface Slot {
  readonly type: SlotType;
  readonly text: string;
  /** The absolute path that the operand names. */
  readonly path?: string;
  /** Whether the call changes what is at the path. */
  readonly isWritten: boolean;
  /** Whether a directory there would mean more than the operand shows. */
  readonly isFile?: true;
}

/** What an operand has to look like to be data: the slot's type and, for places, the absolute path. */
type SlotKind = (text: string, place: SlotPlace) => Pick<Slot, 'type' | 'path' | 'isFile'> | undefined;

const longestText = 4000;
const plainPath = /^(?:\.\/|\/)?[A-Za-z0-9_][A-Za-z0-9_.@+-]*(?:\/(?:[A-Za-z0-9_@][A-Za-z0-9_.@+-]*)?)*$/;
const notOwnCode = /(?:^|\/)(?:node_modules|site-packages|bower_components|vendor|\.\.)(?:\/|$)/;

/** A path inside the project, with no hidden directory, no pattern and no trick in it. */
const insideProject = (text: string, { cwd, root, home }: SlotPlace): string | undefined => {
  if (text.length > 1000 || !plainPath.test(text) || text.includes('..')) return undefined;
  const resolved = resolvePath(text, { cwd, home });
  if (!resolved.ok) return undefined;
  const relative = relativeTo(root, resolved.value);
  if (relative === undefined || relative === '' || notOwnCode.test(relative)) return undefined;
  return relative.split('/').some((part) => part.startsWith('.')) ? undefined : resolved.value;
};

const path: SlotKind = (text, place) => {
  const found = insideProject(text, place);
  return found === undefined ? undefined : { type: 'path', path: found };
};

/** A single file: its directory would bring everything in it along. */
const file: SlotKind = (text, place) => {
  const found = insideProject(text, place);
  return found === undefined ? undefined : { type: 'path', path: found, isFile: true };
};

/** A package of the project as Go names it: `./a/b`, `./a/...`. */
const localPackage: SlotKind = (text, place) => {
  if (text === './...')
    return relativeTo(place.root, place.cwd) === undefined ? undefined : { type: 'path', path: place.cwd };
  return text.startsWith('./') ? path(text.replace(/\/\.\.\.$/, ''), place) : undefined;
};

const testName =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e|it|unit|integration)(?:[/._-]|$)|[a-z](?:Test|Tests|Spec)\./;

/** Tests of the project, by file or directory, with the test inside it: `tests/a.py::T::m`, `spec/a_spec.rb:12`. */
const test: SlotKind = (text, place) => {
  const [, file = '', inner = ''] = /^([^:[]+)((?::.*|\[.*)?)$/s.exec(text) ?? [];
  if (inner !== '' && !/^(?:(?:::?[A-Za-z0-9_. -]+)+(?:\[[\w., :-]*\])?)$/.test(inner)) return undefined;
  const found = insideProject(file, place);
  if (found === undefined || !testName.test(relativeTo(place.root, found) ?? '')) return undefined;
  return { type: 'selector', path: found };
};

const name: SlotKind = (text) =>
  text.length <= 200 && /^[A-Za-z_@][\w@:/.-]*$/.test(text) && !/\.\.|:\/\/|\/\/|@.*@/.test(text)
    ? { type: 'name' }
    : undefined;

/** A test module of the project, dotted: running it runs its code, so its name has to say that it is a test. */
const testModule: SlotKind = (text) =>
  /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(text) && /(?:^|[._])tests?(?:[._]|$)/.test(text)
    ? { type: 'name' }
    : undefined;

const number: SlotKind = (text) => (/^\d{1,6}$/.test(text) ? { type: 'number' } : undefined);

/** How often, or how many at once: more than that is no longer the same call. */
const count: SlotKind = (text) => (/^\d{1,2}$/.test(text) ? { type: 'number' } : undefined);

/** An expression over names of tests. Old releases evaluate it as code, so that calls and attributes are left out. */
const expression: SlotKind = (text) =>
  /^[A-Za-z0-9_][A-Za-z0-9_ ()-]{0,300}$/.test(text) && !/__|[A-Za-z0-9_]\(/.test(text)
    ? { type: 'message' }
    : undefined;

// Control and direction characters could hide what is said.
const hidingCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/**
 * Text for people, or for a search among test names; it must not be readable as an option or a file. A call with a secret in
 * it is never looked at for data.
 */
const message: SlotKind = (text) => {
  if (text === '' || text.length > longestText || /^[-@]/.test(text)) return undefined;
  return hidingCharacters.test(text) ? undefined : { type: 'message' };
};

/** A branch, named in full and not as an expression over commits. */
const ref: SlotKind = (text) =>
  text.length <= 200 &&
  /^[A-Za-z0-9_][\w./-]*$/.test(text) &&
  !/\.\.|\/\/|\/$|\.$|\.lock$|^refs\/|^(?:HEAD|FETCH_HEAD|ORIG_HEAD)$|^[0-9a-f]{7,40}$/.test(text)
    ? { type: 'ref' }
    : undefined;

const kinds = {
  path,
  file,
  count,
  expression,
  package: localPackage,
  test,
  testModule,
  name,
  number,
  message,
  ref,
} as const;

/** The kinds of data that a table row may name. */
export type SlotKindName = keyof typeof kinds;

export const isSlotKind = (text: string): text is SlotKindName => Object.hasOwn(kinds, text);

/** The operand as data, when it is what the table says it may be. `wanted` lists kinds with `|`: the first that fits. */
export const readSlot = (
  text: string,
  at: { readonly wanted: string; readonly place: SlotPlace; readonly isWritten: boolean },
): Slot | undefined => {
  for (const wanted of at.wanted.split('|')) {
    const found = isSlotKind(wanted) ? kinds[wanted](text, at.place) : undefined;
    if (found !== undefined) return { ...found, text, isWritten: at.isWritten };
  }
  return undefined;
};
