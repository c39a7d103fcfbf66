import type { Answer, DecodeError, Reply } from '../../agents/adapter.ts';
import { claudeCode } from '../../agents/claude-code/adapter.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { HookRequest } from '../../core/model/request.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { openGround, openProject } from '../compose.ts';
import { hasPolicyDirectory, seemsAttended } from '../session.ts';
import { afterTool } from './after-tool.ts';
import { beforeTool } from './before-tool.ts';
import type { HookCall } from './call.ts';
import { closedDecision } from './closed.ts';
import { configChange } from './config-change.ts';
import { promptSubmitted, sessionEnded, sessionStarted } from './session-events.ts';

/** Answers one payload. Throws nothing: every failure becomes a closed answer. */
export const runHook = async (bytes: Uint8Array | undefined, call: HookCall): Promise<Reply> => {
  const encode = (answer: Answer): Reply => claudeCode.encode(answer, { denyExit: call.options.denyExit });
  const decoded = readPayload(bytes);
  if (!decoded.ok) return encode(undecodable(decoded.error, call));
  try {
    return encode(await answerTo(decoded.value, call));
  } catch (thrown) {
    if (decoded.value.kind !== 'before-tool') return encode(notice(decoded.value, messageOf(thrown)));
    return encode({ kind: 'verdict', decision: closedDecision(messageOf(thrown), seemsAttended(call.surroundings)) });
  }
};

const notice = (request: HookRequest, message: string): Answer => {
  const text = `hookwise: ${sanitizeText(message)}`;
  if (request.kind === 'prompt') return { kind: 'context', event: 'UserPromptSubmit', text, systemMessage: text };
  if (request.kind === 'session-start') return { kind: 'context', event: 'SessionStart', text, systemMessage: text };
  return { kind: 'message', text };
};

const readPayload = (bytes: Uint8Array | undefined): Result<HookRequest, DecodeError> => {
  if (bytes === undefined) return fail({ why: 'the payload is too large' });
  if (bytes.length === 0) return fail({ why: 'standard input is empty' });
  let payload: unknown;
  try {
    payload = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? 'the payload is not JSON' : 'the payload is not UTF-8';
    return fail({ why });
  }
  const request = claudeCode.decode(payload);
  return request.ok ? ok(request.value) : request;
};

/** A payload that cannot be read counts as gated when the project it must be about is. */
const undecodable = (error: DecodeError, call: HookCall): Answer => {
  const { env } = call.surroundings;
  if (error.event !== undefined && error.event !== 'PreToolUse')
    return { kind: 'message', text: `hookwise: ${error.why}` };
  const decision = closedDecision(`the hook payload cannot be read: ${error.why}`, seemsAttended(call.surroundings));
  try {
    const ground = openGround(call.surroundings, env['CLAUDE_PROJECT_DIR'] ?? error.cwd ?? call.processCwd);
    const gated =
      hasPolicyDirectory(ground.root.root) ||
      openProject(call.surroundings, ground).policy.settings.gating === 'always';
    if (!gated && env['HOOKWISE_ROLE'] === undefined) return { kind: 'silent' };
  } catch {
    // Not even the project can be opened: closed is the only answer.
  }
  return { kind: 'verdict', decision };
};

const answerTo = async (request: HookRequest, call: HookCall): Promise<Answer> => {
  switch (request.kind) {
    case 'before-tool':
      return beforeTool(request, call);
    case 'after-tool':
      return afterTool(request, call);
    case 'prompt':
      return promptSubmitted(request, call);
    case 'session-start':
      return sessionStarted(request, call);
    case 'session-end':
      return sessionEnded(request, call);
    case 'config-change':
      return configChange(request, call);
    case 'notice':
      return { kind: 'silent' };
  }
};
