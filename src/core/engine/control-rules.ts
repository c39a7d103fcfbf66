import type { Context } from '../model/context.ts';
import type { Finding } from '../model/decision.ts';
import type { ControlCommand } from '../model/effect.ts';

/** Names under which this program can be started. */
const ownPrograms = new Set(['hookwise', 'captain-hook', 'hooker']);

/** Reads that change nothing and show nothing an agent may not know. */
const reads: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  status: () => true,
  explain: () => true,
  queue: (words) => words.includes('--json'),
  help: () => true,
  '--help': () => true,
  '--version': () => true,
};

/** What an agent may ask a person for, about its own session and no other. */
const askable = new Set(['register', 'disable', 'enable', 'switch']);

const base = { tier: 'Default', scope: 'builtin', yieldsTo: [], learnable: false } as const;

/** A command of the gate together with whether it is all there is to the call. */
export interface ControlUse {
  readonly command: ControlCommand;
  readonly isAlone: boolean;
}

/** Judges a command of the gate or its host that an agent wants to run. Nothing stored replaces these. */
export const controlFinding = ({ command, isAlone }: ControlUse, context: Context): Finding => {
  const [name = ''] = command.words;
  const isOwn = command.plain && ownPrograms.has(command.program);
  if (isOwn && isRead(name, command.words))
    return { ...base, verdict: 'allow', ruleId: 'control.read', why: `hookwise ${name} only reads`, clear: '' };
  if (isOwn && isAlone && isForOwnSession(command, context)) return sessionFinding(name, command, context);
  const why =
    ownPrograms.has(command.program) || command.program === ''
      ? 'an agent may not operate its own gate'
      : `an agent may not change what controls agents (${command.program})`;
  const clear = 'a person runs it in a terminal that no agent owns';
  return { ...base, verdict: 'deny', ruleId: `control.${isOwn && name !== '' ? name : 'command'}`, why, clear };
};

const isRead = (name: string, words: readonly string[]): boolean =>
  Object.hasOwn(reads, name) && reads[name]?.(words) === true;

const sessionFinding = (name: string, command: ControlCommand, context: Context): Finding => {
  if (name === 'register' && mayRegisterUnasked(command, context)) {
    const why = 'registration.confirm asks about full-access roles only';
    return { ...base, verdict: 'allow', ruleId: 'control.register', why, clear: '' };
  }
  const why = `hookwise ${name} changes what gates this session`;
  return { ...base, verdict: 'ask', ruleId: `control.${name}`, why, clear: 'a person confirms it', unattended: 'deny' };
};

const mayRegisterUnasked = (command: ControlCommand, { policy }: Context): boolean => {
  const wanted = optionOf(command.words, '--role');
  const role = wanted !== undefined && Object.hasOwn(policy.roles, wanted) ? policy.roles[wanted] : undefined;
  return (
    policy.settings.registrationConfirm === 'full_access_only' && role !== undefined && role.category !== 'full-access'
  );
};

/** Whether the call is exactly a registration of the calling session: the one thing an unregistered session may ask for. */
export const isOwnRegistration = ({ command, isAlone }: ControlUse, context: Context): boolean =>
  isAlone &&
  command.plain &&
  ownPrograms.has(command.program) &&
  (command.words[0] === 'register' || command.words[0] === 'disable') &&
  isForOwnSession(command, context);

/** A team lead may name its workers' sessions; everybody else only their own, once. */
const isForOwnSession = (command: ControlCommand, context: Context): boolean => {
  if (!askable.has(command.words[0] ?? '')) return false;
  const isNamedOnce = command.words.filter((word) => /^--session-id(?:=|$)/.test(word)).length === 1;
  const named = optionOf(command.words, '--session-id');
  return isNamedOnce && named !== undefined && (named === context.sessionId || context.leadsTeam === true);
};

/** The value of an option, written `--name value` or `--name=value`. */
const optionOf = (words: readonly string[], name: string): string | undefined => {
  const at = words.indexOf(name);
  return at >= 0 ? words[at + 1] : words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
};
