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

interface Template {
  readonly path: string;
  readonly text: () => string;
}

const templates: readonly Template[] = [
  { path: 'policy.yml', text: policyTemplate },
  { path: 'roles.yml', text: rolesTemplate },
  { path: 'rules/allow.jsonl', text: () => '' },
  { path: 'rules/deny.jsonl', text: () => '' },
  { path: 'rules/ask.jsonl', text: () => '' },
  {
    path: '.gitignore',
    text: () => `# Derived files and this user's own entries stay out of git.\n${ignored.join('\n')}\n`,
  },
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

const place = (own: string, { path, text }: Template, dryRun: boolean): Step => {
  const file = join(own, path);
  const shownPath = join('.hookwise', path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    const isNew = dryRun || writeExclusive(file, text(), { durable: false, mode: 0o644 });
    return { path: shownPath, outcome: isNew ? 'created' : 'kept' };
  }
  const missing = path === '.gitignore' ? missingIgnores(file) : [];
  return missing.length === 0
    ? { path: shownPath, outcome: 'kept' }
    : { path: shownPath, outcome: 'incomplete', note: `add to it: ${missing.join(' ')}` };
};

const missingIgnores = (file: string): string[] => {
  const lines = (textOf(file) ?? '').split(/\r?\n/).map((line) => line.trim().replace(/^\//, ''));
  return ignored.filter((name) => !lines.includes(name) && !lines.includes(name.slice(0, -1)));
};
