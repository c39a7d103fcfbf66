import { parseArgs } from 'node:util';
import { messageOf } from '../../core/model/errors.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import type { Surroundings } from '../compose.ts';
import { commands } from './all.ts';
import { type Command, type ExitCode, type Invocation, type OptionValues, UsageError } from './command.ts';
import { version } from './version.ts';

const about = 'Intelligent permission gating for Claude Code';

/** Runs one command line; resolves with the exit code. Failures become one line on standard error. */
export const run = async (words: readonly string[], surroundings: Surroundings): Promise<ExitCode> => {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return say(overview(rest[0]));
  if (name === '--version' || name === '-V') return say(version);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined)
    return complain(`hookwise: no command named ${JSON.stringify(name)}; hookwise --help lists them`, 2);
  if (rest.includes('--help') || rest.includes('-h')) return say(helpOf(command));
  try {
    return await command.run(invocationOf(command, { line: words, surroundings }));
  } catch (thrown) {
    if (thrown instanceof UsageError)
      return complain(`hookwise ${name}: ${thrown.message}\nusage: hookwise ${name} ${command.usage}`, 2);
    return complain(`hookwise ${name}: ${sanitizeText(messageOf(thrown))}`, 1);
  }
};

const say = (text: string): ExitCode => {
  process.stdout.write(`${text}\n`);
  return 0;
};

const complain = (text: string, code: ExitCode): ExitCode => {
  process.stderr.write(`${text}\n`);
  return code;
};

const invocationOf = (
  command: Command,
  { line, surroundings }: { readonly line: readonly string[]; readonly surroundings: Surroundings },
): Invocation => {
  const { values, positionals } = parsed(command, line.slice(1));
  return {
    options: values,
    words: positionals,
    line,
    surroundings,
    cwd: process.cwd(),
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  };
};

const parsed = (
  command: Command,
  words: readonly string[],
): { readonly values: OptionValues; readonly positionals: string[] } => {
  try {
    return parseArgs({
      args: [...words],
      options: command.options,
      allowPositionals: command.takesWords,
      strict: true,
    });
  } catch (thrown) {
    throw new UsageError(messageOf(thrown));
  }
};

const overview = (name: string | undefined): string => {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return helpOf(command);
  const width = Math.max(...commands.map((candidate) => candidate.name.length));
  const lines = commands.map((candidate) => `  ${candidate.name.padEnd(width)}  ${candidate.summary}`);
  return [
    `hookwise ${version}: ${about}`,
    '',
    'usage: hookwise <command> [options]',
    '',
    ...lines,
    '',
    'hookwise <command> --help says more.',
  ].join('\n');
};

const helpOf = (command: Command): string =>
  [
    `hookwise ${command.name}: ${command.summary}`,
    '',
    `usage: hookwise ${command.name} ${command.usage}`.trimEnd(),
    ...(command.examples.length === 0 ? [] : ['', 'examples:', ...command.examples.map((example) => `  ${example}`)]),
  ].join('\n');
