import { fieldReader } from './field-reader.ts';
import { learnTargetFromJson } from './learn-target.ts';
import type { HumanResponse, PendingDecision, SupervisorRecommendation } from './queue.ts';
import { fail, ok, type Result } from './result.ts';
import { isSessionId } from './session.ts';
import { isJsonObject } from './strict-json.ts';
import { scopeLevels, type Verdict } from './verdict.ts';

const longestInput = 65_536;
const longestText = 8192;
const longestPath = 8192;
const verdicts: readonly Verdict[] = ['allow', 'deny', 'ask'];

/** A queue item from a state file. */
export const pendingFromJson = (value: unknown): Result<PendingDecision, string> => {
  if (!isJsonObject(value)) return fail('is not a JSON object');
  const reader = fieldReader(value);
  const recommendation = recommendationFrom(value.recommendation);
  const learn = learnTargetFromJson(value.learn);
  const [agent, filePath, askReason] = [
    reader.optionalText('agent_id', 256),
    reader.optionalText('file_path', longestPath),
    reader.optionalText('ask_reason', longestText),
  ];
  const item: PendingDecision = {
    id: reader.name('id'),
    session_id: reader.name('session_id'),
    role: reader.text('role', 256),
    tool_name: reader.text('tool_name', 256),
    sanitized_input: reader.text('sanitized_input', longestInput),
    cwd: reader.text('cwd', longestPath),
    root: reader.text('root', longestPath),
    is_ask_reprompt: reader.optionalFlag('is_ask_reprompt') ?? false,
    rule: reader.text('rule', 256),
    call_digest: reader.text('call_digest', 64),
    queued_at: reader.text('queued_at', 64),
    expires_at: reader.text('expires_at', 64),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(filePath === undefined ? {} : { file_path: filePath }),
    ...(askReason === undefined ? {} : { ask_reason: askReason }),
    ...(recommendation === undefined ? {} : { recommendation }),
    ...(learn === undefined ? {} : { learn }),
  };
  if (!isSessionId(item.session_id)) reader.note('"session_id" is not a session id');
  if (!/^[0-9a-f]{64}$/.test(item.call_digest)) reader.note('"call_digest" must be 64 hexadecimal digits');
  if (Number.isNaN(Date.parse(item.expires_at))) reader.note('"expires_at" is not a time');
  const wrong = reader.wrong();
  return wrong === undefined ? ok(item) : fail(wrong);
};

/** Advice that cannot be read is no advice. */
const recommendationFrom = (value: unknown): SupervisorRecommendation | undefined => {
  if (!isJsonObject(value)) return undefined;
  const reader = fieldReader(value);
  const decision = reader.oneOf('decision', verdicts);
  const confidence = reader.fraction('confidence');
  const reason = reader.text('reason', longestText);
  return reader.wrong() === undefined && decision !== undefined ? { decision, confidence, reason } : undefined;
};

/** A person's answer from a state file. */
export const responseFromJson = (value: unknown): Result<HumanResponse, string> => {
  if (!isJsonObject(value)) return fail('is not a JSON object');
  const reader = fieldReader(value);
  const decision = reader.oneOf('decision', ['allow', 'deny']);
  if (decision === undefined) reader.note('"decision" is missing');
  const scope = reader.oneOf('rule_scope', scopeLevels);
  const rest = {
    always_ask: reader.optionalFlag('always_ask') ?? false,
    add_rule: reader.optionalFlag('add_rule') ?? false,
    actor: reader.text('actor', 256),
    answered_at: reader.text('answered_at', 64),
    ...(scope === undefined ? {} : { rule_scope: scope }),
  };
  const wrong = reader.wrong();
  return wrong === undefined && decision !== undefined ? ok({ decision, ...rest }) : fail(wrong ?? 'has no decision');
};
