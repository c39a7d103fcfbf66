import type { DenyExit } from '../../agents/adapter.ts';

/** The options of `check` and `session-check` that change how one payload is answered. */
export interface HookOptions {
  readonly denyExit: DenyExit;
  /** The exit code of an internal failure: 0 or 2 as the gate says, or the seed's 1. */
  readonly errorExit: 'gate' | 'seed';
  /** Milliseconds from the start of the process to an answer. */
  readonly deadlineMs: number;
}

/** The host's limit as installed is 120 s; the answer is out five seconds before. */
const defaultDeadlineMs = 115_000;

/** The longest deadline that the command line may set. */
const longestDeadlineMs = 3_600_000;
const shortestDeadlineMs = 50;

const milliseconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,8}$/.test(text) ? Number(text) : undefined;

/**
 * Reads the hook's own options. Fails with the word that is not one. The environment may only shorten the deadline: what
 * comes after the host's own limit would be no answer at all.
 */
export const readHookOptions = (words: readonly string[], envDeadline: string | undefined): HookOptions | string => {
  let denyExit: DenyExit = 'block';
  let errorExit: HookOptions['errorExit'] = 'gate';
  let deadline = Math.min(milliseconds(envDeadline) ?? defaultDeadlineMs, defaultDeadlineMs);
  for (let at = 0; at < words.length; at += 1) {
    const [name, inline] = split(words[at] ?? '');
    const value = inline ?? words[at + 1];
    if (inline === undefined) at += 1;
    const named = milliseconds(value);
    if (name === '--deny-exit' && (value === 'block' || value === 'json' || value === 'seed')) denyExit = value;
    else if (name === '--error-exit' && (value === 'gate' || value === 'seed')) errorExit = value;
    else if (name === '--deadline' && named !== undefined) deadline = Math.min(named, longestDeadlineMs);
    else return name;
  }
  return { denyExit, errorExit, deadlineMs: Math.max(shortestDeadlineMs, deadline) };
};

const split = (word: string): readonly [string, string | undefined] => {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
};
