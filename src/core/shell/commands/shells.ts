import type { ShellEffect, WordReading } from '../model.ts';
import { hidden, literalText, type Program, program, type ReadProgram, uncovered } from '../tools.ts';
import { codeEffects, inputEffects, scriptEffects } from './code.ts';

const longOptions =
  /^--(?:norc|noprofile|login|posix|verbose|restricted|version|help|no-rcs|no-globalrcs|noediting|interactive|private|no-config)$/;

interface ShellCall {
  readonly effects: ShellEffect[];
  code: boolean;
  stdin: boolean;
  index: number;
}

const readOptions = (args: readonly WordReading[]): ShellCall => {
  const call: ShellCall = { effects: [], code: false, stdin: false, index: 0 };
  for (; call.index < args.length; call.index += 1) {
    const word = args[call.index];
    const text = literalText(word);
    if (word === undefined || text === undefined) {
      if (word?.kind === 'dynamic' && (word.knownPrefix === '' || word.knownPrefix.startsWith('-')))
        call.effects.push(hidden('shell option is computed'));
      return call;
    }
    if (text === '--' || text === '-') {
      call.index += 1;
      return call;
    }
    if (text.startsWith('--')) {
      if (!longOptions.test(text)) call.effects.push(hidden(`shell option ${text}`));
      if (/^--(?:rcfile|init-file)$/.test(text)) call.index += 1;
      continue;
    }
    if (!/^[-+][A-Za-z]+$/.test(text)) return call;
    if (text.startsWith('-') && text.includes('c')) call.code = true;
    if (text.includes('s')) call.stdin = true;
    if (/[oO]$/.test(text)) call.index += 1;
    if (text.startsWith('-') && text.includes('i') && !text.includes('c'))
      call.effects.push(uncovered('interactive shell'));
  }
  return call;
};

const shell: ReadProgram = (args, tools) => {
  const first = literalText(args[0]);
  if (args.length === 1 && (first === '--version' || first === '--help')) return [];
  const call = readOptions(args);
  const rest = args.slice(call.index);
  const [head, ...positional] = rest;
  if (call.code) {
    if (head === undefined) return call.effects;
    return [...call.effects, ...codeEffects(head, tools, { positional: positional.slice(1) })];
  }
  if (head === undefined || call.stdin) return [...call.effects, ...inputEffects('sh', tools)];
  return [...call.effects, ...scriptEffects(head, tools, { positional })];
};

/** `bash -n file` only checks the syntax. */
const checked: ReadProgram = (args, tools) => {
  const file = args[1];
  if (literalText(args[0]) === '-n' && file !== undefined && args.length === 2)
    return [{ kind: 'read', how: 'content', shown: false, ...tools.target(file) }];
  return shell(args, tools);
};

/** Command interpreters. */
export const shells: readonly Program[] = [
  program('sh bash zsh dash ksh mksh ash rbash fish csh tcsh yash oksh pwsh powershell', checked),
];
