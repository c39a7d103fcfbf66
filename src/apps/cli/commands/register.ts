import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../../core/model/errors.ts';
import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { pathSummary } from '../../../gate/registration.ts';
import { roleNamed } from '../../session.ts';
import { type Command, textOption, UsageError } from '../command.ts';
import { logChange } from '../log-change.ts';
import { projectHere } from '../open.ts';
import { registrarOf } from '../permit.ts';
import { complainOfRole } from '../role-words.ts';
import { sessionNamed, sessionOption, storeOf } from '../session-words.ts';
import { visible } from '../visible.ts';

/** Gives a session its role. */
export const register: Command = {
  name: 'register',
  summary: 'give a session its role',
  usage: '--session-id <id> --role <name> [--task <text>] [--prompt-file <path>]',
  examples: [
    'hookwise register --session-id abc-123 --role coder',
    'hookwise register --session-id abc-123 --role tester --task "cover the parser" --prompt-file prompt.md',
  ],
  options: {
    ...sessionOption,
    role: { type: 'string' },
    task: { type: 'string' },
    'prompt-file': { type: 'string' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options, surroundings, print } = invocation;
    const sessionId = sessionNamed(invocation);
    const name = textOption(options, 'role');
    if (name === undefined) throw new UsageError('--role <name> is missing');
    const project = projectHere(invocation);
    const role = roleNamed(project, name);
    if (role === undefined) return complainOfRole(invocation, project, name);
    const prompt = promptFrom(textOption(options, 'prompt-file'), invocation.cwd);
    const registeredBy = registrarOf(invocation, { project, sessionId, role });
    const task = textOption(options, 'task');
    storeOf(invocation, { project, sessionId }).register({
      sessionId,
      role: name,
      at: new Date(surroundings.now()).toISOString(),
      registeredBy,
      ...(task === undefined ? {} : { task }),
      ...(prompt === undefined ? {} : { prompt }),
    });
    logChange(invocation, project, { event: 'registered', session: sessionId, role: name, task, actor: registeredBy });
    print(`Registered session ${sessionId} as "${visible(name)}".`);
    print(`Path policy: ${visible(sanitizeText(pathSummary(role)))}`);
    return 0;
  },
};

/** Longest instructions that are stored. */
const longestPrompt = 1024 * 1024;

const promptFrom = (path: string | undefined, cwd: string): string | undefined => {
  if (path === undefined) return undefined;
  let file: number | undefined;
  try {
    // Without waiting, should it be a pipe.
    file = openSync(resolve(cwd, path), constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > longestPrompt) throw new Error(`it is larger than ${longestPrompt} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (thrown) {
    const why = thrown instanceof TypeError ? 'it is not UTF-8 text' : messageOf(thrown);
    throw new Error(`--prompt-file ${path} cannot be used: ${why}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
