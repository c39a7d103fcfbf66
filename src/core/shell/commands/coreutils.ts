import { type Arguments, has } from '../arguments.ts';
import { baseName, parentOf } from '../lexical-path.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { type Row, rows } from '../rows.ts';
import type { Program, Tools } from '../tools.ts';
import { hidden } from '../tools.ts';

const counts = { counts: true };

// Without files and options it prints what it reads.
const passThrough = (given: Arguments, tools: Tools): readonly ShellEffect[] => {
  const streams = given.operands.every((one) => one.kind === 'literal' && one.text === '-');
  if (streams && given.options.length === 0 && tools.input.text !== undefined) tools.print(tools.input.text);
  const files = given.operands.map((one) => tools.walk.files.get(tools.target(one).path)?.text);
  if (files.length > 0 && !streams && given.options.length === 0 && !files.includes(undefined))
    tools.print(files.join(''));
  return [];
};

const inputWord = (tools: Tools): WordReading =>
  tools.input.text === undefined
    ? { kind: 'dynamic', why: 'standard input', knownPrefix: '', shape: '' }
    : { kind: 'literal', text: tools.input.text };

/** Plain programs of the base system, as data. */
const table: readonly Row[] = [
  {
    names: 'ls gls dir vdir',
    idle: 'list',
    operands: 'list*',
    options:
      '-a -A -l -h -H -1 -r -t -R -S -d -F -G -g -i -k -L -m -n -N -o -p -q -Q -s -u -U -v -w: -x -X -Z -c -C -D -b -B -f -I: -T: -@ -e -O -P -W --all --almost-all --color? --human-readable --recursive --reverse --sort= --time= --time-style= --si --size --inode --directory --classify? --group-directories-first --full-time --ignore= --hide= --file-type --width= --format= --indicator-style= --literal --quote-name --hyperlink? --numeric-uid-gid --no-group --author --escape --block-size= --show-control-chars --zero --dereference',
  },
  {
    names: 'eza exa lsd',
    idle: 'list',
    operands: 'list*',
    options:
      '-a -l -h -1 -r -R -T -s: -t: -L: -d -F? -g -G -x -S -i -m -u -U -@ -b -B -H -Z -I: -D -f --all --long --tree --git --icons? --sort= --level= --color? --group --header --git-ignore --no-permissions --no-filesize --no-user --no-time --only-dirs --only-files --ignore-glob= --group-directories-first --time-style= --reverse --recurse --oneline --grid',
  },
  {
    names: 'tree',
    idle: 'list',
    operands: 'list*',
    options:
      '-a -d -f -i -l -x -q -N -Q -p -u -g -s -h -D -F -r -t -v -c -U -A -S -C -n -J -X -L: -P: -I: -H: -T: -o:write --noreport --dirsfirst --filesfirst --charset= --filelimit= --prune --gitignore --gitfile=use --matchdirs --ignore-case --sort= --du --si --inodes --device --metafirst --timefmt= --fromfile',
  },
  {
    names: 'stat gstat',
    operands: 'list*',
    options: '-c: -f? -L -t -x -s -n -l -F -r --format= --printf= --dereference --file-system --terse --cached=',
  },
  {
    names: 'file',
    operands: 'list*',
    options:
      '-b -i -I -k -L -h -N -p -r -s -z -Z -0 -E -e: -F: -f:use -m:hidden -v --brief --mime --mime-type --mime-encoding --no-dereference --dereference --keep-going --raw --extension',
  },
  {
    names: 'du gdu dust ncdu',
    idle: 'list',
    operands: 'list*',
    options:
      '-a -b -c -h -k -m -s -S -x -L -P -D -H -l -0 -B: -d: -t: -I: -r -X:use --all --apparent-size --bytes --total --human-readable --max-depth= --summarize --si --exclude= --time? --threshold= --block-size= --one-file-system --inodes --separate-dirs',
  },
  {
    names: 'df duf',
    operands: 'list*',
    options:
      '-a -h -H -i -k -l -m -P -T -t: -x: -B: -b -g --all --human-readable --inodes --total --print-type --type= --exclude-type= --output? --local --sync --si',
  },
  {
    names: 'realpath grealpath readlink greadlink',
    operands: 'list*',
    also: (given, tools) => {
      const target = given.operands[0] === undefined ? undefined : tools.target(given.operands[0]);
      const follows = tools.program.includes('realpath') || has(given, '-f', '-e', '-m', '--canonicalize');
      const isPlain =
        given.operands.length === 1 && !given.options.some((option) => /^--relative|^-z/.test(option.name));
      if (target?.certainty === 'literal' && follows && isPlain) tools.print(`${target.path}\n`);
      return [];
    },
    options:
      '-e -m -f -n -q -s -v -z -L -P --canonicalize --canonicalize-existing --canonicalize-missing --relative-to= --relative-base= --no-newline --quiet --strip --zero --physical --logical --no-symlinks',
  },
  {
    names: 'basename dirname',
    operands: 'text*',
    options: '-a -s: -z --multiple --suffix= --zero',
    also: (given, tools) => {
      const [path] = given.operands;
      if (path?.kind !== 'literal' || given.options.length > 0 || given.operands.length > 1) return [];
      const plain = path.text.replace(/(?<=.)\/+$/, '');
      if (tools.program === 'basename') tools.print(`${baseName(plain) || '/'}\n`);
      else tools.print(`${plain.includes('/') ? parentOf(plain) : '.'}\n`);
      return [];
    },
  },
  {
    names: 'cat gcat',
    operands: 'read*',
    options:
      '-A -b -e -E -n -s -t -T -u -v -l --show-all --number --number-nonblank --squeeze-blank --show-ends --show-tabs --show-nonprinting',
    also: (given, tools) => passThrough(given, tools),
  },
  {
    names: 'tac nl zcat gzcat bzcat xzcat zstdcat lz4cat',
    operands: 'read*',
    options:
      '-A -b -e -E -n -s -t -T -u -v -r -l -f -q -k -d -c -a -h: -i: -p -w: -S --show-all --number --number-nonblank --squeeze-blank --show-ends --show-tabs --show-nonprinting --before --regex --separator= --body-numbering= --stdout --force --quiet',
  },
  {
    names: 'head tail ghead gtail',
    operands: 'read*',
    style: counts,
    options:
      '-n: -c: -q -v -z -f -F -r -s: -b: --lines= --bytes= --quiet --silent --verbose --zero-terminated --follow? --retry --pid= --sleep-interval= --max-unchanged-stats=',
  },
  {
    names: 'wc gwc',
    operands: 'read*',
    options: '-c -l -m -w -L --bytes --chars --lines --words --max-line-length --total= --files0-from=use',
  },
  {
    names: 'cut gcut',
    operands: 'read*',
    options:
      '-b: -c: -d: -f: -n -s -z --bytes= --characters= --delimiter= --fields= --only-delimited --output-delimiter= --complement --zero-terminated',
  },
  { names: 'paste', operands: 'read*', options: '-d: -s -z --delimiters= --serial --zero-terminated' },
  {
    names: 'sort gsort',
    operands: 'read*',
    options:
      '-b -d -f -g -h -i -M -n -R -r -V -c -C -m -o:write -s -S: -t: -T:create -u -z -k: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --month-sort --numeric-sort --random-sort --reverse --version-sort --check? --merge --output=write --stable --buffer-size= --field-separator= --temporary-directory=create --unique --zero-terminated --key= --parallel= --compress-program=hidden --random-source=use --files0-from=hidden --batch-size= --debug --sort=',
  },
  {
    names: 'uniq guniq',
    operands: 'read write',
    style: counts,
    options:
      '-c -d -D? -f: -i -s: -u -w: -z --count --repeated --all-repeated? --skip-fields= --ignore-case --skip-chars= --unique --check-chars= --zero-terminated --group?',
  },
  {
    names: 'comm',
    operands: 'read read',
    options: '-1 -2 -3 -z -i --check-order --nocheck-order --output-delimiter= --total --zero-terminated',
  },
  {
    names: 'join',
    operands: 'read read',
    options: '-1: -2: -a: -e: -i -j: -o: -t: -v: -z --check-order --nocheck-order --header',
  },
  {
    names: 'diff gdiff',
    operands: 'read*',
    style: counts,
    options:
      '-a -b -B -c -C: -d -D: -e -E -F: -i -I: -l -L: -n -N -p -P -q -r -s -S: -t -T -u -U: -w -W: -x: -X:use -y -Z --brief --unified? --context? --side-by-side --recursive --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --color? --text --exclude= --new-file --width= --label= --minimal --suppress-common-lines --report-identical-files --strip-trailing-cr --left-column --expand-tabs --no-dereference --normal --ed --rcs',
  },
  {
    names: 'cmp',
    operands: 'read read text text',
    options: '-b -i: -l -n: -s -c --print-bytes --verbose --silent --quiet --bytes= --ignore-initial=',
  },
  {
    names: 'diff3 sdiff colordiff difft delta icdiff',
    operands: 'read*',
    options: '-u -y -w: -W: -s -q -r -i --color? --side-by-side --width= -o:hidden',
  },
  {
    names: 'tr gtr',
    operands: 'text*',
    always: [{ kind: 'decode' }],
    options: '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1',
  },
  { names: 'rev', operands: 'read*', always: [{ kind: 'decode' }] },
  {
    names: 'fold fmt expand unexpand column pr ul look tsort shuf',
    operands: 'read*',
    style: counts,
    options:
      '-b -c -s -w: -t? -i -a -n? -x -s? -N: -o: -e -r -z -J -d -C: -l: --width= --spaces --table --separator= --output-separator= --repeat --head-count= --echo --input-range= --table-columns= --json',
  },
  {
    names: 'od hexdump hd strings',
    operands: 'read*',
    options:
      '-A: -a -b -c -C -d -f -i -j: -l -N: -n: -o -s? -S: -t: -v -w? -x -e: -h --address-radix= --skip-bytes= --read-bytes= --format= --width? --bytes= --radix= --encoding= --all',
  },
  {
    names: 'xxd',
    operands: 'read write',
    options: '-a -b -c: -C -d -e -E -g: -h -i -l: -n: -o: -p -ps -plain -r -revert -s: -u -v -R:',
    style: { singleDash: true },
    also: (given) => (has(given, '-r', '-revert') ? [{ kind: 'decode' }] : []),
  },
  {
    names: 'base64 base32 basenc gbase64',
    operands: 'read',
    options:
      '-d -D -i? -w: -o:write -b: --decode --ignore-garbage --wrap= --input=read --output=write --break= --base64 --base64url --base32 --base16 --base2lsbf --z85',
    also: (given) => (has(given, '-d', '-D', '--decode') ? [{ kind: 'decode' }] : []),
  },
  { names: 'uudecode', operands: 'read', options: '-o:write -p', always: [{ kind: 'decode' }] },
  {
    names: 'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum crc32 gsha256sum',
    operands: 'use*',
    options:
      '-a: -b -c -t -q -r -s: -p -z -w --check --binary --text --tag --status --quiet --strict --warn --ignore-missing --zero --algorithm= --length=',
  },
  {
    names: 'iconv',
    operands: 'read*',
    options: '-f: -t: -l -c -s -o:write --from-code= --to-code= --list --output=write',
    always: [],
  },
  {
    names: 'seq gseq',
    operands: 'text*',
    style: counts,
    options: '-f: -s: -w -t: --format= --separator= --equal-width',
  },
  { names: 'yes', operands: 'text*' },
  { names: 'sleep gsleep usleep', operands: 'text*' },
  {
    names: 'expr factor numfmt',
    operands: 'text*',
    options: '--to= --from= --suffix= --padding= --grouping --format= --field= --round= --header? -d: -z',
  },
  {
    names: 'bc',
    operands: 'hidden*',
    options: '-l -q -s -w -i -e: -f:hidden --mathlib --quiet --expression= --file=hidden',
  },
  {
    names: 'dc',
    operands: 'hidden*',
    options: '-e: -f:hidden -V -h --expression= --file=hidden',
    also: (given, tools) => {
      const codes = [...given.options.map((option) => option.value), ...(tools.input.fed ? [inputWord(tools)] : [])];
      return codes.some((code) => code !== undefined && (code.kind !== 'literal' || code.text.includes('!')))
        ? [hidden('dc runs a command')]
        : [];
    },
  },
  { names: 'cal ncal', operands: 'text*', style: counts, options: '-1 -3 -A: -B: -h -j -m: -s -y -b -C -M -S' },
  {
    names: 'uname guname',
    operands: '',
    options:
      '-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system',
  },
  {
    names: 'hostname',
    operands: 'privilege',
    options:
      '-a -A -d -f -i -I -s -y -F:privilege -b! --all-fqdns --all-ip-addresses --domain --fqdn --long --ip-address --short --file=privilege',
  },
  {
    names: 'arch nproc tty logname hostid getconf',
    operands: 'text*',
    options: '-s -a --silent --quiet --all --ignore=',
  },
  {
    names: 'whoami id groups users who w last lastlog uptime',
    operands: 'text*',
    options:
      '-a -b -d -G -g -H -l -m -n -p -q -r -R -s -t -T -u -w -x -z -Z -h -i -f -o -F --all --short --pretty --since --group --groups --name --real --user --zero --count --heading --no-header',
  },
  {
    names: 'date gdate',
    operands: 'text*',
    options:
      '-d: -f:use -I? -r:list -R -u -j -n -v: -z: -s!privilege --date= --file=use --iso-8601? --reference=list --rfc-2822 --rfc-email --rfc-3339= --utc --universal --set!privilege --debug --resolution',
    also: (given) =>
      given.operands.some((one) => (one.kind !== 'literal' ? false : /^\d/.test(one.text))) &&
      !has(given, '-j', '-r', '-d')
        ? [{ kind: 'privilege', how: 'sets the clock', risk: 'privilege' }]
        : [],
  },
  {
    names: 'printenv',
    operands: 'text*',
    options: '-0 --null',
    also: (given) =>
      given.operands.length === 0 ||
      given.operands.some((one) => one.kind !== 'literal' || /SECRET|TOKEN|PASS|KEY|CREDENTIAL/i.test(one.text))
        ? [{ kind: 'disclose', what: 'the environment', risk: 'credentials' }]
        : [],
  },
  { names: 'mkdir gmkdir', operands: 'create*', options: '-p -v -m: -Z --parents --verbose --mode=' },
  {
    names: 'touch gtouch',
    operands: 'create*',
    options: '-a -c -d: -f -h -m -r:list -t: -A: --no-create --date= --reference=list --time= --no-dereference',
  },
  {
    names: 'mktemp',
    operands: 'create',
    options: '-d -q -u -t -p:create --directory --quiet --dry-run --tmpdir?create --suffix=',
  },
  { names: 'mkfifo mknod', operands: 'create text*', options: '-m: -Z --mode=' },
  {
    names: 'tee gtee sponge',
    operands: 'write*',
    options: '-a -i -p --append --ignore-interrupts --output-error?',
    also: (given, tools) => {
      if (tools.input.text !== undefined) tools.print(tools.input.text);
      const { text, from } = tools.input;
      const appends = has(given, '-a', '--append');
      for (const target of given.operands.map((one) => tools.target(one)))
        if (target.certainty === 'literal')
          tools.walk.files.set(target.path, { from, ...(text === undefined || appends ? {} : { text }) });
      return [];
    },
  },
  {
    names: 'install ginstall',
    operands: 'use* write',
    options:
      '-b -c -C -d!create -D -g:privilege -m: -o:privilege -p -s -S: -t:write -T -v -Z --backup? --compare --directory!create --mode= --group=privilege --owner=privilege --preserve-timestamps --strip --target-directory=write --verbose',
  },
  {
    names: 'split csplit',
    operands: 'read text*',
    style: counts,
    options:
      '-a: -b: -C: -d -e -l: -n: -t: -u -x -f: -k -s -z --bytes= --lines= --number= --numeric-suffixes? --suffix-length= --additional-suffix= --filter=shell --prefix= --verbose',
    always: [],
    also: (_given, tools) =>
      tools.call.words.length === 0
        ? []
        : [{ kind: 'write', how: 'create', ...tools.target({ kind: 'literal', text: '.' }) }],
  },
  { names: 'sync', operands: 'list*', options: '-d -f --data --file-system' },
  {
    names: 'clear reset tput stty tabs setterm',
    operands: 'text*',
    options: '-T: -x -a -g -F:hidden -V -S! --all --save',
  },
  {
    names: 'locale localedef',
    operands: 'text*',
    options: '-a -c -k -m --all-locales --category-name --keyword-name --charmaps',
  },
  {
    names: 'ps pstree',
    operands: 'text*',
    options:
      '-e -f -a -A -x -u? -l -w -j -m -M -o: -p? -q: -s? -t: -C: -G: -H -N -L -T -U: -y -Z -d -F -c -n -g -h -v --forest --sort= --no-headers --headers --pid= --ppid= --user= --format= --cols= --width=',
  },
  {
    names: 'pgrep pidof',
    operands: 'text*',
    options:
      '-a -d: -f -l -n -o -v -x -c -w -i -q -F:use -P: -u: -U: -g: -G: -s: -t: -r: -A --full --list-name --list-full --newest --oldest --exact --count --ignore-case --parent= --uid= --euid= --delimiter= --inverse --signal=',
  },
  {
    names: 'top htop btop',
    operands: '',
    options: '-b -n: -d: -p: -u: -o: -H -i -c -s: -l: -stats: -w? -1 -E: -e: -R -F -S -pid:',
  },
  {
    names: 'free vmstat iostat mpstat sar lscpu lsmem nvidia-smi sensors acpi',
    operands: 'text*',
    options:
      '-h -m -g -k -b -w -s: -c: -t -l -a -d -x -p? -u -r -n: -e -J -q -L -i: --human --mega --giga --total --wide --seconds= --count= --json --query-gpu= --format= --list-gpus --extended? --parse? --all',
  },
  {
    names: 'lsof',
    operands: 'list*',
    options:
      '-a -b -c: -d: -F? -g? -i? -l -M -n -N -O -o -p: -P -R -s? -S? -t -T -u: -U -V -w -x? -X -z? +D:list +d:list',
  },
  {
    names: 'ss netstat',
    operands: 'text*',
    options:
      '-a -A: -b -e -f: -H -i -I: -l -m -n -N: -o -O -p -r -s -t -u -w -x -4 -6 -0 -v -W -L -g -c --all --listening --numeric --tcp --udp --processes --summary --route --interfaces --statistics --extended --no-header --family= -K!privilege --kill!privilege',
  },
  {
    names: 'lsblk lspci lsusb lsmod lsns lslocks blkid findmnt mountpoint',
    operands: 'text*',
    options:
      '-a -b -d -D -e: -f -i -I: -J -k -l -m -n -o: -p -P -r -s: -S -t: -v -vv -nn -x: -q -L: -U: -T: -O: --json --output= --all --fs --tree? --raw --noheadings --bytes --list --paths',
  },
  {
    names: 'dmesg',
    operands: '',
    options:
      '-H -T -w -x -L? -l: -f: -k -u -r -t -e -J -c!destroy -C!destroy -n:privilege -D!privilege -E!privilege --human --ctime --follow --level= --color? --json --since= --until= --clear!destroy --read-clear!destroy',
  },
  {
    names: 'man apropos whatis info tldr',
    operands: 'text*',
    options:
      '-a -f -k -K -w -W -s: -S: -e: -M:hidden -P:hidden -H?hidden -C:hidden -X?hidden -T?hidden -Z -t -l:read -L: -R: -E: -m: -i -I -r: -7 -u -c -D -q -d --pager=hidden --html?hidden --config-file=hidden --manpath=hidden --preprocessor=hidden --where --path --regex --wildcard --names-only --local-file=read --locale= --section= --all --whatis --apropos',
  },
  {
    names: 'less more most bat batcat',
    operands: 'read*',
    style: { ...counts },
    options:
      '-E -F -G -i -I -J -M -m -N -n -q -Q -R -r -S -s -u -U -w -W -X -x: -A -p -P:hidden -K -L -o:write -O:write -k:hidden -t:hidden -T:hidden -b: -h: -j: -z: -e -f -g -a -d -c -C -D: -l: -H: --LINE-NUMBERS --RAW-CONTROL-CHARS --chop-long-lines --quit-if-one-screen --no-init --style= --plain --language= --line-range= --highlight-line= --color= --paging= --pager=hidden --theme= --number --show-all --decorations= --wrap= --tabs= --diff --list-themes --list-languages --lesskey-file=hidden --lesskey-src=hidden --lesskey-content=hidden --log-file=write --LOG-FILE=write',
    also: (given) =>
      given.operands.some((one) => /^\+/.test(one.kind === 'dynamic' ? one.shape : one.text))
        ? [hidden('command for the pager')]
        : [],
  },
];

/** Base system programs. */
export const coreutils: readonly Program[] = rows(table);
