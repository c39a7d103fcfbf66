import type { Verdict } from '../model/verdict.ts';
import { isBelow, isWithin } from './lexical-path.ts';
import type { ReadCommand, ShellContext, ShellEffect, ShellReading } from './model.ts';
import { isPublicFile, isSystemPath } from './places.ts';
import { controlAnswer, denials, questions, type Rule } from './verdict-rules.ts';

/** What effects alone say about a call; no verdict means that later tiers decide. */
export interface BuiltinVerdict {
  readonly verdict: Verdict | undefined;
  readonly ruleId: string;
  readonly why: string;
  readonly effects: readonly ShellEffect[];
}

const firstMatch = (
  rules: readonly Rule[],
  effects: readonly ShellEffect[],
  context: ShellContext,
): BuiltinVerdict | undefined => {
  for (const rule of rules) {
    const involved = effects.filter((effect) => rule.matches(effect, context));
    const [first] = involved;
    if (first !== undefined)
      return { verdict: rule.verdict, ruleId: rule.id(first), why: rule.why(first), effects: involved };
  }
  return undefined;
};

const buildOutput =
  /^(?:dist|build|builds|out|output|coverage|htmlcov|\.coverage|\.nyc_output|node_modules|\.next|\.nuxt|\.svelte-kit|\.output|\.turbo|\.cache|\.parcel-cache|\.vite|\.angular|\.expo|target|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.eggs|[\w.-]*\.egg-info|\.venv|venv|bin|obj|tmp|temp|\.tmp|logs?|\.gradle|\.dart_tool|storybook-static|playwright-report|test-results|lib-cov|_build|\.serverless|\.terraform|cmake-build-\w+|DerivedData|\.tsbuildinfo|tsconfig\.tsbuildinfo|[\w.*-]+\.(?:pyc|pyo|o|log|tmp|tsbuildinfo|class))$/;

// `bin`, `lib` and the like may be sources elsewhere; only what tools rebuild goes without asking.
const rebuilt = (path: string, context: ShellContext): boolean => {
  if (!isBelow(path, context.root)) return false;
  const names = path
    .slice(context.root.length + 1)
    .split('/')
    .filter((name) => name !== '**');
  const first = names.findIndex((name) => buildOutput.test(name) && !/^(?:bin|tmp|temp|logs?|venv|obj)$/.test(name));
  return first >= 0 && !names.slice(0, first).some((name) => /[?[]|\*./.test(name));
};

const isHarmless = (effect: ShellEffect, context: ShellContext): boolean => {
  if (effect.risk !== undefined && effect.kind !== 'control') return false;
  switch (effect.kind) {
    case 'read':
      return effect.certainty !== 'dynamic' && (isWithin(effect.path, context.root) || isPublicFile(effect.path));
    case 'delete':
      return effect.certainty !== 'dynamic' && effect.from === undefined && rebuilt(effect.path, context);
    case 'repository':
      return effect.change === 'branch';
    case 'control':
      return controlAnswer(effect) === 'read';
    case 'state':
    case 'decode':
      return true;
    case 'write':
    case 'connect':
    case 'run':
    case 'code':
    case 'disclose':
    case 'signal':
    case 'privilege':
    case 'publish':
    case 'catastrophe':
    case 'unknown':
      return false;
  }
};

const sendsSecret = (reading: ShellReading): readonly ShellEffect[] | undefined => {
  const secrets = reading.effects.filter((effect) => effect.risk === 'credentials' && effect.kind === 'read');
  const sends = reading.effects.filter(
    (effect) => effect.kind === 'connect' && effect.sendsData && effect.risk === 'send',
  );
  return secrets.length > 0 && sends.length > 0 ? [...secrets, ...sends] : undefined;
};

const scriptOf = (effect: ShellEffect): string | undefined => (effect.kind === 'run' ? effect.script : undefined);

// A clone, an unpacked archive: a run of anything below what the call itself brought.
const runsFetched = (reading: ShellReading): readonly ShellEffect[] | undefined => {
  const brought = reading.effects.filter(
    (effect) => effect.kind === 'write' && effect.from?.includes('network') === true,
  );
  const places = brought.flatMap((effect) => (effect.kind === 'write' && effect.path !== '' ? [effect.path] : []));
  if (places.length === 0) return undefined;
  const inside = (path: string | undefined): boolean =>
    path !== undefined && places.some((place) => isWithin(path, place));
  const found = reading.commands.flatMap((command: ReadCommand) =>
    command.effects.filter(
      (effect) =>
        (effect.kind === 'run' && (inside(scriptOf(effect)) || inside(command.cwd))) ||
        (command.program === 'git' && inside(command.cwd)),
    ),
  );
  return found.length > 0 ? found : undefined;
};

const recursiveChange = (reading: ShellReading): readonly ShellEffect[] | undefined => {
  const found = reading.effects.filter(
    (effect) =>
      effect.kind === 'write' &&
      effect.recursive === true &&
      effect.certainty === 'literal' &&
      isSystemPath(effect.path),
  );
  return found.length > 0 ? found : undefined;
};

const isBomb = (reading: ShellReading): boolean =>
  reading.unknowns.some((unknown) => unknown.why === 'function calls itself') && /\|[^|]*&|&\s*\}/.test(reading.source);

const crossCommand = (reading: ShellReading): BuiltinVerdict | undefined => {
  const sent = sendsSecret(reading);
  if (sent !== undefined)
    return {
      verdict: 'deny',
      ruleId: 'builtin.secret-send',
      why: 'reads a credential and sends data in the same call',
      effects: sent,
    };
  const changed = recursiveChange(reading);
  if (changed !== undefined)
    return {
      verdict: 'deny',
      ruleId: 'builtin.destroy',
      why: 'changes a system directory with everything in it',
      effects: changed,
    };
  if (isBomb(reading))
    return { verdict: 'deny', ruleId: 'builtin.fork-bomb', why: 'a function starts itself without end', effects: [] };
  return undefined;
};

/** The verdict that follows from the effects alone. */
export const builtinVerdict = (reading: ShellReading, context: ShellContext): BuiltinVerdict => {
  const denied = firstMatch(denials, reading.effects, context) ?? crossCommand(reading);
  if (denied !== undefined) return denied;
  const fetched = runsFetched(reading);
  if (fetched !== undefined)
    return {
      verdict: 'ask',
      ruleId: 'class.fetched-code',
      why: 'runs what was fetched in the same call',
      effects: fetched,
    };
  const asked = firstMatch(questions, reading.effects, context);
  if (asked !== undefined) return asked;
  const unseen = reading.unknowns.find((unknown) => unknown.hidden);
  if (unseen !== undefined) return { verdict: 'ask', ruleId: 'shell.unclear', why: unseen.why, effects: [] };
  if (
    reading.complete &&
    reading.source.trim() !== '' &&
    reading.effects.every((effect) => isHarmless(effect, context))
  ) {
    return {
      verdict: 'allow',
      ruleId: allowId(reading),
      why: allowWords[allowId(reading)] ?? 'only looks, inside the project',
      effects: reading.effects,
    };
  }
  return { verdict: undefined, ruleId: '', why: reading.unknowns[0]?.why ?? 'no built-in rule', effects: [] };
};

const allowWords: Readonly<Record<string, string>> = {
  'builtin.clean': 'deletes only what tools build again, inside the project',
  'builtin.branch': 'creates a branch and changes nothing else',
};

const allowId = (reading: ShellReading): string => {
  if (reading.effects.some((effect) => effect.kind === 'delete')) return 'builtin.clean';
  return reading.effects.some((effect) => effect.kind === 'repository') ? 'builtin.branch' : 'builtin.inspect';
};
