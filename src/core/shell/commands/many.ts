import { type Arguments, has, optionTable, parseArguments, valueOfOption } from '../arguments.ts';
import { escapeGlob } from '../glob-match.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { applyRole } from '../roles.ts';
import { unknownWord } from '../scope.ts';
import {
  hidden,
  literalText,
  type Program,
  program,
  type ReadProgram,
  type Tools,
  textsOf,
  uncovered,
  word,
} from '../tools.ts';
import { joined } from './wrappers.ts';

const xargsTable = optionTable(
  '--version --help -0 -r -t -p -x -o -n: -L: -l?text -P: -s: -d: -E: -e?text -I: -i?text -J: -R: -S: -a:use --null --no-run-if-empty --verbose --interactive --exit --max-args= --max-procs= --max-lines? --max-chars= --delimiter= --eof? --replace? --arg-file=use --open-tty --process-slot-var=',
);

const fed = (tools: Tools, separator = /\s+/): readonly WordReading[] => {
  const { text, from } = tools.input;
  const words = text?.split(separator).filter(Boolean);
  const isPlain = separator.source !== '\\s+' || !/['"\\]/.test(text ?? '');
  if (words !== undefined && words.length <= 64 && isPlain && !text?.includes('\uE000'))
    return words.map((one) => ({ kind: 'literal', text: one.replace(/^~(?=\/|$)/, tools.context.home), from }));
  const { lists } = tools.input;
  if (lists !== undefined)
    return lists.map((one) => ({
      kind: 'glob',
      text: one,
      prefix: one.slice(0, one.search(/[*?[]/)),
      from: [...from, 'arguments'],
      computed: true,
    }));
  return [{ ...unknownWord('arguments from standard input'), from: [...from, 'arguments'], computed: true }];
};

const replaced = (one: WordReading, mark: string, by: readonly WordReading[]): readonly WordReading[] => {
  const text = literalText(one);
  if (text === undefined || !text.includes(mark)) return [one];
  if (text === mark) return by;
  const known = by.length === 1 ? literalText(by[0]) : undefined;
  if (known !== undefined) return [word(text.replaceAll(mark, known))];
  const shape = text.replaceAll(mark, '\uE000');
  return [
    {
      kind: 'dynamic',
      why: 'arguments from elsewhere',
      shape,
      knownPrefix: shape.slice(0, shape.indexOf('\uE000')),
      from: by.flatMap((part) => part.from ?? []),
    },
  ];
};

const narrows =
  /^-(?:i?name|i?path|i?regex|i?wholename|newer.*|[mac](?:time|min)|size|empty|user|group|perm|mmin|amin|links|inum)$/;

const runWithInput = (words: readonly WordReading[], tools: Tools): ShellEffect[] => {
  tools.command(words, { input: { from: [], fed: false } });
  return [];
};

// What separates the arguments: white space, lines with `-I`, or what an option says.
const separatorOf = (parsed: Arguments, hasMark: boolean): RegExp => {
  if (has(parsed, '-0', '--null')) return /\0/;
  const delimiter = literalText(valueOfOption(parsed, '-d', '--delimiter'));
  if (delimiter !== undefined)
    return delimiter === '\\n' ? /\n/ : new RegExp(delimiter.slice(0, 1).replace(/\W/, '\\$&'));
  return hasMark ? /\n/ : /\s+/;
};

const xargs: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, xargsTable, { stopsAtOperand: true });
  if (args.length === 1 && has(parsed, '--version', '--help')) return [];
  const effects: ShellEffect[] = parsed.unknown.map((name) => uncovered(`xargs ${name}`));
  effects.push(...parsed.options.flatMap((option) => applyRole(option.role, option.value ?? word(option.name), tools)));
  const words: readonly WordReading[] = parsed.operands.length === 0 ? [word('echo')] : parsed.operands;
  const replace = valueOfOption(parsed, '-I', '-i', '--replace', '-J');
  const mark = literalText(replace) ?? (has(parsed, '-i', '--replace') ? '{}' : undefined);
  const extra = has(parsed, '-a', '--arg-file')
    ? [{ ...unknownWord('arguments from a file'), from: ['arguments'] as const }]
    : fed(tools, separatorOf(parsed, mark !== undefined));
  if (mark === undefined) return [...effects, ...runWithInput([...words, ...extra], tools)];
  for (const item of extra)
    runWithInput(
      words.flatMap((one) => replaced(one, mark, [item])),
      tools,
    );
  return effects;
};

const parallel: ReadProgram = (args, tools) => {
  const at = args.findIndex((one) => /^:{3,4}\+?$/.test(literalText(one) ?? ''));
  const before = at < 0 ? args : args.slice(0, at);
  const parsed = parseArguments(
    before,
    optionTable(
      '-j: -k -n: -N: -0 -q -X -m -L: --jobs= --keep-order --bar --dry-run --halt= --tag --will-cite --no-notice --colsep= -C: --eta --progress --line-buffer --lb -u --ungroup --retries= --timeout= --delay= -a:use --arg-file=use --joblog=write --results=write',
    ),
    { stopsAtOperand: true },
  );
  const values = at < 0 ? fed(tools) : args.slice(at + 1);
  for (const value of values.slice(0, 8)) {
    const words = parsed.operands.some((one) => textsOf([one])[0]?.includes('{}'))
      ? parsed.operands.flatMap((one) => replaced(one, '{}', [value]))
      : [...parsed.operands, value];
    tools.shell(joined(words));
  }
  const effects: ShellEffect[] = parsed.unknown.map((name) => uncovered(`parallel ${name}`));
  return values.length > 8 ? [...effects, uncovered('many arguments')] : effects;
};

const oneValue =
  /^-(?:i?name|i?path|i?regex|i?wholename|i?lname|newer\w*|[mac]time|[mac]min|size|user|group|uid|gid|perm|links|inum|samefile|type|xtype|maxdepth|mindepth|regextype|printf|used|fstype|context|D|flags)$/;

const noValue =
  /^(?:-(?:print|print0|ls|prune|quit|depth|d|xdev|mount|empty|follow|noleaf|nouser|nogroup|readable|writable|executable|true|false|not|and|or|a|o|daystart|warn|nowarn|ignore_readdir_race|help|version|H|L|P|E|X|s|x|f|O\d?)|[(),!])$/;

interface Search {
  readonly starts: WordReading[];
  readonly effects: ShellEffect[];
  readonly commands: {
    readonly words: readonly WordReading[];
    readonly narrowed: boolean;
    readonly name: string | undefined;
  }[];
  narrowed: boolean;
  name: string | undefined;
  index: number;
}

const broadName = /^\*+$|^\*\.\*$|^\?\*$/;

const readExpression = (args: readonly WordReading[], search: Search, tools: Tools): void => {
  const one = args[search.index];
  const text = literalText(one);
  search.index += 1;
  if (text === undefined) {
    if (one?.kind !== 'glob') search.effects.push(hidden('part of the expression is computed'));
    else search.effects.push(uncovered('part of the expression is a pattern'));
    return;
  }
  if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
    const end = args.findIndex(
      (word, at) =>
        at >= search.index &&
        (literalText(word) === ';' || (literalText(word) === '+' && literalText(args[at - 1]) === '{}')),
    );
    const words = args.slice(search.index, end < 0 ? args.length : end);
    search.commands.push({ words, narrowed: search.narrowed, name: search.name });
    search.index = end < 0 ? args.length : end + 1;
  } else if (text === '-delete') {
    search.commands.push({
      words: [word('rm'), word('-rf'), word('{}')],
      narrowed: search.narrowed,
      name: search.name,
    });
  } else if (/^-(?:fprint0?|fls|fprintf)$/.test(text)) {
    const file = args[search.index];
    if (file !== undefined) search.effects.push(...applyRole('write', file, tools));
    search.index += text === '-fprintf' ? 2 : 1;
  } else if (text === '-files0-from') {
    search.effects.push(hidden('paths from a file'));
    search.index += 1;
  } else if (oneValue.test(text)) {
    const value = args[search.index];
    if (/^-i?name$/.test(text)) search.name = value === undefined ? undefined : textsOf([value])[0];
    if (narrows.test(text) && !(/name$/.test(text) && broadName.test(search.name ?? '')))
      search.narrowed = !/^(?:-not|!|-o|-or)$/.test(literalText(args[search.index - 2]) ?? '');
    search.index += 1;
  } else if (text === '-empty') search.narrowed = true;
  else if (/^-(?:o|or)$/.test(text)) search.name = undefined;
  else if (!noValue.test(text)) search.effects.push(uncovered(`find ${text}`));
};

// What `{}` stands for: everything below the start, or what the tests leave of it.
const foundIn = (
  start: WordReading,
  command: { readonly narrowed: boolean; readonly name: string | undefined },
  tools: Tools,
): WordReading => {
  const target = tools.target(start);
  if (target.certainty === 'dynamic')
    return {
      ...unknownWord('what find finds', `${target.spelled}/\uE000`),
      knownPrefix: start.kind === 'dynamic' ? start.knownPrefix : '',
    };
  const base = target.certainty === 'glob' ? target.path : escapeGlob(target.path === '/' ? '' : target.path);
  const name = command.narrowed ? (command.name ?? '?*?') : '*';
  const text = command.narrowed ? `${base}/**/${name}` : `${base}/${name}`;
  return { kind: 'glob', text, prefix: `${target.path}/`, computed: true };
};

const find: ReadProgram = (args, tools) => {
  const search: Search = { starts: [], effects: [], commands: [], narrowed: false, name: undefined, index: 0 };
  while (/^-(?:H|L|P|E|X|s|x|f|d|O\d)$/.test(literalText(args[search.index]) ?? '')) search.index += 1;
  for (; search.index < args.length; search.index += 1) {
    const one = args[search.index];
    const text = one === undefined ? '' : (textsOf([one])[0] ?? '');
    if (one === undefined || /^(?:-.|[(!,]$)/.test(text)) break;
    if (one.kind === 'dynamic' && one.knownPrefix === '')
      search.effects.push(
        search.starts.length === 0 ? uncovered('a word may turn out to be an option') : hidden('a start is computed'),
      );
    search.starts.push(one);
  }
  while (search.index < args.length) readExpression(args, search, tools);
  const starts = search.starts.length === 0 ? [word('.')] : search.starts;
  for (const start of starts) {
    search.effects.push(...applyRole('list', start, tools));
    for (const command of search.commands) {
      const found = foundIn(start, command, tools);
      tools.command(
        command.words.flatMap((one) => replaced(one, '{}', [found])),
        { input: { from: [], fed: false } },
      );
    }
  }
  return search.effects;
};

/** Programs that start a command for each of many things. */
export const manyPrograms: readonly Program[] = [
  program('xargs gxargs', xargs),
  program('parallel', parallel),
  program('find gfind', find),
];
