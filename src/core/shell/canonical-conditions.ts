import { isWithin } from './lexical-path.ts';
import type { ReadCommand, ShellEffect, ShellReading } from './model.ts';

/** What has been understood of a text, and where the call is made. */
export interface CanonicalPlace {
  readonly reading: ShellReading;
  readonly cwd: string;
  readonly root: string;
}

const namesIn = (reading: ShellReading): ReadonlySet<string> =>
  new Set(reading.commands.flatMap((command) => [command.program, ...command.wrappers]));

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const meets = (names: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...names].some((name) => others.has(name));

// They change how the rest is read, or look at how the call is spelled.
const spellingNames = set(
  'alias unalias shopt setopt unsetopt emulate enable autoload zmodload history fc caller bind jobs fg bg disown ps pgrep pkill',
);

const spellingVariables = /LINENO|BASH_|ZSH_|FUNCNAME|\/proc\//;

const plainSetting = /^(?:[-+][euxo]+|pipefail|errexit|nounset|xtrace)$/;

const isPlainSet = (command: ReadCommand): boolean =>
  command.words.slice(1).every((word) => word.kind === 'literal' && plainSetting.test(word.text));

/** Whether how a command is spelled could change what it does. */
export const feelsSpelling = (text: string, reading: ShellReading): boolean =>
  spellingVariables.test(text) ||
  meets(namesIn(reading), spellingNames) ||
  reading.commands.some(
    (command) =>
      (command.program === 'set' && !isPlainSet(command)) || (command.program === 'kill' && text.includes('%')),
  );

// After these a line may be left early, or the next one may be read in another way.
const lineNames = set(
  'set source . eval trap exec builtin command readonly declare typeset local export read unset let',
);

/** Whether a line break may stand for `;` as far as the commands are concerned. */
export const hasCalmCommands = (reading: ShellReading): boolean => !meets(namesIn(reading), lineNames);

// They change what names mean, where output goes, or what follows from the status of a command.
const meaningNames = set(
  'set source . eval trap exec builtin command readonly declare typeset local export read unset let printf mapfile readarray getopts hash coproc ulimit umask exit return',
);

const statusVariables = /\$\{?(?:\?|status|pipestatus|PIPESTATUS)|PATH|GREP_|POSIXLY/;

// Where a filter may be all that keeps a secret from being shown.
const namesSecrets =
  /secret|token|passw|passphrase|passkey|credential|private|api.?key|_key|auth|printenv|environ|\benv\b/i;

// What runs in them has an environment of its own, which the text does not show.
const runsElsewhere = /docker|podman|container|compose|kube|helm|terraform|tofu|pulumi|ansible|vagrant/;

const isSilent = (effect: ShellEffect, place: CanonicalPlace): boolean => {
  if (effect.risk !== undefined) return false;
  switch (effect.kind) {
    case 'read':
      return effect.certainty !== 'dynamic' && (isWithin(effect.path, place.root) || effect.path === '/dev/null');
    case 'run':
      return !runsElsewhere.test(effect.program);
    case 'state':
      return true;
    case 'write':
    case 'delete':
    case 'repository':
    case 'connect':
    case 'code':
    case 'decode':
    case 'disclose':
    case 'signal':
    case 'privilege':
    case 'publish':
    case 'catastrophe':
    case 'control':
    case 'unknown':
      return false;
  }
};

const isLasting = (effect: ShellEffect): boolean =>
  effect.risk === undefined && (effect.kind === 'write' || effect.kind === 'delete' || effect.kind === 'repository');

/** Whether counts and patterns of filters may be left open, and whether what is in front of them may be cut short. */
interface Openness {
  readonly isOpen: boolean;
  readonly mayCut: boolean;
}

/**
 * Filters only choose what is shown. That is harmless when nothing shown is a secret or from outside the project, and
 * when nothing in the text changes what a name means or goes by how a filter ended.
 */
export const opennessOf = (text: string, place: CanonicalPlace): Openness => {
  const { reading } = place;
  const isOpen =
    isWithin(place.cwd, place.root) &&
    !statusVariables.test(text) &&
    !namesSecrets.test(text) &&
    !meets(namesIn(reading), meaningNames) &&
    reading.commands.every((command) => command.program !== '' || command.assignments.length === 0) &&
    reading.effects.every((effect) => isSilent(effect, place) || isLasting(effect));
  return { isOpen, mayCut: isOpen && reading.effects.every((effect) => isSilent(effect, place)) };
};

const oddPath = /\/\/|\/\.{1,2}(?:\/|$)|.\/$/;

/** Whether a directory is the one where the call is made, so that entering it changes nothing. */
export const isHere = (directory: string, place: CanonicalPlace): boolean =>
  directory === '.' ||
  (directory === place.cwd && directory.startsWith('/') && !oddPath.test(directory) && isWithin(directory, place.root));

// What tells whether a directory was entered before.
const goesBack = /OLDPWD|DIRSTACK|\$\{?_(?!\w)|\$\{!|~-/;

const backNames = set('pushd popd dirs trap eval source .');

const isPlainCd = (command: ReadCommand): boolean => {
  const [, directory, ...more] = command.words;
  return directory?.kind === 'literal' && !/^(?:-|$)/.test(directory.text) && more.length === 0;
};

/** Whether something in a text could tell that a directory was entered before. */
export const looksBack = (text: string, reading: ShellReading): boolean =>
  goesBack.test(text) ||
  meets(namesIn(reading), backNames) ||
  reading.commands.some((command) => command.program === 'cd' && !isPlainCd(command));
