import type { ArithmeticExpression, CommandExpansionPart, ProcessSubstitutionPart } from 'unbash';
import { readArithmetic } from './conditions.ts';
import type { WordReading } from './model.ts';
import { isBroken } from './parse.ts';
import { noInput, type Scope, unknownWord } from './scope.ts';
import { forkScope, note, outputSince, tick, type Walk } from './walk.ts';
import type { WordReader } from './word-reader.ts';
import { piecesOfWord, readSingle, readWord } from './words.ts';

/** The reader of words at one point of a walk. */
export const wordReader = (walk: Walk, scope: Scope): WordReader => {
  const reader: WordReader = {
    context: walk.context,
    scope,
    words: (word) => readWord(word, reader),
    single: (word) => readSingle(word, reader),
    pieces: (word, place) => piecesOfWord(word, reader, place),
    substitute: (part) => substitute(part, walk, scope),
    pipe: (part) => pipe(part, walk, scope),
    arithmetic: (expression: ArithmeticExpression | undefined) => {
      if (tick(walk)) readArithmetic(expression, reader);
    },
    note: (why, text, options) => note(walk, why, { text, hidden: options.hidden }),
    data: (characters) => {
      walk.dataCharacters += characters;
    },
  };
  return reader;
};

const substitute = (part: CommandExpansionPart, walk: Walk, scope: Scope): WordReading => {
  if (part.script === undefined || isBroken(part.script)) {
    note(walk, 'substitution does not parse', { text: part.text, hidden: true });
    return unknownWord('substitution does not parse');
  }
  const start = walk.commands.length;
  const inner = forkScope(walk, scope, {
    inside: 'substitution',
    syntaxDepth: scope.syntaxDepth + 1,
    errexit: false,
  });
  // `$(< file)` prints the file.
  walk.engine.node(part.script, walk, inner);
  const printed = outputSince(walk, start, noInput);
  const origin = { computed: true, ...(printed.from.length > 0 ? { from: printed.from } : {}) };
  if (printed.text !== undefined) return { kind: 'literal', text: printed.text.replace(/\n+$/, ''), ...origin };
  const [list, ...more] = printed.lists ?? [];
  if (list !== undefined && more.length === 0)
    return { kind: 'glob', text: list, prefix: list.slice(0, list.search(/[*?[]/)), ...origin };
  return printedBy(walk, start, scope) ?? { ...unknownWord('substitution'), ...origin, ...numericOf(walk, start) };
};

const numberPrinters = new Set(['wc', 'nproc', 'id', 'expr', 'seq']);

const numericOf = (walk: Walk, start: number): { readonly numeric?: boolean } => {
  const last = walk.commands.at(-1);
  if (walk.commands.length === start || last === undefined) return {};
  const second = last.words[1];
  const dated = last.program === 'date' && second?.kind === 'literal' && /^\+%[sNYmdHMSj]+$/.test(second.text);
  const counted = last.program === 'grep' && second?.kind === 'literal' && /^-\w*c/.test(second.text);
  return numberPrinters.has(last.program) || dated || counted ? { numeric: true } : {};
};

// A few programs whose output can be told from their words.
const printedBy = (walk: Walk, start: number, scope: Scope): WordReading | undefined => {
  const only = walk.commands[start];
  if (walk.commands.length !== start + 1 || only === undefined) return undefined;
  const words = only.words.map((word) => (word.kind === 'literal' ? word.text : undefined));
  if (words.includes(undefined)) return undefined;
  const text = words.join(' ');
  const computed = { computed: true };
  if (text === 'git rev-parse --show-toplevel' && only.cwd !== undefined && scope.cwd?.startsWith(walk.context.root)) {
    return { kind: 'literal', text: walk.context.root, ...computed };
  }
  if ((text === 'mktemp' || text === 'mktemp -d') && !scope.variables.has('TMPDIR')) {
    return { kind: 'glob', text: '/tmp/tmp.??????????', prefix: '/tmp/tmp.', ...computed };
  }
  return undefined;
};

const pipe = (part: ProcessSubstitutionPart, walk: Walk, scope: Scope): WordReading => {
  if (part.script === undefined || isBroken(part.script)) {
    note(walk, 'substitution does not parse', { text: part.text, hidden: true });
    return unknownWord('substitution does not parse');
  }
  const start = walk.commands.length;
  const input = part.operator === '>' ? { ...scope.input, fed: true } : scope.input;
  const inner = forkScope(walk, scope, {
    inside: 'process-substitution',
    syntaxDepth: scope.syntaxDepth + 1,
    errexit: false,
    input,
  });
  walk.engine.node(part.script, walk, inner);
  const printed = part.operator === '<' ? outputSince(walk, start, noInput) : noInput;
  return {
    kind: 'literal',
    text: '/dev/fd/63',
    computed: true,
    ...(printed.from.length > 0 ? { from: printed.from } : {}),
    ...(printed.text === undefined ? {} : { content: printed.text }),
  };
};
