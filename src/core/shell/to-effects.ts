import type { Effect } from '../model/effect.ts';
import type { ShellEffect, ShellReading } from './model.ts';

const risky = (effect: ShellEffect): Pick<Effect, 'risk'> => (effect.risk === undefined ? {} : { risk: effect.risk });

/** A shell effect in the words of the whole engine; what is not known, or only state, becomes `unknown` or nothing. */
const toEffect = (effect: ShellEffect): Effect | undefined => {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return effect.certainty === 'dynamic' && effect.path === ''
        ? {
            kind: 'unknown',
            why: `${effect.kind} of a path that is not known: ${effect.spelled.replaceAll('\uE000', '…')}`,
            ...risky(effect),
          }
        : { kind: effect.kind, path: effect.path, spelled: effect.spelled.replaceAll('\uE000', '…'), ...risky(effect) };
    case 'connect':
      return { kind: 'connect', host: effect.host, ...risky(effect) };
    case 'run':
      return { kind: 'run', program: effect.script ?? effect.program, ...risky(effect) };
    case 'code':
      return { kind: 'run', program: `${effect.language} code`, ...risky(effect) };
    case 'control':
      return {
        kind: 'control',
        command: { program: effect.name, words: effect.words, plain: effect.plain },
        ...risky(effect),
      };
    case 'unknown':
      return { kind: 'unknown', why: effect.why, ...risky(effect) };
    case 'repository':
      return { kind: 'run', program: `git ${effect.what}`, ...risky(effect) };
    case 'publish':
    case 'signal':
    case 'disclose':
    case 'catastrophe':
      return { kind: 'run', program: effect.what, ...risky(effect) };
    case 'privilege':
      return { kind: 'run', program: effect.how, ...risky(effect) };
    case 'state':
      return effect.risk === undefined ? undefined : { kind: 'run', program: effect.what, ...risky(effect) };
    case 'decode':
      return undefined;
  }
};

/** The effects of a reading in the words of the whole engine, unknowns included. */
export const toEffects = (reading: ShellReading): readonly Effect[] => {
  const effects = reading.effects.flatMap((effect) => toEffect(effect) ?? []);
  const said = new Set(effects.flatMap((effect) => (effect.kind === 'unknown' ? [effect.why] : [])));
  const more = reading.unknowns.filter((unknown) => !said.has(unknown.why));
  return [...effects, ...more.map((unknown): Effect => ({ kind: 'unknown', why: unknown.why }))];
};
