import { type Directory, enterDirectory } from '../directories.ts';
import { classOfVariable, environmentEffects } from '../environment.ts';
import { evaluationTrouble } from '../evaluated.ts';
import { isPattern } from '../glob-match.ts';
import { isWithin } from '../lexical-path.ts';
import { throughLinks } from '../links.ts';
import type { ReadAssignment, ShellEffect, WordReading } from '../model.ts';
import { printfText, unescaped } from '../printf.ts';
import { hideLocal, unknownWord } from '../scope.ts';
import { targetOf } from '../targets.ts';
import {
  hidden,
  literalText,
  type Program,
  program,
  type ReadProgram,
  type Tools,
  textsOf,
  uncovered,
} from '../tools.ts';
import { codeEffects, scriptEffects } from './code.ts';
import { leadingAssignments } from './wrappers.ts';

const nothing: ReadProgram = () => [];

// Builtins that print nothing, so that what others print stays known.
const silent: ReadProgram = (_args, tools) => {
  tools.print('');
  return [];
};

const disclosed = (args: readonly WordReading[]): ShellEffect[] =>
  args.some((one) => one.from?.includes('secret'))
    ? [{ kind: 'disclose', what: 'a credential variable', risk: 'credentials' }]
    : [];

const echo: ReadProgram = (args, tools) => {
  const texts = args.map(literalText);
  const flags = texts.findIndex((text) => text === undefined || !/^-[neE]+$/.test(text));
  const shown = texts.slice(flags < 0 ? texts.length : flags);
  const given = texts.slice(0, flags < 0 ? texts.length : flags).join('');
  if (!shown.includes(undefined)) {
    const text = `${shown.join(' ')}${given.includes('n') ? '' : '\n'}`;
    tools.print(given.includes('e') ? unescaped(text) : text);
  }
  return disclosed(args);
};

// A variable name with a subscript is evaluated; only plain indexes are harmless.
const nameEffects = (names: readonly WordReading[]): ShellEffect[] =>
  names.flatMap((one) => {
    const text = literalText(one);
    if (text === undefined) return [hidden('variable name is computed')];
    return /^[A-Za-z_]\w*(?:\[(?:\d+|@|\*|[A-Za-z_]\w*)\])?$/.test(text) || !text.includes('[')
      ? []
      : [hidden(`subscript is evaluated: ${text}`)];
  });

const forget = (names: readonly WordReading[], tools: Tools, from: WordReading['from']): void => {
  for (const one of names) {
    const name = literalText(one)?.replace(/\W.*$/s, '');
    if (name)
      tools.scope.variables.set(name, {
        ...unknownWord(`$${name} was read`),
        ...(from && from.length > 0 ? { from } : {}),
      });
  }
};

const printf: ReadProgram = (args, tools) => {
  let rest = args;
  if (literalText(rest[0]) === '-v') {
    const name = rest[1];
    if (name === undefined) return [];
    const from = rest.flatMap((one) => one.from ?? []);
    const text = formatted(rest.slice(2));
    const plain = literalText(name);
    if (text !== undefined && plain !== undefined && /^\w+$/.test(plain))
      tools.scope.variables.set(plain, { kind: 'literal', text, computed: true, from });
    else forget([name], tools, from);
    return nameEffects([name]);
  }
  if (literalText(rest[0])?.startsWith('-v')) return [hidden('printf -v')];
  if (literalText(rest[0]) === '--') rest = rest.slice(1);
  const text = formatted(rest);
  if (text !== undefined) tools.print(text);
  return disclosed(args);
};

const formatted = (words: readonly WordReading[]): string | undefined => {
  const [format, ...values] = words.map(literalText);
  const known = values.filter((value) => value !== undefined);
  return format === undefined || known.length < values.length ? undefined : printfText(format, known);
};

const changeDirectory: ReadProgram = (args, tools) => {
  const { scope } = tools;
  const operands = args.filter((one) => !/^-[LPe@]+$|^--$/.test(literalText(one) ?? ''));
  const [where] = operands;
  const before = scope.cwd;
  const lead = leadOf(where, tools);
  if (literalText(where) !== '-' && !scope.variables.has('CDPATH')) tools.print('');
  enterDirectory(scope, lead, { sure: isThere(lead(before), tools) });
  scope.previousCwd = before;
  return [{ kind: 'state', what: 'working directory' }];
};

const leadOf = (where: WordReading | undefined, tools: Tools): ((from: Directory) => Directory) => {
  const { scope, walk } = tools;
  if (where === undefined) return () => textOfHome(tools);
  if (literalText(where) === '-') return () => scope.previousCwd;
  if (scope.variables.has('CDPATH') && !/^[./~]/.test(literalText(where) ?? '')) return () => undefined;
  return (from) => {
    const target = throughLinks(targetOf(where, from), walk.links, 'follow');
    return target.certainty === 'dynamic' ? undefined : target.path;
  };
};

// Directories that are there whatever happened before.
const isThere = (directory: Directory, tools: Tools): boolean => {
  const { cwd, home, root } = tools.context;
  return directory !== undefined && [cwd, home, root, '/tmp'].some((one) => isWithin(one, directory));
};

const textOfHome = (tools: Tools): string | undefined => {
  const home = tools.scope.variables.get('HOME');
  return home?.kind === 'literal' ? home.text : undefined;
};

const pushDirectory: ReadProgram = (args, tools) => {
  const where = args.find((one) => !literalText(one)?.startsWith('-'));
  if (where === undefined || /^\+/.test(literalText(where) ?? '')) {
    enterDirectory(tools.scope, () => undefined, { sure: false });
    return [{ kind: 'state', what: 'working directory' }];
  }
  return changeDirectory([where], tools);
};

const popDirectory: ReadProgram = (_args, tools) => {
  const back = tools.scope.previousCwd;
  enterDirectory(tools.scope, () => back, { sure: false });
  tools.scope.previousCwd = undefined;
  return [{ kind: 'state', what: 'working directory' }];
};

const flagsOf = (args: readonly WordReading[]): string =>
  args
    .map((one) => literalText(one) ?? '')
    .filter((text) => /^[-+][A-Za-z]+$/.test(text))
    .join('');

const declare =
  (exports: boolean): ReadProgram =>
  (args, tools) => {
    const flags = flagsOf(args);
    const declared = declaredIn(args, tools);
    const isExport = exports || flags.includes('x');
    const names = args.filter((one) => /^[A-Za-z_]/.test(literalText(one) ?? ''));
    const effects: ShellEffect[] = [];
    if (flags.includes('n') && !exports) effects.push(hidden('name reference'));
    if (flags.includes('i')) {
      if (declared.some((one) => one.value.kind === 'dynamic' && !one.value.numeric))
        effects.push(uncovered('value is evaluated as arithmetic'));
      for (const one of declared)
        if (evaluationTrouble(shownValue(one), tools.scope.variables) !== undefined)
          effects.push(hidden('value is evaluated as arithmetic'));
    }
    const isLocal = !exports && !flags.includes('g') && tools.program !== 'readonly';
    for (const one of declared) {
      if (isLocal) hideLocal(tools.scope, one.name);
      tools.scope.variables.set(one.name, one.value);
    }
    for (const one of names) {
      const name = literalText(one) ?? '';
      if (!isLocal || name.includes('=') || tools.scope.locals === undefined) continue;
      hideLocal(tools.scope, name);
      tools.scope.variables.set(name, { kind: 'literal', text: '' });
    }
    if (!isExport) {
      const shows = declared.length === 0 && (names.length === 0 || flags.includes('p')) && !/[fF]/.test(flags);
      return [
        ...effects,
        ...(shows ? [{ kind: 'disclose', what: 'all variables', risk: 'credentials' } as const] : []),
        ...hijackedBy(declared),
      ];
    }
    for (const one of names) tools.scope.exported.add((literalText(one) ?? '').replace(/=.*$/s, ''));
    if (names.length === 0 && declared.length === 0)
      return [...effects, { kind: 'disclose', what: 'the environment', risk: 'credentials' }];
    for (const one of args)
      if (one.kind === 'dynamic' && !/^[A-Za-z_]\w*=/.test(one.knownPrefix))
        effects.push(hidden('exported name is computed'));
    return [...effects, ...environmentEffects(declared)];
  };

// `export "NAME=value"` and `\export NAME=value` assign as well, though the words look like any others.
const declaredIn = (args: readonly WordReading[], tools: Tools): readonly ReadAssignment[] => {
  const { declared } = tools.call;
  const known = new Set(declared.map((one) => one.name));
  const written = args.flatMap((one) => leadingAssignments([one]).assignments);
  return [...declared, ...written.filter((one) => !known.has(one.name))];
};

const shownValue = (one: ReadAssignment): string =>
  one.value.kind === 'list' ? '' : one.value.kind === 'dynamic' ? one.value.shape : one.value.text;

const hijackedBy = (declared: readonly ReadAssignment[]): ShellEffect[] =>
  environmentEffects(
    declared.filter((one) => ['hijacking', 'controlling'].includes(classOfVariable(one.name)) && one.name !== 'IFS'),
  );

const readVariables: ReadProgram = (args, tools) => {
  const names: WordReading[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const one = args[index];
    const text = literalText(one) ?? '';
    if (/^-\w*[adinNptuOsCc]$/.test(text) && !/^-[ers]+$/.test(text)) {
      if (/a$/.test(text) && args[index + 1] !== undefined) names.push(args[index + 1] as WordReading);
      if (/C$/.test(text)) return [hidden('callback of mapfile')];
      index += 1;
    } else if (one !== undefined && !text.startsWith('-')) names.push(one);
  }
  forget(
    names.length > 0
      ? names
      : [
          { kind: 'literal', text: 'REPLY' },
          { kind: 'literal', text: 'MAPFILE' },
        ],
    tools,
    tools.input.from,
  );
  const line = tools.input.text?.replace(/\n$/, '');
  const [only] = names;
  const ifs = tools.scope.variables.get('IFS');
  if (line !== undefined && !/[\n\\\uE000]/.test(line) && names.length === 1 && tools.program === 'read') {
    const name = literalText(only) ?? '';
    if (/^[A-Za-z_]\w*$/.test(name) && ifs?.kind === 'literal' && tools.call.assignments.length === 0)
      tools.scope.variables.set(name, { kind: 'literal', text: line.trim(), computed: true, from: tools.input.from });
  }
  const secret = tools.input.from.includes('secret');
  const shown: ShellEffect[] = secret
    ? [
        {
          kind: 'read',
          how: 'content',
          shown: true,
          path: '',
          spelled: 'standard input',
          certainty: 'dynamic',
          risk: 'credentials',
        },
      ]
    : [];
  return [...nameEffects(names), ...shown];
};

const evaluate: ReadProgram = (args, tools) => {
  const text = textsOf(args).join(' ');
  const from = [...new Set(args.flatMap((one) => one.from ?? []))];
  const known = args.every((one) => one.kind === 'literal');
  const code: WordReading = known
    ? { kind: 'literal', text, from }
    : { kind: 'dynamic', why: 'evaluated text', knownPrefix: '', shape: text, from };
  return codeEffects(code, tools, { sameShell: true });
};

const source: ReadProgram = (args, tools) => {
  const [file] = args.filter((one) => literalText(one) !== '--');
  return file === undefined ? [] : scriptEffects(file, tools, { sameShell: true, positional: undefined });
};

const aliasing: ReadProgram = (args) =>
  args.some((one) => (literalText(one) ?? '=').includes('=')) ? [hidden('alias changes what a word means')] : [];

const trap: ReadProgram = (args, tools) => {
  const [action, ...signals] = args.filter((one) => literalText(one) !== '--');
  const text = literalText(action);
  if (action === undefined || signals.length === 0 || text === '-' || text === '' || text?.startsWith('-')) return [];
  tools.shell(action, { inside: 'trap', sameShell: true });
  return [];
};

const runsRest =
  (queries: RegExp, options: RegExp, sameShell: boolean): ReadProgram =>
  (args, tools) => {
    let index = 0;
    for (; index < args.length; index += 1) {
      const text = literalText(args[index]);
      if (text === '--') {
        index += 1;
        break;
      }
      if (text === undefined || !text.startsWith('-')) break;
      if (queries.test(text)) return [];
      if (!options.test(text)) return [uncovered(`${tools.program} ${text}`)];
      if (text === '-a') index += 1;
    }
    tools.command(args.slice(index), { sameShell, assignments: tools.call.assignments });
    return [];
  };

const setOptions: ReadProgram = (args, tools) => {
  const dashes = args.findIndex((one) => literalText(one) === '--');
  if (dashes >= 0) tools.scope.positional = args.slice(dashes + 1);
  if (args.length === 0) return [{ kind: 'disclose', what: 'all variables', risk: 'credentials' }];
  const texts = args.map((one) => literalText(one) ?? '');
  if (texts.some((text, at) => /^-[a-z]*e/.test(text) || (texts[at - 1] === '-o' && text === 'errexit')))
    tools.scope.errexit = true;
  if (texts.some((text, at) => /^\+[a-z]*e/.test(text) || (texts[at - 1] === '+o' && text === 'errexit')))
    tools.scope.errexit = false;
  return [];
};

const unset: ReadProgram = (args, tools) => {
  const names = args.filter((one) => !literalText(one)?.startsWith('-'));
  forget(names, tools, undefined);
  for (const one of names) tools.scope.functions.delete(literalText(one) ?? '');
  return nameEffects(names);
};

const letArithmetic: ReadProgram = (args, tools) => {
  const isOpen = (one: WordReading): boolean =>
    one.kind !== 'literal' || evaluationTrouble(one.text, tools.scope.variables) !== undefined;
  const trouble = args.some(isOpen) ? [hidden('evaluated as arithmetic')] : [];
  for (const one of args) {
    const name = /^[A-Za-z_]\w*/.exec(literalText(one) ?? '')?.[0];
    if (name !== undefined) tools.scope.variables.set(name, { ...unknownWord('a number'), numeric: true });
  }
  return trouble;
};

const testing: ReadProgram = (args) => {
  const position = args.findIndex((one) => ['-v', '-R'].includes(literalText(one) ?? ''));
  const name = position < 0 ? undefined : args[position + 1];
  return name === undefined ? [] : nameEffects([name]);
};

/** What the shell itself does without starting a program. */
export const builtins: readonly Program[] = [
  program('echo', echo),
  program('printf', printf),
  program(': true false break continue exit return shift wait', silent),
  program(
    'jobs times dirs umask ulimit type which whence where getopts disown caller logout shopt setopt unsetopt suspend bg fg rehash',
    nothing,
  ),
  program('hash', (args) =>
    textsOf(args).some((text) => /^-\w*p/.test(text)) ? [hidden('program put elsewhere')] : [],
  ),
  program('test [', testing),
  program('pwd', (_args, tools) => {
    const { cwd, otherCwds } = tools.scope;
    if (cwd !== undefined && otherCwds.length === 0 && !isPattern(cwd)) tools.print(`${cwd}\n`);
    return [];
  }),
  program('set', setOptions),
  program('cd chdir', changeDirectory),
  program('pushd', pushDirectory),
  program('popd', popDirectory),
  program('declare typeset local readonly', declare(false)),
  program('export', declare(true)),
  program('unset', unset),
  program('read mapfile readarray', readVariables),
  program('eval', evaluate),
  program('source .', source),
  program('alias', aliasing),
  program('unalias', nothing),
  program('trap', trap),
  program('let', letArithmetic),
  program('command', runsRest(/^-p?[vV]/, /^-p$/, true)),
  program('builtin', runsRest(/^$/, /^$/, true)),
  program('exec', runsRest(/^$/, /^-[cla]+$/, true)),
  program('enable bind complete compgen compopt history fc zmodload autoload zle bindkey emulate', (args, tools) => {
    const shows = args.every((one) => /^(?:-[aplPsvVSXbck]+|\d+)$/.test(literalText(one) ?? ''));
    return [
      shows && tools.program !== 'fc'
        ? { kind: 'state', what: tools.program }
        : hidden(`${tools.program} changes the shell`),
    ];
  }),
];
