import { type Argument, argumentOf, pairPieces, partPieces, piecesFrom } from './arguments.ts';
import { expandedNames } from './assignments.ts';
import { lex } from './lex.ts';
import type { Command, Lexed, Segment } from './lex-state.ts';
import { isCredentialName, isCredentialOption, isShortCredentialOption, isValueName } from './names.ts';
import { flagOptions, type OptionRule, optionRules, type Part, programsWithRules } from './option-rules.ts';
import { once, type Span } from './span.ts';
import { isHarmlessValue, type Piece } from './values.ts';

// Text with an operator in it is literal here, but only if the quoting was read right: then it is not shared.
const hasOperator = /[;|&<>()\n\r`]/;

interface Walk {
  readonly text: string;
  readonly spans: Span[];
  readonly expanded: () => ReadonlySet<string>;
}

const report = ({ text, spans }: Walk, kind: string, pieces: readonly Piece[]): void => {
  for (const { start, end } of pieces) {
    spans.push({ start, end, kind, slot: hasOperator.test(text.slice(start, end)) ? 'free' : 'structural' });
  }
};

const reportAssigned = (walk: Walk, name: string, pieces: readonly Piece[]): void => {
  if (!walk.expanded().has(name)) report(walk, 'assignment', pieces);
  else walk.spans.push(...pieces.map((piece): Span => ({ ...piece, kind: 'assignment', slot: 'free' })));
};

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

const isOptionLike = ({ plain, word }: Argument): boolean =>
  plain.startsWith('-') && plain.length > 1 && word.segments[0]?.quote === '';

// The value an option of the rule has at `index`; `undefined` when there is no such option.
const ruleValue = (rule: OptionRule, rest: readonly Argument[], index: number): Piece[] | undefined => {
  const argument = rest[index];
  const next = rest[index + 1];
  if (!argument) return undefined;
  for (const option of rule.options) {
    if (argument.plain === option) {
      return rule.form !== 'glued' && next && !isOptionLike(next) ? partPieces(next, 0, rule.part) : [];
    }
    const isLong = option.startsWith('--');
    const prefix = isLong ? `${option}=` : option;
    if (rule.form === 'next' || !argument.plain.startsWith(prefix)) continue;
    if (isLong || /^(?:-\w|\/\w:)$/.test(option)) return partPieces(argument, prefix.length, rule.part);
  }
  return undefined;
};

const applyRule = (walk: Walk, rule: OptionRule, words: readonly Argument[]): void => {
  const start = rule.with ? words.findIndex(({ plain }) => rule.with?.includes(plain)) : 0;
  if (start < 0) return;
  const rest = words.slice(start);
  for (let index = 0; index < rest.length; index += 1) {
    const pieces = ruleValue(rule, rest, index);
    if (!pieces) continue;
    report(walk, 'option', pieces);
    if (rule.isOnce) return;
  }
};

const applyProgramRules = (walk: Walk, words: readonly Argument[]): void => {
  const seen = new Set<string>();
  words.forEach(({ plain }, index) => {
    const program = nameOf(plain);
    if (!programsWithRules.has(program) || seen.has(program)) return;
    seen.add(program);
    const rest = words.slice(program.startsWith('sql') ? index : index + 1);
    for (const rule of optionRules) if (rule.programs.includes(program)) applyRule(walk, rule, rest);
  });
};

const longOption = /^--?([A-Za-z][\w.-]{1,60})(=)?/;

const isFlag = (name: string, programs: ReadonlySet<string>): boolean =>
  flagOptions.some((flags) => flags.options.includes(name) && flags.programs.some((program) => programs.has(program)));

const applyOptions = (walk: Walk, words: readonly Argument[]): void => {
  const programs = once(() => new Set(words.slice(0, 12).map(({ plain }) => nameOf(plain))));
  words.forEach((argument, index) => {
    if (!argument.plain.startsWith('-')) return;
    const found = longOption.exec(argument.plain);
    const name = found?.[1];
    const isCredential = argument.plain.startsWith('--') ? isCredentialOption : isShortCredentialOption;
    if (!found || name === undefined || !isCredential(name)) return;
    const next = words[index + 1];
    const part: Part =
      name.toLowerCase() === 'auth' && (found[2] ? argument : next)?.plain.includes(':') ? 'after-colon' : 'whole';
    if (found[2]) report(walk, 'option', partPieces(argument, found[0].length, part));
    else if (argument.plain !== found[0] || isFlag(name, programs())) return;
    else if (next && !isOptionLike(next)) report(walk, 'option', optionValue(next, part));
  });
};

// `--secret id=x,src=/path` names a secret, it does not hold one.
const optionValue = (argument: Argument, part: Part): Piece[] =>
  /^(?:id|type|src|name|env|file)=/.test(argument.plain) ? [] : partPieces(argument, 0, part);

const assignmentStart = /^(?:--?[A-Za-z][\w-]{0,40}=)?([A-Za-z_][\w.-]{0,80})\+?=/;
const pairOptions =
  /^(?:-e|--env|--set|--set-string|-var|--var|--from-literal|--build-arg|--data-urlencode|-F|--form)$/;

// `--set a.password=x,b=y`
const assignedPieces = (argument: Argument, offset: number): Piece[] => {
  const next = /,[\w.-]{1,80}=/.exec(argument.plain.slice(offset));
  const end = next ? offset + next.index : argument.plain.length;
  return isHarmlessValue(argument.plain.slice(offset, end)) ? [] : piecesFrom(argument, offset, end);
};

const applyAssignment = (walk: Walk, argument: Argument, previous: Argument | undefined): void => {
  const found = argument.plain.includes('=') ? assignmentStart.exec(argument.plain) : null;
  const name = found?.[1];
  if (!found || name === undefined || !isCredentialName(name)) return;
  const pieces = assignedPieces(argument, found[0].length);
  // In `"NAME=a b"` the rest may be a command (`bash -c`), unless the option before says it is a value.
  const isOwnQuote = argument.word.segments[0]?.quote === '';
  const isPair = pairOptions.test(previous?.plain ?? '') && !hasOperator.test(argument.plain);
  if (isOwnQuote || isPair) reportAssigned(walk, name, pieces);
};

const headerStart = /^(?:-H|--header=)?([A-Za-z][\w-]{1,60}):\s*(?:(?:bearer|basic|token|digest|apikey|bot)\s+)?/i;

const isHeaderOption = /^(?:-H|--header|--proxy-header|--add-header)$/;

const applyHeader = (walk: Walk, argument: Argument, previous: Argument | undefined): void => {
  const isGlued = argument.plain.startsWith('-H') || argument.plain.startsWith('--header=');
  if (!isGlued && !(previous?.plain.startsWith('-') && isHeaderOption.test(previous.plain))) return;
  const found = headerStart.exec(argument.plain);
  const name = found?.[1]?.toLowerCase();
  if (!found || name === undefined) return;
  if (name === 'cookie') report(walk, 'cookie', pairPieces(argument, found[0].length));
  else if (isValueName(name)) report(walk, 'header', partPieces(argument, found[0].length, 'whole'));
};

// `"password": "a b"` in JSON, wherever the quotes came apart into words.
const applyFields = (walk: Walk, segments: readonly Segment[]): void => {
  segments.forEach((segment, index) => {
    const separator = segments[index + 1];
    const value = segments[index + 2];
    if (segment.quote === '' || !separator || value?.kind !== 'literal' || value.quote === '') return;
    if (separator.quote !== '' || !/^(?::|=>)$/.test(walk.text.slice(separator.start, separator.end))) return;
    const name = walk.text.slice(segment.start, Math.min(segment.end, segment.start + 80));
    if (segment.end - segment.start > 80 || !isValueName(name)) return;
    const literal = walk.text.slice(value.start, value.end);
    if (!isHarmlessValue(literal) && literal !== '') report(walk, 'field', [{ start: value.start, end: value.end }]);
  });
};

// `password: "a b"`, `password = "a b"`.
const applyNamedValues = (walk: Walk, words: readonly Argument[]): void => {
  words.forEach(({ plain }, index) => {
    const isColon = plain.endsWith(':');
    if (!isColon && !words[index + 1]?.plain.endsWith('=')) return;
    const value = words[index + (isColon ? 1 : 2)];
    if (!value || (!isColon && !/^:?=$/.test(words[index + 1]?.plain ?? ''))) return;
    const [first] = value.word.segments;
    if (first === undefined || first.quote === '' || plain.length > 80) return;
    const name = (isColon ? plain.slice(0, -1) : plain).replace(/^[{[(]+/, '');
    if (/^[\w.-]+$/.test(name) && isValueName(name)) report(walk, 'field', quotedPieces(walk, value));
  });
};

const quotedPieces = ({ text }: Walk, { word }: Argument): Piece[] =>
  word.segments.filter(
    ({ kind, quote, start, end }) => kind === 'literal' && quote !== '' && !isHarmlessValue(text.slice(start, end)),
  );

// `npm config set x-token VALUE`, `aws configure set secret_key VALUE`, `pulumi config set --secret name VALUE`.
const applySetting = (walk: Walk, words: readonly Argument[]): void => {
  const at = words.findIndex(({ plain }) => plain === 'set');
  if (at < 0 || !words.slice(0, at).some(({ plain }) => /^(?:config|configure|npm|pnpm|yarn)$/.test(plain))) return;
  const rest = words.slice(at + 1);
  const isSecret = rest.some(({ plain }) => plain === '--secret');
  const [name, value] = rest.filter((argument) => !isOptionLike(argument));
  if (!name || !value) return;
  if (isSecret || isCredentialName(name.plain.slice(name.plain.lastIndexOf(':') + 1))) {
    report(walk, 'option', partPieces(value, 0, 'whole'));
  }
};

const walkCommand = (walk: Walk, command: Command): void => {
  const words = command.map((word) => argumentOf(walk.text, word));
  applyOptions(walk, words);
  applyProgramRules(walk, words);
  applySetting(walk, words);
  applyNamedValues(walk, words);
  if (quotedSegments(command).length > 0)
    applyFields(
      walk,
      command.flatMap((word) => word.segments),
    );
  words.forEach((argument, index) => {
    applyAssignment(walk, argument, words[index - 1]);
    applyHeader(walk, argument, words[index - 1]);
  });
};

const quotedSegments = (command: Command): Segment[] => {
  const quoted: Segment[] = [];
  for (const { segments } of command) {
    for (const segment of segments) if (segment.quote !== '' && segment.kind === 'literal') quoted.push(segment);
  }
  return quoted;
};

const splittable = /.[\s"'].|[\s"']../s;
const nestingLimit = 3;

const walkRange = (walk: Walk, range: { from: number; to: number; isEscaped: boolean }, depth: number): Lexed => {
  const lexed = lex(walk.text, range);
  for (const command of lexed.commands) {
    walkCommand(walk, command);
    if (depth >= nestingLimit) continue;
    for (const { start: from, end: to, quote } of quotedSegments(command)) {
      if (quote === '"' && range.isEscaped) continue;
      if (splittable.test(walk.text.slice(from, to)))
        walkRange(walk, { from, to, isEscaped: quote === '"' }, depth + 1);
    }
  }
  return lexed;
};

/** Finds the credentials in the words of a command line: values of options, assignments, headers and fields. */
export const findInWords = (text: string): Span[] => {
  const walk: Walk = { text, spans: [], expanded: once(() => expandedNames(text)) };
  walkRange(walk, { from: 0, to: text.length, isEscaped: false }, 0);
  return walk.spans;
};

const programName = /[A-Za-z0-9][\w.+-]*(?![\w.+:-])/g;

const mayApply = (text: string, rule: OptionRule): boolean =>
  (!rule.with || rule.with.some((word) => text.includes(word))) && rule.options.some((option) => text.includes(option));

/** Whether a program with options of its own may be called with one of them; cheap. */
export const mayCallProgram = (text: string): boolean => {
  programName.lastIndex = 0;
  for (let found = programName.exec(text); found; found = programName.exec(text)) {
    const [name] = found;
    if (!programsWithRules.has(name)) continue;
    if (optionRules.some((rule) => rule.programs.includes(name) && mayApply(text, rule))) return true;
  }
  return false;
};
