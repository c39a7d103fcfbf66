import { type Arguments, has, optionTable, parseArguments } from '../arguments.ts';
import { gitConfigurationOf } from '../environment.ts';
import { isWithin, parentOf } from '../lexical-path.ts';
import type { RepositoryChange, ShellEffect, WordReading } from '../model.ts';
import { readPath, writePath } from '../path-effects.ts';
import { applyRole, hostOf } from '../roles.ts';
import { readRow } from '../rows.ts';
import { hidden, literalText, type Program, type ReadProgram, type Tools, textsOf, uncovered, word } from '../tools.ts';
import { helpSubcommand, nestedSubcommands, plainSubcommands, readingSubcommands } from './git-tables.ts';

const globals = optionTable(
  '-C: -c: -p -P -h --help --version -v --exec-path?hidden --html-path --man-path --info-path --paginate --no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --git-dir= --work-tree= --namespace= --config-env=hidden --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --super-prefix= --list-cmds= --attr-source=',
);

const changes = (change: RepositoryChange, what: string, lossy = false): ShellEffect => ({
  kind: 'repository',
  change,
  what,
  ...(lossy ? { risk: 'destroy' as const } : {}),
});

const harmlessKey =
  /^(?:user\.(?:name|email)|color\..*|core\.(?:quotepath|autocrlf|abbrev|ignorecase|longpaths|filemode|precomposeunicode|eol|safecrlf|bare|symlinks)|advice\..*|commit\.gpgsign|tag\.gpgsign|init\.defaultbranch|log\..*|diff\.(?:renames|renamelimit|algorithm|colormoved|noprefix|mnemonicprefix|context|wserrorhighlight|interhunkcontext)|merge\.(?:conflictstyle|renamelimit|ff)|pull\.(?:rebase|ff)|rebase\.(?:autostash|autosquash|updaterefs)|fetch\.(?:prune|parallel|prunetags)|push\.(?:default|autosetupremote|followtags)|http\.(?:postbuffer|lowspeedlimit|lowspeedtime)|gc\..*|pack\..*|column\..*|status\..*|branch\.[^.]+\.(?:remote|merge|rebase|description)|branch\.(?:sort|autosetuprebase|autosetupmerge)|tag\.sort|rerere\..*|feature\..*|index\..*|submodule\.(?:recurse|fetchjobs)|blame\..*|grep\.(?:linenumber|patterntype|column)|safe\.directory|stash\..*|help\.autocorrect|format\.pretty|i18n\..*)$/;

// What a configuration entry can start: some always, some only under conditions that the text does not show.
const configured = (key: string, value: WordReading, tools: Tools): ShellEffect[] => {
  const name = key.toLowerCase();
  const text = textsOf([value])[0] ?? '';
  if (harmlessKey.test(name)) return [];
  if (/^(?:core\.pager|pager\..*)$/.test(name) && /^(?:cat|false|true|less(?: -[A-Za-z]+)*|)$/.test(text)) return [];
  if (name === 'core.fsmonitor') {
    if (/^(?:true|false|)$/.test(text)) return [];
    tools.shell(value);
  }
  if (name === 'core.hookspath' && text === '/dev/null')
    return [{ kind: 'state', what: 'git hooks off', risk: 'disable-control' }];
  if (/^alias\./.test(name) && text.startsWith('!'))
    tools.shell(value.kind === 'literal' ? word(text.slice(1)) : value);
  return [hidden(`git configuration ${key}`)];
};

const configurationOf = (given: Arguments, tools: Tools): { readonly key: string; readonly value: WordReading }[] => {
  const fromOptions = given.options
    .filter((option) => option.name === '-c')
    .map((option) => {
      const text = textsOf(option.value === undefined ? [] : [option.value])[0] ?? '';
      const equals = text.indexOf('=');
      const key = equals < 0 ? text : text.slice(0, equals);
      const value: WordReading =
        equals < 0
          ? word('true')
          : option.value?.kind === 'dynamic'
            ? { ...option.value, shape: text.slice(equals + 1), knownPrefix: '' }
            : word(text.slice(equals + 1));
      return { key, value };
    });
  return [...fromOptions, ...gitConfigurationOf(tools.call.assignments)];
};

// A directory where somebody else's repository may lie, or the inside of one.
const foreignFolder = /\.git(?:\/|$)|\/(?:node_modules|vendor|third[_-]?party|external|deps|Pods|site-packages)\//;

// A clone that the call itself makes.
const isBrought = (path: string, { context, walk }: Tools): boolean => {
  for (let at = path; isWithin(at, context.root) && at !== context.root; at = parentOf(at))
    if (walk.files.get(at)?.from.includes('network')) return true;
  return false;
};

const isOwnRepository = (path: string, tools: Tools): boolean =>
  isWithin(path, tools.context.root) &&
  !isBrought(path, tools) &&
  !foreignFolder.test(`${path.slice(tools.context.root.length)}/`) &&
  !tools.walk.links.some((link) => isWithin(path, link.path));

// A repository elsewhere brings its own configuration, which can run programs.
const placeEffects = (given: Arguments, tools: Tools): ShellEffect[] => {
  const { root } = tools.context;
  const places = given.options.filter((option) => /^(?:-C|--git-dir|--work-tree)$/.test(option.name));
  const effects: ShellEffect[] = [];
  for (const place of places) {
    if (place.value === undefined) continue;
    const target = tools.target(place.value);
    const own =
      place.name === '--git-dir' ? isWithin(target.path, `${root}/.git`) : isOwnRepository(target.path, tools);
    if (target.certainty !== 'literal' || !own) effects.push(hidden('git in another repository'));
  }
  if (effects.length === 0 && !places.some((place) => place.name === '-C')) {
    const { cwd } = tools.scope;
    if (cwd === undefined || !isOwnRepository(cwd, tools))
      effects.push(hidden('git outside the project: its configuration can run programs'));
  }
  return effects;
};

const unknowns = (given: Arguments, tools: Tools): ShellEffect[] => [
  ...given.unknown.map((name) => uncovered(`git ${name}`)),
  ...given.options.flatMap((option) => applyRole(option.role, option.value ?? word(option.name), tools)),
  ...(given.maybeOption ? [uncovered('a word may turn out to be an option')] : []),
];

const pathLike = (text: string): boolean =>
  /^\.|\.[A-Za-z0-9]{1,5}$|[*?[]|\/$|^:/.test(text) && !/^v?\d+(?:\.\d+)+$/.test(text);

const checkoutTable = optionTable(
  '-b: -B: -f -q -t? -d -l -m -p!open -2 -3 --quiet --force --ours --theirs --track? --no-track --guess --no-guess --detach --orphan= --merge --conflict= --patch!open --ignore-other-worktrees --no-overlay --overlay --progress --no-progress --recurse-submodules? --pathspec-from-file=use',
);

/** Paths that git puts back are written, for the path policy to see. */
const putBack = (paths: readonly WordReading[], tools: Tools): ShellEffect[] =>
  paths.flatMap((path) => applyRole('modify', path, tools));

/** The words behind `--`; without it, what looks like a path. */
const pathsOf = (args: readonly WordReading[], operands: readonly WordReading[]): readonly WordReading[] => {
  const at = args.findIndex((one) => literalText(one) === '--');
  return at >= 0 ? args.slice(at + 1) : operands.filter((one) => one.kind !== 'literal' || pathLike(one.text));
};

const checkout: ReadProgram = (args, tools) => {
  const given = parseArguments(args, checkoutTable);
  const effects = unknowns(given, tools);
  if (has(given, '-f', '--force', '--ours', '--theirs', '-m', '--merge'))
    return [...effects, changes('discard', 'checkout --force', true)];
  if (has(given, '-B')) return [...effects, changes('rewrite', 'checkout -B', true)];
  if (has(given, '-b', '--orphan')) return [...effects, changes('branch', 'checkout -b')];
  const separated = args.some((one) => literalText(one) === '--');
  const [first] = given.operands;
  const discards =
    separated ||
    given.operands.length > 1 ||
    (first !== undefined && (first.kind !== 'literal' || pathLike(first.text)));
  if (discards || has(given, '--pathspec-from-file', '-p', '--patch'))
    return [
      ...effects,
      changes('discard', 'checkout of paths', true),
      ...putBack(pathsOf(args, given.operands), tools),
    ];
  return [...effects, changes('switch', 'checkout')];
};

const switchTable = optionTable(
  '-c: -C: -d -f -q -t? -m --create= --force-create= --detach --force --discard-changes --merge --quiet --track? --no-track --guess --no-guess --orphan= --conflict= --progress --no-progress --ignore-other-worktrees --recurse-submodules?',
);

const switching: ReadProgram = (args, tools) => {
  const given = parseArguments(args, switchTable);
  const effects = unknowns(given, tools);
  if (has(given, '-f', '--force', '--discard-changes', '-m', '--merge'))
    return [...effects, changes('discard', 'switch --force', true)];
  if (has(given, '-C', '--force-create')) return [...effects, changes('rewrite', 'switch -C', true)];
  return [
    ...effects,
    has(given, '-c', '--create', '--orphan') ? changes('branch', 'switch -c') : changes('switch', 'switch'),
  ];
};

const restoreTable = optionTable(
  '-s: -S -W -p!open -q -m -2 -3 --source= --staged --worktree --patch!open --quiet --ours --theirs --merge --conflict= --overlay --no-overlay --ignore-unmerged --progress --no-progress --pathspec-from-file=use --recurse-submodules?',
);

const restore: ReadProgram = (args, tools) => {
  const given = parseArguments(args, restoreTable);
  const onlyStaged = has(given, '-S', '--staged') && !has(given, '-W', '--worktree');
  return [
    ...unknowns(given, tools),
    ...(onlyStaged
      ? [changes('stage', 'restore --staged')]
      : [changes('discard', 'restore', true), ...putBack(given.operands, tools)]),
  ];
};

const resetTable = optionTable(
  '-q -p!open -N --quiet --patch!open --mixed --soft --hard --merge --keep --intent-to-add --no-refresh --refresh --recurse-submodules? --pathspec-from-file=use',
);

const reset: ReadProgram = (args, tools) => {
  const given = parseArguments(args, resetTable);
  const discards = has(given, '--hard', '--merge', '--keep');
  const moves = has(given, '--soft', '--mixed') || given.operands.some((one) => /[~^@]/.test(textsOf([one])[0] ?? ''));
  return [
    ...unknowns(given, tools),
    discards ? changes('discard', 'reset', true) : changes(moves ? 'rewrite' : 'stage', 'reset'),
  ];
};

const cleanTable = optionTable('-d -f -i!open -n -q -x -X -e: --force --interactive!open --dry-run --quiet --exclude=');

const clean: ReadProgram = (args, tools) => {
  const given = parseArguments(args, cleanTable);
  return has(given, '-n', '--dry-run')
    ? unknowns(given, tools)
    : [...unknowns(given, tools), changes('discard', 'clean deletes untracked files', true)];
};

const stashTable = optionTable(
  '-p!open -k -q -u -a -m: -S --patch!open --keep-index --no-keep-index --quiet --include-untracked --all --message= --staged --index --pathspec-from-file=use',
);

const stash: ReadProgram = (args, tools) => {
  const [first, ...rest] = args;
  const name = literalText(first);
  const known = name !== undefined && /^(?:push|save|pop|apply|branch|create|store)$/.test(name);
  const given = parseArguments(known ? rest : args, stashTable);
  if (name !== undefined && !known && !name.startsWith('-')) return [uncovered(`git stash ${name}`)];
  return [
    ...unknowns(given, tools),
    changes(
      name === 'branch' ? 'branch' : name === 'pop' || name === 'apply' ? 'integrate' : 'stage',
      `stash ${name ?? 'push'}`,
    ),
  ];
};

const pushTable = optionTable(
  '-f -d -n -q -u -v -o: -4 -6 --all --branches --tags --follow-tags --atomic --no-atomic --dry-run --force --force-with-lease? --force-if-includes --no-force-if-includes --delete --mirror --prune --porcelain --quiet --verbose --progress --no-progress --set-upstream --push-option= --signed? --no-signed --thin --no-thin --recurse-submodules= --no-verify --verify --receive-pack=hidden --exec=hidden --repo= --ipv4 --ipv6 --no-force-with-lease',
);

/** How a push treats what is on the remote side. */
export const pushKind = (
  args: readonly WordReading[],
): { readonly force: boolean; readonly deletes: boolean; readonly given: Arguments } => {
  const given = parseArguments(args, pushTable);
  const refspecs = textsOf(given.operands.slice(has(given, '--repo') ? 0 : 1));
  const force =
    has(given, '-f', '--force', '--force-with-lease', '--mirror') || refspecs.some((text) => text.startsWith('+'));
  const deletes = has(given, '-d', '--delete', '--mirror', '--prune') || refspecs.some((text) => /^\+?:./.test(text));
  return { force, deletes, given };
};

const isRemoteAddress = (text: string): boolean => /:\/\/|^[^/]+@[^/]+:|^\.{0,2}\/|::|^~/.test(text);

const push: ReadProgram = (args, tools) => {
  const { force, deletes, given } = pushKind(args);
  const effects = unknowns(given, tools);
  const [remote] = given.operands;
  const address = textsOf(remote === undefined ? [] : [remote])[0] ?? '';
  if (has(given, '--no-verify')) effects.push({ kind: 'state', what: 'git hooks off', risk: 'disable-control' });
  if (given.operands.slice(1).some((one) => one.kind !== 'literal' && !one.from))
    effects.push(uncovered('refspec is computed'));
  if (/::/.test(address)) effects.push(hidden('remote helper runs a program'));
  if (has(given, '-n', '--dry-run')) return [...effects, { kind: 'connect', host: address, sendsData: false }];
  if (isRemoteAddress(address) || (remote !== undefined && remote.kind !== 'literal'))
    effects.push({ kind: 'connect', host: hostOf(address), sendsData: true, risk: 'send' });
  if (deletes) effects.push(changes('push-delete', 'deletes references on the remote', true));
  if (force) effects.push(changes('push-force', 'rewrites history on the remote', true));
  return force || deletes ? effects : [...effects, changes('push', 'push')];
};

const commitTable = optionTable(
  '-a -p!open -C: -c: -v -q -n -s -S? -m: -F:use -t:use -e -i -o -u? -z -A --all --patch!open --reuse-message= --reedit-message= --fixup= --squash= --reset-author --short --branch --porcelain --long --null --file=use --author= --date= --message= --template=use --signoff --no-signoff --trailer= --no-verify --verify --allow-empty --allow-empty-message --cleanup= --edit --no-edit --amend --no-post-rewrite --include --only --pathspec-from-file=use --untracked-files? --verbose --quiet --dry-run --status --no-status --gpg-sign? --no-gpg-sign',
);

const commit: ReadProgram = (args, tools) => {
  const given = parseArguments(args, commitTable);
  const effects = unknowns(given, tools).filter((one) => !(one.kind === 'unknown' && one.why.includes('may turn out')));
  if (has(given, '-n', '--no-verify')) effects.push({ kind: 'state', what: 'git hooks off', risk: 'disable-control' });
  return [...effects, changes(has(given, '--amend') ? 'rewrite' : 'commit', 'commit')];
};

const branchTable = optionTable(
  '-a -r -v -vv -q -i -l -f -d -D -m -M -c -C -t? -u: --all --remotes --list --verbose --quiet --force --delete --move --copy --track? --no-track --set-upstream-to= --unset-upstream --show-current --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --color? --no-color --column? --no-column --abbrev? --no-abbrev --ignore-case --edit-description!open --create-reflog --recurse-submodules',
);

const branch: ReadProgram = (args, tools) => {
  const given = parseArguments(args, branchTable);
  const effects = unknowns(given, tools);
  if (has(given, '-D', '-f', '--force', '-M', '-C') || (has(given, '-d', '--delete') && has(given, '-f')))
    return [...effects, changes('discard', 'branch by force', true)];
  if (has(given, '-d', '--delete', '-m', '--move', '-u', '--set-upstream-to', '--unset-upstream'))
    return [...effects, changes('configure', 'branch')];
  const lists = has(
    given,
    '-l',
    '--list',
    '-a',
    '-r',
    '--all',
    '--remotes',
    '--contains',
    '--no-contains',
    '--merged',
    '--no-merged',
    '--points-at',
    '--show-current',
  );
  return given.operands.length === 0 || lists ? effects : [...effects, changes('branch', 'branch')];
};

const tagTable = optionTable(
  '-a -s -u: -f -d -v -n? -l -m: -F:use -e -i --annotate --sign --no-sign --local-user= --force --delete --verify --list --sort= --ignore-case --column? --no-column --contains? --no-contains? --merged? --no-merged? --points-at= --message= --file=use --edit --cleanup= --create-reflog --color? --format=',
);

const tag: ReadProgram = (args, tools) => {
  const given = parseArguments(args, tagTable);
  const effects = unknowns(given, tools);
  if (has(given, '-d', '--delete', '-f', '--force')) return [...effects, changes('discard', 'tag', true)];
  const lists = has(
    given,
    '-l',
    '--list',
    '-n',
    '--contains',
    '--points-at',
    '--merged',
    '--no-merged',
    '-v',
    '--verify',
  );
  return given.operands.length === 0 || lists ? effects : [...effects, changes('commit', 'tag')];
};

const rebaseTable = optionTable(
  '-i!open -q -v -n -f -k -m -p -r? -s: -X: -x:shell -C: -S? --interactive!open --onto= --keep-base --continue --skip --abort --quit --edit-todo!open --show-current-patch --merge --strategy= --strategy-option= --rerere-autoupdate --autosquash --no-autosquash --autostash --no-autostash --exec=shell --root --fork-point --no-fork-point --ignore-date --committer-date-is-author-date --rebase-merges? --update-refs --no-update-refs --stat --no-stat --verify --no-verify!open --force-rebase --no-ff --apply --empty= --keep-empty --signoff --quiet --verbose --reapply-cherry-picks',
);

const rebase: ReadProgram = (args, tools) => {
  const given = parseArguments(args, rebaseTable);
  return [...unknowns(given, tools), changes('rewrite', 'rebase')];
};

const configTable = optionTable(
  '-l -e!open -f:open -z -t: --list --edit!open --global --system --local --worktree --file=open --blob=open --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --add --replace-all --unset --unset-all --rename-section --remove-section --name-only --show-origin --show-scope --null --type= --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default= --fixed-value --all --value= --append --comment= --regexp --show-names',
);

const config: ReadProgram = (args, tools) => {
  const verb = literalText(args[0]);
  const isVerb = verb !== undefined && /^(?:list|get|set|unset|edit|rename-section|remove-section)$/.test(verb);
  const given = parseArguments(isVerb ? args.slice(1) : args, configTable);
  const effects = unknowns(given, tools);
  const reads =
    verb === 'list' ||
    verb === 'get' ||
    has(
      given,
      '-l',
      '--list',
      '--get',
      '--get-all',
      '--get-regexp',
      '--get-urlmatch',
      '--get-color',
      '--get-colorbool',
    ) ||
    (!isVerb &&
      given.operands.length === 1 &&
      !has(given, '--unset', '--unset-all', '--remove-section', '--edit', '-e'));
  if (reads) return effects;
  const [key, value] = given.operands;
  if (has(given, '--global', '--system'))
    effects.push({ kind: 'state', what: 'git configuration of all repositories', risk: 'persist' });
  if (key !== undefined) effects.push(...configured(literalText(key) ?? 'computed', value ?? word(''), tools));
  return [...effects, changes('configure', 'config')];
};

const grepTable = optionTable(
  '-a -i -I -w -v -h -H -l -L -c -n -o -p -q -r -W -z -E -F -G -P -e: -f:use -A: -B: -C: -m: -O?shell -t --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --fixed-strings --perl-regexp --basic-regexp --line-number --column --files-with-matches --files-without-match --name-only --null --only-matching --count --color? --no-color --break --heading --show-function --function-context --context= --after-context= --before-context= --max-count= --max-depth= --and --or --not --all-match --quiet --cached --untracked --no-index --exclude-standard --no-exclude-standard --recurse-submodules --threads= --open-files-in-pager?shell --textconv --no-textconv',
);

const gitGrep: ReadProgram = (args, tools) => {
  const given = parseArguments(args, grepTable, { counts: true });
  const pager = given.options.some((option) => /^(?:-O|--open-files-in-pager)$/.test(option.name));
  return [
    ...unknowns(given, tools),
    ...(pager ? [hidden('opens files in a pager')] : []),
    ...given.operands
      .slice(has(given, '-e', '-f') ? 0 : 1)
      .flatMap((one) => (has(given, '--no-index') ? applyRole('search', one, tools) : applyRole('read', one, tools))),
  ];
};

const toolTable = optionTable(
  '-d -g -y -x:shell -t:hidden --dir-diff --no-prompt --prompt --gui --no-gui --extcmd=shell --tool=hidden --tool-help --cached --staged --no-symlinks --symlinks --trust-exit-code',
);

const special: Readonly<Record<string, ReadProgram>> = {
  checkout,
  switch: switching,
  restore,
  reset,
  clean,
  stash,
  push,
  commit,
  branch,
  tag,
  rebase,
  config,
  grep: gitGrep,
  difftool: (args, tools) => [...unknowns(parseArguments(args, toolTable), tools), hidden('starts a diff tool')],
  mergetool: () => [hidden('starts a merge tool')],
  remote: (args) =>
    args.every((one) => /^-v$|^--verbose$/.test(literalText(one) ?? '')) ? [] : [uncovered('git remote')],
  reflog: (args) =>
    args.every((one) => !/^(?:expire|delete)$/.test(literalText(one) ?? 'expire'))
      ? []
      : [changes('discard', 'reflog', true)],
  submodule: (args, tools) => {
    if (literalText(args[0]) === 'foreach') {
      const words = args.slice(1).filter((one) => !/^(?:--recursive|--quiet|-q)$/.test(literalText(one) ?? ''));
      tools.shell(word(textsOf(words).join(' ')));
      return [];
    }
    return args.length === 0 ? [] : [uncovered('git submodule')];
  },
  bisect: (args, tools) => {
    if (literalText(args[0]) === 'run') tools.command(args.slice(1));
    return [changes('switch', 'bisect')];
  },
};

const remotes = (name: string, args: readonly WordReading[], tools: Tools): ShellEffect[] => {
  if (
    !/^(?:fetch|pull|clone|ls-remote|submodule update|submodule add|archive|remote (?:update|show|prune|add|set-url))$/.test(
      name,
    )
  )
    return [];
  const addresses = textsOf(args).filter((text) => isRemoteAddress(text) && !text.startsWith('-'));
  const effects: ShellEffect[] = addresses
    .filter((text) => /^[a-z-]+::/.test(text))
    .map(() => hidden('remote helper runs a program'));
  if (!/^remote (?:add|set-url)$/.test(name) && !(name === 'remote show' && args.length === 1))
    effects.push({ kind: 'connect', host: hostOf(addresses[0] ?? ''), sendsData: false });
  if (name === 'clone') {
    const operands = args.filter((one) => !literalText(one)?.startsWith('-'));
    const folder =
      operands.length > 1
        ? operands.at(-1)
        : word(
            (addresses[0] ?? '')
              .replace(/\/+$/, '')
              .replace(/^.*[/:]/, '')
              .replace(/\.git$/, ''),
          );
    if (folder !== undefined) {
      const target = tools.target(folder);
      if (target.certainty === 'literal') tools.walk.files.set(target.path, { from: ['network'] });
      effects.push(...writePath(target, { how: 'create', from: ['network'] }, tools.context));
    }
  }
  return effects;
};

// `git show HEAD:.env` reads a file that no operand names as such.
const objects = (args: readonly WordReading[], tools: Tools): ShellEffect[] =>
  textsOf(args).flatMap((text) => {
    const path = /^[^:\s]*:(?:\.\/)?([^:]+)$/.exec(text)?.[1];
    return path === undefined
      ? []
      : readPath(tools.target(word(path)), { how: 'content', shown: true }, tools.context).filter(
          (one) => one.risk !== undefined,
        );
  });

const patches = (name: string, args: readonly WordReading[]): ShellEffect[] =>
  /^(?:apply|am)$/.test(name) &&
  !args.some((one) => /^--(?:check|stat|numstat|summary|abort|quit|skip)$/.test(literalText(one) ?? ''))
    ? [hidden('the patch decides which files change')]
    : [];

const readers: ReadonlyMap<string, ReadProgram> = new Map([
  ...[...readingSubcommands, ...plainSubcommands, helpSubcommand].flatMap((row) =>
    row.names.split('|').map((name): [string, ReadProgram] => [name, readRow(row)]),
  ),
  ...Object.entries(special),
]);

/** Splits global options from the subcommand. */
export const gitParts = (
  args: readonly WordReading[],
): { readonly given: Arguments; readonly name: string | undefined; readonly rest: readonly WordReading[] } => {
  const given = parseArguments(args, globals, { stopsAtOperand: true });
  const [first, ...rest] = given.operands;
  return { given, name: literalText(first), rest };
};

const readGit: ReadProgram = (args, tools) => {
  const { given, name, rest } = gitParts(args);
  const configuration = configurationOf(given, tools);
  const effects: ShellEffect[] = [
    ...given.unknown.map((one) => uncovered(`git ${one}`)),
    ...given.options
      .filter((option) => option.role !== '')
      .flatMap((option) => applyRole(option.role, option.value ?? word(option.name), tools)),
  ];
  for (const entry of configuration) effects.push(...configured(entry.key, entry.value, tools));
  const [first] = given.operands;
  if (first === undefined) return effects;
  if (name === undefined || first.computed) return [...effects, hidden('git subcommand is computed')];
  if (!/^(?:clone|help|version|init|ls-remote)$/.test(name)) effects.push(...placeEffects(given, tools));
  const alias = configuration.find((entry) => entry.key.toLowerCase() === `alias.${name.toLowerCase()}`);
  if (alias !== undefined) {
    const text = literalText(alias.value) ?? '';
    if (!text.startsWith('!')) tools.shell(word(`git ${text} ${textsOf(rest).join(' ')}`));
    return effects;
  }
  const second = literalText(rest[0]);
  const pair = second !== undefined && nestedSubcommands.includes(name) ? `${name} ${second}` : '';
  const reader = readers.get(pair) ?? readers.get(name);
  const tail = readers.has(pair) ? rest.slice(1) : rest;
  if (reader === undefined) return [...effects, uncovered(`git ${pair || name}`)];
  return [
    ...effects,
    ...reader(tail, tools),
    ...remotes(readers.has(pair) ? pair : name, rest, tools),
    ...objects(rest, tools),
    ...patches(name, rest),
  ];
};

/** git. */
export const git: readonly Program[] = [{ names: ['git'], read: readGit }];
