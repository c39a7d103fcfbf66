import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { JsonObject } from '../../core/model/request.ts';
import { isJsonObject } from '../../core/model/strict-json.ts';

/** The session under which the gate is tried; statistics leave it out. */
export const canarySession = 'hookwise-canary';

/** What one try of the installed hook showed. */
export interface Trial {
  readonly what: string;
  readonly outcome: 'live' | 'dead' | 'unsure';
  readonly detail: string;
}

export interface CanaryPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  /** Whether sessions without a role are refused here. */
  readonly gated: boolean;
}

/** One hook as the settings have it, and what starting it gave. */
interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly failure?: string;
}

const timeoutMs = 30_000;

/** Starts a handler the way the host does: without a shell where it has `args`, else through `/bin/sh`. */
const start = (handler: JsonObject, payload: JsonObject, { env, root }: CanaryPlace): Run => {
  const { command, args } = handler;
  if (typeof command !== 'string') return { exitCode: null, stdout: '', failure: 'it has no command' };
  const [program, words] = Array.isArray(args) ? [command, args.map(String)] : ['/bin/sh', ['-c', command]];
  const { status, stdout, error } = spawnSync(program, words, {
    cwd: root,
    env: { ...env, CLAUDE_PROJECT_DIR: root },
    input: `${JSON.stringify(payload)}\n`,
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  return { exitCode: status, stdout, ...(error === undefined ? {} : { failure: error.message }) };
};

const answerOf = (stdout: string): JsonObject | undefined => {
  try {
    const answer: unknown = JSON.parse(stdout);
    const output = isJsonObject(answer) ? answer['hookSpecificOutput'] : undefined;
    return isJsonObject(output) ? output : undefined;
  } catch {
    return undefined;
  }
};

const described = ({ exitCode, failure }: Run): string =>
  failure ?? (exitCode === 0 ? 'it gave no decision' : `it ended with exit code ${exitCode ?? 'none'}`);

/**
 * Tries the installed gate with a call that must be refused, an agent writing the host's own settings. Asked as a
 * session that nobody attends, so that the answer is a plain refusal and no question is left behind.
 */
export const tryGate = (handler: JsonObject, place: CanaryPlace): Trial => {
  const what = 'a write to .claude/settings.json is refused';
  const payload = {
    session_id: canarySession,
    cwd: place.root,
    hook_event_name: 'PreToolUse',
    permission_mode: 'default',
    tool_name: 'Write',
    tool_input: { file_path: join(place.root, '.claude/settings.json'), content: '{}' },
  };
  const env = { ...place.env, CLAUDE_CODE_SESSION_ATTENDED: '0', HOOKWISE_ROLE: 'coder' };
  const run = start(handler, payload, { ...place, env });
  const answer = answerOf(run.stdout);
  const verdict = answer?.['permissionDecision'];
  const reason = String(answer?.['permissionDecisionReason'] ?? '');
  if (verdict !== 'deny' && verdict !== 'ask') return { what, outcome: 'dead', detail: described(run) };
  if (/\[gate\.failed\]/.test(reason)) return { what, outcome: 'dead', detail: `it refuses every call: ${reason}` };
  return { what, outcome: 'live', detail: reason };
};

/** Tries what a session without a role is told at its first prompt. */
export const tryRegistration = (handler: JsonObject, place: CanaryPlace): Trial => {
  const what = place.gated
    ? 'a session without a role is told to choose one'
    : 'a session without a role is left alone';
  const env = { ...place.env, HOOKWISE_ROLE: undefined, CAPTAIN_HOOK_ROLE: undefined };
  const payload = {
    session_id: canarySession,
    cwd: place.root,
    hook_event_name: 'UserPromptSubmit',
    permission_mode: 'default',
    prompt: 'hookwise canary',
  };
  const run = start(handler, payload, { ...place, env });
  const text = String(answerOf(run.stdout)?.['additionalContext'] ?? '');
  if (run.exitCode !== 0) return { what, outcome: 'dead', detail: described(run) };
  if (text.includes('no role assigned') === place.gated && (place.gated || run.stdout === ''))
    return { what, outcome: 'live', detail: place.gated ? 'it was' : 'nothing is gated here' };
  return { what, outcome: 'unsure', detail: text === '' ? described(run) : (text.split('\n')[0] ?? '') };
};
