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
  | {
      readonly kind: 'refused';
      readonly why: string;
      /** The whole lines before the damage: a shell runs them before it comes across it. */
      readonly before?: ParsedScript;
    };

/** Whether a script, or a nested one, is known to be damaged. */
export const isBroken = (script: ParsedScript): boolean => (script.errors?.length ?? 0) > 0;

/** Parses shell text behind the guards that need no walk. Never throws. */
export const parseShell = (text: string): ParsedText => {
  if (text.length > maxSourceCharacters) return { kind: 'refused', why: 'too long' };
  const broken = brokenCharacters(text);
  const source = cleaned(text);
  const script = parseSafely(source);
  if (script === undefined) return { kind: 'refused', why: 'does not parse' };
  const [error] = script.errors ?? [];
  if (error !== undefined) {
    const before = wholeBefore(source, error.pos);
    return { kind: 'refused', why: `does not parse: ${error.message}`, ...(before === undefined ? {} : { before }) };
  }
  return { kind: 'parsed', script, source, notes: broken === undefined ? [] : [broken] };
};

const maxTries = 40;

// A shell reads line by line: what is whole before the damage has run when it comes to it.
const wholeBefore = (source: string, damage: number): ParsedScript | undefined => {
  let end = source.lastIndexOf('\n', damage - 1);
  for (let turn = 0; turn < maxTries && end > 0; turn += 1) {
    const script = parseSafely(source.slice(0, end));
    if (script !== undefined && !isBroken(script)) return script;
    end = source.lastIndexOf('\n', end - 1);
  }
  return undefined;
};

// A parser that throws on hostile text must not take the verdict with it.
const parseSafely = (source: string): ParsedScript | undefined => {
  try {
    return parse(source);
  } catch {
    return undefined;
  }
};
