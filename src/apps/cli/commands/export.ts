import { resolve } from 'node:path';
import { writeExclusive } from '../../../io/files/atomic-write.ts';
import { flatEntries } from '../../../io/memory/export-flat.ts';
import { type Command, textOption, UsageError } from '../command.ts';
import { projectHere, refuseAgent } from '../open.ts';
import { clean } from '../pending-words.ts';
import { placesOf, scopesMeant } from '../rules-places.ts';
import { visibleJson } from '../visible.ts';

/** Writes remembered decisions in the plain form that other programs read, and that loads back. */
export const exportRules: Command = {
  name: 'export',
  summary: 'write remembered decisions in their plain form, one JSON object per line',
  usage: '--flat [--scope org|project|user] [--role <name>] [--output <file>]',
  examples: ['hookwise export --flat', 'hookwise export --flat --scope project --role tester --output rules.jsonl'],
  options: {
    flat: { type: 'boolean' },
    scope: { type: 'string' },
    role: { type: 'string' },
    output: { type: 'string' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options, print, complain, surroundings, cwd } = invocation;
    if (options['flat'] !== true) throw new UsageError('say --flat: it is the only form there is');
    const scopes = scopesMeant(textOption(options, 'scope'));
    const output = textOption(options, 'output');
    if (output === '') throw new UsageError('--output names a file');
    refuseAgent(invocation, 'export rules');
    const project = projectHere(invocation);
    const choice = { trust: project.trust, now: surroundings.now(), role: textOption(options, 'role') };
    const found = placesOf(project, scopes).map((location) => flatEntries(location, choice));
    const lines = found.flatMap(({ entries }) => entries.map(visibleJson));
    if (output === undefined) for (const line of lines) print(line);
    else {
      const path = resolve(cwd, output);
      const text = lines.map((line) => `${line}\n`).join('');
      if (!writeExclusive(path, text, { durable: false }))
        throw new Error(`${clean(path)} is there already; name another file`);
      print(`Wrote ${lines.length} ${lines.length === 1 ? 'entry' : 'entries'} to ${clean(path)}.`);
    }
    for (const { source, why } of found.flatMap(({ leftOut }) => leftOut))
      complain(`${clean(source.file)}:${source.line} is left out: ${clean(why)}`);
    return 0;
  },
};
