import type { ReadCommand } from './model.ts';

/** How many stub programs there are: `p0` to `p9`, of which the last two must never be started. */
export const stubCount = 10;

/** What every stub program does: one line for itself and its words, in the file that `FUZZ_LOG` names. */
export const stubProgram =
  // One write for a whole line, so that programs running side by side do not mix theirs.
  `#!/bin/sh\nu=$(printf '\\037')\nl="\${0##*/}"\nfor a in "$@"; do l="$l$u$a"; done\nprintf '%s\\036' "$l" >> "$FUZZ_LOG"\n`;

/** A program that bash has started. */
export interface Ran {
  readonly program: string;
  readonly args: readonly string[];
}

/** What the stub programs have written down. */
export const startedIn = (log: string): readonly Ran[] =>
  log
    .split('\x1e')
    .filter(Boolean)
    .map((line) => line.split('\x1f'))
    .map(([program = '', ...args]) => ({ program, args }));

/** Whether a command of a reading stands for a program that was started. */
export const covers = (command: ReadCommand, ran: Ran): boolean => {
  if (command.program !== ran.program) return false;
  const [, ...words] = command.words;
  if (words.some((word) => word.kind !== 'literal')) return true;
  const said = words.map((word) => (word.kind === 'literal' ? word.text : ''));
  const given = ran.args.map((arg) => arg.replace(/^\/dev\/fd\/\d+$/, '/dev/fd/63'));
  return said.length === given.length && said.every((word, index) => word === given[index]);
};

/** A seeded source of small numbers. */
export interface Random {
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** A small deterministic generator of numbers. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
  };
};

const program = (random: Random): string => `p${random.below(8)}`;

const simpleWord = (random: Random): string =>
  random.pick(['a', 'b1', '-x', "'q r'", '"d e"', "$'t\\x41'", 'k\\ l', '--n=v', '""', 'a"b"c', '#n', "'$v'"]);

const word = (random: Random, depth: number): string => {
  if (depth <= 0 || random.below(3) === 0) return simpleWord(random);
  const inner = (): string => command(random, depth - 1).replace(/\n[\s\S]*$/, '');
  return random.pick<() => string>([
    () => `$(${inner()})`,
    () => `"$(${inner()})"`,
    () => `\`${program(random)} z\``,
    () => '$v',
    () => '"$v"',
    () => `\${v:-${word(random, depth - 1)}}`,
    () => `"\${u:-$(${inner()})}"`,
    () => '{x,y}',
    () => '$((1+2))',
    () => `$((1 + $(${program(random)} n)0 ))`,
    () => `\${v/$(${program(random)} s)/r}`,
    () => `"\${arr[@]}"`,
    () => '"$@"',
    () => `\${v%${simpleWord(random)}}`,
  ])();
};

const words = (random: Random, depth: number): string =>
  Array.from({ length: random.below(3) + 1 }, () => word(random, depth)).join(' ');

const redirect = (random: Random, depth: number): string =>
  random.pick<() => string>([
    () => '',
    () => '',
    () => ' 2>/dev/null',
    () => ' >f1',
    () => ' </dev/null',
    () => ` <<< ${word(random, depth - 1)}`,
    () => ' 2>&1',
    () => ` < <(${program(random)} i)`,
    () => ` > >(${program(random)} o)`,
  ])();

const simple = (random: Random, depth: number): string =>
  `${program(random)} ${words(random, depth)}${redirect(random, depth)}`;

type Production = () => string;

const startsOf = (random: Random, depth: number): readonly Production[] => {
  const one = (): string => simple(random, depth - 1);
  return [
    one,
    one,
    () => `v=${word(random, depth - 1)}`,
    () => `v=${word(random, depth - 1)} ${one()}`,
    () => `arr=(${words(random, depth - 1)})`,
    () => `arr=(${program(random)} s); "\${arr[@]}"`,
    () => `v="${program(random)} w"; $v`,
    () => `eval '${program(random)} e'`,
    () => `eval "${program(random)} $v"`,
    () => `bash -c '${program(random)} "$1"' _ c`,
    () => `bash -ec "${program(random)} d"`,
    () => `env A=1 ${one()}`,
    () => `command ${one()}`,
    () => `nice ${program(random)} n`,
    () => `timeout 5 ${program(random)} t`,
    () => `echo ${simpleWord(random)} | xargs ${program(random)}`,
    () => `echo '${program(random)} piped' | bash`,
    () => `bash <<'EOF'\n${program(random)} here\nEOF\n`,
    () => `cat <<EOF\n$(${program(random)} there)\nEOF\n`,
    () => `cat <<'EOF'\n$(p9 never)\nEOF\n`,
  ];
};

const compoundsOf = (random: Random, depth: number): readonly Production[] => {
  const list = (): string => script(random, depth - 1);
  const one = (): string => simple(random, depth - 1);
  return [
    () => `(${list()})`,
    () => `{ ${list()}; }`,
    () => `if ${one()}; then ${list()}; else ${list()}; fi`,
    () => `for i in ${words(random, depth - 1)}; do ${one()} "$i"; done`,
    () => `while ${one()}; do ${list()}; break; done`,
    () => `until ${one()}; do ${list()}; break; done`,
    () => `case ${word(random, depth - 1)} in a) ${one()};; *) ${one()};; esac`,
    () => `f() { ${list()}; }; f ${simpleWord(random)}`,
    () => `g() { "$@"; }; g ${program(random)} y`,
    () => `[[ -n ${word(random, depth - 1)} ]] && ${one()}`,
    () => `(( $(${program(random)} m)1 )) || ${one()}`,
    () => `! ${one()}`,
    () => `trap '${program(random)} bye' EXIT`,
    () => `set -- ${words(random, depth - 1)}`,
    () => `set -- ${program(random)} p; "$@"`,
    () => `read -r v <<< "${program(random)} r"; $v`,
    () => `printf '%s x\\n' ${program(random)} | sh`,
    () => `x=$(printf ${program(random)}); $x c`,
    () => `${one()} # ; p9 comment`,
    () => `echo "p9 no" 'p9 no' \\; p9 no`,
    () => `${program(random)} \\\n  cont`,
    () => `coproc ${program(random)} co; wait`,
    () => `exec 3>f2; ${one()} >&3`,
    () => `export v=${simpleWord(random)}; bash -c '${program(random)} $v'`,
    () => `local_() { local v=${simpleWord(random)}; ${program(random)} "$v"; }; local_`,
    () => `unset v; ${one()}`,
    () => `. <(echo '${program(random)} sourced')`,
    () => `echo '${program(random)} file' > s.sh; sh s.sh`,
    () => `find . -maxdepth 0 -exec ${program(random)} {} \\;`,
    () => `"${program(random)}" q`,
    () => `p"${random.below(8)}" j`,
    () => `{${program(random)},br}`,
    () => `x=p; \${x}${random.below(8)} v`,
  ];
};

/** One command of the grammar. */
const command = (random: Random, depth: number): string =>
  depth <= 0
    ? `${program(random)} ${simpleWord(random)}`
    : random.pick([...startsOf(random, depth), ...compoundsOf(random, depth)])();

/** A list of commands: a small script that starts programs named `p0` to `p7`. */
export const script = (random: Random, depth: number): string => {
  const count = random.below(2) + 1;
  let text = command(random, depth);
  for (let index = 0; index < count; index += 1) {
    const separator = text.endsWith('\n') ? '' : random.pick([' && ', ' || ', '; ', '\n', ' & wait; ', ' | ']);
    text += `${separator}${command(random, depth)}`;
  }
  // A here-document must be followed by a new line; what closes a list comes after it.
  return text.endsWith('\n') ? `${text}:` : text;
};
