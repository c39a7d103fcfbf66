import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import type { Project } from '../compose.ts';
import type { Invocation } from './command.ts';

/** Longest piece of text that the log keeps. */
const longestText = 4096;

/** Appends what a person (or somebody for them) changed to the audit log, sanitised. */
export const logChange = (
  { surroundings }: Invocation,
  project: Project,
  event: Readonly<Record<string, string | number | boolean | undefined>>,
): void => {
  const fields = Object.entries(event).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? sanitizeText(value).slice(0, longestText) : value]],
  );
  project.audit.append(Object.fromEntries(fields), new Date(surroundings.now()).toISOString());
};
