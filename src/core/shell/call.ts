import { effectsElsewhere } from './elsewhere.ts';
import { environmentEffects } from './environment.ts';
import { callFunction } from './functions.ts';
import type { ShellEffect } from './model.ts';
import { nameEffects, pathEffects, type Registry, type ResolvedName, resolveName } from './program-name.ts';
import { recordOutput } from './redirects.ts';
import { copyScope, type Scope } from './scope.ts';
import { suspicionOf } from './suspicion.ts';
import { uncovered } from './tools.ts';
import { type Place, toolsFor } from './tools-for.ts';
import { type Call, outputSince, tick, type Walk } from './walk.ts';

/** Reads a command whose words are known: its environment, its redirections, and what the program does. */
export const callReader =
  (registry: Registry) =>
  (call: Call, walk: Walk, scope: Scope): void => {
    if (!tick(walk)) return;
    const start = walk.commands.length;
    const first = call.words[0];
    const resolved = first === undefined ? undefined : resolveName(first, registry);
    const record = recorderOf(call, walk, scope);
    record(resolved?.name ?? '', []);
    if (first === undefined || resolved === undefined) {
      record('', assignmentsAlone(call, scope), '');
      recordOutput(call.redirected, { text: '', from: [], fed: true }, walk);
      return;
    }
    const before = scope.otherCwds.length > 0 ? copyScope(scope) : undefined;
    const printed: { text?: string } = {};
    const input = call.redirected.input ?? scope.input;
    const place: Place = {
      walk,
      scope,
      input,
      print: (text) => {
        printed.text = text;
      },
    };
    const environment = environmentEffects(
      call.assignments.filter((one) => !(one.name === 'IFS' && resolved.name === 'read')),
    );
    const effects = [
      ...environment,
      ...nameEffects(first, resolved),
      ...programEffects({ call, resolved, registry }, place),
    ];
    record(resolved.name, effects, printed.text);
    if (before !== undefined) {
      const more = effectsElsewhere({ call, start }, walk, before);
      if (more.length > 0) record(resolved.name, [...effects, ...more], printed.text);
    }
    const from = outputSince(walk, start, input);
    recordOutput(
      call.redirected,
      printed.text === undefined ? { from: from.from, fed: true } : { ...from, text: printed.text },
      walk,
    );
  };

// The command takes its place in the list before the commands that it starts.
const recorderOf = (call: Call, walk: Walk, scope: Scope) => {
  const at = walk.commands.length;
  const { cwd } = scope;
  return (program: string, effects: readonly ShellEffect[], printed?: string): void => {
    walk.commands[at] = {
      program,
      words: call.words,
      wrappers: scope.wrappers,
      assignments: call.assignments,
      redirects: call.redirects,
      depth: scope.syntaxDepth + scope.codeDepth,
      cwd,
      inside: scope.inside,
      effects: [...call.redirected.effects, ...effects],
      ...(printed === undefined || call.redirected.output !== undefined ? {} : { stdout: printed }),
    };
  };
};

interface NamedCall {
  readonly call: Call;
  readonly resolved: ResolvedName;
  readonly registry: Registry;
}

const programEffects = ({ call, resolved, registry }: NamedCall, place: Place): readonly ShellEffect[] => {
  const { walk, scope } = place;
  const known = resolved.path === undefined ? scope.functions.get(resolved.name) : undefined;
  if (known !== undefined) callFunction({ name: resolved.name, known, call, input: place.input }, walk, scope);
  if (known !== undefined && !known.maybe) return [];
  const args = call.words.slice(1);
  const found = resolved.candidates.map((name) => registry.get(name)).find((one) => one !== undefined);
  const tools = toolsFor(call, resolved.name, place);
  const effects: ShellEffect[] = [...pathEffects(resolved, tools)];
  if (found !== undefined) return [...effects, ...found.read(args, tools)];
  if (effects.length === 0) effects.push(uncovered(`program ${resolved.name}`));
  return [...effects, ...suspicionOf(args, tools)];
};

const felt = /^(?:PATH|HOME|IFS|CDPATH|BASH_ENV|ENV|PS4|PROMPT_COMMAND|SHELLOPTS|LD_.*|GIT_.*|HOOKWISE_.*)$/;

const assignmentsAlone = (call: Call, scope: Scope): ShellEffect[] => {
  for (const assignment of call.assignments) scope.variables.set(assignment.name, assignment.value);
  return environmentEffects(
    call.assignments.filter((one) => one.name !== 'IFS' && (scope.exported.has(one.name) || felt.test(one.name))),
  );
};
