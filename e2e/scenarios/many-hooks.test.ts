import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const hookFile = fileURLToPath(new URL('../../dist/hookwise.cjs', import.meta.url));

let top: string;
let project: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-many-')));
  project = join(top, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, '.hookwise'));
  mkdirSync(join(top, 'home'), { mode: 0o700 });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Nothing of an agent that may run these tests: its marks would make every command an agent's. */
const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: join(top, 'home'),
  HOOKWISE_HOME: join(top, 'home'),
  CLAUDE_PROJECT_DIR: project,
  CLAUDE_CODE_SESSION_ATTENDED: '0',
  ...more,
});

interface Run {
  readonly code: number | null;
  readonly stdout: string;
}

const hook = (
  payload: object,
  more?: Record<string, string>,
): { readonly child: ChildProcess; readonly done: Promise<Run> } => {
  const child = spawn(process.execPath, [hookFile, 'check'], {
    env: environment(more),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(payload));
  const done = new Promise<Run>((resolve) => child.on('close', (code) => resolve({ code, stdout })));
  return { child, done };
};

const call = (index: number, more: object = {}) => ({
  session_id: `s${index}`,
  cwd: project,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: `make target${index}` },
  tool_use_id: `toolu_${index}`,
  ...more,
});

const log = (): { readonly [key: string]: unknown }[] =>
  readFileSync(join(top, 'home/state/log/audit.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const numbers = Array.from({ length: 50 }, (_, index) => index);

describe('fifty hooks at once', () => {
  it('register their sessions, and none is lost', async () => {
    mkdirSync(join(top, 'home/config'), { mode: 0o700 });
    writeFileSync(join(top, 'home/config/config.yml'), 'default_role: coder\n', { mode: 0o600 });
    const starts = numbers.map((index) =>
      hook({ session_id: `s${index}`, cwd: project, hook_event_name: 'SessionStart', source: 'startup' }),
    );
    await Promise.all(starts.map(({ done }) => done));
    const registered = JSON.parse(readFileSync(join(top, 'home/state/sessions/hookwise-solo-sessions.json'), 'utf8'));
    expect(Object.keys(registered).sort()).toEqual(numbers.map((index) => `s${index}`).sort());
  });

  it('decide and file their questions: every line of the log and every item is there, and the chain holds', async () => {
    const runs = await Promise.all(numbers.map((index) => hook(call(index), { HOOKWISE_ROLE: 'coder' }).done));
    expect(runs.map(({ code }) => code)).toEqual(numbers.map(() => 2));
    for (const { stdout } of runs) expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    expect(new Set(log().map(({ session }) => session)).size).toBe(50);
    expect(readdirSync(join(top, 'home/state/queue')).filter((name) => name.endsWith('.json'))).toHaveLength(50);
    const verified = spawnSync(process.execPath, [hookFile, 'log', 'verify'], {
      env: environment(),
      cwd: project,
      encoding: 'utf8',
    });
    expect({ status: verified.status, said: verified.stdout + verified.stderr }).toMatchObject({ status: 0 });
  });
});

describe('kill -9 at any moment', () => {
  it('leaves a state that the next hook can use, with nothing acknowledged lost', async () => {
    const answered = new Set<string>();
    for (const index of numbers.slice(0, 30)) {
      const { child, done } = hook(call(index), { HOOKWISE_ROLE: 'coder' });
      const timer = setTimeout(() => child.kill('SIGKILL'), 30 + ((index * 7) % 60));
      const { code } = await done;
      clearTimeout(timer);
      if (code !== null) answered.add(`s${index}`);
    }
    const last = await hook(call(99), { HOOKWISE_ROLE: 'coder' }).done;
    expect(last.code).toBe(2);
    const sessions = new Set(log().flatMap(({ session }) => (typeof session === 'string' ? [session] : [])));
    for (const session of answered) expect(sessions).toContain(session);
    const verified = spawnSync(process.execPath, [hookFile, 'log', 'verify'], {
      env: environment(),
      cwd: project,
      encoding: 'utf8',
    });
    expect({ status: verified.status, said: verified.stdout + verified.stderr }).toMatchObject({ status: 0 });
    const queued = spawnSync(process.execPath, [hookFile, 'queue', '--json'], {
      env: environment(),
      cwd: project,
      encoding: 'utf8',
    });
    expect(JSON.parse(queued.stdout).length).toBeGreaterThanOrEqual(answered.size);
    expect(existsSync(join(top, 'home/state/key'))).toBe(true);
  }, 60_000);
});

describe('a host that never closes standard input', () => {
  const environmentOfCoder = () => environment({ HOOKWISE_ROLE: 'coder' });
  const reasonOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;

  it('gets a closed answer before the deadline through a pipe', () => {
    const started = Date.now();
    const child = spawnSync(
      'bash',
      [
        '-c',
        `exec 3< <(exec sleep 20 2>/dev/null); '${process.execPath}' '${hookFile}' check --deadline 300 <&3; echo "exit $?"`,
      ],
      {
        env: environmentOfCoder(),
        encoding: 'utf8',
      },
    );
    expect(Date.now() - started).toBeLessThan(15_000);
    const [answer, exit] = child.stdout.split('\n');
    expect(reasonOf(answer ?? '')).toContain('gate.failed');
    expect(exit).toBe('exit 2');
  });

  it('gets a closed answer through a socket too, where an exit code cannot follow', async () => {
    const child = spawn(process.execPath, [hookFile, 'check', '--deadline', '300'], {
      env: environmentOfCoder(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).not.toBe(0);
    expect(reasonOf(stdout)).toContain('gate.failed');
  });
});
