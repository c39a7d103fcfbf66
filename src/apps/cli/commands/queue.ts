import type { PendingDecision } from '../../../core/model/queue.ts';
import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import type { Command, Invocation } from '../command.ts';
import { projectHere } from '../open.ts';
import { callLines, clean, entryName, spanOf, usualPlace, wideEntryName } from '../pending-words.ts';
import { placeName } from '../scope-option.ts';
import { visible, visibleJson } from '../visible.ts';

/** Shows what waits for a person. Reading only: anybody may. */
export const queue: Command = {
  name: 'queue',
  summary: 'list the calls that wait for a person, oldest first',
  usage: '[--json]',
  examples: ['hookwise queue', 'hookwise queue --json'],
  options: { json: { type: 'boolean' } },
  takesWords: false,
  run: (invocation) => {
    const { options, surroundings, print, complain } = invocation;
    const project = projectHere(invocation);
    const now = surroundings.now();
    const { items, problems } = project.queue.listPending(now);
    const { human } = project.policy.settings.learning;
    for (const { file, reason } of problems)
      complain(
        `hookwise queue: ${clean(file)} cannot be used: ${clean(reason)}; delete it, and the call is asked again`,
      );
    if (options['json'] === true) print(visibleJson(items.map((item) => jsonOf(item, { now, human }))));
    else if (items.length === 0) print('No call waits for a person.');
    else printAll(invocation, { items, now, human });
    return problems.length === 0 ? 0 : 1;
  },
};

interface Listing {
  readonly items: readonly PendingDecision[];
  readonly now: number;
  readonly human: 'project' | 'local';
}

const printAll = ({ print }: Invocation, { items, now, human }: Listing): void => {
  for (const item of items) {
    print(visible(item.id));
    for (const line of callLines(item)) print(line);
    print(
      `  age       ${spanOf(now - Date.parse(item.queued_at))}, expires in ${spanOf(Date.parse(item.expires_at) - now)}`,
    );
    print(`  an answer ${clean(whatBecomes(item, human))}`);
    const wider = item.learn === undefined ? undefined : wideEntryName(item.learn);
    if (wider !== undefined)
      print(`  shape     ${clean(wider)}: hookwise approve ${visible(item.id)} --shape would keep that (or deny)`);
    print('');
  }
  print(`${items.length} waiting. hookwise approve <id> or hookwise deny <id> answers; --once remembers nothing.`);
};

const whatBecomes = ({ learn }: PendingDecision, human: 'project' | 'local'): string =>
  learn === undefined
    ? 'counts once'
    : `is remembered for ${entryName(learn)}, in ${placeName(usualPlace(learn, human))}`;

const jsonOf = (item: PendingDecision, { now, human }: Omit<Listing, 'items'>): Record<string, unknown> => {
  const { learn, recommendation, call_digest: _, ...rest } = item;
  const texts = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'string' ? sanitizeText(value) : value,
  ]);
  return {
    ...Object.fromEntries(texts),
    ...(recommendation === undefined
      ? {}
      : { recommendation: { ...recommendation, reason: sanitizeText(recommendation.reason) } }),
    age_secs: Math.max(0, Math.floor((now - Date.parse(item.queued_at)) / 1000)),
    remembered_as:
      learn === undefined
        ? null
        : { ...entryOf(learn), place: usualPlace(learn, human).scope, here: usualPlace(learn, human).here },
  };
};

const entryOf = ({
  sanitized_input,
  tool,
  role,
  change,
  context,
  lossy,
  shape,
}: NonNullable<PendingDecision['learn']>) => ({
  sanitized_input: sanitizeText(sanitized_input),
  tool,
  role,
  ...(change === undefined ? {} : { change }),
  context,
  lossy,
  ...(shape === undefined ? {} : { shape: { text: sanitizeText(shape.text), slots: shape.slots } }),
});
