import type { PrintedStage } from './canonical-sheet.ts';

// In place of the pattern of a filter.
const anyText = '<ANY:text>';

// In place of a count of a filter.
const anyNumber = '<ANY:number>';

const rawTokens = /<((?:LITERAL:)*ANY:)/g;

/** Makes text that looks like a stand-in look different; different texts stay different. */
export const escapeTokens = (text: string): string =>
  text.includes('<') ? text.replace(rawTokens, '<LITERAL:$1') : text;

/** A plain filter: reads standard input, writes standard output, does nothing else. */
interface Filter {
  /** The arguments that stand for others of their kind, by index. */
  readonly general: ReadonlyMap<number, string>;
  /** It may stop before it has read everything, which stops what is in front of it. */
  readonly isCut: boolean;
}

/** Options of a filter without stand-ins: those alone in their word, those that take the next one, and operands. */
interface PlainFilter {
  readonly flags: RegExp;
  readonly valued?: RegExp;
  readonly operands?: number;
}

const plainFilters: Readonly<Record<string, PlainFilter>> = {
  cat: { flags: /^-[AbeEnstTv]+$/ },
  column: { flags: /^-t$|^-t?s.+$/s, valued: /^-t?s$/ },
  cut: { flags: /^-(?:s|[bcdf].+)$|^--(?:complement|(?:delimiter|fields|characters)=.+)$/s, valued: /^-[bcdf]$/ },
  nl: { flags: /^-(?:b[ant]|w\d+)$/ },
  sort: { flags: /^-(?:[bdfghiMnRrsuVz]+|[bdfghiMnRrsuVz]*(?:k[\d.,bdfghiMnRrV]+|t.+))$/s, valued: /^-[kt]$/ },
  tr: { flags: /^-[cCdst]+$/, operands: 2 },
  uniq: { flags: /^-[cdiu]+$|^--(?:count|repeated|unique|ignore-case)$/ },
  wc: { flags: /^-[cLlmw]+$|^--(?:bytes|chars|lines|words)$/ },
};

const nothingGeneral: ReadonlyMap<number, string> = new Map();

const readPlain = (filter: PlainFilter, args: readonly string[]): Filter | undefined => {
  let operands = 0;
  for (let index = 0; index < args.length; index += 1) {
    const text = args[index] ?? '';
    if (filter.valued?.test(text)) {
      index += 1;
      if (index >= args.length) return undefined;
    } else if (text === '-' || !text.startsWith('-')) operands += 1;
    else if (!filter.flags.test(text)) return undefined;
  }
  return operands <= (filter.operands ?? 0) ? { general: nothingGeneral, isCut: false } : undefined;
};

const countForms: readonly { readonly form: RegExp; readonly option: string }[] = [
  { form: /^-(?:n ?)?(\d{1,9})$/, option: '-n' },
  { form: /^--lines[= ](\d{1,9})$/, option: '-n' },
  { form: /^-c ?(\d{1,9})$/, option: '-c' },
  { form: /^--bytes[= ](\d{1,9})$/, option: '-c' },
  // Counted from the other end, which is another meaning.
  { form: /^(?:-n ?|--lines[= ])([+-]\d{1,9})$/, option: '-n' },
  { form: /^(?:-c ?|--bytes[= ])([+-]\d{1,9})$/, option: '-c' },
];

const readCount = (args: readonly string[], isCut: boolean): Filter | undefined => {
  if (args.length === 0) return { general: nothingGeneral, isCut };
  if (args.length > 2 || args.some((arg) => arg.includes(' '))) return undefined;
  for (const { form, option } of countForms) {
    const number = form.exec(args.join(' '))?.[1];
    if (number === undefined) continue;
    const count = number.replace(/\d+$/, anyNumber);
    const general = new Map(
      args.length === 2 ? [[0, option] as const, [1, count] as const] : [[0, `${option} ${count}`]],
    );
    return { general, isCut };
  }
  return undefined;
};

const grepFlags =
  /^-[aEFGHhinoPsvwxyc]+$|^--(?:colou?r(?:=(?:always|auto|never))?|ignore-case|invert-match|word-regexp|line-regexp|count|only-matching|no-messages|line-number|extended-regexp|fixed-strings|basic-regexp|perl-regexp|text|line-buffered|no-filename|with-filename|(?:after-context|before-context|context)=\d{1,9})$/;
const grepContext = /^-[aEFGHhinoPsvwxyc]*[ABC](\d{0,9})$/;
const grepPattern = /^(-[aEFGHhinoPsvwxyc]*e)(.*)$/s;

/** One option of grep: how many words it takes and, when it gives a pattern, what stands for them. */
interface GrepOption {
  readonly words: 1 | 2;
  readonly general?: string;
}

const grepOption = (text: string, next: string | undefined): GrepOption | undefined => {
  const [, context] = grepContext.exec(text) ?? [];
  if (context === '') return /^\d{1,9}$/.test(next ?? '') ? { words: 2 } : undefined;
  if (context !== undefined || grepFlags.test(text)) return { words: 1 };
  if (text.startsWith('--regexp=')) return { words: 1, general: `-e ${anyText}` };
  const [, option = '', pattern] = grepPattern.exec(text) ?? [];
  if (pattern === undefined || (pattern === '' && next === undefined)) return undefined;
  return pattern === '' ? { words: 2, general: anyText } : { words: 1, general: `${option} ${anyText}` };
};

// Only options that cannot name a file, and none behind the pattern, where some versions take it for a file.
const readGrep = (args: readonly string[]): Filter | undefined => {
  const general = new Map<number, string>();
  let index = 0;
  for (let text = args[0]; text?.startsWith('-') && text !== '-' && text !== '--'; text = args[index]) {
    const option = grepOption(text, args[index + 1]);
    if (option === undefined) return undefined;
    index += option.words;
    if (option.general !== undefined) general.set(index - 1, option.general);
  }
  const isGiven = general.size > 0;
  if (!isGiven && args[index] === '--') index += 1;
  if (args.length !== (isGiven ? index : index + 1)) return undefined;
  if (!isGiven) general.set(index, anyText);
  return { general, isCut: false };
};

const readFilter = (name: string, args: readonly string[]): Filter | undefined => {
  if (name === 'head' || name === 'tail') return readCount(args, name === 'head');
  if (name === 'grep' || name === 'egrep' || name === 'fgrep') return readGrep(args);
  const plain = Object.hasOwn(plainFilters, name) ? plainFilters[name] : undefined;
  return plain === undefined ? undefined : readPlain(plain, args);
};

const filterOf = (stage: PrintedStage | undefined): Filter | undefined => {
  if (stage === undefined) return undefined;
  const args = stage.words.flatMap((word) => word.value ?? []);
  return args.length === stage.words.length ? readFilter(stage.name, args) : undefined;
};

/**
 * What may be put in place of tokens of a pipeline, by their index: counts and patterns of the filters at its end.
 * `mayCut`: it does no harm when what is in front is stopped earlier or later.
 */
export const standIns = (
  stages: readonly (PrintedStage | undefined)[],
  options: { readonly mayCut: boolean },
): ReadonlyMap<number, string> => {
  const found = new Map<number, string>();
  for (let index = stages.length - 1; index > 0; index -= 1) {
    const stage = stages[index];
    const filter = filterOf(stage);
    if (stage === undefined || filter === undefined) break;
    if (filter.isCut && !options.mayCut) return new Map();
    for (const [word, text] of filter.general) {
      const at = stage.words[word]?.at;
      if (at !== undefined) found.set(at, text);
    }
  }
  return found;
};
