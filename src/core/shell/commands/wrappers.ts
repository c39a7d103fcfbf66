import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOfOption } from '../arguments.ts';
import { environmentEffects } from '../environment.ts';
import type { ReadAssignment, ShellEffect, WordReading } from '../model.ts';
import { applyRole } from '../roles.ts';
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

/** A program that starts the command in its arguments. */
interface Wrapper {
  readonly names: string;
  readonly options?: string;
  /** Operands in front of the command, by role. */
  readonly skip?: readonly string[];
  /** `NAME=value` words in front of the command are its environment. */
  readonly assigns?: boolean;
  /** A bare `-5` is an option. */
  readonly counts?: boolean;
  readonly always?: readonly ShellEffect[];
  /** The arguments are one text for a shell. */
  readonly joins?: boolean;
  /** Options with which nothing is started. */
  readonly queries?: readonly string[];
  readonly singleDash?: boolean;
  readonly idle?: readonly ShellEffect[];
}

const raised = (how: string): ShellEffect => ({ kind: 'privilege', how, risk: 'privilege' });

const wrappers: readonly Wrapper[] = [
  {
    names: 'sudo',
    options:
      '-n -E?text -H -S -k -K -b -P -i -s -A!hidden -v -l -u: -g: -p: -C: -h: -D: -R:hidden -T: -r: -t: -U: --user= --group= --non-interactive --preserve-env?text --login --shell --stdin --list --validate --reset-timestamp --askpass!hidden --chdir= --host= --prompt= --set-home --background',
    assigns: true,
    always: [raised('sudo')],
    queries: ['-v', '-l', '-k', '-K', '--list', '--validate'],
    idle: [raised('root shell')],
  },
  { names: 'doas', options: '-n -s -L -u: -C:hidden -a:', assigns: true, always: [raised('doas')], queries: ['-L'] },
  { names: 'pkexec', options: '--user= --keep-cwd --disable-internal-agent', always: [raised('pkexec')] },
  { names: 'run0', options: '-u: --user= --unit= -D: --chdir=', always: [raised('run0')] },
  { names: 'nohup setsid', options: '-w -f -c --wait --fork --ctty' },
  { names: 'nice', options: '-n: --adjustment=', counts: true },
  { names: 'ionice', options: '-c: -n: -t -p: -P: -u: --class= --classdata= --ignore', queries: ['-p', '-P', '-u'] },
  {
    names: 'timeout gtimeout',
    options: '-k: -s: -v -f -p --kill-after= --signal= --preserve-status --foreground --verbose',
    skip: ['text'],
  },
  {
    names: 'time gtime',
    options: '-o:write -a -v -p -l -q -f: --output=write --append --verbose --portability --quiet --format=',
  },
  { names: 'stdbuf', options: '-i: -o: -e: --input= --output= --error=' },
  { names: 'unbuffer chronic', options: '-p -v -e' },
  { names: 'taskset', options: '-c -a --cpu-list --all-tasks', skip: ['text'] },
  { names: 'chrt', options: '-b -f -i -o -r -a -v -R -T: -P: -D:', skip: ['text'] },
  {
    names: 'numactl',
    options: '-i: -N: -m: -C: -l --interleave= --cpunodebind= --membind= --physcpubind= --localalloc --hardware -H',
    queries: ['--hardware', '-H'],
  },
  {
    names: 'prlimit',
    options:
      '-v?text -n?text -u?text -c?text -d?text -s?text -t?text -f?text -m?text -p: --pid= --nofile? --nproc? --core? --cpu? --data? --fsize? --as? --stack? --rss? --memlock? --noheadings --raw --verbose -o:',
    queries: [],
  },
  {
    names: 'softlimit setarch linux32 linux64 arch',
    options: '-R -x86_64 -arm64 -i386 -arch: --addr-no-randomize',
    singleDash: true,
  },
  {
    names: 'strace ltrace',
    options:
      '-f -ff -c -C -t -tt -ttt -T -r -y -yy -v -x -xx -q -qq -k -i -e: -o:write -s: -p: -u: -E: -P: -a: -O: -S: -b: -l: -n: -A: -w -h -V',
    singleDash: true,
    queries: [],
  },
  {
    names: 'valgrind',
    options:
      '--leak-check? --tool? --error-exitcode? --log-file?write --track-origins? --show-leak-kinds? --suppressions?use -q -v --quiet --verbose',
  },
  {
    names: 'unshare',
    options: '-r -m -n -p -u -i -U -f -c -C --fork --pid --mount --net --user --map-root-user --mount-proc?',
    always: [raised('new namespaces')],
  },
  {
    names: 'nsenter',
    options: '-t: -m -u -i -n -p -U -a -F --target= --mount --pid --net --all',
    always: [raised('other namespaces')],
  },
  { names: 'chroot', options: '--userspec= --groups= --skip-chdir', skip: ['text'], always: [raised('chroot')] },
  {
    // The service manager starts it, outside whatever holds the agent.
    names: 'systemd-run',
    always: [{ kind: 'run', program: 'systemd-run' }],
    options:
      '--user --scope --unit= -p: -t -P -d -G --wait --pipe --pty --quiet -q --collect --setenv= -E: --slice= --description= --on-active=hidden --on-calendar=hidden --on-boot=hidden --uid=privilege --gid=privilege --working-directory=',
  },
  { names: 'systemd-inhibit caffeinate', options: '--what= --who= --why= --mode= -i -d -m -s -u -t: -w:' },
  {
    names: 'firejail bwrap proot',
    options: '--quiet --noprofile --net= --private --dev-bind! --ro-bind! --bind! --proc= --dev= --tmpfs=',
  },
  {
    names: 'dbus-run-session xvfb-run',
    options: '-a -s: -e:write --auto-servernum --server-args= --error-file=write -n: --server-num=',
  },
  { names: 'faketime', options: '-f -m', skip: ['text'] },
  { names: 'with-contenv catchsegv rlwrap eatmydata fakeroot ccache sccache distcc exec-wrapper noglob nocorrect' },
  { names: 'cross-env cross-env-shell', assigns: true },
  { names: 'dotenv dotenvx', options: '-e:use -f:use -q -o --' },
  { names: 'busybox toybox', options: '--list --list-full', queries: ['--list', '--list-full'] },
  {
    names: 'watch',
    options:
      '-n: -d?text -t -b -e -g -c -p -x -w -q: --interval= --differences? --no-title --beep --errexit --chgexit --color --precise --exec',
    joins: true,
  },
  { names: 'direnv', options: '', skip: ['text', 'text'] },
  { names: 'mise asdf rbenv pyenv nodenv', options: '', skip: ['text'] },
];

const isAssignment = (one: WordReading): boolean =>
  /^[A-Za-z_]\w*=/.test(one.kind === 'literal' ? one.text : one.kind === 'dynamic' ? one.knownPrefix : one.prefix);

/** Splits `NAME=value` words off the front. */
export const leadingAssignments = (
  words: readonly WordReading[],
): { readonly assignments: ReadAssignment[]; readonly rest: readonly WordReading[] } => {
  const end = words.findIndex((one) => !isAssignment(one));
  const count = end < 0 ? words.length : end;
  const assignments = words.slice(0, count).map((one): ReadAssignment => {
    const text = textsOf([one])[0] ?? '';
    const equals = text.indexOf('=');
    const value = text.slice(equals + 1);
    return {
      name: text.slice(0, equals),
      value: one.kind === 'literal' ? word(value) : { kind: 'dynamic', why: 'computed', knownPrefix: '', shape: value },
    };
  });
  return { assignments, rest: words.slice(count) };
};

const given = (args: readonly WordReading[], table: OptionTable, wrapper: Wrapper): Arguments =>
  parseArguments(args, table, {
    stopsAtOperand: true,
    counts: wrapper.counts === true,
    singleDash: wrapper.singleDash === true,
  });

const optionEffects = (parsed: Arguments, tools: Tools): ShellEffect[] => [
  ...parsed.unknown.map((name) => uncovered(`${tools.program} ${name}`)),
  ...parsed.options.flatMap((option) => applyRole(option.role, option.value ?? word(option.name), tools)),
  ...(parsed.maybeOption ? [hidden('command word is computed')] : []),
];

const readWrapper = (wrapper: Wrapper): ReadProgram => {
  const table = optionTable(`--help --version ${wrapper.options ?? ''}`);
  return (args, tools) => {
    const parsed = given(args, table, wrapper);
    const effects = [...(wrapper.always ?? []), ...optionEffects(parsed, tools)];
    const { assignments, rest } = wrapper.assigns
      ? leadingAssignments(parsed.operands)
      : { assignments: [], rest: parsed.operands };
    effects.push(...environmentEffects(assignments));
    const skipped = wrapper.skip ?? [];
    const command = rest.slice(skipped.length);
    if (has(parsed, ...(wrapper.queries ?? [])) && command.length === 0) return effects;
    if (command.length === 0) return [...effects, ...(wrapper.idle ?? [])];
    if (wrapper.joins && !has(parsed, '-x', '--exec')) tools.shell(joined(command));
    else tools.command(command, { assignments });
    return effects;
  };
};

/** Words as one text of shell code. */
export const joined = (words: readonly WordReading[]): WordReading => {
  const text = textsOf(words).join(' ');
  const from = [...new Set(words.flatMap((one) => one.from ?? []))];
  return words.every((one) => one.kind !== 'dynamic')
    ? { kind: 'literal', text, from }
    : { kind: 'dynamic', why: 'computed', knownPrefix: '', shape: text, from };
};

const envTable = optionTable(
  '--version --help -i -0 -v -u: -C: -S: -P: --ignore-environment --null --unset= --chdir= --split-string= --debug --block-signal? --default-signal? --ignore-signal?',
);

const env: ReadProgram = (args, tools) => {
  const parsed = parseArguments(
    args.filter((one, index) => !(index === 0 && literalText(one) === '-')),
    envTable,
    { stopsAtOperand: true },
  );
  const effects = optionEffects(parsed, tools);
  if (args.length === 1 && has(parsed, '--version', '--help')) return [];
  const { assignments, rest } = leadingAssignments(parsed.operands);
  effects.push(...environmentEffects(assignments));
  const split = valueOfOption(parsed, '-S', '--split-string');
  if (split !== undefined) tools.shell(joined([split, ...rest]));
  else if (rest.length === 0) effects.push({ kind: 'disclose', what: 'the environment', risk: 'credentials' });
  else if (has(parsed, '-C', '--chdir'))
    tools.shell(joined([word('cd'), valueOfOption(parsed, '-C', '--chdir') ?? word('.'), word('&&'), ...rest]));
  else tools.command(rest, { assignments });
  return effects;
};

const codeOption =
  (names: readonly string[], table: OptionTable, always: readonly ShellEffect[], operandRole: string): ReadProgram =>
  (args, tools) => {
    const parsed = parseArguments(args, table);
    const code = valueOfOption(parsed, ...names);
    if (code !== undefined) tools.shell(code);
    return [
      ...always,
      ...optionEffects(parsed, tools).filter((one) => one.kind !== 'unknown' || !one.why.includes('computed')),
      ...parsed.operands.flatMap((one) => applyRole(operandRole, one, tools)),
    ];
  };

const flockTable = optionTable(
  '-s -x -e -u -n -w: -o -F -E: -c: --shared --exclusive --unlock --nonblock --nb --timeout= --wait= --close --no-fork --command= --verbose --conflict-exit-code=',
);

const flock: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, flockTable, { stopsAtOperand: true });
  const [file, ...rest] = parsed.operands;
  const effects = [
    ...optionEffects(parsed, tools),
    ...(file === undefined || /^\d+$/.test(literalText(file) ?? '') ? [] : applyRole('create', file, tools)),
  ];
  const inner =
    literalText(rest[0]) === '-c' || literalText(rest[0]) === '--command'
      ? rest[1]
      : valueOfOption(parsed, '-c', '--command');
  if (inner !== undefined) tools.shell(inner);
  else if (rest.length > 0) tools.command(rest);
  return effects;
};

/** Programs that start other commands. */
export const wrapperPrograms: readonly Program[] = [
  ...wrappers.map((wrapper) => ({ names: wrapper.names.split(' '), read: readWrapper(wrapper) })),
  program('env genv', env),
  program('flock', flock),
  program(
    'su runuser',
    codeOption(
      ['-c', '--command', '--session-command'],
      optionTable(
        '-c: --command= --session-command= -l -m -p -s:hidden -g: -G: -u: -P --login --preserve-environment --shell=hidden --group= --pty',
      ),
      [raised('another user')],
      'text',
    ),
  ),
  program(
    'script',
    codeOption(
      ['-c', '--command'],
      optionTable(
        '-c: --command= -a -e -f -q -k -t? -E: -O:write -I:write -B:write -T:write -m: --append --return --flush --quiet --force --log-out=write --timing? --output-limit=',
      ),
      [],
      'write',
    ),
  ),
  program(
    'nix-shell',
    codeOption(
      ['--run', '--command'],
      optionTable('-p: --run= --command= --pure -I: -A: --packages='),
      [{ kind: 'run', program: 'nix-shell' }],
      'text',
    ),
  ),
  program('hyperfine', (args, tools) => {
    for (const one of args) if (literalText(one)?.includes(' ')) tools.shell(one);
    return [{ kind: 'run', program: 'hyperfine' }];
  }),
];
