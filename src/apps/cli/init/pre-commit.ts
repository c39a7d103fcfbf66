import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errors } from '../../../core/model/errors.ts';
import type { Result } from '../../../core/model/result.ts';
import { removeIfThere, writeExclusive } from '../../../io/files/atomic-write.ts';
import { replaceFile, textOf } from '../../../io/files/replace-file.ts';
import { type Git, outputOf } from '../../../io/scan/git.ts';
import { hasBlock, programKeys, withBlock, withoutBlock } from './hook-block.ts';
import { detectHooks, type HookKind, type HookPlace, hookKinds, hookPlace } from './hook-place.ts';
import { hasScan, withoutScan, withScan } from './lefthook.ts';

/** How each kind of hook file is read and changed. */
const edits: Record<
  HookKind,
  {
    readonly has: (text: string) => boolean;
    readonly add: (text: string | undefined) => Result<string, string>;
    /** Nothing: the file goes. */
    readonly remove: (text: string) => string | undefined;
  }
> = {
  git: { has: hasBlock, add: withBlock, remove: withoutBlock },
  husky: { has: hasBlock, add: withBlock, remove: withoutBlock },
  lefthook: {
    has: hasScan,
    add: (text) => withScan(text ?? ''),
    remove: (text) => {
      const rest = withoutScan(text);
      if (!rest.ok) throw errors.storage(rest.error);
      return rest.value === '' ? undefined : rest.value;
    },
  },
};

/** A change of a hook, not made yet. */
export interface HookChange {
  readonly place: HookPlace;
  readonly before: string | undefined;
  readonly after: string;
}

/** What `init` could do about the hook before each commit. */
export type HookOffer =
  | { readonly kind: 'change'; readonly change: HookChange }
  | { readonly kind: 'in place'; readonly place: HookPlace }
  | { readonly kind: 'by hand'; readonly place: HookPlace; readonly why: string }
  | { readonly kind: 'nowhere'; readonly why: string };

/** Works out what there is to do. Without a kind it is found out. Nothing is written. */
export const planHook = (root: string, git: Git, kind: HookKind = detectHooks(root)): HookOffer => {
  const place = hookPlace(kind, root, git);
  if (typeof place === 'string') return { kind: 'nowhere', why: place };
  if (place.obstacle !== undefined) return { kind: 'by hand', place, why: place.obstacle };
  const before = textOf(place.path);
  const after = edits[kind].add(before);
  if (!after.ok) return { kind: 'by hand', place, why: after.error };
  return before === after.value
    ? { kind: 'in place', place }
    : { kind: 'change', change: { place, before, after: after.value } };
};

/** Writes the hook, and keeps in the repository's own git configuration where hookwise is. */
export const writeHook = (
  { place, before, after }: HookChange,
  { git, installed }: { readonly git: Git; readonly installed: string },
): void => {
  if (before === undefined) {
    mkdirSync(dirname(place.path), { recursive: true });
    if (!writeExclusive(place.path, after, { durable: true, mode: place.kind === 'lefthook' ? 0o644 : 0o755 }))
      throw errors.storage(`${place.path} appeared while this ran; nothing was written, run it again`);
  } else replaceFile(place.path, after, before);
  recordProgram(git, installed);
};

/** Keeps where hookwise is, for the hook. Says whether there is something to start. */
export const recordProgram = (git: Git, installed: string): boolean => {
  const program = join(installed, 'hookwise.cjs');
  if (!existsSync(program)) return false;
  outputOf(git, ['config', '--local', programKeys.node, process.execPath]);
  outputOf(git, ['config', '--local', programKeys.program, program]);
  return true;
};

/** Takes the scan out of every hook of the repository; says which files were changed. */
export const removeHooks = (
  root: string,
  { git, dryRun }: { readonly git: Git; readonly dryRun: boolean },
): HookPlace[] => {
  const changed = hookKinds.flatMap((kind) => {
    const place = hookPlace(kind, root, git);
    if (typeof place === 'string' || lstatSync(place.path, { throwIfNoEntry: false })?.isFile() !== true) return [];
    const text = textOf(place.path) ?? '';
    if (!edits[kind].has(text)) return [];
    if (!dryRun) removeFrom(place, text);
    return [place];
  });
  if (!dryRun) for (const key of Object.values(programKeys)) git(['config', '--local', '--unset-all', key]);
  return changed;
};

const removeFrom = (place: HookPlace, text: string): void => {
  const rest = edits[place.kind].remove(text);
  if (rest === undefined) removeIfThere(place.path);
  else replaceFile(place.path, rest, text);
};
