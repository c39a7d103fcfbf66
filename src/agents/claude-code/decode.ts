import type { HookRequest, JsonObject, SessionRef, ToolCall } from '../../core/model/request.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { isSessionId } from '../../core/model/session.ts';
import type { DecodeError } from '../adapter.ts';
import { isDeeperThan, isObject, stringAt } from './payload.ts';
import { canonicalTool, identityOf, readAction } from './tools.ts';

interface Common {
  readonly session: SessionRef;
  readonly cwd: string;
  readonly mode: string;
}

/** Event names of older documents, accepted on input. */
const eventAliases: Readonly<Record<string, string>> = {
  user_prompt_submit: 'UserPromptSubmit',
  pre_tool_use: 'PreToolUse',
  post_tool_use: 'PostToolUse',
};

/** Reads one hook payload of Claude Code. Unknown fields and events are accepted: hosts grow. */
export const decode = (payload: unknown): Result<HookRequest, DecodeError> => {
  if (!isObject(payload)) return fail({ why: 'the payload is not a JSON object' });
  const named = stringAt(payload, 'hook_event_name');
  const event = named === undefined ? undefined : (eventAliases[named] ?? named);
  const common = readCommon(payload, event);
  if (!common.ok) return common;
  return readEvent(payload, event ?? guessEvent(payload), common.value);
};

/** Seeds and scripts leave the event name out: a payload with a tool is a tool call. */
const guessEvent = (payload: JsonObject): string =>
  Object.hasOwn(payload, 'tool_name') ? 'PreToolUse' : 'UserPromptSubmit';

const readCommon = (payload: JsonObject, event: string | undefined): Result<Common, DecodeError> => {
  const sessionId = payload['session_id'];
  const cwd = payload['cwd'];
  const known = { ...(event === undefined ? {} : { event }), ...(typeof cwd === 'string' ? { cwd } : {}) };
  if (!isSessionId(sessionId))
    return fail({ ...known, why: 'session_id is missing or not of the form [A-Za-z0-9_-]{1,128}' });
  if (typeof cwd !== 'string' || !cwd.startsWith('/') || cwd.includes('\0'))
    return fail({ ...known, sessionId, why: 'cwd is missing or not an absolute path' });
  const agentId = stringAt(payload, 'agent_id');
  const agentType = stringAt(payload, 'agent_type');
  const transcriptPath = stringAt(payload, 'transcript_path');
  const session: SessionRef = {
    sessionId,
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  };
  return ok({ session, cwd, mode: stringAt(payload, 'permission_mode') ?? 'default' });
};

const readEvent = (payload: JsonObject, event: string, common: Common): Result<HookRequest, DecodeError> => {
  const { session, cwd, mode } = common;
  switch (event) {
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = readCall(payload, cwd);
      if (!call.ok) return fail({ ...call.error, event, sessionId: session.sessionId, cwd });
      if (event === 'PreToolUse') return ok({ kind: 'before-tool', session, cwd, mode, call: call.value });
      const outcome = event === 'PostToolUse' ? 'succeeded' : 'failed';
      return ok({ kind: 'after-tool', session, cwd, mode, call: call.value, outcome });
    }
    case 'UserPromptSubmit':
      return ok({ kind: 'prompt', session, cwd, prompt: stringAt(payload, 'prompt') ?? '' });
    case 'SessionStart':
      return ok({ kind: 'session-start', session, cwd, source: stringAt(payload, 'source') ?? '' });
    case 'SessionEnd':
      return ok({ kind: 'session-end', session, cwd, reason: stringAt(payload, 'reason') ?? '' });
    case 'ConfigChange': {
      const filePath = stringAt(payload, 'file_path');
      const source = stringAt(payload, 'source') ?? '';
      return ok({ kind: 'config-change', session, cwd, source, ...(filePath === undefined ? {} : { filePath }) });
    }
    default:
      return ok({ kind: 'notice', session, cwd, event });
  }
};

/** No honest tool input comes near; recursion over it stays shallow. */
const deepestInput = 48;

const readCall = (payload: JsonObject, cwd: string): Result<ToolCall, DecodeError> => {
  const tool = stringAt(payload, 'tool_name');
  if (tool === undefined || !/^[^\s\p{Cc}]{1,256}$/u.test(tool))
    return fail({ why: 'tool_name is missing or not a name' });
  const raw = payload['tool_input'];
  if (raw !== undefined && raw !== null && !isObject(raw)) return fail({ why: 'tool_input is not an object' });
  if (isDeeperThan(raw, deepestInput)) return fail({ why: `tool_input is nested deeper than ${deepestInput} levels` });
  const input = raw ?? {};
  const toolUseId = stringAt(payload, 'tool_use_id');
  return ok({
    tool,
    canonicalTool: canonicalTool(tool),
    input,
    identity: identityOf(tool, input),
    action: readAction(tool, input, cwd),
    ...(toolUseId === undefined ? {} : { toolUseId }),
  });
};
