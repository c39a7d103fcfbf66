import { ownHandlers } from '../../../agents/claude-code/install.ts';
import type { JsonObject } from '../../../core/model/request.ts';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import { openGround, type Project, type Surroundings } from '../../compose.ts';
import { isGated } from '../../session.ts';
import { type Trial, tryGate, tryRegistration } from '../canary.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { changeConfig, configPath, writeConfig } from '../config-file.ts';
import { readSettings } from '../host-settings.ts';
import { lineDiff } from '../line-diff.ts';
import { logChange } from '../log-change.ts';
import { projectHere } from '../open.ts';
import { shown } from '../shown.ts';
import { type Installation, install, planInstallation } from './install.ts';

interface UserOptions {
  readonly hooks: boolean;
  readonly defaultRole?: string | undefined;
  readonly dryRun: boolean;
  /** Asks before anything is written. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** Installs the hooks for the user, gives new sessions a default role, and tries the result. */
export const initUser = async (invocation: Invocation, options: UserOptions): Promise<ExitCode> => {
  const { surroundings, print, complain } = invocation;
  const { places } = openGround(surroundings, invocation.cwd);
  const { defaultRole } = options;
  const change =
    defaultRole === undefined
      ? undefined
      : changeConfig(surroundings, { directory: places.config, key: 'default_role', value: defaultRole });
  const installation = options.hooks ? planInstallation(surroundings) : undefined;
  if (installation !== undefined) showDiff(invocation, installation);
  if (change !== undefined)
    showDiff(invocation, { path: configPath(places.config), before: change.before, after: change.after });
  for (const warning of [...(installation?.warnings ?? []), ...(change?.warnings ?? [])])
    complain(`warning: ${shown(warning)}`);
  if (options.dryRun) return say(invocation, 'dry run: nothing was written');
  const isChanged = [installation, change].some((each) => each !== undefined && each.before !== each.after);
  if (isChanged && !(await options.confirm('Write this?'))) return say(invocation, 'nothing was written', 1);
  if (change !== undefined) writeConfig(places.config, change);
  const backup = installation === undefined ? undefined : install(installation, surroundings.now());
  const project = projectHere(invocation);
  project.observer.close();
  if (isChanged) logUserChange(invocation, project, { hooks: installation?.path, default_role: defaultRole });
  if (installation === undefined) return 0;
  if (backup !== undefined) print(`the settings as they were: ${backup}`);
  return reportTrials(invocation, canary(project, { path: installation.path, env: surroundings.env }));
};

const say = ({ print }: Invocation, line: string, code: ExitCode = 0): ExitCode => {
  print(line);
  return code;
};

const showDiff = (
  { print }: Invocation,
  { path, before, after }: Pick<Installation, 'path' | 'before' | 'after'>,
): void => {
  if (before === after) {
    print(`${path}: in place, nothing to change`);
    return;
  }
  print(before === undefined ? `${path} (new)` : path);
  for (const line of lineDiff(before ?? '', after)) print(`  ${lineText(line)}`);
};

const logUserChange = (
  invocation: Invocation,
  project: Project,
  changed: Readonly<Record<string, string | undefined>>,
): void => logChange(invocation, project, { event: 'init', ...changed, actor: `user:${invocation.surroundings.user}` });

/** Indentation as it is; a long run of blanks anywhere else is made visible. */
const lineText = (line: string): string => {
  const indent = /^[-+ ]?[ \t]*/.exec(line)?.[0] ?? '';
  return indent.replaceAll('\t', '  ') + shown(line.slice(indent.length));
};

/** Starts the hooks exactly as the settings file now has them. */
const canary = (project: Project, { path, env }: Pick<Surroundings, 'env'> & { readonly path: string }): Trial[] => {
  const file = readSettings(path, 'user');
  const own = ownHandlers(file.kind === 'read' ? file.settings : {});
  const place = { env, root: project.root.root, gated: isGated(project) };
  return [
    tryWith(own.get('PreToolUse'), (handler) => tryGate(handler, place)),
    tryWith(own.get('UserPromptSubmit'), (handler) => tryRegistration(handler, place)),
  ].flat();
};

const tryWith = (handlers: readonly JsonObject[] | undefined, attempt: (handler: JsonObject) => Trial): Trial[] =>
  (handlers ?? []).filter(isJsonObject).slice(0, 1).map(attempt);

const reportTrials = ({ print, complain }: Invocation, trials: readonly Trial[]): ExitCode => {
  for (const { what, outcome, detail } of trials) print(`${outcome.padEnd(6)} ${what}: ${shown(detail)}`);
  if (trials.length > 0 && trials.every(({ outcome }) => outcome !== 'dead')) {
    print('the gate is live; sessions that run now take it up by themselves');
    return 0;
  }
  complain('the gate is NOT live: hookwise doctor shows what is wrong');
  return 1;
};
