import type { RecordPlace } from '../../core/ports.ts';
import { type OptionValues, textOption, UsageError } from './command.ts';

/** The options that say where something is written. */
export const scopeOptions = { scope: { type: 'string' }, here: { type: 'boolean' } } as const;

type Scope = RecordPlace['scope'];

/** A scope that has files of its own. Throws a UsageError for any other text. */
export const scopeNamed = (text: string): Scope => {
  if (text === 'org' || text === 'project' || text === 'user') return text;
  if (text === 'role')
    throw new UsageError(
      'nothing is stored at role scope: a role is what roles.yml defines and what a session is registered with; use project, user or org',
    );
  throw new UsageError(`--scope must be org, project or user, not ${JSON.stringify(text.slice(0, 40))}`);
};

/** Where `--scope` and `--here` point; nothing when neither is given. */
export const placeFrom = (options: OptionValues): RecordPlace | undefined => {
  const text = textOption(options, 'scope');
  const here = options['here'] === true;
  if (text === undefined && !here) return undefined;
  const scope = text === undefined ? 'user' : scopeNamed(text);
  if (here && scope !== 'user') throw new UsageError('--here goes with --scope user only');
  return { scope, here };
};

/** A place as people are told about it. */
export const placeName = ({ scope, here }: RecordPlace): string => {
  switch (scope) {
    case 'org':
      return "the organisation's rules";
    case 'project':
      return "this project's rules (.hookwise/rules, shared once committed)";
    case 'user':
      return here ? 'your own entries for this repository (.hookwise/.user)' : 'your own rules for every repository';
  }
};
