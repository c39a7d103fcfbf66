import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../../core/model/errors.ts';
import { writeExclusive } from '../../../io/files/atomic-write.ts';
import { textOf } from '../../../io/files/replace-file.ts';
import { policyTemplate, rolesTemplate } from './templates.ts';

/** One thing that `init` looked after. */
export interface Step {
  readonly path: string;
  readonly outcome: 'created' | 'kept' | 'renamed' | 'incomplete';
  readonly note?: string;
}

const ignored = ['.index/', '.user/'];

const attributes = `# Rules are text, one decision a line, and worth reading in a review.
*.jsonl text eol=lf linguist-language=JSON -linguist-generated
*.yml text eol=lf

# When two branches changed what is allowed, a person decides: taking both sides would bring back what one took away.
rules/allow.jsonl -merge
# These only restrict, so both sides are kept.
rules/deny.jsonl merge=union
rules/ask.jsonl merge=union
`;

interface Template {
  readonly path: string;
  readonly text: () => string;
  /** What a file that is there already ought to say as well. */
  readonly missing?: (text: string) => readonly string[];
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, ''));

const missingIgnores = (text: string): readonly string[] => {
  const lines = linesOf(text);
  return ignored.filter((name) => !lines.includes(name) && !lines.includes(name.slice(0, -1)));
};

/** The patterns, as people write them, that take in the allow file; the last line of them counts. */
const aboutAllow = /^(?:\*|(?:\*\*\/|rules\/)?(?:\*\*|\*|\*\.jsonl|allow\.jsonl))\s/;

/** Only the line that keeps a merge from allowing something. */
const missingAttributes = (text: string): readonly string[] => {
  const merging = linesOf(text).filter((line) => aboutAllow.test(line) && /\s[-!]?merge\b/.test(line));
  return /\s(?:-merge|merge=binary)(?:\s|$)/.test(merging.at(-1) ?? '') ? [] : ['rules/allow.jsonl -merge'];
};

const templates: readonly Template[] = [
  { path: 'policy.yml', text: policyTemplate },
  { path: 'roles.yml', text: rolesTemplate },
  { path: 'rules/allow.jsonl', text: () => '' },
  { path: 'rules/deny.jsonl', text: () => '' },
  { path: 'rules/ask.jsonl', text: () => '' },
  {
    path: '.gitignore',
    text: () => `# Derived files and this user's own entries stay out of git.\n${ignored.join('\n')}\n`,
    missing: missingIgnores,
  },
  { path: '.gitattributes', text: () => attributes, missing: missingAttributes },
];

interface ProjectOptions {
  readonly migrate: boolean;
  readonly dryRun: boolean;
}

/** Makes `.hookwise/` in `root`, or what is missing of it. What is there is never written over. */
export const initProject = (root: string, { migrate, dryRun }: ProjectOptions): Step[] => {
  const own = join(root, '.hookwise');
  const older = join(root, '.captain-hook');
  const steps: Step[] = [];
  if (!isDirectory(own) && isDirectory(older)) {
    if (!migrate)
      throw errors.invalidPolicy(
        `${older} is in use, and a new .hookwise beside it would take its place: hookwise init --migrate renames it`,
      );
    if (!dryRun) renameSync(older, own);
    steps.push({
      path: '.hookwise',
      outcome: 'renamed',
      note: 'from .captain-hook; hookwise trust shows what to confirm again',
    });
    if (dryRun) return steps;
  } else if (migrate) steps.push(...aboutMigration(isDirectory(older)));
  for (const directory of [own, join(own, 'rules')]) {
    if (!isDirectory(directory) && !dryRun) mkdirSync(directory);
  }
  for (const template of templates) steps.push(place(own, template, dryRun));
  return steps;
};

const aboutMigration = (hasOlder: boolean): Step[] => [
  {
    path: '.captain-hook',
    outcome: 'kept',
    note: hasOlder
      ? 'not read while there is a .hookwise: merge it by hand and delete it'
      : 'not there: nothing to rename',
  },
];

const isDirectory = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isDirectory())
    throw errors.storage(`${path} is not a real directory; remove the link or file in its place`);
  return true;
};

const place = (own: string, { path, text, missing }: Template, dryRun: boolean): Step => {
  const file = join(own, path);
  const shownPath = join('.hookwise', path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    const isNew = dryRun || writeExclusive(file, text(), { durable: false, mode: 0o644 });
    return { path: shownPath, outcome: isNew ? 'created' : 'kept' };
  }
  const lacking = missing?.(textOf(file) ?? '') ?? [];
  return lacking.length === 0
    ? { path: shownPath, outcome: 'kept' }
    : { path: shownPath, outcome: 'incomplete', note: `add to it: ${lacking.join(' ')}` };
};
