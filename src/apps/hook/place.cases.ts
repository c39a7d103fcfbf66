import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Reply } from '../../agents/adapter.ts';
import { shellLanguage } from '../../core/similarity/language.ts';
import { compileSources } from '../../io/config/compile-sources.ts';
import { localSimilarMemory } from '../../io/similar/similar-memory.ts';
import type { Surroundings } from '../compose.ts';
import type { HookOptions } from './arguments.ts';
import { runHook } from './run-hook.ts';

/** A throw-away project and user for tests of the hook, in process and on a real disk. */
export interface Place {
  readonly project: string;
  readonly home: string;
  readonly surroundings: (env?: Readonly<Record<string, string>>) => Surroundings;
  readonly write: (file: string, text: string) => void;
  /** Answers one payload; text is sent as it is, anything else as JSON. */
  readonly hook: (
    payload: unknown,
    env?: Readonly<Record<string, string>>,
    options?: Partial<HookOptions>,
  ) => Promise<Reply>;
  /** A PreToolUse payload of this project. */
  readonly call: (tool: string, input: unknown, more?: object) => object;
  /** Registers session `s1`, as a terminal would have. */
  readonly register: (role: string) => void;
  /** Writes the user's `config.yml`. */
  readonly configure: (text: string) => void;
  readonly remove: () => void;
}

export const makePlace = ({ gated = true }: { readonly gated?: boolean } = {}): Place => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-hook-')));
  const project = join(top, 'project');
  const home = join(top, 'home');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  if (gated) mkdirSync(join(project, '.hookwise'));
  const surroundings = (env: Readonly<Record<string, string>> = {}): Surroundings => ({
    env: { HOOKWISE_HOME: home, HOME: home, CLAUDE_PROJECT_DIR: project, ...env },
    passwdHome: home,
    user: 'tester',
    now: Date.now,
    installed: join(top, 'installed'),
    shell: () => shellLanguage,
    loadSimilar: () => localSimilarMemory,
    build: 'test',
    loadCompiler: () => compileSources,
  });
  return {
    project,
    home,
    surroundings,
    write: (file, text) => {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), text);
    },
    hook: (payload, env, options = {}) => {
      const bytes =
        payload instanceof Uint8Array
          ? payload
          : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
      const call = { denyExit: 'block', errorExit: 'gate', deadlineMs: 5000, ...options } as const;
      return runHook(bytes, {
        surroundings: surroundings(env),
        options: call,
        startedAt: Date.now(),
        processCwd: project,
      });
    },
    call: (tool, input, more = {}) => ({
      session_id: 's1',
      transcript_path: join(home, 'transcripts', 's1.jsonl'),
      cwd: project,
      hook_event_name: 'PreToolUse',
      permission_mode: 'default',
      tool_name: tool,
      tool_input: input,
      tool_use_id: 'toolu_1',
      ...more,
    }),
    register: (role) => {
      const entry = { role, registered_at: new Date().toISOString() };
      privateFile(join(home, 'state/sessions/hookwise-solo-sessions.json'), JSON.stringify({ s1: entry }));
    },
    configure: (text) => privateFile(join(home, 'config/config.yml'), text),
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
};

const privateFile = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
};

/** `allow`, `deny` or `ask` as the host would read it; `none` for silence. Throws when the host could not read it. */
export const verdictOn = (reply: Reply): string => {
  if (reply.stdout === '') {
    if (reply.exitCode !== 0) throw new Error(`silence with exit ${reply.exitCode}`);
    return 'none';
  }
  const output = JSON.parse(reply.stdout).hookSpecificOutput;
  if (output?.hookEventName !== 'PreToolUse') return 'none';
  if (output.permissionDecision === 'deny' && reply.exitCode !== 2) throw new Error('a deny without exit 2');
  if (output.permissionDecision !== 'deny' && reply.exitCode !== 0) throw new Error(`exit ${reply.exitCode}`);
  return output.permissionDecision;
};

/** The reason shown to the agent. */
export const reasonOn = (reply: Reply): string => JSON.parse(reply.stdout).hookSpecificOutput.permissionDecisionReason;
