import { locationFor, type Project, type RulesLocation } from '../compose.ts';
import { scopeNamed } from './scope-option.ts';

type Scope = ReturnType<typeof scopeNamed>;

/** The scopes that `--scope` means: the project's and the user's when it is not given, the organisation's only by name. */
export const scopesMeant = (scope: string | undefined): readonly Scope[] =>
  scope === undefined ? ['project', 'user'] : [scopeNamed(scope)];

/** Where the rules of these scopes are, the user's own entries of the repository before those for every repository. */
export const placesOf = (project: Project, scopes: readonly Scope[]): readonly RulesLocation[] =>
  scopes.flatMap((scope) =>
    scope === 'user'
      ? [locationFor(project, { scope, here: true }), locationFor(project, { scope, here: false })]
      : [locationFor(project, { scope, here: false })],
  );
