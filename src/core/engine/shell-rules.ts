import type { Context } from '../model/context.ts';
import type { Finding } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { ScopeLevel } from '../model/verdict.ts';
import type { ShellEffect, ShellReading } from '../shell/model.ts';
import type { Matchers } from './matchers.ts';
import { sameOrBroader } from './merge.ts';
import { objectionsTo, type PathUse, readFindings } from './path-rules.ts';
import { asResolved, type Plan } from './plan.ts';
import { spellingsOf } from './spellings.ts';

/** What the path rules need to know beside the reading. */
export interface ShellKnowledge {
  readonly plan: Plan;
  readonly facts: Facts;
  readonly matchers: Matchers;
}

/** The programs a text starts, for the trace. */
export const shellWords = ({ shell }: Plan): string =>
  shell === undefined
    ? 'no shell text'
    : shell.reading.commands.map(({ program }) => program).join(', ') || 'no command';

/** Whether the text is one simple command and nothing besides. */
export const isAlone = ({ shell }: Plan): boolean => {
  const [command, ...others] = shell?.reading.commands ?? [];
  if (command === undefined || others.length > 0) return false;
  return command.redirects.length === 0 && command.assignments.length === 0 && command.wrappers.length === 0;
};

/** Built-in denials that an explicit rule of an owner may replace, since they name a class and not a catastrophe. */
const replaceable = new Set(['builtin.credentials', 'builtin.persist']);
const byOwners: readonly ScopeLevel[] = ['org', 'user'];

/**
 * What follows from the effects of a shell text alone. An allow is the weakest there is; a catastrophe is never
 * replaced; a never-learn class asks each time unless an owner's rule says otherwise. Text that is not understood is no
 * finding: it stays open, and only an exact answer of a person settles it.
 */
export const shellFindings = ({ shell, context }: Plan): Finding[] => {
  if (shell === undefined) return [];
  const { verdict, ruleId, why } = shell.builtin;
  const base = { tier: 'Default', scope: 'builtin', ruleId, why, learnable: false } as const;
  switch (verdict) {
    case undefined:
      return [];
    case 'allow':
      return allowed(shell.builtin.ruleId, context) ? [{ ...base, verdict, clear: '', yieldsTo: [] }] : [];
    case 'deny':
      return isControl(ruleId) ? [] : [{ ...base, verdict, ...denial(ruleId) }];
    case 'ask':
      return isControl(ruleId) || !ruleId.startsWith('class.')
        ? []
        : [
            {
              ...base,
              verdict,
              clear: 'a person confirms it each time, or an owner’s override names it',
              yieldsTo: byOwners,
            },
          ];
  }
};

/** Commands of the gate are judged by the control rules, which know whose session is meant. */
const isControl = (ruleId: string): boolean => ruleId === 'builtin.control' || ruleId === 'class.control';

const denial = (ruleId: string): Pick<Finding, 'clear' | 'yieldsTo'> =>
  replaceable.has(ruleId)
    ? {
        clear: `a person does it, or hookwise override --role '*' --command '<command>' --allow --scope user`,
        yieldsTo: byOwners,
      }
    : { clear: 'a person does it outside the agent', yieldsTo: [] };

/** Whether policy leaves a built-in permission on. */
const allowed = (ruleId: string, { policy }: Context): boolean => {
  const name = ruleId.replace(/^builtin\./, '');
  const { builtin } = policy.settings;
  return !(Object.hasOwn(builtin, name) && builtin[name] === 'off');
};

/** Path policy over everything a text touches. It may object, never permit. */
export const shellPathFindings = (reading: ShellReading, known: ShellKnowledge): Finding[] =>
  reading.effects.flatMap((effect) => objectionsOf(effect, known));

const objectionsOf = (effect: ShellEffect, { plan, facts, matchers }: ShellKnowledge): Finding[] => {
  if (effect.kind !== 'read' && effect.kind !== 'write' && effect.kind !== 'delete') return [];
  if (effect.path === '' || effect.certainty === 'dynamic') return [];
  const { context } = plan;
  const use = useOf(effect, { context, facts });
  if (effect.kind === 'read') return effect.how === 'list' ? [] : readObjections(use, { context, matchers });
  const below = effect.certainty === 'glob' || effect.recursive === true ? deniedBelow(use, { context, matchers }) : [];
  return [...objectionsTo(use, context, matchers), ...below];
};

const useOf = (
  effect: Extract<ShellEffect, { readonly kind: 'read' | 'write' | 'delete' }>,
  { context, facts }: { readonly context: Context; readonly facts: Facts },
): PathUse => {
  const fact = facts.paths.get(effect.path);
  const resolved = asResolved(effect.spelled, context).map((path) => facts.paths.get(path));
  return { spelled: effect.spelled, spellings: spellingsOf(effect.path, [fact, ...resolved], context), fact, text: [] };
};

const byCommand = `a person runs it, or hookwise override --role '*' --command '<command>' --allow --scope user`;

/** What speaks against reading. A command is cleared by an override on the command, not on the file. */
const readObjections = (
  use: PathUse,
  { context, matchers }: { readonly context: Context; readonly matchers: Matchers },
): Finding[] =>
  readFindings(use, context, matchers)
    .filter(({ verdict, ruleId }) => verdict !== 'allow' && ruleId !== 'path.unresolved')
    .map((finding) => (finding.ruleId.startsWith('sensitive.') ? { ...finding, clear: byCommand } : finding));

/** A pattern, or a directory with everything in it, reaches what a role may not touch further down. */
const deniedBelow = (
  use: PathUse,
  { context, matchers }: { readonly context: Context; readonly matchers: Matchers },
): Finding[] =>
  context.roles.flatMap((role) => {
    const reach = use.spellings.map(({ absolute, relative }) => ({
      absolute: withoutGlob(absolute),
      ...(relative === undefined ? {} : { relative: withoutGlob(relative) }),
    }));
    const rule = reach.map((path) => matchers.denyWrite(role).anchoredBelow(path)).find((found) => found !== undefined);
    if (rule === undefined) return [];
    return [
      {
        verdict: 'deny',
        ruleId: `role.${role.name}.deny_write`,
        tier: 'PathPolicy',
        scope: 'role',
        why: `${use.spelled} takes in ${rule.glob}, which role ${role.name} may not write`,
        clear: 'name the files, or switch to a role that may',
        yieldsTo: sameOrBroader[role.scope],
        learnable: false,
        ...(rule.source === undefined ? {} : { source: rule.source }),
      } satisfies Finding,
    ];
  });

/** The directory in front of the first wildcard. */
const withoutGlob = (path: string): string => {
  const parts = path.split('/');
  const at = parts.findIndex((part) => /[*?[{]/.test(part));
  return at < 0 ? path : parts.slice(0, at).join('/');
};
