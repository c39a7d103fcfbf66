import type { OverridePattern } from '../../core/model/record.ts';
import { globProblem } from '../../core/paths/glob.ts';
import { sanitize } from '../../core/sanitize/sanitize.ts';
import { type OptionValues, textOption, UsageError } from './command.ts';

const longestPattern = 8192;
/** What the words of a command hold when they can be matched one by one. */
const matchableWord = /^[A-Za-z0-9_@%+=:,./*-]+$/;

/** The pattern that the options describe. Throws a UsageError for one that could not be stored or would never match. */
export const patternFrom = (options: OptionValues): OverridePattern => {
  const [command, tool, file] = ['command', 'tool', 'file'].map((name) => textOption(options, name)?.trim());
  if (command === undefined && tool === undefined && file === undefined)
    throw new UsageError('give at least one of --command, --tool and --file');
  const problem = commandProblem(command) ?? toolProblem(tool) ?? fileProblem(file);
  if (problem !== undefined) throw new UsageError(problem);
  return {
    ...(command === undefined ? {} : { command }),
    ...(tool === undefined ? {} : { tool }),
    ...(file === undefined ? {} : { file }),
  };
};

const secretProblem = (text: string, name: string): string | undefined =>
  sanitize(text).text === text ? undefined : `--${name} holds what looks like a secret, which no rule may store`;

const sizeProblem = (text: string, name: string): string | undefined => {
  if (text === '') return `--${name} is empty`;
  return text.length > longestPattern ? `--${name} is longer than ${longestPattern} characters` : undefined;
};

/** Without `*` a command is compared as it stands; with it, word by word. */
const commandProblem = (command: string | undefined): string | undefined => {
  if (command === undefined) return undefined;
  const general = sizeProblem(command, 'command') ?? secretProblem(command, 'command');
  if (general !== undefined || !command.includes('*')) return general;
  const words = command.split(/\s+/);
  const odd = words.find((word) => !matchableWord.test(word));
  if (odd !== undefined)
    return `--command with * is matched word by word against plain commands, and ${JSON.stringify(odd)} would never match: no quotes, pipes, redirections or expansions`;
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(words[0] ?? ''))
    return '--command with * starts with a variable assignment, which would never match';
  return /^\*+$/.test(words[0] ?? '') ? '--command must name a program: its first word is only *' : undefined;
};

const toolProblem = (tool: string | undefined): string | undefined => {
  if (tool === undefined) return undefined;
  return /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/.test(tool)
    ? undefined
    : '--tool must be one tool as the host names it (Bash, Write, mcp__server__tool), without wildcards';
};

const fileProblem = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined;
  return sizeProblem(file, 'file') ?? secretProblem(file, 'file') ?? globProblem(file)?.message;
};

/** What a pattern covers, in words. */
export const coverage = ({ command, tool, file }: OverridePattern): string => {
  const calls = tool === undefined ? 'calls' : `${tool} calls`;
  const about = file === undefined ? '' : ` about files matching ${file}`;
  if (command === undefined) return tool === undefined || about !== '' ? `${calls}${about}` : `every call of ${tool}`;
  const how = command.includes('*') ? 'whose words match' : 'that are exactly';
  return `shell ${calls}${about} ${how} ${command}`;
};
