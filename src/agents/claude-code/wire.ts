import { errors, type HookwiseError } from '../../core/model/errors.ts';
import type { JsonObject } from '../../core/model/request.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { decode } from './decode.ts';
import { isObject, stringAt } from './payload.ts';
import { readAction } from './tools.ts';

/** A hook payload as the host sends it. Events without a tool have no `tool_name`; further fields are left out. */
export interface HookInput {
  readonly session_id: string;
  readonly cwd: string;
  readonly hook_event_name?: string;
  readonly permission_mode?: string;
  readonly tool_name?: string;
  readonly tool_input?: JsonObject;
}

/** The answer to a `PreToolUse` payload. */
export interface HookOutput {
  readonly hookSpecificOutput: {
    readonly hookEventName: 'PreToolUse';
    readonly permissionDecision: Verdict;
    readonly permissionDecisionReason?: string;
  };
}

/** The smallest object that the host takes as a verdict. The reason is sanitised and written in one line. */
export const hookOutput = (decision: Verdict, reason?: string): HookOutput => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: decision,
    ...(reason === undefined ? {} : { permissionDecisionReason: sanitizeText(reason).replace(/\s+/g, ' ').trim() }),
  },
});

/** Reads a payload; the failure is a HookwiseError `Json` that never repeats the payload. */
export const parseHookInput = (text: string): Result<HookInput, HookwiseError> => {
  const payload = parsed(text);
  if (!isObject(payload)) return fail(errors.json('the hook payload is not a JSON object'));
  const request = decode(payload);
  if (!request.ok) return fail(errors.json(request.error.why));
  const { session, cwd } = request.value;
  const [event, mode, tool] = ['hook_event_name', 'permission_mode', 'tool_name'].map((key) => stringAt(payload, key));
  const input = payload['tool_input'];
  return ok({
    session_id: session.sessionId,
    cwd,
    ...(event === undefined ? {} : { hook_event_name: event }),
    ...(mode === undefined ? {} : { permission_mode: mode }),
    ...(tool === undefined ? {} : { tool_name: tool }),
    ...(isObject(input) ? { tool_input: input } : {}),
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The file that a file tool names, as it names it; nothing for other tools. */
export const extractFilePath = (toolName: string, toolInput: unknown): string | undefined => {
  if (!isObject(toolInput)) return undefined;
  const action = readAction(toolName, toolInput, '/');
  return action.kind === 'read' || action.kind === 'write' ? action.path : undefined;
};
