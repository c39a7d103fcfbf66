import { namesGate } from '../control-places.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { type Row, readRow, suite } from '../rows.ts';
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
import { inputEffects } from './code.ts';

const runs = (what: string): ShellEffect => ({ kind: 'run', program: what });

const publishes = (what: string): ShellEffect => ({ kind: 'publish', what, risk: 'publish' });

const guarded = (tools: Tools, operands: readonly WordReading[]): ShellEffect[] =>
  textsOf(operands).some(namesGate)
    ? [{ kind: 'control', name: tools.program, words: textsOf(operands), plain: false, risk: 'control' }]
    : [];

const foreignIndex =
  '--registry=hidden --index-url=hidden -i:hidden --extra-index-url=hidden --find-links=hidden -f:hidden --trusted-host=hidden --userconfig=hidden --globalconfig=hidden --script-shell=hidden --proxy=hidden --https-proxy=hidden --cafile=hidden --node-options=hidden --prefix=open -g!open --global!open';

/** `install` and the like: runs what the packages bring. */
const installing = (names: string, extra = ''): Row => ({
  names,
  operands: 'text*',
  lenient: true,
  options: `${foreignIndex} ${extra}`,
  always: [runs('package installation')],
  also: (given, tools) => guarded(tools, given.operands),
});

const looking = (names: string, extra = ''): Row => ({
  names,
  operands: 'text*',
  options: `--json --long --depth= --all -a -l -g --global --prod --production --parseable --omit= --workspace= -w: --workspaces --registry=hidden -q --quiet -s --silent --no-color -v --verbose --outdated -o --format= --user --local --not-required --path=list --tree --why --include= --pattern= -r --recursive ${extra}`,
});

const scripted = (names: string): Row => ({
  names,
  operands: 'text*',
  lenient: true,
  style: { stopsAtOperand: true },
  options:
    '--script-shell=hidden --prefix=open -C:list --dir=list --cwd=list --filter= -F: -w: --workspace= --node-options=hidden',
  also: (given, tools) => [
    { kind: 'run', program: tools.program, script: textsOf(given.operands)[0] ?? 'default' },
    ...guarded(tools, given.operands.slice(0, 1)),
  ],
});

const publishing = (names: string): Row => ({
  names,
  operands: 'text*',
  lenient: true,
  always: [publishes('package')],
});

const settings = (names: string): Row => ({
  names,
  operands: 'text*',
  lenient: true,
  always: [hidden('changes the settings of a package manager')],
});

const starts: ReadProgram = (args, tools) => {
  const call = args.findIndex((one) => /^(?:-c|--call|--shell-mode)$/.test(literalText(one) ?? ''));
  const code = args[call + 1];
  if (call >= 0 && code !== undefined) {
    tools.shell(code);
    return [runs('package command')];
  }
  const rest = args.slice(args.findIndex((one) => !literalText(one)?.startsWith('-')));
  if (rest.length === 0 || args.length === 0) return [uncovered('starts nothing')];
  tools.command(rest);
  return [runs(textsOf(rest)[0] ?? '')];
};

const fetchesAndRuns: ReadProgram = (args, tools) => npx([word('-y'), ...args], tools);

const npx: ReadProgram = (args, tools) => {
  let fetches = false;
  let index = 0;
  for (; index < args.length; index += 1) {
    const text = literalText(args[index]);
    if (text === undefined || !text.startsWith('-')) break;
    if (/^(?:-y|--yes|-p|--package|--package=.*|--from|--with|--spec)$/.test(text)) fetches = true;
    if (/^(?:-c|--call)$/.test(text)) {
      const code = args[index + 1];
      if (code !== undefined) tools.shell(code);
      return [runs('npx')];
    }
    if (/^(?:-p|--package|--from|--with|--spec|--python)$/.test(text)) index += 1;
    else if (text === '--') {
      index += 1;
      break;
    } else if (
      !/^(?:-y|--yes|--no|--no-install|-q|--quiet|--bun|--package=.*|--prefer-offline|--offline|--silent|-s|--version|-v|--help)$/.test(
        text,
      )
    )
      return [uncovered(`${tools.program} ${text}`)];
  }
  const [first, ...rest] = args.slice(index);
  if (first === undefined) return [];
  const name = literalText(first)?.replace(/(?<=.)@[^/]*$/, '');
  if (name === undefined) return [hidden('package is computed')];
  if (fetches || /[/:]|@[\w.-]+$/.test(literalText(first) ?? ''))
    return [{ kind: 'run', program: name, risk: 'fetched-code' }, ...guarded(tools, [first])];
  tools.command([word(name), ...rest]);
  return [runs(name)];
};

const nodeManager = (
  names: string,
  extra: readonly Row[],
  special: Readonly<Record<string, ReadProgram>> = {},
): Program =>
  suite({
    names,
    globals:
      '-C:list --dir=list --cwd=list --prefix=list -w: --workspace= -F: --filter= -r --recursive -s --silent --no-color --color? --registry=hidden -v -h --workspaces --script-shell=hidden --userconfig=hidden --offline --prefer-offline --if-present --stream --parallel --loglevel=',
    style: { abbreviates: false },
    bare: () => [runs(`${names.split(' ')[0]} install`)],
    nested: ['config', 'pkg', 'cache', 'store', 'audit', 'dlx', 'team', 'dist-tag'],
    subcommands: [
      installing(
        'install|i|ci|add|isntall|clean-install|install-test|it|update|up|upgrade|rebuild|dedupe|link|ln|import|fetch|audit fix|create|init|innit|prune|patch|approve-builds|setup',
      ),
      installing('uninstall|remove|rm|un|r|unlink'),
      looking(
        'ls|list|la|ll|outdated|audit|why|explain|view|info|show|root|prefix|bin|search|docs|fund|doctor|ping|help|whoami|query|licenses|sbom|home|bugs|repo|config list|config get|pkg get|cache ls|cache list|store path|store status|completion|dist-tag ls|version --help|get|ll',
      ),
      scripted('run|run-script|rum|test|t|tst|start|stop|restart|build|dev|lint|format|typecheck|check|e2e|coverage'),
      publishing('publish|unpublish|deprecate|dist-tag|access|owner|stage|release|team|trust'),
      settings('config|set|login|adduser|logout|token|add-user|profile|hook|env|c'),
      { names: 'pack', operands: 'text*', lenient: true, always: [runs('pack')] },
      {
        names: 'version|pkg|shrinkwrap|patch-commit',
        operands: 'text*',
        lenient: true,
        always: [runs('package.json change')],
      },
      { names: 'cache|store', operands: 'text*', lenient: true, always: [uncovered('package cache')] },
      ...extra,
    ],
    special: { exec: starts, x: fetchesAndRuns, dlx: fetchesAndRuns, explore: starts, ...special },
  });

const pythonInstall = (args: readonly WordReading[], tools: Tools): readonly ShellEffect[] =>
  pipSuite.read(args, tools);

const pipSuite = suite({
  names: 'pip pip3 pip2',
  globals:
    '-q -v -V --quiet --verbose --isolated --no-input --proxy=hidden --python=hidden --disable-pip-version-check --no-cache-dir --cache-dir= --log=write --require-virtualenv --no-color',
  nested: ['config', 'cache', 'index'],
  bare: () => [],
  subcommands: [
    installing(
      'install|download|wheel',
      '-r:use --requirement=use -c:use --constraint=use -e:list -t:write --target=write',
    ),
    installing('uninstall', '-r:use'),
    looking(
      'list|show|freeze|check|inspect|help|debug|index versions|cache list|cache info|cache dir|config list|config get|hash',
    ),
    settings('config'),
    { names: 'cache', operands: 'text*', lenient: true, always: [uncovered('pip cache')] },
  ],
});

const environmentRunner = (
  names: string,
  extra: readonly Row[],
  special: Readonly<Record<string, ReadProgram>> = {},
): Program =>
  suite({
    names,
    globals:
      '-q -v -V -n -h -C:list --quiet --verbose --no-interaction --directory=list --project=list --offline --no-cache --color= --no-ansi --no-plugins --cache-dir= --config-file=hidden --no-config -P:list',
    nested: ['env', 'cache', 'self', 'config', 'tool', 'python', 'pip', 'source', 'lock', 'run', 'show', 'version'],
    bare: () => [],
    subcommands: [
      installing(
        'install|add|sync|lock|update|remove|init|new|venv|pip sync|pip compile|tool install|tool upgrade|python install|export|tree --help|upgrade|reinstall|inject|ensurepath|pip uninstall|uninstall|clean',
        '-r:use -e:list --editable=list',
      ),
      looking(
        'tree|show|check|env list|env info|version|about|search|pip list|pip show|pip freeze|pip tree|pip check|python list|python find|python dir|tool list|tool dir|cache dir|help|list|environment|graph|info',
      ),
      { names: 'build', operands: 'text*', lenient: true, always: [runs('build')] },
      publishing('publish'),
      settings('config|self|source|cache|auth|env'),
      ...extra,
    ],
    special: { run: runsTool, ...special },
  });

const runsTool: ReadProgram = (args, tools) => {
  let index = 0;
  let fetches = false;
  for (; index < args.length; index += 1) {
    const text = literalText(args[index]);
    if (text === undefined || !text.startsWith('-')) break;
    if (text === '--') {
      index += 1;
      break;
    }
    if (/^--(?:with|with-requirements|from|spec|index|index-url|default-index)$/.test(text)) fetches = true;
    if (
      /^(?:--with|--with-requirements|--from|--spec|--python|-p|--extra|--group|--env-file|--directory|--project|--package|--index|--index-url|--default-index|-n|--name|-m|--module)$/.test(
        text,
      )
    ) {
      if (/^(?:-m|--module)$/.test(text)) {
        tools.command([word('python'), word('-m'), ...args.slice(index + 1)]);
        return [runs('python')];
      }
      index += 1;
    }
  }
  const rest = args.slice(index);
  const [first] = rest;
  if (first === undefined) return [];
  if (fetches) return [{ kind: 'run', program: textsOf(rest)[0] ?? '', risk: 'fetched-code' }];
  if (/\.py$/.test(literalText(first) ?? '')) tools.command([word('python'), ...rest]);
  else tools.command(rest);
  return [runs(textsOf(rest)[0] ?? '')];
};

const bundle: ReadProgram = (args, tools) => {
  const name = literalText(args[0]);
  if (name === 'exec') return runsTool(args.slice(1), tools);
  if (name !== undefined && /^(?:list|show|info|outdated|check|platform|version|licenses|doctor|--version)$/.test(name))
    return [];
  return readRow(installing('bundle'))(args, tools);
};

/** Package managers and what they start. */
export const packages: readonly Program[] = [
  nodeManager('npm', []),
  nodeManager('pnpm', []),
  nodeManager('yarn', [scripted('workspace|workspaces|global|node')], { dlx: fetchesAndRuns }),
  nodeManager('bun', [{ names: 'pm', operands: 'text*', always: [uncovered('bun pm')] }], {
    run: (args, tools) => readRow(scripted('run'))(args, tools),
    x: fetchesAndRuns,
  }),
  program('npx', npx),
  program('bunx pnpx uvx', fetchesAndRuns),
  program('corepack nvm fnm volta n', (args) =>
    /^(?:ls|list|current|which|--version|-v|ls-remote|version)$/.test(literalText(args[0]) ?? '')
      ? []
      : [runs('toolchain change')],
  ),
  suite({
    names: 'deno',
    globals: '-q -V -h --quiet -A --allow-all -L:',
    bare: (_, tools) => inputEffects('javascript', tools),
    subcommands: [
      {
        names: 'run|test|bench|task|serve|compile|bundle|repl|jupyter',
        operands: 'text*',
        lenient: true,
        style: { stopsAtOperand: true },
        options: '--import-map=hidden --config=use -c:use',
        also: (given, tools) => [
          ...(textsOf(given.operands)[0] === '-' ? inputEffects('javascript', tools) : []),
          { kind: 'run', program: 'deno', script: textsOf(given.operands)[0] ?? '' },
          ...(/^https?:|^(?:npm|jsr):/.test(textsOf(given.operands)[0] ?? '')
            ? [{ kind: 'run', program: 'deno', risk: 'fetched-code' } as const]
            : []),
        ],
      },
      {
        names: 'lint|types|completions|help|outdated',
        operands: 'read*',
        options: '-q -c:use --config=use --json --rules --all --no-lock --unstable --fix!open',
      },
      {
        // They fetch what is imported.
        names: 'check|info|doc',
        operands: 'read*',
        options: '-q -c:use --config=use --json --all --no-lock --unstable',
        always: [runs('deno')],
      },
      {
        names: 'fmt',
        operands: 'modify*',
        idle: 'modify',
        options:
          '--check --ext= -q -c:use --config=use --ignore= --watch --options-line-width= --options-indent-width=',
      },
      { names: 'eval', operands: 'hidden*', lenient: true, always: [{ kind: 'code', language: 'javascript' }] },
      installing('install|add|remove|uninstall|cache|update|upgrade|init|vendor|clean'),
      publishing('publish|deploy'),
    ],
  }),
  { names: pipSuite.names, read: pythonInstall },
  environmentRunner('uv', [], {
    'tool run': fetchesAndRuns,
    x: fetchesAndRuns,
    'pip install': (args, tools) => readRow(installing('install', '-r:use -e:list'))(args, tools),
  }),
  environmentRunner('poetry pdm pipenv hatch rye pixi', [{ names: 'shell', always: [uncovered('opens a shell')] }]),
  environmentRunner('pipx', [], { run: fetchesAndRuns }),
  environmentRunner('conda mamba micromamba', [
    { names: 'activate|deactivate|create', operands: 'text*', lenient: true, always: [runs('environment change')] },
  ]),
  program('bundle bundler', bundle),
  suite({
    names: 'gem',
    subcommands: [
      looking('list|search|info|env|environment|which|help|outdated|specification|contents|dependency|query'),
      installing('install|update|uninstall|cleanup|pristine|fetch|unpack'),
      { names: 'build', operands: 'text*', lenient: true, always: [runs('gem build')] },
      publishing('push|yank|owner'),
      settings('sources|signin|signout|cert'),
    ],
  }),
  suite({
    names: 'composer',
    globals: '-q -v -vv -vvv -n -d:list --no-interaction --working-dir=list --ansi --no-ansi',
    bare: () => [],
    subcommands: [
      looking(
        'show|outdated|validate|diagnose|licenses|why|why-not|depends|prohibits|about|status|check-platform-reqs|search|audit',
        '--direct -D -i --no-dev --strict',
      ),
      installing('install|update|require|remove|dump-autoload|dumpautoload|create-project|reinstall|bump'),
      scripted('run-script|run|exec'),
      settings('config|global|self-update'),
    ],
  }),
  suite({
    names: 'brew',
    subcommands: [
      looking(
        'list|ls|info|search|outdated|deps|uses|leaves|doctor|config|--prefix|--version|desc|home|cat|log|help|commands|missing|tap-info|formulae|casks',
        '--cask --formula --versions -1 --tree --installed',
      ),
      installing(
        'install|upgrade|update|uninstall|remove|rm|reinstall|link|unlink|pin|unpin|tap|untap|cleanup|autoremove|bundle|services|fetch',
      ),
    ],
  }),
  suite({
    names: 'apt apt-get aptitude apt-cache',
    globals: '-q -qq -y -o:hidden -c:hidden -s',
    subcommands: [
      looking(
        'list|search|show|policy|depends|rdepends|showpkg|madison|changelog|help|stats|pkgnames|showsrc',
        '--installed --upgradable -a --names-only',
      ),
      {
        names:
          'install|remove|purge|update|upgrade|dist-upgrade|full-upgrade|autoremove|autoclean|clean|build-dep|reinstall|download|source|satisfy',
        operands: 'text*',
        lenient: true,
        options: '-o:hidden -c:hidden',
        always: [{ kind: 'privilege', how: 'system packages', risk: 'privilege' }],
      },
    ],
  }),
  suite({
    names: 'dnf yum zypper apk pacman port emerge xbps-install pkg snap flatpak nix nix-env guix',
    globals: '-y -q -v',
    subcommands: [
      looking('list|search|info|provides|repolist|show|history|policy|version|find|repoquery|deplist'),
      {
        names:
          'install|remove|update|upgrade|add|del|erase|autoremove|clean|makecache|refresh|swap|downgrade|reinstall|-S|-Syu|-R|-Sy|-Rs|develop|shell|run|build|profile',
        operands: 'text*',
        lenient: true,
        always: [{ kind: 'privilege', how: 'system packages', risk: 'privilege' }],
      },
    ],
  }),
  program('dpkg rpm dpkg-query', (args) => {
    const text = textsOf(args).join(' ');
    if (
      /^(?:-l|-L|-s|-S|-W|--list|--listfiles|--status|--search|-q\w*|--query|--print-architecture|--version|-V)(?:\s|$)/.test(
        text,
      )
    )
      return [];
    return [{ kind: 'privilege', how: 'system packages', risk: 'privilege' }];
  }),
];
