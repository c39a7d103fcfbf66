import { couldMatchName, couldMatchPath, isPattern } from './glob-match.ts';
import type { PathTarget, ShellContext } from './model.ts';

/** How strongly a path belongs to the gate or to its host. */
export type ControlPlace = 'gate' | 'host';

const gateFolder =
  /(?:^|\/)(?:\.hookwise|\.captain-hook|\.hooker|(?:\.config|\.local\/state|\.local\/share|\.cache)\/(?:hookwise|captain-hook|hooker)|run\/user\/\d+\/hookwise|node_modules\/(?:\.bin\/)?(?:hookwise|captain-hook|hooker))(?:\/|$)/;

const gateFile =
  /(?:^|\/)(?:hookwise|captain-hook|hooker)[^/]*\.(?:sock|pid|lock|token)$|^\/(?:usr\/local\/bin|usr\/bin|opt\/homebrew\/bin)\/(?:hookwise|captain-hook|hooker)$/;

const hostControl =
  /(?:^|\/)\.claude(?:\/(?:settings[^/]*\.json|hooks(?:\/.*)?|plugins(?:\/.*)?|policies\.[a-z]+|\.[^/]*))?$|(?:^|\/)\.claude\.json$|\/(?:claude-code|ClaudeCode)\/managed-[^/]*$/i;

const hostFolder = /(?:^|\/)\.claude(?:\/|$)/i;

// A pattern in the host's folder that takes its settings with it.
const takesSettings = (lower: string): boolean => {
  const pattern = /\/\.claude\/(?:\*\*\/)?([^/]*[*?[][^/]*)$/.exec(lower)?.[1];
  return (
    pattern !== undefined &&
    ['settings.json', 'settings.local.json', 'hooks'].some((name) => couldMatchName(pattern, name))
  );
};

/** Whether a path is the gate's own (its policy, state, program) or the host's settings. */
export const controlPlaceAt = (path: string): ControlPlace | undefined => {
  const lower = path.toLowerCase();
  if (gateFolder.test(lower) || gateFile.test(lower)) return 'gate';
  if (hostControl.test(lower) || takesSettings(lower)) return 'gate';
  return hostFolder.test(lower) ? 'host' : undefined;
};

const folders = (context: ShellContext): string[] =>
  [context.root, context.home].flatMap((base) => [
    `${base}/.hookwise`,
    `${base}/.claude`,
    `${base}/.claude/settings.json`,
    `${base}/.claude/settings.local.json`,
    `${base}/.hookwise/policy.yml`,
    `${base}/.hookwise/roles.yml`,
  ]);

/** The same for what a target may stand for: a pattern that could match counts. */
export const controlPlaceOf = (target: PathTarget, context: ShellContext): ControlPlace | undefined => {
  const found = controlPlaceAt(target.path);
  if (found !== undefined) return found;
  if (target.certainty === 'dynamic') return controlPlaceAt(target.spelled.replaceAll('\uE000', ''));
  if (target.certainty !== 'glob' || !isPattern(target.path)) return undefined;
  const match = folders(context).find((folder) => couldMatchPath(target.path.toLowerCase(), folder.toLowerCase()));
  return match === undefined || /\/\*$/.test(target.path) ? undefined : controlPlaceAt(match);
};

/** Whether a text names the gate: a process pattern, a socket, a package. */
export const namesGate = (text: string): boolean => /hookwise|captain-hook|(?:^|[^a-z])hooker(?:[^a-z]|$)/i.test(text);
