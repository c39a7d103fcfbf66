import type { DecisionRecord, OverridePattern, StoredOverride } from '../../../core/model/record.ts';
import type { Verdict } from '../../../core/model/verdict.ts';
import { compileGlobs } from '../../../core/paths/glob.ts';
import { protectedGlobs } from '../../../core/policy/sensitive.ts';
import type { RecordPlace } from '../../../core/ports.ts';
import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { locationFor, type Project, readRules, saveRecord } from '../../compose.ts';
import { roleNamed } from '../../session.ts';
import { type Command, type Invocation, type OptionValues, textOption, UsageError } from '../command.ts';
import { expiresOption, expiryTime } from '../expires.ts';
import { logChange } from '../log-change.ts';
import { matchingFiles } from '../matching-files.ts';
import { projectHere, requirePerson } from '../open.ts';
import { coverage, patternFrom } from '../override-pattern.ts';
import { clean } from '../pending-words.ts';
import { complainOfRole } from '../role-words.ts';
import { placeFrom, placeName, scopeOptions } from '../scope-option.ts';
import { type ShapePlace, shapeOfStored } from '../suggest/shapes.ts';

const verdicts: readonly Verdict[] = ['allow', 'deny', 'ask'];

/** States a rule of a person's own, matched by pattern. */
export const override: Command = {
  name: 'override',
  summary: 'state a rule by pattern: for a role, on commands, tools or files',
  usage:
    "--role <name>|'*' [--command <pattern>] [--tool <name>] [--file <glob>] (--allow|--deny|--ask) [--scope org|project|user] [--here] [--expires <30d|date>] [--reason <text>]",
  examples: [
    'hookwise override --role tester --command "docker compose up" --allow',
    'hookwise override --role coder --tool Write --file ".claude/*" --ask',
    "hookwise override --role '*' --command 'git push *' --deny --scope user --expires 30d",
  ],
  options: {
    ...scopeOptions,
    role: { type: 'string' },
    command: { type: 'string' },
    tool: { type: 'string' },
    file: { type: 'string' },
    allow: { type: 'boolean' },
    deny: { type: 'boolean' },
    ask: { type: 'boolean' },
    ...expiresOption,
    reason: { type: 'string' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options, print, surroundings } = invocation;
    const wanted = wantedFrom(options, surroundings.now());
    requirePerson(invocation, 'set an override');
    const project = projectHere(invocation);
    const { role, pattern, verdict, place } = wanted;
    if (role !== '*' && roleNamed(project, role) === undefined) return complainOfRole(invocation, project, role);
    if (role === '*' && verdict === 'allow' && (place.scope === 'project' || place.here))
      throw new UsageError(
        'an allow for every role would never count from inside a repository; name one role, or use --scope user',
      );
    const record = recordOf(wanted, invocation);
    for (const line of replaced(project, record, place)) print(line);
    saveRecord(project, record, { where: place, by: { who: record.actor ?? '', when: record.timestamp } });
    logChange(invocation, project, {
      event: 'override',
      role,
      pattern: JSON.stringify(pattern),
      verdict,
      scope: place.scope,
      expires: record.expires_at,
      reason: record.metadata.reason,
      actor: record.actor,
    });
    const until = record.expires_at === undefined ? '' : `, until ${record.expires_at}`;
    print(`${pastOf[verdict]} ${clean(coverage(pattern))}, for ${roleWords(role)}, in ${placeName(place)}${until}.`);
    for (const line of [
      ...filesCovered(project, pattern, verdict),
      ...stillHolding(project, { record, place }),
      ...shapeAdvice(wanted, { project, surroundings }),
    ])
      print(line);
    return 0;
  },
};

interface Wanted {
  readonly role: string;
  readonly pattern: OverridePattern;
  readonly verdict: Verdict;
  readonly place: RecordPlace;
  /** ISO 8601. */
  readonly expiresAt: string | undefined;
  readonly reason: string;
}

const wantedFrom = (options: OptionValues, now: number): Wanted => {
  const role = textOption(options, 'role');
  if (role === undefined) throw new UsageError("--role <name> is missing; '*' means every role");
  const chosen = verdicts.filter((verdict) => options[verdict] === true);
  const [verdict] = chosen;
  if (verdict === undefined || chosen.length > 1) throw new UsageError('give exactly one of --allow, --deny and --ask');
  const expires = textOption(options, 'expires');
  return {
    role,
    verdict,
    pattern: patternFrom(options),
    place: placeFrom(options) ?? { scope: 'project', here: false },
    expiresAt: expires === undefined ? undefined : expiryTime(expires, now),
    reason: sanitizeText(textOption(options, 'reason') ?? '').slice(0, 4096),
  };
};

const recordOf = (
  { role, pattern, verdict, place, expiresAt, reason }: Wanted,
  { surroundings }: Invocation,
): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: pattern.command ?? pattern.file ?? '', tool: pattern.tool ?? '*', role },
  decision: verdict,
  metadata: { tier: 'Override', confidence: 1, reason },
  timestamp: new Date(surroundings.now()).toISOString(),
  scope: place.scope,
  session_id: '',
  pattern,
  actor: `user:${surroundings.user}`,
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
});

const pastOf: Readonly<Record<Verdict, string>> = { allow: 'Allowed:', deny: 'Denied:', ask: 'Asked about:' };
const roleWords = (role: string): string => (role === '*' ? 'every role' : `role ${clean(role)}`);

const samePattern = (a: OverridePattern, b: OverridePattern): boolean =>
  a.command === b.command && a.tool === b.tool && a.file === b.file;

/** What the same place says now about the same pattern and role. */
const replaced = (project: Project, record: DecisionRecord, place: RecordPlace): string[] => {
  const lines: string[] = [];
  readRules(locationFor(project, place), ({ record: old, source }) => {
    if (old.pattern === undefined || record.pattern === undefined || old.key.role !== record.key.role) return;
    if (!samePattern(old.pattern, record.pattern)) return;
    lines.push(`Replaces: ${old.decision} at ${clean(source.file)}:${source.line}`);
  });
  return lines;
};

const filesCovered = (project: Project, { file }: OverridePattern, verdict: Verdict): string[] => {
  if (file === undefined) return [];
  const matcher = project.matchers.single(file, verdict === 'allow' ? 'allow' : 'restrict');
  const { count, examples, cutShort } = matchingFiles(project.root.root, matcher);
  const more = count > examples.length ? ', …' : '';
  const some = count === 0 ? '' : `: ${examples.map(clean).join(', ')}${more}`;
  return [`Files here that it covers now: ${cutShort ? 'at least ' : ''}${count}${some}`];
};

/** Why the new rule alone does not decide: stricter rules elsewhere, and what a project may not lift. */
const stillHolding = (
  project: Project,
  { record, place }: { readonly record: DecisionRecord; readonly place: RecordPlace },
): string[] => {
  const { overrides } = project.observer.observe([{ kind: 'entries', keyTexts: [] }]);
  project.observer.close();
  const isStricter = (other: StoredOverride): boolean =>
    other.verdict !== record.decision &&
    (other.verdict === 'deny' || record.decision === 'allow') &&
    (other.role === '*' || record.key.role === '*' || other.role === record.key.role) &&
    record.pattern !== undefined &&
    samePattern(other.pattern, record.pattern);
  const stricter = overrides
    .filter(isStricter)
    .map(
      ({ verdict, source }) => `Still stricter, and so in force: ${verdict} at ${clean(source.file)}:${source.line}`,
    );
  return [...stricter, ...protectedNote(project, record, place)];
};

const protectedNote = (project: Project, { decision, pattern }: DecisionRecord, { scope }: RecordPlace): string[] => {
  const glob = pattern?.file;
  if (glob === undefined || decision !== 'allow' || scope !== 'project') return [];
  const matcher = compileGlobs(protectedGlobs, {
    list: 'restrict',
    homes: project.places.homes,
    mode: 'segment',
    foldCase: true,
  });
  const sample = glob.replace(/\*+/g, 'x');
  const path = sample.startsWith('/')
    ? { absolute: sample }
    : { absolute: `${project.root.root}/${sample}`, relative: sample };
  return matcher.match(path) === undefined
    ? []
    : ['Such files control the gate itself: only --scope user lifts the question about them, never a project.'];
};

/** Data that might stand where a pattern leaves words open: a test, a file, a package, a name, a number. */
const openWords = ['tests/test_a', 'src/a', './a', 'a', '1'];

/** Where calls that an allow covers have a shape, the shape is the safer way: it looks at what the words are. */
const shapeAdvice = ({ pattern: { command = '' }, verdict }: Wanted, place: ShapePlace): string[] => {
  if (verdict !== 'allow' || !command.includes('*')) return [];
  const hasShape = openWords.some(
    (word) => shapeOfStored({ text: command.replaceAll('*', word), context: 'root' }, place).kind === 'shape',
  );
  return hasShape
    ? [
        'Any words match here, options included. Such calls have a shape too, in which data is checked at each call: hookwise suggest, or hookwise approve <id> --shape.',
      ]
    : [];
};
