import type { ReadCommand, ReadRedirect, ShellReading } from '../shell/model.ts';
import { sequenceOf } from './sequence.ts';
import type { Slot, SlotPlace } from './slot-kinds.ts';
import { printWord, shapeWords } from './slot-words.ts';

/**
 * A shell call with its data operands as typed slots. Two calls of one shape run the same programs with the same
 * subcommands, options, operators and redirections; only what fills the slots differs.
 */
export interface Shape {
  readonly kind: 'shape';
  readonly text: string;
  readonly slots: readonly Slot[];
  /** What the calls do apart from where: equal for calls of one shape, or they are not of one shape. */
  readonly effects: string;
}

/** Why a call has no shape: it can only be remembered exactly. */
export interface NoShape {
  readonly kind: 'none';
  readonly why: string;
}

const none = (why: string): NoShape => ({ kind: 'none', why });

/** The shape of an understood shell text. Every part must be known to the last word; anything else has no shape. */
export const shapeOf = (reading: ShellReading, place: SlotPlace): Shape | NoShape => {
  if (!reading.complete || reading.unknowns.length > 0) return none('not everything in it is understood');
  if (reading.effects.some(({ risk }) => risk !== undefined)) return none('it is of a class that is asked each time');
  const sequence = sequenceOf(reading.source);
  if (sequence === undefined) return none('it is more than simple commands joined by operators');
  const main = reading.commands.filter(({ inside }) => inside === 'top');
  if (main.length !== sequence.length) return none('its commands cannot be told apart');
  const others = reading.commands.filter(({ inside }) => inside !== 'top');
  if (!others.every((command) => isLaunched(command, main) || isTextSource(command)))
    return none('it runs commands inside commands');
  const parts: string[] = [];
  const slots: Slot[] = [];
  for (const [index, command] of main.entries()) {
    const { operator = ';', source = '' } = sequence[index] ?? {};
    const part = shapePart(command, { source, place });
    if (part === undefined)
      return none(`${command.program || 'a part of it'} holds words or redirections that are not plain`);
    if (index === 0 && main.length > 1 && isStandingStill(command, place, sequence[1]?.operator)) continue;
    slots.push(...part.slots);
    parts.push(parts.length === 0 ? part.text : `${operator} ${part.text}`);
  }
  if (slots.length === 0) return none('no word in it is known to be only data');
  const doing = main.filter(({ effects }) => effects.some(({ kind }) => kind !== 'state'));
  if (slots.some(({ isWritten }) => isWritten) && doing.length > 1)
    return none('what it writes could be used by another part');
  return { kind: 'shape', text: parts.join(' '), slots, effects: effectsOf(reading) };
};

/** The program that a launcher starts, with the launcher's own last words. */
const isLaunched = (command: ReadCommand, main: readonly ReadCommand[]): boolean =>
  command.inside === 'wrapper' &&
  main.some((outer) => {
    const tail = outer.words.slice(-command.words.length);
    return (
      tail.length === command.words.length && tail.every((word, index) => textOf(word) === textOf(command.words[index]))
    );
  });

const textOf = (word: ReadCommand['words'][number] | undefined): string | undefined =>
  word?.kind === 'literal' ? word.text : undefined;

/** `$(cat <<'END' …)`: the usual way to write a long message. The word it makes is known to the last letter. */
const isTextSource = (command: ReadCommand): boolean =>
  command.inside === 'substitution' &&
  command.program === 'cat' &&
  command.words.length === 1 &&
  command.effects.length === 0 &&
  command.redirects.every(({ operator }) => operator === '<<' || operator === '<<-');

/** Going to where the call already is. */
const isStandingStill = (command: ReadCommand, { cwd }: SlotPlace, next: string | undefined): boolean => {
  const [name, target, ...more] = command.words.map(textOf);
  return next === '&&' && name === 'cd' && more.length === 0 && (target === cwd || target === '.');
};

interface Part {
  readonly text: string;
  readonly slots: readonly Slot[];
}

const shapePart = (
  command: ReadCommand,
  { source, place }: { readonly source: string; readonly place: SlotPlace },
): Part | undefined => {
  const redirects = command.redirects.map(printRedirect);
  const assignments = command.assignments.map(printAssignment);
  if (command.wrappers.length > 0 || !redirects.every(isText) || !assignments.every(isText)) return undefined;
  const words = command.words.map(textOf);
  if (!words.every(isText) || command.words.some((word) => word.from !== undefined)) {
    // Words that are only known when it runs do no harm where nothing is done: `echo $?`.
    return command.effects.length === 0 && !source.includes('<ANY:') ? { text: source, slots: [] } : undefined;
  }
  const found =
    command.effects.length === 0 && !isOutermostOfLaunch(command)
      ? undefined
      : shapeWords(words, { ...place, cwd: command.cwd ?? '/' });
  const shown = found?.words ?? words.map(printWord);
  return { text: [...assignments, ...shown, ...redirects].join(' '), slots: found?.slots ?? [] };
};

const isText = (text: string | undefined): text is string => text !== undefined;

/** A launcher such as `python -m` does nothing itself. */
const isOutermostOfLaunch = ({ program }: ReadCommand): boolean => /^(?:python3?|timeout)$/.test(program);

/** Only redirections that touch no file. */
const printRedirect = ({ operator, descriptor, target }: ReadRedirect): string | undefined => {
  const text = textOf(target);
  if (text === undefined || (descriptor !== undefined && typeof descriptor !== 'number')) return undefined;
  const touchesNothing =
    operator === '>&' ? /^[12]$/.test(text) : /^(?:>|>>|&>|<)$/.test(operator) && text === '/dev/null';
  return touchesNothing ? `${descriptor ?? ''}${operator}${text}` : undefined;
};

const printAssignment = ({ name, value }: ReadCommand['assignments'][number]): string | undefined =>
  value.kind === 'literal' && value.from === undefined ? `${name}=${printWord(value.text)}` : undefined;

/** What is done, without where: kinds and ways of all effects, in order. */
const effectsOf = ({ effects }: ShellReading): string => [...new Set(effects.map(kindOf))].join('; ');

const kindOf = (effect: ShellReading['effects'][number]): string => {
  switch (effect.kind) {
    case 'read':
    case 'write':
      return `${effect.kind} ${effect.how}`;
    case 'delete':
      return `delete ${effect.recursive}`;
    case 'connect':
      return `connect ${effect.host} ${effect.method ?? ''} ${effect.sendsData}`;
    case 'run':
      return `run ${effect.program}`;
    case 'repository':
      return `repository ${effect.change} ${effect.what}`;
    case 'state':
      return `state ${effect.what}`;
    case 'code':
    case 'decode':
    case 'disclose':
    case 'signal':
    case 'privilege':
    case 'publish':
    case 'catastrophe':
    case 'control':
    case 'unknown':
      return `${effect.kind} ${JSON.stringify(effect)}`;
  }
};
