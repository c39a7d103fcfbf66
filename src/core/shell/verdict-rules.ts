import type { RiskClass } from '../model/effect.ts';
import type { Verdict } from '../model/verdict.ts';
import { controlPlaceAt } from './control-places.ts';
import { isWithin } from './lexical-path.ts';
import type { ShellContext, ShellEffect } from './model.ts';

/** What one kind of effect does to the verdict. */
export interface Rule {
  readonly verdict: Verdict;
  readonly id: (effect: ShellEffect) => string;
  readonly matches: (effect: ShellEffect, context: ShellContext) => boolean;
  readonly why: (effect: ShellEffect) => string;
}

const targetIn = (effect: ShellEffect): string => ('spelled' in effect ? effect.spelled.replaceAll('\uE000', '…') : '');

const readOnlyControl = /^(?:status|explain|--version|-V|-v|--help|-h|version|help|list|test|stats|doctor|lint|roles)$/;

const sessionControl = /^(?:register|disable|enable|switch)$/;

/** How a command of the gate is answered when an agent gives it. */
export const controlAnswer = (effect: Extract<ShellEffect, { kind: 'control' }>): 'read' | 'session' | 'deny' => {
  const [verb = ''] = effect.words;
  if (!effect.plain || !/^(?:hookwise|captain-hook|hooker)$/.test(effect.name)) return 'deny';
  if (readOnlyControl.test(verb)) return 'read';
  if (verb === 'queue') return effect.words.includes('--json') && effect.words.length === 2 ? 'read' : 'deny';
  return sessionControl.test(verb) && !effect.words.some((one) => /maintainer|--allow-all|full/i.test(one))
    ? 'session'
    : 'deny';
};

const catastropheIds: Readonly<Partial<Record<RiskClass, string>>> = {
  'fetched-code': 'builtin.fetch-run',
  send: 'builtin.secret-send',
  destroy: 'builtin.destroy',
};

const catastropheId = (effect: ShellEffect): string =>
  effect.kind === 'catastrophe' && /raw device/.test(effect.what)
    ? 'builtin.disk'
    : ((effect.risk && catastropheIds[effect.risk]) ?? 'builtin.destroy');

/** Effects that refuse a call. */
export const denials: readonly Rule[] = [
  {
    verdict: 'deny',
    id: catastropheId,
    matches: (effect) => effect.kind === 'catastrophe',
    why: (effect) => (effect.kind === 'catastrophe' ? effect.what : ''),
  },
  {
    verdict: 'deny',
    id: () => 'builtin.control',
    matches: (effect) => effect.kind === 'control' && effect.risk === 'control' && controlAnswer(effect) === 'deny',
    why: (effect) =>
      effect.kind === 'control' ? `an agent may not run ${effect.name} ${effect.words.slice(0, 2).join(' ')}` : '',
  },
  {
    verdict: 'deny',
    id: () => 'builtin.self-protection',
    matches: (effect) =>
      (effect.kind === 'write' || effect.kind === 'delete') &&
      effect.risk === 'control' &&
      controlPlaceAt(effect.path || effect.spelled) !== 'host',
    why: (effect) => `${targetIn(effect)} belongs to the gate or to its host`,
  },
  {
    verdict: 'deny',
    id: () => 'builtin.persist',
    matches: (effect, context) =>
      effect.kind === 'write' &&
      effect.risk === 'persist' &&
      effect.how !== 'create' &&
      effect.how !== 'attributes' &&
      !isWithin(effect.path, context.root),
    why: (effect) => `${targetIn(effect)} runs later by itself`,
  },
  {
    verdict: 'deny',
    id: () => 'builtin.credentials',
    matches: (effect) =>
      effect.kind === 'read' && effect.risk === 'credentials' && effect.shown && effect.how === 'content',
    why: (effect) => `${targetIn(effect)} holds credentials`,
  },
];

const riskWords: Readonly<Record<RiskClass, string>> = {
  destroy: 'may lose data for good',
  send: 'sends local data elsewhere',
  credentials: 'reads credentials',
  privilege: 'raises privilege or changes the system',
  publish: 'publishes or deploys',
  persist: 'changes what runs later',
  'fetched-code': 'runs code fetched in the same call',
  control: 'touches the controls of this gate or its host',
  'disable-control': 'switches a control off',
};

/** Effects that a person must see. */
export const questions: readonly Rule[] = [
  {
    verdict: 'ask',
    id: (effect) => `class.${effect.risk ?? ''}`,
    matches: (effect) => effect.risk !== undefined && !(effect.kind === 'control' && controlAnswer(effect) === 'read'),
    why: (effect) => `${describe(effect)}: ${effect.risk === undefined ? '' : riskWords[effect.risk]}`,
  },
  {
    verdict: 'ask',
    id: () => 'shell.hidden',
    matches: (effect) => effect.kind === 'unknown' && effect.hidden,
    why: (effect) => (effect.kind === 'unknown' ? effect.why : ''),
  },
  {
    verdict: 'ask',
    id: () => 'shell.code',
    matches: (effect) => effect.kind === 'code',
    why: (effect) => (effect.kind === 'code' ? `runs ${effect.language} code` : ''),
  },
];

/** One effect in a few words. */
const describe = (effect: ShellEffect): string => {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return `${effect.kind} ${targetIn(effect)}`;
    case 'connect':
      return `connect to ${effect.host}`;
    case 'run':
      return `run ${effect.script ?? effect.program}`;
    case 'code':
      return `${effect.language} code`;
    case 'decode':
      return 'decode';
    case 'disclose':
    case 'signal':
    case 'publish':
    case 'catastrophe':
    case 'repository':
    case 'state':
      return `${effect.kind} ${effect.what}`;
    case 'privilege':
      return effect.how;
    case 'control':
      return `${effect.name} ${effect.words.join(' ')}`;
    case 'unknown':
      return `unknown: ${effect.why}`;
  }
};
