import { type Arguments, has, optionTable, parseArguments } from '../arguments.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { applyRole } from '../roles.ts';
import { type Row, readRow, rows } from '../rows.ts';
import { readAwk, readSed } from '../small-languages.ts';
import { effectsOfText } from '../suspicion.ts';
import { hidden, literalText, type Program, program, type ReadProgram, type Tools, uncovered, word } from '../tools.ts';

const grepOptions =
  '-E -F -G -P -i -y -v -w -x -c -l -L -m: -o -q -s -b -H -h -n -T -Z -z -a -A: -B: -C: -r -R -U -u -e: -f:use -I -d: -D: -V --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-with-matches --files-without-match --max-count= --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null --null-data --text --after-context= --before-context= --context= --recursive --dereference-recursive --include= --exclude= --exclude-dir= --exclude-from=use --regexp= --file=use --binary-files= --directories= --line-buffered --binary';

const searchRole = (given: Arguments): string =>
  has(given, '-r', '-R', '--recursive', '--dereference-recursive') ? 'search' : 'read';

// The first operand is the pattern, unless an option gave it; no file means standard input, or all of it when recursive.
const searching = (options: string, recursiveByDefault: boolean): ReadProgram => {
  const table = optionTable(`--help --version ${options}`);
  return (args, tools) => {
    const given = parseArguments(args, table, { counts: true, abbreviates: !recursiveByDefault });
    const patternGiven = has(given, '-e', '-f', '--regexp', '--file', '--files', '--type-list');
    const files = patternGiven ? given.operands : given.operands.slice(1);
    const role = recursiveByDefault ? 'search' : searchRole(given);
    const effects: ShellEffect[] = given.unknown.map((name) => uncovered(`${tools.program} ${name}`));
    for (const option of given.options)
      effects.push(...applyRole(option.role, option.value ?? word(option.name), tools));
    if (given.maybeOption && recursiveByDefault) effects.push(uncovered('a word may turn out to be an option'));
    if (files.length === 0 && role === 'search' && !(recursiveByDefault && tools.input.fed))
      effects.push(...applyRole('search', word('.'), tools));
    return [
      ...effects,
      ...files.flatMap((file) => applyRole(role === 'search' ? fileOrTree(file) : 'read', file, tools)),
    ];
  };
};

const fileOrTree = (file: WordReading): string =>
  file.kind === 'literal' && /\.[A-Za-z0-9]{1,5}$/.test(file.text) && !/^\.+$/.test(file.text) ? 'read' : 'search';

const rgOptions =
  '-A: -B: -C: -c -e: -E: -f:use -F -g: -h -H -i -I -j: -l -L -M: -m: -n -N -o -p -P -q -r: -s -S -t: -T: -u -U -v -w -x -z!hidden -0 -a -. -V --after-context= --before-context= --context= --count --count-matches --regexp= --encoding= --file=use --fixed-strings --glob= --iglob= --heading --no-heading --hidden --ignore-case --case-sensitive --smart-case --include-zero --invert-match --json --line-number --no-line-number --line-regexp --max-columns= --max-count= --max-depth= --maxdepth= --max-filesize= --multiline --multiline-dotall --no-config --no-ignore --no-ignore-vcs --no-ignore-parent --no-filename --with-filename --no-messages --null --null-data --only-matching --passthru --path-separator= --pcre2 --pretty --quiet --replace= --search-zip!hidden --sort= --sortr= --stats --text --threads= --trim --type= --type-not= --type-add= --type-list --unrestricted --vimgrep --word-regexp --files --files-with-matches --files-without-match --follow --color= --colors= --column --no-column --crlf --debug --engine= --auto-hybrid-regex --one-file-system --ignore-file=use --pre=hidden --pre-glob= --hostname-bin=hidden --hyperlink-format=';

const table: readonly Row[] = [
  {
    names: 'fd fdfind',
    operands: 'text list*',
    idle: 'list',
    options:
      '-H -I -u -s -i -g -F -a -l -L -p -0 -d: -E: -t: -e: -S: -o: -j: -c: -q -1 -x!open -X!open --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --type= --extension= --size= --changed-within= --changed-before= --owner= --exec!open --exec-batch!open --threads= --color= --max-results= --quiet --base-directory=list --search-path=list --strip-cwd-prefix?',
  },
  {
    names: 'locate mlocate plocate',
    operands: 'text*',
    options: '-i -c -l: -n: -r: -b -e -0 -q --limit= --ignore-case --count --basename --existing --regex',
  },
  {
    names: 'jq gojq jaq',
    operands: 'text read*',
    options:
      '-r -j -a -c -C -M -n -R -s -S -e -f:use -L:hidden -h --raw-output --raw-output0 --join-output --ascii-output --compact-output --color-output --monochrome-output --null-input --raw-input --slurp --sort-keys --exit-status --from-file=use --tab --indent= --stream --stream-errors --seq --unbuffered --arg! --argjson! --slurpfile! --rawfile! --args --jsonargs --build-configuration',
  },
  {
    names: 'xmllint xmlstarlet',
    operands: 'read*',
    options: '--format --noout --xpath= --schema=use --valid --html --output=write -o:write --nonet',
  },
  {
    names: 'mlr csvkit csvcut csvgrep csvlook csvstat csvsort xsv qsv',
    operands: 'read*',
    options: '-c: -d: -m: -r: -n -l -t -q: -H -y: -S -I --icsv --ojson --ijson --ocsv --c2j --c2p',
  },
  {
    names: 'tokei cloc scc loc wordcount',
    operands: 'search*',
    idle: 'search',
    options:
      '-f -o:write -e: -t: -s: -l --files --sort= --exclude= --type= --by-file --json --yaml --csv --quiet --exclude-dir= --exclude-ext= --include-ext= --vcs= --md --out=write',
  },
  {
    names: 'zgrep zless zmore zdiff zcmp',
    operands: 'text read*',
    options: '-i -c -l -n -v -o -E -F -w -e: -h -H -q -A: -B: -C:',
  },
  {
    names: 'ag ack pt',
    operands: 'text search*',
    options:
      '-i -l -L -c -n -s -S -v -w -o -A: -B: -C: -g: -G: -Q -u -U -a -t -r -R -f -H -h --nogroup --group --nocolor --color --hidden --ignore= --ignore-dir= --depth= --type= --js --ts --python --stats --count --literal --column',
    idle: 'search',
  },
];

const jqTable = optionTable(`--help --version ${table.find((row) => row.names.startsWith('jq'))?.options ?? ''}`);

// `--arg name value` takes two words, which no table says.
const jq: ReadProgram = (args, tools) => {
  const kept: WordReading[] = [];
  const effects: ShellEffect[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const one = args[index];
    const text = literalText(one);
    if (one === undefined) continue;
    if (text !== undefined && /^--(?:arg|argjson|slurpfile|rawfile)$/.test(text)) {
      const value = args[index + 2];
      if (/file$/.test(text) && value !== undefined) effects.push(...applyRole('read', value, tools));
      index += 2;
    } else kept.push(one);
  }
  const given = parseArguments(kept, jqTable);
  const files = has(given, '-f', '--from-file') ? given.operands : given.operands.slice(1);
  const filter = literalText(given.operands[0]) ?? '';
  if (/\benv\b|\$ENV\b/.test(filter) && !/\.env\b/.test(filter))
    effects.push({ kind: 'disclose', what: 'the environment', risk: 'credentials' });
  if (/\b(?:input_filename|include|import)\b/.test(filter)) effects.push(uncovered('jq module'));
  if (has(given, '--args', '--jsonargs')) return effects;
  return [
    ...effects,
    ...given.unknown.map((name) => uncovered(`jq ${name}`)),
    ...given.options.flatMap((option) => applyRole(option.role, option.value ?? word(option.name), tools)),
    ...files.flatMap((file) => applyRole('read', file, tools)),
  ];
};

const yqRow = readRow({
  names: 'yq',
  operands: 'text read*',
  also: (given, tools) =>
    has(given, '-i', '--inplace') ? given.operands.slice(1).flatMap((one) => applyRole('modify', one, tools)) : [],
  options:
    '-r -y -Y -o: -p: -P -n -e -N -C -M -j -I: -i -s:open -f:use --inplace --prettyPrint --output-format= --input-format= --null-input --exit-status --no-doc --colors --no-colors --indent= --raw-output --yaml-output --from-file=use',
});

const yq: ReadProgram = (args, tools) => {
  const [first, ...rest] = args;
  return yqRow(/^(?:e|eval|ea|eval-all)$/.test(literalText(first) ?? '') ? rest : args, tools);
};

const sedTable = optionTable(
  '-n -e: -f:hidden -E -r -s -u -z -l: -i?modify -I?modify --quiet --silent --expression= --file=hidden --regexp-extended --in-place?modify --separate --unbuffered --null-data --line-length= --posix --debug --sandbox --follow-symlinks --help --version -b -a -H',
);

const sed: ReadProgram = (args, tools) => {
  const inPlaceEmpty = args.findIndex((one) => literalText(one) === '-i' || literalText(one) === '-I');
  const macEmpty = inPlaceEmpty >= 0 && literalText(args[inPlaceEmpty + 1]) === '';
  const given = parseArguments(macEmpty ? args.filter((_one, index) => index !== inPlaceEmpty + 1) : args, sedTable);
  const scripts = given.options
    .filter((option) => /^(?:-e|--expression)$/.test(option.name))
    .flatMap((option) => option.value ?? []);
  const fromFile = has(given, '-f', '--file');
  const files = scripts.length > 0 || fromFile ? given.operands : given.operands.slice(1);
  const programs = scripts.length > 0 || fromFile ? scripts : given.operands.slice(0, 1);
  const inPlace = has(given, '-i', '-I', '--in-place');
  return [
    ...given.unknown.map((name) => uncovered(`sed ${name}`)),
    ...(fromFile ? [uncovered('sed script from a file')] : []),
    ...programs.flatMap((one) => readSed(one, tools)),
    ...files.flatMap((file) => [
      ...applyRole(inPlace ? 'use' : 'read', file, tools),
      ...(inPlace ? applyRole('modify', file, tools) : []),
    ]),
  ];
};

const awkTable = optionTable(
  '-F: -v: -f:hidden -e: -i:hidden -l:hidden -b -c -C -d?write -D -g -h -I -M -n -N -o?write -O -p?write -P -r -s -S -t -V --field-separator= --assign= --file=hidden --source= --include=hidden --load=hidden --sandbox --posix --re-interval --csv --lint? --version --help --traditional',
);

const awk: ReadProgram = (args, tools) => {
  const given = parseArguments(args, awkTable, { stopsAtOperand: true });
  const sources = given.options
    .filter((option) => /^(?:-e|--source)$/.test(option.name))
    .flatMap((option) => option.value ?? []);
  const fromFile = has(given, '-f', '--file');
  const inPlace = given.options.some((option) => option.name === '-i' && literalText(option.value) === 'inplace');
  const programs = sources.length > 0 || fromFile ? sources : given.operands.slice(0, 1);
  const files = (sources.length > 0 || fromFile ? given.operands : given.operands.slice(1)).filter(
    (one) => !/^[A-Za-z_]\w*=/.test(literalText(one) ?? ''),
  );
  return [
    ...given.unknown.map((name) => uncovered(`awk ${name}`)),
    ...given.options
      .filter((option) => option.role === 'hidden' && !(inPlace && option.name === '-i'))
      .map((option) => uncovered(`awk ${option.name}`)),
    ...programs.flatMap((one) => readAwk(one, tools)),
    ...files.flatMap((file) => [
      ...applyRole('read', file, tools),
      ...(inPlace ? applyRole('modify', file, tools) : []),
    ]),
  ];
};

const m4: ReadProgram = (args, tools) => {
  const text = tools.input.text ?? '';
  const grave = effectsOfText(text.replace(/^.*?syscmd\(/s, '').replace(/\).*$/s, ''), tools).some(
    (one) => one.kind === 'catastrophe',
  );
  return grave || /syscmd/.test(text)
    ? [hidden('m4 runs commands')]
    : args.length === 0 && tools.input.fed
      ? [uncovered('m4 program')]
      : [hidden('m4 program')];
};

const envsubst: ReadProgram = (_args: readonly WordReading[], _tools: Tools) => [
  { kind: 'disclose', what: 'the environment', risk: 'credentials' },
];

/** Programs that search and change text. */
export const textTools: readonly Program[] = [
  ...rows(table.filter((row) => !row.names.startsWith('jq'))),
  program('grep egrep fgrep ggrep pcregrep pcre2grep', searching(grepOptions, false)),
  program('rg ripgrep', searching(rgOptions, true)),
  program('jq gojq jaq', jq),
  program('yq', yq),
  program('sed gsed', sed),
  program('awk gawk mawk nawk', awk),
  program('m4', m4),
  program('envsubst', envsubst),
];
