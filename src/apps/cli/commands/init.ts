import { ownHandlers } from '../../../agents/claude-code/install.ts';
import { openGround } from '../../compose.ts';
import { type Command, type ExitCode, type Invocation, textOption, UsageError } from '../command.ts';
import { confirm as askAtTerminal } from '../confirm.ts';
import { readSettings, userSettingsPath } from '../host-settings.ts';
import { hookWish, offerHook, removeHook } from '../init/offer-hook.ts';
import { initProject, type Step } from '../init/project.ts';
import { initUser } from '../init/user.ts';
import { callerHere, refuseAgent } from '../open.ts';
import { aligned } from '../shown.ts';

/** Makes a repository's policy directory, or installs the hooks for the user. */
export const init: Command = {
  name: 'init',
  summary: "create .hookwise/ in this repository, or install the hooks in the user's settings (--user)",
  usage:
    '[--user] [--default-role <name>] [--migrate] [--pre-commit git|husky|lefthook|none] [--remove-pre-commit] [--dry-run] [--yes]',
  examples: [
    'hookwise init',
    'hookwise init --pre-commit git',
    'hookwise init --user --dry-run',
    'hookwise init --user --default-role coder --yes',
  ],
  options: {
    user: { type: 'boolean' },
    'default-role': { type: 'string' },
    migrate: { type: 'boolean' },
    'pre-commit': { type: 'string' },
    'remove-pre-commit': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options } = invocation;
    const defaultRole = textOption(options, 'default-role');
    const hooks = options['user'] === true;
    if (!hooks && defaultRole === undefined) return inRepository(invocation);
    for (const name of ['migrate', 'pre-commit', 'remove-pre-commit'])
      if (options[name] !== undefined) throw new UsageError(`--${name} is about a repository: run it on its own`);
    refuseAgent(invocation, hooks ? 'change where hookwise is installed' : 'choose the role of new sessions');
    const dryRun = options['dry-run'] === true;
    const mayAsk = options['yes'] !== true;
    if (mayAsk && !dryRun && callerHere(invocation).kind !== 'terminal')
      throw new UsageError('nobody can confirm the change here: look at it with --dry-run, then give --yes');
    const confirm = mayAsk ? (invocation.confirm ?? askAtTerminal) : async () => true;
    return initUser(invocation, { hooks, defaultRole, dryRun, confirm });
  },
};

const inRepository = async (invocation: Invocation): Promise<ExitCode> => {
  const { options, surroundings, cwd, print } = invocation;
  const wish = hookWish(invocation);
  const { root } = openGround(surroundings, cwd);
  if (wish === 'remove') return removeHook(invocation, root.root);
  const dryRun = options['dry-run'] === true;
  if (!root.isRepository)
    print(`${root.root} is in no git repository: this policy holds for sessions started right here`);
  const steps = initProject(root.root, { migrate: options['migrate'] === true, dryRun });
  for (const line of aligned(steps.map(rowOf))) print(line);
  if (root.isRepository) await offerHook(invocation, root.root, wish);
  if (dryRun) print('dry run: nothing was written');
  print(hooksLine(surroundings));
  return 0;
};

const rowOf = ({ path, outcome, note }: Step): string[] => [
  outcome,
  path,
  ...(note === undefined ? [] : [`(${note})`]),
];

const hooksLine = (surroundings: Invocation['surroundings']): string => {
  const file = readSettings(userSettingsPath(surroundings), 'user');
  if (file.kind === 'broken') return `hooks: ${file.reason}; the host skips the file whole`;
  return file.kind === 'read' && ownHandlers(file.settings).has('PreToolUse')
    ? `hooks: installed in ${file.path}`
    : `hooks: not installed; nothing is gated until you run: hookwise init --user`;
};
