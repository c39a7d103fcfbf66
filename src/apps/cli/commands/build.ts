import { dirname } from 'node:path';
import type { RulesLocation } from '../../compose.ts';
import { type Command, type ExitCode, textOption } from '../command.ts';
import { fetchModelHere, modelLine, modelOptions, modelWish } from '../fetch-model.ts';
import type { BuiltIndex, BuiltIndexes } from '../indexes.ts';
import { projectHere, refuseAgent } from '../open.ts';
import { scopeNamed } from '../scope-option.ts';
import { aligned, byteText, shown } from '../shown.ts';
import { visibleJson } from '../visible.ts';

/** Makes every derived index anew from the rules files. */
export const build: Command = {
  name: 'build',
  summary: 'make the indexes of what is remembered anew, and fetch a model of embeddings when told to',
  usage:
    '[--scope org|project|user] [--json] [--fetch-model [--model <owner/name> --revision <commit> --pooling cls|mean] [--from <url>]]',
  examples: ['hookwise build', 'hookwise build --scope project --json', 'hookwise build --fetch-model'],
  options: { ...modelOptions, scope: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: false,
  run: async (invocation): Promise<ExitCode> => {
    const { options, surroundings, print, complain } = invocation;
    const text = textOption(options, 'scope');
    const scope = text === undefined ? undefined : scopeNamed(text);
    const wish = modelWish(options);
    refuseAgent(invocation, 'make indexes');
    const project = projectHere(invocation);
    const model = wish === undefined ? undefined : await fetchModelHere(invocation, project, wish);
    const { rebuildIndexes } = await import('../indexes.ts');
    const isMeant = (location: RulesLocation): boolean => scope === undefined || location.scope === scope;
    const built = rebuildIndexes(project, surroundings, project.locations.filter(isMeant));
    if (options['json'] === true) print(visibleJson({ places: built, ...(model === undefined ? {} : { model }) }));
    else for (const line of [...(model === undefined ? [] : [modelLine(model)]), ...linesOf(built)]) print(line);
    const problems = built.flatMap(({ place, exact, similar }) =>
      [exact, similar].flatMap(({ problem }) => (problem === undefined ? [] : [`${place}: ${shown(problem)}`])),
    );
    for (const problem of new Set(problems)) complain(`hookwise build: ${problem}`);
    return problems.length === 0 ? 0 : 1;
  },
};

const linesOf = (built: readonly BuiltIndexes[]): string[] => {
  if (built.length === 0) return ['There is no such place of memory here.'];
  return aligned(
    built.flatMap(({ place, entries, exact, similar }) => [
      [place, 'exact', `${entries} ${entries === 1 ? 'entry' : 'entries'}`, ...cellsOf(exact)],
      ['', 'similar', `${similar.calls} ${similar.calls === 1 ? 'call' : 'calls'}`, ...cellsOf(similar)],
    ]),
  );
};

const cellsOf = ({ ms, bytes, files }: BuiltIndex): string[] => [
  `${ms.toFixed(1)} ms`,
  byteText(bytes),
  whereText(files),
];

/** One file by its name, several by their directory. */
const whereText = (files: readonly string[]): string => {
  const [first] = files;
  if (first === undefined) return 'nothing to write';
  return shown(files.length === 1 ? first : `${dirname(first)}/`);
};
