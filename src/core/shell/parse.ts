import { type ParsedScript, parse } from 'unbash';
import { brokenCharacters, cleaned } from './characters.ts';
import { maxSourceCharacters } from './limits.ts';

/** A parse tree to walk, or the reason why there is none. `notes` are reasons to distrust the tree. */
export type ParsedText =
  | {
      readonly kind: 'parsed';
      readonly script: ParsedScript;
      readonly source: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

/** Whether a script, or a nested one, is known to be damaged. */
export const isBroken = (script: ParsedScript): boolean => (script.errors?.length ?? 0) > 0;

/** Parses shell text behind the guards that need no walk. Never throws. */
export const parseShell = (text: string): ParsedText => {
  if (text.length > maxSourceCharacters) return { kind: 'refused', why: 'too long' };
  const broken = brokenCharacters(text);
  const source = cleaned(text);
  const script = parseSafely(source);
  if (script === undefined) return { kind: 'refused', why: 'does not parse' };
  if (isBroken(script)) return { kind: 'refused', why: `does not parse: ${script.errors?.[0]?.message ?? ''}` };
  return { kind: 'parsed', script, source, notes: broken === undefined ? [] : [broken] };
};

// A parser that throws on hostile text must not take the verdict with it.
const parseSafely = (source: string): ParsedScript | undefined => {
  try {
    return parse(source);
  } catch {
    return undefined;
  }
};
