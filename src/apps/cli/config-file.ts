import { join } from 'node:path';
import { type Document, isMap, isNode, parseDocument } from 'yaml';
import { errors, messageOf } from '../../core/model/errors.ts';
import type { ConfigProblem } from '../../core/model/policy.ts';
import { loadGlobalConfig } from '../../io/config/compile-sources.ts';
import { type ReadSource, readSource } from '../../io/config/sources.ts';
import { ensurePrivateDirectory } from '../../io/files/private-directory.ts';
import { replaceFile, textOf } from '../../io/files/replace-file.ts';
import type { Surroundings } from '../compose.ts';

/** The user's `config.yml`. */
export interface ConfigFile {
  readonly path: string;
  /** Its text; nothing when there is no file yet. */
  readonly text: string | undefined;
  readonly document: Document.Parsed;
}

/** A change of `config.yml` that passed every check, not written yet. */
export interface ConfigChange {
  readonly before: string | undefined;
  readonly after: string;
  /** What a person should know although it does not stand in the way. */
  readonly warnings: readonly string[];
}

/** Where `config.yml` is, below the user's configuration directory. */
export const configPath = (directory: string): string => join(directory, 'config.yml');

/** Reads `config.yml` for editing. Refuses one that is no YAML: what an edit would make of it cannot be told. */
export const openConfig = (directory: string): ConfigFile => {
  const path = configPath(directory);
  const { problems } = loadGlobalConfig(directory);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${path}:${problem.source.line}: ${problem.reason}`);
  const text = textOf(path);
  const document = parseDocument(text ?? '');
  if (document.contents !== null && !isMap(document.contents)) throw errors.configParse(path, 'not a map');
  return { path, text, document };
};

/** The value under a dotted key, as plain data. */
export const valueAt = ({ document }: ConfigFile, key: string): unknown => {
  const value: unknown = document.getIn(key.split('.'), true);
  return isNode(value) ? value.toJS(document) : value;
};

/** Sets one key, with all comments kept, and judges the result as a hook would read it. */
export const changeConfig = (
  surroundings: Pick<Surroundings, 'loadCompiler'>,
  { directory, key, value }: { readonly directory: string; readonly key: string; readonly value: unknown },
): ConfigChange => {
  const { path, text, document } = openConfig(directory);
  try {
    document.setIn(key.split('.'), value);
  } catch (thrown) {
    throw errors.invalidPolicy(`${key} cannot be set in ${path}: ${messageOf(thrown)}`);
  }
  const after = document.toString();
  const known = new Set(problemsOf(surroundings, directory, text ?? '').map(({ reason }) => reason));
  const fresh = problemsOf(surroundings, directory, after).filter(({ reason }) => !known.has(reason));
  const wrong = fresh.find((problem) => problem.severity === 'broken' || problem.isSchema || isAbout(problem, key));
  if (wrong !== undefined) throw errors.invalidPolicy(wrong.reason);
  return { before: text, after, warnings: fresh.map(({ reason }) => reason) };
};

/** Writes a change that was judged before. */
export const writeConfig = (directory: string, { before, after }: ConfigChange): void => {
  ensurePrivateDirectory(directory);
  if (before !== after) replaceFile(configPath(directory), after, before);
};

interface Judged extends ConfigProblem {
  /** Said about the file by itself, not about what it names elsewhere. */
  readonly isSchema: boolean;
}

const isAbout = ({ reason }: ConfigProblem, key: string): boolean => reason.startsWith(key);

/** What is wrong with `config.yml` if it held `text`. */
const problemsOf = (
  { loadCompiler }: Pick<Surroundings, 'loadCompiler'>,
  directory: string,
  text: string,
): readonly Judged[] => {
  const path = configPath(directory);
  const bytes = new TextEncoder().encode(text);
  const read: ReadSource = (file) => (file === path ? { kind: 'bytes', bytes, mark: '' } : readSource(file));
  const alone = loadGlobalConfig(directory, read);
  const schema = [...alone.problems, ...alone.config.problems];
  const compiled = loadCompiler()(
    { root: undefined, configDir: directory, projectDir: '.hookwise', remotes: [], isTrusted: () => false },
    read,
  );
  const reasons = new Set(schema.map(({ reason }) => reason));
  return [
    ...schema.map((problem) => ({ ...problem, isSchema: true })),
    ...compiled.problems
      .filter(({ source, reason }) => source.file === path && !reasons.has(reason))
      .map((problem) => ({ ...problem, isSchema: false })),
  ];
};
