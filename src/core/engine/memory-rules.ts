import type { Context } from '../model/context.ts';
import type { Finding } from '../model/decision.ts';
import { toolFamily } from '../model/entry-key.ts';
import type { Change, StoredEntry, StoredOverride } from '../model/record.ts';
import type { ToolCall } from '../model/request.ts';
import type { ReadCommand, ShellReading } from '../shell/model.ts';
import type { Matchers } from './matchers.ts';
import type { CallKey } from './plan.ts';
import type { Spelling } from './spellings.ts';

/** The call as memory sees it. */
export interface Remembered {
  readonly call: ToolCall;
  readonly key: CallKey;
  readonly change: Change | undefined;
  readonly spellings: readonly Spelling[];
  /** Why what fills the call's slots keeps an allow for its shape from counting. */
  readonly slotObjection: () => string | undefined;
  /** What was understood of a shell command. */
  readonly reading?: ShellReading;
}

/** Whether a pattern covers a call. "Cannot tell" is not "no". */
type Match = 'yes' | 'no' | 'unknown';

const clearEntry = (entry: StoredEntry): string =>
  entry.verdict === 'allow' ? '' : `a person changes or removes the entry at ${entry.source.file}:${entry.source.line}`;

/** Exact entries (tier 1). An ask is answered each time and stays an ask. */
export const entryFindings = (
  entries: readonly StoredEntry[],
  { call, key, change, slotObjection }: Remembered,
  context: Context,
): Finding[] =>
  entries.flatMap((entry) => {
    if (entry.role !== '*' && entry.role !== context.roleName) return [];
    if (entry.change !== undefined && change !== undefined && entry.change !== change) return [];
    if (entry.scope === 'project' && key.context === 'outside') return [];
    const isSameTool = entry.tool === call.canonicalTool;
    if (!isSameTool && (entry.verdict === 'allow' || toolFamily(entry.tool) !== toolFamily(call.canonicalTool)))
      return [];
    const isGeneralised = entry.generalised === true;
    if (isGeneralised && entry.verdict === 'allow' && slotObjection() !== undefined) return [];
    return [
      {
        verdict: entry.verdict,
        ruleId: `${isGeneralised ? 'shape' : 'entry'}.${entry.scope}`,
        tier: 'ExactCache',
        scope: entry.scope,
        why: `${isGeneralised ? 'calls of this shape were' : 'this call was'} decided before (${entry.verdict})`,
        clear: clearEntry(entry),
        source: entry.source,
        yieldsTo: [],
        learnable: false,
      } satisfies Finding,
    ];
  });

/** Overrides: set by a person, matched by pattern. */
export const overrideFindings = (
  overrides: readonly StoredOverride[],
  remembered: Remembered,
  { context, matchers }: { readonly context: Context; readonly matchers: Matchers },
): Finding[] =>
  overrides.flatMap((override) => {
    if (override.role !== '*' && override.role !== context.roleName) return [];
    const match = matchOverride(override, remembered, matchers);
    if (match === 'no' || (match === 'unknown' && override.verdict === 'allow')) return [];
    const verdict = match === 'unknown' ? 'ask' : override.verdict;
    const what = Object.entries(override.pattern).map(([field, pattern]) => `${field} ${pattern}`);
    return [
      {
        verdict,
        ruleId: `override.${override.scope}`,
        tier: 'Override',
        scope: override.scope,
        why: `${match === 'unknown' ? 'may be covered by' : 'covered by'} the override on ${what.join(', ')}`,
        clear: clearEntry({ ...override, verdict }),
        source: override.source,
        yieldsTo: [],
        learnable: false,
      } satisfies Finding,
    ];
  });

const matchOverride = (override: StoredOverride, remembered: Remembered, matchers: Matchers): Match => {
  const { tool, file, command } = override.pattern;
  if (tool !== undefined && !namesTool(tool, remembered.call)) return 'no';
  if (file !== undefined && !matchesFile(file, override, { remembered, matchers })) return 'no';
  if (command === undefined) return tool === undefined && file === undefined ? 'no' : 'yes';
  const { action } = remembered.call;
  return action.kind === 'shell' ? matchCommand(override, action.command, remembered.reading) : 'no';
};

const namesTool = (name: string, call: ToolCall): boolean => {
  const wanted = name === 'Task' ? 'Agent' : name;
  return wanted === call.tool || wanted === call.canonicalTool;
};

const matchesFile = (
  glob: string,
  override: StoredOverride,
  { remembered, matchers }: { readonly remembered: Remembered; readonly matchers: Matchers },
): boolean => {
  const { spellings } = remembered;
  if (spellings.length === 0) return false;
  const matcher = matchers.single(glob, override.verdict === 'allow' ? 'allow' : 'restrict');
  const matches = (spelling: Spelling) => matcher.match(spelling) !== undefined;
  return override.verdict === 'allow' ? spellings.every(matches) : spellings.some(matches);
};

/** Without the blanks that a shell skips; other spaces belong to words. */
const withoutBlanks = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && ' \t\n'.includes(text.charAt(start))) start += 1;
  while (end > start && ' \t\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/**
 * `pattern` without `*` is a whole simple command; with `*` each word is a glob, and a last word `*` stands for any rest.
 * An allow needs every command of the text to match and nothing else to happen; a restriction needs one that does.
 */
const matchCommand = (override: StoredOverride, text: string, reading: ShellReading | undefined): Match => {
  const pattern = override.pattern.command ?? '';
  if (withoutBlanks(pattern) === withoutBlanks(text)) return 'yes';
  const wanted = pattern.trim().split(/\s+/);
  const commands = reading?.commands ?? [];
  const answers = commands.map((command) => matchSimple(wanted, command));
  if (override.verdict === 'allow') {
    const isWhole = reading?.complete === true && commands.every(({ redirects }) => redirects.length === 0);
    return isWhole && answers.length > 0 && answers.every((answer) => answer === 'yes') ? 'yes' : 'no';
  }
  if (answers.includes('yes')) return 'yes';
  if (answers.includes('unknown')) return 'unknown';
  const isUnclear = reading === undefined || !reading.complete;
  return isUnclear && text.includes((wanted[0] ?? '').replace(/\*.*$/, '')) ? 'unknown' : 'no';
};

/** A command with words that are only known when it runs may match. */
const matchSimple = (wanted: readonly string[], command: ReadCommand): Match => {
  const words = command.words.map((word) => (word.kind === 'literal' ? word.text : undefined));
  const literal = words.flatMap((word) => word ?? []);
  if (literal.length === words.length) return matchWords(wanted, [command.program, ...literal.slice(1)]) ? 'yes' : 'no';
  return command.program === '' || matchWord(wanted[0] ?? '', command.program) ? 'unknown' : 'no';
};

const matchWords = (wanted: readonly string[], words: readonly string[]): boolean => {
  const open = wanted.length > 1 && wanted.at(-1) === '*';
  const fixed = open ? wanted.slice(0, -1) : wanted;
  if (open ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((glob, index) => matchWord(glob, words[index] ?? ''));
};

/** `*` in a word is any text; matched piece by piece, so that the cost stays linear. */
const matchWord = (glob: string, word: string): boolean => {
  const pieces = glob.split('*');
  if (pieces.length === 1) return glob === word;
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!word.startsWith(first) || !word.endsWith(last) || word.length < first.length + last.length) return false;
  let at = first.length;
  const end = word.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = word.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
};
