import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GlobMatcher } from '../../core/paths/glob.ts';

const mostLooked = 20_000;
const skipped = new Set(['.git', 'node_modules']);

/** Which files of a project a glob covers now. */
export interface MatchingFiles {
  readonly count: number;
  readonly examples: readonly string[];
  /** Whether the search ended before every file was looked at. */
  readonly cutShort: boolean;
}

/** Looks through a project, links not followed, `.git` and `node_modules` left out. */
export const matchingFiles = (root: string, matcher: GlobMatcher): MatchingFiles => {
  const waiting = [''];
  const found: string[] = [];
  let looked = 0;
  for (let at = waiting.shift(); at !== undefined && looked < mostLooked; at = waiting.shift()) {
    for (const entry of entriesOf(join(root, at))) {
      looked += 1;
      const relative = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) waiting.push(relative);
      } else if (matcher.match({ absolute: join(root, relative), relative }) !== undefined) found.push(relative);
    }
  }
  return { count: found.length, examples: found.slice(0, 5), cutShort: looked >= mostLooked };
};

/** A directory that cannot be read holds nothing that could be shown. */
const entriesOf = (directory: string) => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
};
