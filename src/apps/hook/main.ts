import { writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Reply } from '../../agents/adapter.ts';
import { claudeCode } from '../../agents/claude-code/adapter.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { ShellLanguage } from '../../core/similarity/language.ts';
import type { CompileSources } from '../../io/config/load.ts';
import { readStdin } from '../../io/process/stdin.ts';
import type { OpenLocalMemory } from '../../io/similar/similar-memory.ts';
import type { Surroundings } from '../compose.ts';
import { seemsAttended } from '../session.ts';
import { readHookOptions } from './arguments.ts';
import { closedDecision } from './closed.ts';
import { runHook } from './run-hook.ts';

/** The bundle is CommonJS: these are its own. */
declare const require: (file: string) => unknown;
declare const __dirname: string;
/** Put in by the build: a digest of the bundled sources. */
declare const BUILD: string;

/** The rest of the program, kept out of the hook's way and loaded only when it is needed. */
interface CommandLine {
  readonly run: (words: readonly string[], surroundings: Surroundings) => Promise<number>;
}

const load = <T>(file: string): T => require(`${__dirname}/${file}`) as T;

const surroundings = (): Surroundings => {
  const { homedir, username } = userInfo();
  return {
    env: process.env,
    passwdHome: homedir,
    user: username,
    now: Date.now,
    installed: __dirname,
    shell: () => load<{ readonly shellLanguage: ShellLanguage }>('shell.cjs').shellLanguage,
    loadSimilar: () => load<{ readonly localSimilarMemory: OpenLocalMemory }>('similar.cjs').localSimilarMemory,
    build: BUILD,
    loadCompiler: () => load<{ readonly compileSources: CompileSources }>('compile-policy.cjs').compileSources,
  };
};

const say = ({ stdout, stderr }: Reply): void => {
  write(1, stdout, stderr);
  if (stderr !== '') write(2, stderr, '');
};

const leave = (reply: Reply): never => {
  say(reply);
  process.exit(reply.exitCode);
};

/** A host that has closed its end gets exit 2, the one signal that is left. */
const write = (descriptor: number, text: string, otherwise: string): void => {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  } catch {
    if (descriptor === 1) write(2, otherwise === '' ? 'hookwise: standard output cannot be written\n' : otherwise, '');
    process.exit(2);
  }
};

const closed = (why: string, errorExit: 'gate' | 'seed'): Reply => {
  const decision = closedDecision(why, seemsAttended({ env: process.env }));
  const reply = claudeCode.encode({ kind: 'verdict', decision }, { denyExit: 'block' });
  return errorExit === 'seed' ? { ...reply, exitCode: 1 } : reply;
};

const hook = async (words: readonly string[]): Promise<never> => {
  const startedAt = Date.now();
  const options = readHookOptions(words, process.env['HOOKWISE_DEADLINE_MS']);
  if (typeof options === 'string') return leave(closed(`unknown option ${options}`, 'gate'));
  const input = readStdin();
  setTimeout(() => {
    const reply = closed('no answer before the deadline', options.errorExit);
    if (!input.holdsThread()) leave(reply);
    // An exit would wait for the reading thread for ever; the answer is out, and a killed hook blocks too.
    say(reply);
    process.kill(process.pid, 'SIGKILL');
  }, options.deadlineMs);
  const bytes = await input.bytes;
  return leave(await runHook(bytes, { surroundings: surroundings(), options, startedAt, processCwd: process.cwd() }));
};

const [command, ...words] = process.argv.slice(2);
const isHook =
  (command === 'check' || command === 'session-check') && !words.includes('--batch') && !words.includes('--help');
if (isHook) hook(words).catch((thrown) => leave(closed(messageOf(thrown), 'gate')));
else
  load<CommandLine>('cli.cjs')
    .run(process.argv.slice(2), surroundings())
    .then((code) => process.exit(code));
