import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The built program. */
const program = fileURLToPath(new URL('../../dist/hookwise.cjs', import.meta.url));

/** Why no terminal can be had here, if so: `script` must be the one of util-linux, and `setsid` must be there. */
export const noTerminal = (): string | undefined => {
  const version = spawnSync('script', ['--version'], { encoding: 'utf8' });
  if (version.error !== undefined || !version.stdout.includes('util-linux'))
    return 'script of util-linux is not installed';
  const setsid = spawnSync('setsid', ['--version'], { encoding: 'utf8' });
  return setsid.error === undefined ? undefined : 'setsid is not installed';
};

/** What a command printed, both streams together as a terminal shows them, and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
const longestRunMs = 20_000;

/** A project and a home of their own, and ways to run the program there. */
export const makeGround = () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-terminal-')));
  const project = join(top, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, '.hookwise'));
  const environment = (more: Readonly<Record<string, string>>) => ({
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: join(top, 'home'),
    HOOKWISE_HOME: join(top, 'own'),
    TERM: 'dumb',
    ...more,
  });
  let runs = 0;

  /**
   * Runs a command line as an orphan: whoever started these tests, an agent perhaps, is not among its ancestors.
   * `wrap` turns the file with the command into what is started.
   */
  const orphan = async (
    words: readonly string[],
    { wrap, typed = '' }: { readonly wrap: (file: string) => string; readonly typed?: string },
  ): Promise<Outcome> => {
    const at = (name: string): string => join(top, `${runs}.${name}`);
    runs += 1;
    writeFileSync(at('sh'), `exec ${[process.execPath, program, ...words].map(quoted).join(' ')}\n`);
    writeFileSync(at('in'), typed);
    const line = `${wrap(at('sh'))} <${at('in')} >${at('out')} 2>&1; echo $? >${at('part')}; mv ${at('part')} ${at('code')}`;
    spawnSync('setsid', ['--fork', 'sh', '-c', line], { cwd: project, env: environment({}), stdio: 'ignore' });
    for (const until = Date.now() + longestRunMs; !existsSync(at('code')); await setTimeout(20))
      if (Date.now() > until) throw new Error(`no end of hookwise ${words.join(' ')}`);
    return {
      code: Number(readFileSync(at('code'), 'utf8')),
      text: readFileSync(at('out'), 'utf8').replaceAll('\r\n', '\n'),
    };
  };

  const directly = (words: readonly string[], more: Readonly<Record<string, string>>, input = '') => {
    const ran = spawnSync(process.execPath, [program, ...words], {
      cwd: project,
      env: environment(more),
      input,
      encoding: 'utf8',
    });
    return { code: ran.status ?? -1, out: ran.stdout, err: ran.stderr };
  };

  return {
    project,
    write: (path: string, text: string): void => {
      const file = join(project, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    },
    remove: (): void => rmSync(top, { recursive: true, force: true }),
    /** As a person at a terminal of their own, who types `typed`. */
    person: (words: readonly string[], typed?: string): Promise<Outcome> =>
      orphan(words, {
        wrap: (file) => `script --quiet --return --flush --command ${quoted(`sh ${file}`)} /dev/null`,
        ...(typed === undefined ? {} : { typed }),
      }),
    /** As a person who is shown the terminal of an agent's tool call. */
    agentTerminal: (words: readonly string[]): Promise<Outcome> =>
      orphan(words, {
        wrap: (file) =>
          `CLAUDECODE=1 script --quiet --return --flush --command ${quoted(`env -u CLAUDECODE sh ${file}`)} /dev/null`,
      }),
    /** As a script that no agent and no terminal belongs to. */
    script: (words: readonly string[]): Promise<Outcome> => orphan(words, { wrap: (file) => `sh ${file}` }),
    /** As a tool call of a session. */
    agent: (words: readonly string[], session: string) =>
      directly(words, { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session }),
    /** As the host before a tool call. */
    hook: (command: string, { session, attended }: { readonly session: string; readonly attended: boolean }) =>
      directly(
        ['check'],
        { CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_SESSION_ATTENDED: attended ? '1' : '0' },
        JSON.stringify({
          session_id: session,
          cwd: project,
          hook_event_name: 'PreToolUse',
          tool_name: 'Bash',
          tool_use_id: 'toolu_1',
          tool_input: { command },
        }),
      ),
  };
};

export type Ground = ReturnType<typeof makeGround>;
