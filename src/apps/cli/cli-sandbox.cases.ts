import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { claudeCode } from '../../agents/claude-code/adapter.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { AskDelivery } from '../../core/model/policy.ts';
import type { PendingDecision } from '../../core/model/queue.ts';
import { shellLanguage } from '../../core/similarity/language.ts';
import { type GateResult, gate } from '../../gate/gate.ts';
import { compileSources } from '../../io/config/compile-sources.ts';
import type { Caller } from '../../io/process/caller.ts';
import { localSimilarMemory } from '../../io/similar/similar-memory.ts';
import { openGround, openProject, type Project, type Surroundings } from '../compose.ts';
import { contextOf, roleNamed } from '../session.ts';
import { commands } from './all.ts';
import { UsageError } from './command.ts';

/** A person at a terminal of their own. */
const person: Caller = { kind: 'terminal' };
/** No terminal, no agent. */
export const script: Caller = { kind: 'script' };
/** A tool call of a session. */
export const agent = (sessionId: string): Caller => ({ kind: 'agent', why: 'CLAUDECODE is set', sessionId });

/** How one command line is run. */
export interface Running {
  readonly caller?: Caller;
  /** What the person answers when asked. */
  readonly yes?: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What came of it. `asked`: the questions that were put. */
export interface Ran {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly asked: readonly string[];
}

/** One call of an agent. */
export interface Call {
  readonly command?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly role?: string;
  readonly session?: string;
  readonly delivery?: AskDelivery;
  readonly cwd?: string;
  readonly waitMs?: number;
}

/** A repository, a home and a state directory of their own, in real files; the clock stands still until it is moved. */
export const cliSandbox = () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-cli-')));
  const root = join(home, 'repo');
  const at = (path: string): string => join(home, path);
  let clock = Date.now();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(root, 'src'), { recursive: true });
  const surroundings = (env: Running['env'] = {}): Surroundings => ({
    env: { HOOKWISE_HOME: at('own'), ...env },
    passwdHome: at('me'),
    user: 'ada',
    now: () => clock,
    installed: at('installed'),
    shell: () => shellLanguage,
    loadSimilar: () => localSimilarMemory,
    build: 'test',
    loadCompiler: () => compileSources,
  });
  const project = (): Project => openProject(surroundings(), openGround(surroundings(), root));
  return {
    home,
    root,
    at,
    write,
    read: (path: string): string => readFileSync(at(path), 'utf8'),
    /** The records of a rules file. */
    records: (path: string): readonly Record<string, unknown>[] =>
      readFileSync(at(path), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    project,
    now: () => clock,
    pass: (ms: number): void => {
      clock += ms;
    },
    remove: (): void => rmSync(home, { recursive: true, force: true }),
    run: (line: readonly string[], running: Running = {}): Promise<Ran> =>
      runLine(line, { ...running, cwd: running.cwd ?? root, surroundings: surroundings(running.env) }),
    call: (call: Call): Promise<GateResult> => judge(project(), clock, call),
  };
};

export type CliSandbox = ReturnType<typeof cliSandbox>;

const runLine = async (
  line: readonly string[],
  { surroundings, cwd, caller = person, yes }: Running & { readonly surroundings: Surroundings; readonly cwd: string },
): Promise<Ran> => {
  const command = commands.find(({ name }) => name === line[0]);
  if (command === undefined) throw new Error(`no command ${line[0]}`);
  const [out, err, asked]: [string[], string[], string[]] = [[], [], []];
  try {
    const { values, positionals } = parseArgs({
      args: line.slice(1),
      options: command.options,
      allowPositionals: command.takesWords,
    });
    const code = await command.run({
      options: values,
      words: positionals,
      surroundings,
      cwd,
      print: (text) => out.push(text),
      complain: (text) => err.push(text),
      line,
      caller: () => caller,
      confirm: (question) => {
        asked.push(question);
        return Promise.resolve(yes === true);
      },
    });
    return { code, out, err, asked };
  } catch (thrown) {
    return { code: thrown instanceof UsageError ? 2 : 1, out, err: [...err, messageOf(thrown)], asked };
  }
};

/** Puts a call to the real gate, with nobody at the host's prompt. */
const judge = (project: Project, now: number, call: Call): Promise<GateResult> => {
  const { command = 'make', tool = 'Bash', session = 's-1', delivery = 'auto', role: roleName = 'tester' } = call;
  const decoded = claudeCode.decode({
    session_id: session,
    cwd: call.cwd ?? project.root.root,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: call.input ?? { command },
  });
  const role = roleNamed(project, roleName);
  if (!decoded.ok || decoded.value.kind !== 'before-tool' || role === undefined) throw new Error('not a call');
  const request = decoded.value;
  const context = contextOf(project, { session: request.session, cwd: request.cwd, role });
  const audience = { attended: false, queueIsWatched: false, delivery, mode: 'default' };
  const deadline = now + (call.waitMs ?? 5000);
  return gate(project.gatePorts)({ request, context, audience, deadline }).finally(() => project.observer.close());
};

/** Each test has a sandbox of its own, so that they can wait at the same time. */
export const within =
  <Row extends readonly unknown[]>(work: (sandbox: CliSandbox, ...row: Row) => Promise<void>) =>
  async (...row: Row): Promise<void> => {
    const sandbox = cliSandbox();
    try {
      await work(sandbox, ...row);
    } finally {
      sandbox.remove();
    }
  };

/** Makes a call that is refused and filed; the id of its question. */
export const filed = async (sandbox: CliSandbox, call: Call = { command: 'docker compose up' }): Promise<string> => {
  const { asked } = await sandbox.call(call);
  if (asked?.id === undefined) throw new Error('the call was not filed');
  return asked.id;
};

/** Files a question of one's own making. */
export const enqueue = (sandbox: CliSandbox, change: Partial<PendingDecision>): string =>
  sandbox.project().queue.enqueue(
    {
      session_id: 's-1',
      role: 'tester',
      tool_name: 'Bash',
      sanitized_input: 'docker compose up',
      cwd: sandbox.root,
      root: sandbox.root,
      is_ask_reprompt: false,
      rule: 'human.undecided',
      call_digest: 'ab'.repeat(32),
      queued_at: new Date(sandbox.now()).toISOString(),
      expires_at: new Date(sandbox.now() + 60_000).toISOString(),
      ...change,
    },
    sandbox.now(),
  ).id;

/** What the gate says about a call, and by which rule. */
export const verdictOf = async (sandbox: CliSandbox, call: Call): Promise<string> => {
  const { decision } = await sandbox.call(call);
  return `${decision?.verdict} ${decision?.ruleId}`;
};
