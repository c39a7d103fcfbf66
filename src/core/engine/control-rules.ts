import type { Context } from '../model/context.ts';
import type { Finding } from '../model/decision.ts';
import type { ControlCommand } from '../model/effect.ts';

/** Reads that change nothing and show nothing an agent may not know. */
const reads: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  status: () => true,
  explain: () => true,
  queue: (words) => words.includes('--json'),
  '--help': () => true,
  '--version': () => true,
};

/** What an agent may ask a person for, about its own session and no other. */
const askable = new Set(['register', 'disable', 'enable', 'switch']);

const base = { tier: 'Default', scope: 'builtin', yieldsTo: [], learnable: false } as const;

/** Judges a hookwise command that an agent wants to run. Nothing stored replaces these. */
export const controlFinding = (command: ControlCommand, context: Context): Finding => {
  if (!command.plain) {
    const why = 'the command names hookwise inside text that is more than plain words';
    const clear = 'a person confirms it, or runs it in a terminal of their own';
    return { ...base, verdict: 'ask', ruleId: 'control.mention', why, clear };
  }
  if (reads[command.name]?.(command.words) === true)
    return { ...base, verdict: 'allow', ruleId: 'control.read', why: `hookwise ${command.name} only reads`, clear: '' };
  if (isOwnSession(command, context)) {
    const why = `hookwise ${command.name} changes what gates this session`;
    return { ...base, verdict: 'ask', ruleId: `control.${command.name}`, why, clear: 'a person confirms it' };
  }
  const why = 'an agent may not operate its own gate';
  const clear = 'a person runs it in a terminal that no agent owns';
  return { ...base, verdict: 'deny', ruleId: `control.${command.name || 'command'}`, why, clear };
};

/** Whether the command is exactly a registration of the calling session: the one thing an unregistered session may ask for. */
export const isOwnRegistration = (command: ControlCommand, context: Context): boolean =>
  command.plain && (command.name === 'register' || command.name === 'disable') && isOwnSession(command, context);

const isOwnSession = (command: ControlCommand, context: Context): boolean => {
  if (!askable.has(command.name)) return false;
  const at = command.words.indexOf('--session-id');
  const named =
    at >= 0 ? command.words[at + 1] : command.words.find((word) => word.startsWith('--session-id='))?.slice(13);
  const once = command.words.filter((word) => word.startsWith('--session-id')).length === 1;
  return once && named === context.sessionId;
};
