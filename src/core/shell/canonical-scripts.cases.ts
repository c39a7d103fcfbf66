import { harmlessWords, wordAssignments } from './canonical.cases.ts';
import type { Random } from './fuzz.generate.ts';

/**
 * What stands in front of every generated script. The only commands of the scripts are these functions: they print
 * their arguments to standard output, their first one to standard error and descriptor 3, then what they read. Some
 * words are aliases, so that taking away quotes shows. One only prints a letter.
 */
export const prelude = `
show() {
  { builtin printf '<%s>' "$@"; builtin printf '\\n'; } 2>/dev/null
  builtin printf 'E<%s>\\n' "$2" >&2
  { builtin printf 'T<%s>\\n' "$2" >&3; } 2>/dev/null
  while IFS= builtin read -r line; do builtin printf '[%s]\\n' "$line"; done 2>/dev/null
  [[ $# -lt 4 ]]
}
echo() { show echo "$@"; }
cat() { show cat "$@"; }
ls() { show ls "$@"; }
wc() { show wc "$@"; }
true() { builtin printf 'p\\n' 2>/dev/null; }
shopt -s expand_aliases
alias ls='ls aliased' wc='wc ' a='A alias' b1='B1 alias' k='K alias '
`;

const gaps = [' ', ' ', ' ', '  ', '\t', ' \\\n', ' \\\n  '];

const names = ['echo', 'cat', 'ls', 'wc', 'echo', 'cat', 'ls', 'wc', 'echo', 'ls', '"ls"', '\\ls'];

/** Names for new files: they start with a dot, which no pattern matches while they are being written. */
const fileNames = (random: Random): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return random.pick([
      `.f${count}`,
      `.f${count}`,
      `".f${count}"`,
      `'.f ${count}'`,
      `.f${count}"$v"`,
      `.f\\\n${count}`,
    ]);
  };
};

type Production = () => string;

const simpleCommands = (random: Random): { readonly simple: Production; readonly redirect: Production } => {
  const file = fileNames(random);
  const gap = (): string => random.pick(gaps);
  const word = (): string => random.pick(harmlessWords);
  const redirect = (): string =>
    random.pick<Production>([
      () => `${random.pick(['>', '1>', '2>', '3>', '>>', '>|', '&>'])}${random.pick(['', ' ', gap()])}${file()}`,
      () => random.pick(['2>&1', '1>&2', '>& 2', '3>&1', '<i1', '0<"i 2"', '< <(true)']),
      () => `<<<${random.pick(['', ' '])}${word()}`,
    ])();
  const piece = (): string => (random.below(4) === 0 ? redirect() : word());
  const simple = (): string => {
    const parts = Array.from({ length: random.below(5) }, () => `${gap()}${piece()}`).join('');
    const before = random.below(5) === 0 ? `${random.pick(wordAssignments)} ` : '';
    const opened = random.below(9) === 0 ? `${redirect()} ` : '';
    return `${before}${opened}${random.pick(names)}${parts}`;
  };
  return { simple, redirect };
};

const separators = [' && ', '&&\n', ' || ', '||', '; ', ';', '\n', ' # c\n', ';\n\n', ' | ', '|', ' |& ', ' \\\n&& '];

/** Writes small scripts that can only call the functions of the prelude, and write no file but new ones beside them. */
export const harmless = (random: Random): ((depth: number) => string) => {
  const { simple, redirect } = simpleCommands(random);
  const word = (): string => random.pick(harmlessWords);
  const compound = (depth: number): string => {
    const list = (): string => script(depth - 1);
    return random.pick<Production>([
      () => `(${list()})`,
      () => `( ${list()} ) ${redirect()}`,
      () => `{ ${list()}; }`,
      () => `{ ${list()}\n} ${redirect()} ${redirect()}`,
      () => `if ${simple()}; then ${list()}; else ${list()}; fi`,
      () => `if ${simple()}\nthen # yes\n${list()}\nfi`,
      () => `for i in ${word()} ${word()}; do ${simple()} "$i"; done`,
      () => `for i in ${word()}\ndo ${list()}\ndone`,
      () => `! ${simple()}`,
      () => `[[ -n ${random.pick(['"$v"', 'a', "''"])} ]] && ${simple()}`,
      () => random.pick(wordAssignments),
      () => `echo $((${random.pick(['1/0', '1/1'])}))`,
    ])();
  };
  const command = (depth: number): string => (depth > 0 && random.below(3) === 0 ? compound(depth) : simple());
  const script = (depth: number): string => {
    let text = command(depth);
    for (let more = random.below(3); more > 0; more -= 1) text += `${random.pick(separators)}${command(depth)}`;
    return text;
  };
  return script;
};

/**
 * A generated script with a quote, a blank, a line break or a backslash more or less. It still holds no word that is a
 * command of its own, and no slash.
 */
export const loosened = (text: string, random: Random): string => {
  const letter = random.pick(["'", '"', '\\', ' ', '\n', '\\\n', ';']);
  const places = [...text.matchAll(/['"\\ \n]/g)].map((found) => found.index);
  if (random.below(2) === 0 && places.length > 0) {
    const at = random.pick(places);
    return text.slice(0, at) + text.slice(at + 1);
  }
  const at = random.below(text.length);
  return text.slice(0, at) + letter + text.slice(at);
};
