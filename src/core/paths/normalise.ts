import { errors } from '../model/errors.ts';
import type { Result } from '../model/result.ts';
import { fail, ok } from '../model/result.ts';

/** Where a relative or `~` spelling starts from; both absolute. */
export interface PathBase {
  readonly cwd: string;
  readonly home: string;
}

/** Longer spellings are refused: no file system call would take them. */
export const longestPath = 32_768;

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== '.');

const spelledFrom = (spelled: string, { cwd, home }: PathBase): string => {
  if (spelled === '~') return home;
  if (spelled.startsWith('~/')) return `${home}/${spelled.slice(2)}`;
  return spelled.startsWith('/') ? spelled : `${cwd}/${spelled}`;
};

const whyRefused = (spelled: string, base: PathBase): string | undefined => {
  if (spelled === '') return 'the path is empty';
  if (spelled.length > longestPath) return `the path is longer than ${longestPath} characters`;
  if (spelled.includes('\0')) return 'the path contains a null byte';
  const start = spelledFrom(spelled, base);
  return start.startsWith('/') ? undefined : 'a relative path needs an absolute directory to start from';
};

/** An absolute path without `//`, `.`, `..` and trailing slash, as if no link were involved. */
export const normalise = (path: string): string => {
  const kept: string[] = [];
  for (const segment of segmentsOf(path)) {
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return `/${kept.join('/')}`;
};

/**
 * The absolute, normal path that a spelling means; `~` and `~/` stand for home.
 * Characters stay as spelled, so that the file system can be asked about the very file; comparing uses `comparable`.
 */
export const resolvePath = (spelled: string, base: PathBase): Result<string, string> => {
  const refused = whyRefused(spelled, base);
  return refused === undefined ? ok(normalise(spelledFrom(spelled, base))) : fail(refused);
};

/** `resolvePath` for callers that cannot go on without a path: throws what it refuses. */
export const absolutePath = (spelled: string, base: PathBase): string => {
  const resolved = resolvePath(spelled, base);
  if (!resolved.ok) throw errors.io(resolved.error);
  return resolved.value;
};

/**
 * The directories that a spelling leaves again by `..`. Where one of them is a link, the operating system ends up
 * somewhere else than `resolvePath` says.
 */
export const crossedByParent = (spelled: string, base: PathBase): readonly string[] => {
  if (whyRefused(spelled, base) !== undefined) return [];
  const kept: string[] = [];
  const crossed: string[] = [];
  for (const segment of segmentsOf(spelledFrom(spelled, base))) {
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0) {
      crossed.push(`/${kept.join('/')}`);
      kept.pop();
    }
  }
  return crossed;
};

/** `path` as seen from `root` (both normalised): `''` for the root itself, `undefined` outside of it. */
export const relativeTo = (root: string, path: string): string | undefined => {
  if (path === root) return '';
  const prefix = root === '/' ? '/' : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
};

/** Whether `path` is `root` or lies below it (both normalised). */
export const isInside = (root: string, path: string): boolean => relativeTo(root, path) !== undefined;

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** Invisible characters that some case-insensitive file systems leave out when they compare names. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The form in which two names are compared: NFC, and without case where case does not tell files apart. */
export const comparable = (text: string, { ignoreCase }: { readonly ignoreCase: boolean }): string => {
  if (isAscii(text)) return ignoreCase ? text.toLowerCase() : text;
  const composed = text.normalize('NFC');
  if (!ignoreCase) return composed;
  // A capital sharp s has no other upper case: only its lower case leads to `ss`.
  return composed.replace(ignorable, '').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
};
