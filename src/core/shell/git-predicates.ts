import { has, optionTable, parseArguments } from './arguments.ts';
import { gitParts, pushKind } from './commands/git.ts';
import type { ReadCommand, ShellReading, WordReading } from './model.ts';
import { literalText } from './tools.ts';

/** Names of the match constants that policies may use. */
export type CommandConstant =
  | 'git_commit'
  | 'git_push'
  | 'git_push_force'
  | 'git_push_delete'
  | 'git_reset'
  | 'git_rebase'
  | 'git_checkout'
  | 'git_switch'
  | 'git_merge'
  | 'git_stash'
  | 'git_restore'
  | 'git_clean'
  | 'rm_rf';

interface GitCall {
  readonly name: string;
  readonly args: readonly WordReading[];
}

const aliasOf = (given: ReturnType<typeof gitParts>['given'], name: string): string | undefined => {
  const values = given.options
    .filter((option) => option.name === '-c')
    .map((option) => literalText(option.value) ?? '');
  const prefix = `alias.${name}=`;
  return values.find((value) => value.startsWith(prefix))?.slice(prefix.length);
};

const gitCallOf = (command: ReadCommand): GitCall | undefined => {
  if (command.program !== 'git') return undefined;
  const { given, name, rest } = gitParts(command.words.slice(1));
  if (name === undefined) return undefined;
  const alias = aliasOf(given, name);
  if (alias === undefined || alias.startsWith('!')) return { name, args: rest };
  const [first = '', ...more] = alias.split(/\s+/).filter(Boolean);
  return { name: first, args: [...more.map((text): WordReading => ({ kind: 'literal', text })), ...rest] };
};

const isSubcommand =
  (wanted: string) =>
  (command: ReadCommand): boolean =>
    gitCallOf(command)?.name === wanted;

const isPush =
  (which: 'force' | 'deletes') =>
  (command: ReadCommand): boolean => {
    const call = gitCallOf(command);
    return call?.name === 'push' && pushKind(call.args)[which];
  };

const removeTable = optionTable(
  '-r -R -f -i -I -v -d -x --recursive --force --interactive? --verbose --dir --one-file-system --preserve-root? --no-preserve-root',
);

const isRecursiveForce = (command: ReadCommand): boolean => {
  if (command.program !== 'rm') return false;
  const given = parseArguments(command.words.slice(1), removeTable);
  return has(given, '-r', '-R', '--recursive') && has(given, '-f', '--force');
};

const predicates: Readonly<Record<CommandConstant, (command: ReadCommand) => boolean>> = {
  git_commit: isSubcommand('commit'),
  git_push: isSubcommand('push'),
  git_push_force: isPush('force'),
  git_push_delete: isPush('deletes'),
  git_reset: isSubcommand('reset'),
  git_rebase: isSubcommand('rebase'),
  git_checkout: isSubcommand('checkout'),
  git_switch: isSubcommand('switch'),
  git_merge: isSubcommand('merge'),
  git_stash: isSubcommand('stash'),
  git_restore: isSubcommand('restore'),
  git_clean: isSubcommand('clean'),
  rm_rf: isRecursiveForce,
};

/** Every match constant. */
export const commandConstants = Object.keys(predicates) as readonly CommandConstant[];

// For text that does not parse: words in order, without any look at quoting.
const roughly: Readonly<Record<CommandConstant, RegExp>> = {
  git_commit: /\bgit\b[^\n;|&]*\scommit\b/,
  git_push: /\bgit\b[^\n;|&]*\spush\b/,
  git_push_force: /\bgit\b[^\n;|&]*\spush\b[^\n;|&]*\s(?:-[a-zA-Z]*f|--force(?!-if)|--mirror|\+\S)/,
  git_push_delete: /\bgit\b[^\n;|&]*\spush\b[^\n;|&]*\s(?:-[a-zA-Z]*d|--delete|--mirror|--prune|:\S)/,
  git_reset: /\bgit\b[^\n;|&]*\sreset\b/,
  git_rebase: /\bgit\b[^\n;|&]*\srebase\b/,
  git_checkout: /\bgit\b[^\n;|&]*\scheckout\b/,
  git_switch: /\bgit\b[^\n;|&]*\sswitch\b/,
  git_merge: /\bgit\b[^\n;|&]*\smerge\b/,
  git_stash: /\bgit\b[^\n;|&]*\sstash\b/,
  git_restore: /\bgit\b[^\n;|&]*\srestore\b/,
  git_clean: /\bgit\b[^\n;|&]*\sclean\b/,
  rm_rf: /\brm\b[^\n;|&]*\s-[a-zA-Z]*(?:r[a-zA-Z]*f|f[a-zA-Z]*r)/i,
};

const roughLimit = 20_000;

/** Whether any simple command of the text, at any nesting, is what the constant stands for. */
export const matchesConstant = (reading: ShellReading, constant: CommandConstant): boolean => {
  if (reading.commands.some(predicates[constant])) return true;
  const unparsed = reading.unknowns.some((unknown) => /does not parse|too long/.test(unknown.why));
  return unparsed && roughly[constant].test(reading.source.slice(0, roughLimit));
};
