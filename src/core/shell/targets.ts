import { escapeGlob, isPattern } from './glob-match.ts';
import { resolvePath } from './lexical-path.ts';
import type { PathTarget, WordReading } from './model.ts';

const percentUnknown = /\uE000/;

/** The path a word names, seen from a directory. */
export const targetOf = (word: WordReading, cwd: string | undefined): PathTarget => {
  switch (word.kind) {
    case 'literal': {
      if (cwd !== undefined && isPattern(cwd) && !word.text.startsWith('/'))
        return targetOf({ kind: 'glob', text: escapeGlob(word.text), prefix: word.text }, cwd);
      const path = resolvePath(word.text, cwd);
      return path === undefined
        ? { path: word.text, spelled: word.text, certainty: 'dynamic' }
        : { path, spelled: word.text, certainty: percentUnknown.test(word.text) ? 'dynamic' : 'literal' };
    }
    case 'glob': {
      const path = resolvePath(word.text, cwd);
      return path === undefined
        ? { path: word.text, spelled: word.text, certainty: 'dynamic' }
        : { path, spelled: word.text, certainty: 'glob' };
    }
    case 'dynamic':
      return dynamicTarget(word.shape, word.knownPrefix, cwd);
  }
};

// As far as it is known: the directory part of the known prefix.
const dynamicTarget = (shape: string, prefix: string, cwd: string | undefined): PathTarget => {
  const known = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const path = known === '' || isPattern(known) ? undefined : resolvePath(known, cwd);
  return { path: path ?? '', spelled: shape, certainty: 'dynamic' };
};
