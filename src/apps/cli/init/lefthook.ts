import { type Document, isMap, isSeq, parseDocument, Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { fail, ok, type Result } from '../../../core/model/result.ts';
import { scanScript } from './hook-block.ts';

const name = 'hookwise';

/** A lefthook configuration with the scan before each commit: as a job where there are jobs, else as a command. */
export const withScan = (text: string): Result<string, string> => {
  const read = openDocument(text);
  if (!read.ok) return read;
  const document = read.value;
  const hook: unknown = document.get('pre-commit');
  if (hook !== undefined && hook !== null && !isMap(hook)) return fail('"pre-commit" is no map');
  if (isCurrent(document)) return ok(text);
  const jobs: unknown = isMap(hook) ? hook.get('jobs') : undefined;
  if (isSeq(jobs)) addJob(document, jobs);
  else if (jobs !== undefined && jobs !== null) return fail('"jobs" of "pre-commit" is no list');
  else {
    const commands: unknown = isMap(hook) ? hook.get('commands') : undefined;
    if (commands !== undefined && commands !== null && !isMap(commands))
      return fail('"commands" of "pre-commit" is no map');
    // In an empty key nothing can be set.
    if (!isMap(hook)) document.set('pre-commit', document.createNode({}));
    if (!isMap(commands)) document.setIn(['pre-commit', 'commands'], document.createNode({}));
    document.setIn(['pre-commit', 'commands', name, 'run'], script());
  }
  return ok(textOf(document, text));
};

/** The same configuration without the scan. */
export const withoutScan = (text: string): Result<string, string> => {
  const read = openDocument(text);
  if (!read.ok) return read;
  const document = read.value;
  const hook: unknown = document.get('pre-commit');
  if (!isMap(hook) || !hasScan(text)) return ok(text);
  const jobs: unknown = hook.get('jobs');
  if (isSeq(jobs)) jobs.items = jobs.items.filter((item) => !isOwn(item));
  if (isSeq(jobs) && jobs.items.length === 0) hook.delete('jobs');
  const commands: unknown = hook.get('commands');
  if (isMap(commands)) commands.delete(name);
  if (isMap(commands) && commands.items.length === 0) hook.delete('commands');
  if (hook.items.length === 0) document.delete('pre-commit');
  return ok(isMap(document.contents) && document.contents.items.length === 0 ? '' : textOf(document, text));
};

/** Whether a configuration runs the scan already. */
export const hasScan = (text: string): boolean => {
  const read = openDocument(text);
  const hook: unknown = read.ok ? read.value.get('pre-commit') : undefined;
  if (!isMap(hook)) return false;
  const [jobs, commands]: unknown[] = [hook.get('jobs'), hook.get('commands')];
  return (isSeq(jobs) && jobs.items.some(isOwn)) || (isMap(commands) && commands.has(name));
};

const isCurrent = (document: Document): boolean => {
  const jobs: unknown = document.getIn(['pre-commit', 'jobs']);
  const run: unknown = isSeq(jobs)
    ? jobs.items.find(isOwn)?.get('run')
    : document.getIn(['pre-commit', 'commands', name, 'run']);
  return run === scriptText;
};

const openDocument = (text: string): Result<Document, string> => {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) return fail(problem.message.split('\n')[0] ?? problem.code);
  if (document.contents !== null && !isMap(document.contents)) return fail('it is no map');
  return ok(document);
};

const addJob = (document: Document, jobs: YAMLSeq): void => {
  const own = jobs.items.find(isOwn);
  if (own !== undefined) own.set('run', script());
  else jobs.add(document.createNode({ name, run: script() }));
};

const isOwn = (item: unknown): item is YAMLMap => isMap(item) && item.get('name') === name;

const scriptText = `${scanScript}\n`;

const script = (): Scalar => {
  const scalar = new Scalar(scriptText);
  scalar.type = 'BLOCK_LITERAL';
  return scalar;
};

/** With the indentation that the file has, as far as it has one, and with no line folded. */
const textOf = (document: Document, before: string): string => {
  const indent = /^( {1,8})[^\s#-]/m.exec(before)?.[1]?.length ?? 2;
  const indentSeq = !/^( *)[\w-]+:[^\S\n]*\n\1- /m.test(before);
  return document.toString({ indent, indentSeq, lineWidth: 0 });
};
