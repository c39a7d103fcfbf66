import { has, type OptionTable, optionTable, parseArguments } from '../arguments.ts';
import { namesGate } from '../control-places.ts';
import { baseName } from '../lexical-path.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { applyRole } from '../roles.ts';
import { graveEffectsIn } from '../suspicion.ts';
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
import { foreignCode, inputEffects } from './code.ts';

interface Language {
  readonly names: string;
  readonly language: string;
  /** Options that take the code as their value. */
  readonly code: readonly string[];
  readonly options: string;
  /** Words that make the call a question about the interpreter itself. */
  readonly queries: readonly string[];
  readonly singleDash?: boolean;
  /** Options that name a module to run, with modules that only show something. */
  readonly module?: string;
}

const languages: readonly Language[] = [
  {
    names:
      'python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 ipython',
    language: 'python',
    code: ['-c'],
    options:
      '-b -B -d -E -h -i!hidden -I -O -OO -q -s -S -u -v -V -x -c: -m: -W: -X: --version --help --check-hash-based-pycs=',
    queries: ['-V', '--version', '-h', '--help', '-VV'],
    module: '-m',
  },
  {
    names: 'node nodejs iojs',
    language: 'javascript',
    code: ['-e', '-p', '-pe', '-ep', '--eval', '--print'],
    options:
      '-e: -p: -pe: --eval= --print= -r:hidden --require=hidden --import=hidden --loader=hidden --experimental-loader=hidden -c --check -i!hidden --interactive!hidden -v -h --version --help --test --watch --watch-path= --inspect? --inspect-brk? --env-file?use --env-file-if-exists?use --input-type= --no-warnings --trace-warnings --trace-uncaught --stack-trace-limit= --max-old-space-size= --expose-gc --enable-source-maps --experimental-strip-types --experimental-transform-types --experimental-vm-modules --experimental-sqlite --test-reporter= --test-name-pattern= --test-only --test-concurrency= --test-timeout= --conditions= -C: --preserve-symlinks --unhandled-rejections= --prof --cpu-prof --heap-prof --v8-options --run= --title= --no-deprecation --throw-deprecation --experimental-test-coverage --permission --disable-warning= --allow-natives-syntax',
    queries: ['-v', '--version', '-h', '--help', '--v8-options'],
  },
  {
    names: 'ruby jruby irb',
    language: 'ruby',
    code: ['-e'],
    options:
      '-e: -n -p -l -a -w -W? -c -v -h -s -S -U -E: -F: -I:hidden -r:hidden -C: -x? -i? -0? --version --help --yjit --jit --disable= --enable= --verbose',
    queries: ['-v', '--version', '-h', '--help'],
  },
  {
    names: 'perl perl5',
    language: 'perl',
    code: ['-e', '-E'],
    options:
      '-e: -E: -n -p -l? -a -w -W -X -c -v -s -S -t -T -u -U -0? -F? -i? -I:hidden -m?hidden -M?hidden -C? -D? -x? -V? -h --version --help',
    queries: ['-v', '-V', '-h', '--version', '--help'],
  },
  {
    names: 'php php-cli',
    language: 'php',
    code: ['-r', '-R', '-B', '-E'],
    options:
      '-r: -R: -B: -E: -f: -F: -l -v -i!credentials -m -n -q -s -w -a!hidden -c:hidden -d:hidden -z:hidden -S:open -t: -h --version --help --ini --ri= --rf= --rc= --re=',
    queries: ['-v', '--version', '-m', '-h', '--help', '--ini'],
  },
  {
    names: 'lua luajit luac',
    language: 'lua',
    code: ['-e'],
    options: '-e: -i!hidden -l:hidden -v -E -W -j: -O?',
    queries: ['-v'],
  },
  {
    names: 'Rscript R',
    language: 'r',
    code: ['-e'],
    options: '-e: --vanilla --slave --no-save --no-restore --quiet -q -f: --version --help',
    queries: ['--version', '--help'],
  },
  {
    names: 'julia',
    language: 'julia',
    code: ['-e', '-E', '--eval', '--print'],
    options: '-e: -E: -L:hidden --eval= --print= --project? -t: --threads= -q -i!hidden -v --version --help',
    queries: ['-v', '--version', '--help'],
  },
  {
    names: 'elixir iex erl',
    language: 'elixir',
    code: ['-e', '--eval', '-eval'],
    options: '-e: --eval= -r:hidden -S: -eval: -noshell -s: -v --version',
    queries: ['-v', '--version'],
  },
  { names: 'osascript', language: 'applescript', code: ['-e'], options: '-e: -l: -s: -i!hidden', queries: [] },
  {
    names:
      'tclsh wish expect.beta guile racket sbcl clisp ghci runghc runhaskell ocaml scala kotlin groovy swift-repl jshell gforth octave matlab qjs tjs',
    language: 'other',
    code: ['-c', '-e', '-eval', '--eval'],
    options: '-c: -e: --eval= -eval: --version --help -v -h -s: --load=hidden --script=',
    queries: ['--version', '--help', '-v'],
  },
  {
    names: 'tsx ts-node ts-node-esm esno vite-node babel-node swc-node jiti',
    language: 'javascript',
    code: ['-e', '-p', '--eval', '--print'],
    options:
      '-e: -p: --eval= --print= -r:hidden --require=hidden --import=hidden -v --version -h --help --tsconfig= --esm --transpile-only -T --project= -P: --files --no-cache --watch --test --env-file=use --inspect? --no-warnings --conditions=',
    queries: ['-v', '--version', '-h', '--help'],
  },
];

const harmlessModules = new Set([
  'json.tool',
  'this',
  'platform',
  'site',
  'calendar',
  'sysconfig',
  'tokenize',
  'ast',
  'dis',
  'compileall',
  'py_compile',
  'tabnanny',
]);

/** Code of another language given in the call. */
const codeOf = (language: string, code: WordReading, tools: Tools): ShellEffect[] => {
  if (code.from?.some((taint) => taint === 'network' || taint === 'decoded')) return foreignCode(language, code.from);
  const text = literalText(code) ?? (code.kind === 'dynamic' ? code.shape : code.text);
  const grave = graveEffectsIn(text, tools);
  const secret = secretPathsIn(text, tools);
  return [
    { kind: 'code', language, ...(code.kind === 'literal' ? { text } : {}) },
    ...(code.kind === 'literal' ? [] : [hidden('code is computed')]),
    ...grave,
    ...secret,
  ];
};

const secretPathsIn = (text: string, tools: Tools): ShellEffect[] =>
  [...text.slice(0, 20_000).matchAll(/["'`]([^"'`\n]{2,200})["'`]/g)]
    .map((match) => match[1] ?? '')
    .filter((path) => /^[~./]|\.(?:env|pem|key)|secret|credential|id_rsa/.test(path) && !/\s/.test(path))
    .flatMap((path) => applyRole('use', word(path.replace(/^~(?=\/)/, tools.context.home)), tools))
    .filter((effect) => effect.risk === 'credentials');

const hasStdinCode = (parsed: { readonly operands: readonly WordReading[] }): boolean => {
  const first = literalText(parsed.operands[0]);
  return parsed.operands.length === 0 || first === '-' || first === '/dev/stdin';
};

const moduleEffects = (value: WordReading, rest: readonly WordReading[], tools: Tools): ShellEffect[] => {
  const name = literalText(value);
  if (name === undefined) return [hidden('module is computed')];
  if (harmlessModules.has(name))
    return rest
      .filter((one) => !literalText(one)?.startsWith('-'))
      .flatMap((one, index) => [
        ...applyRole(index === 0 ? 'read' : name === 'json.tool' ? 'write' : 'read', one, tools),
      ]);
  if (
    /^(?:pip|pytest|unittest|mypy|ruff|black|isort|flake8|pylint|uv|build|coverage|pre_commit|poetry|tox|nox|pipx)$/.test(
      name,
    )
  ) {
    tools.command([word(name === 'pre_commit' ? 'pre-commit' : name), ...rest]);
    return [];
  }
  if (/^(?:venv|virtualenv)$/.test(name))
    return [
      { kind: 'run', program: `python -m ${name}` },
      ...rest.filter((one) => !literalText(one)?.startsWith('-')).flatMap((one) => applyRole('create', one, tools)),
    ];
  if (name === 'http.server') return [{ kind: 'run', program: 'http.server' }, uncovered('serves files')];
  return [{ kind: 'run', program: `python -m ${name}` }];
};

const inlineInput = (language: string, tools: Tools): ShellEffect[] => {
  const { text } = tools.input;
  if (text === undefined || tools.input.from.length > 0) return inputEffects(language, tools);
  return codeOf(
    language,
    text.includes('\uE000') ? { kind: 'dynamic', why: 'computed', shape: text, knownPrefix: '' } : word(text),
    tools,
  );
};

const readInterpreter = (language: Language): ReadProgram => {
  const table: OptionTable = optionTable(language.options);
  return (args, tools) => {
    const texts = args.map(literalText);
    if (args.length === 1 && language.queries.includes(texts[0] ?? '')) return [];
    const at =
      language.module === undefined
        ? -1
        : texts.findIndex((text) => text !== undefined && (text === language.module || !text.startsWith('-')));
    const isModule = at >= 0 && texts[at] === language.module;
    const moduleWord = isModule ? args[at + 1] : undefined;
    const own = isModule ? args.slice(0, at) : args;
    const codeAt = own.findIndex((one) => language.code.includes(literalText(one) ?? ''));
    const parsed = parseArguments(codeAt >= 0 ? own.slice(0, codeAt + 2) : own, table, { stopsAtOperand: true });
    const effects: ShellEffect[] = parsed.unknown.map((name) => uncovered(`${tools.program} ${name}`));
    for (const option of parsed.options) {
      if (language.code.includes(option.name) && option.value !== undefined)
        effects.push(...codeOf(language.language, option.value, tools));
      else effects.push(...applyRole(option.role, option.value ?? word(option.name), tools));
    }
    if (parsed.maybeOption) effects.push(hidden('argument of an interpreter is computed'));
    if (moduleWord !== undefined) return [...effects, ...moduleEffects(moduleWord, args.slice(at + 2), tools)];
    const inPlace = /^(?:perl|ruby)$/.test(language.language) && has(parsed, '-i');
    if (has(parsed, ...language.code))
      return codeAt >= 0 ? [...effects, ...fileEffects(own.slice(codeAt + 2), inPlace, tools)] : effects;
    if (parsed.operands.length === 0 && has(parsed, '--test', '--run'))
      return [...effects, { kind: 'run', program: tools.program }];
    if (hasStdinCode(parsed)) return [...effects, ...inlineInput(language.language, tools)];
    return [
      ...effects,
      ...scriptOf(parsed.operands, language, {
        tools,
        checks: has(parsed, '-c', '--check', '-l') && ['javascript', 'php', 'ruby', 'perl'].includes(language.language),
      }),
    ];
  };
};

// Files behind the code: read, and with `-i` changed.
const fileEffects = (files: readonly WordReading[], inPlace: boolean, tools: Tools): ShellEffect[] =>
  files
    .filter((one) => !literalText(one)?.startsWith('-'))
    .flatMap((one) => [...applyRole('use', one, tools), ...(inPlace ? applyRole('modify', one, tools) : [])]);

// A script file of the project runs; a program of the gate or of a package is that program.
const scriptOf = (
  operands: readonly WordReading[],
  language: Language,
  place: { readonly tools: Tools; readonly checks: boolean },
): ShellEffect[] => {
  const { tools, checks } = place;
  const [script, ...rest] = operands;
  if (script === undefined) return [];
  if (script.from?.some((taint) => taint === 'network' || taint === 'decoded'))
    return foreignCode(language.language, script.from);
  if (script.content !== undefined) return codeOf(language.language, word(script.content), tools);
  const target = tools.target(script);
  if (target.certainty !== 'literal') return [hidden('script is computed')];
  if (namesGate(textsOf([script])[0] ?? '')) {
    tools.command([word(namedGate(target.path)), ...rest]);
    return [];
  }
  if (checks) return [...applyRole('use', script, tools)];
  const written = tools.walk.files.get(target.path);
  if (written?.from.some((taint) => taint === 'network' || taint === 'decoded'))
    return foreignCode(language.language, written.from);
  const content = written?.text === undefined ? [] : codeOf(language.language, word(written.text), tools);
  const unseen =
    written !== undefined && written.text === undefined ? [hidden('runs a file written in the same call')] : [];
  const outside = target.path.startsWith(`${tools.context.root}/`)
    ? []
    : [uncovered(`script outside the project: ${target.path}`)];
  if (/\/node_modules\/\.bin\/[\w-]+$/.test(target.path)) {
    tools.command([word(baseName(target.path)), ...rest]);
  }
  return [{ kind: 'run', program: tools.program, script: target.path }, ...content, ...unseen, ...outside];
};

const namedGate = (path: string): string =>
  /hookwise|captain-hook|hooker/i.exec(path)?.[0]?.toLowerCase() ?? 'hookwise';

const editors: ReadProgram = (args, tools) => {
  const effects: ShellEffect[] = tools.input.fed ? [hidden('editor commands from standard input')] : [];
  for (let index = 0; index < args.length; index += 1) {
    const text = literalText(args[index]) ?? '';
    const isCode = /^(?:-c|--cmd|-S|-s|--eval|-eval|--execute|-l|--load|-u)$/.test(text);
    if (!isCode && !text.startsWith('+')) continue;
    const code = text.startsWith('+') ? text.slice(1) : (literalText(args[index + 1]) ?? '');
    const shell = /^:?(?:\d+|%|'<,'>)?(?:r\s*|w\s*)?!(.*)$/s.exec(code.trim())?.[1];
    if (shell !== undefined) {
      tools.shell(word(shell));
      effects.push(hidden('editor runs a command'));
    } else if (!/^\d*$|^q!?$|^:q!?$|^wq$/.test(code))
      effects.push(hidden('editor command'), ...graveEffectsIn(code, tools));
    if (isCode) index += 1;
  }
  return [...effects, uncovered('opens an editor')];
};

/** Programs that run code in another language. */
export const interpreters: readonly Program[] = [
  ...languages.map((one) => ({ names: one.names.split(' '), read: readInterpreter(one) })),
  program('vim vi nvim view ex ed emacs nano pico micro hx helix kak joe code subl', editors),
];
