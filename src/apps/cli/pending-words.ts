import type { LearnTarget, PendingDecision } from '../../core/model/queue.ts';
import type { RecordPlace } from '../../core/ports.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { contextWords, shapeName } from './shape-words.ts';
import { visible, visibleLines } from './visible.ts';

/** Text of a call as a person is shown it. */
export const clean = (text: string): string => visible(sanitizeText(text));

/** A waiting call, whole: nothing of it is cut off. */
export const callLines = (item: PendingDecision): string[] => {
  const field = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`  ${name.padEnd(9)} ${clean(value)}`];
  const [first = '', ...rest] = visibleLines(sanitizeText(item.sanitized_input));
  return [
    ...field('session', `${item.session_id}${item.agent_id === undefined ? '' : ` (subagent ${item.agent_id})`}`),
    ...field('role', item.role),
    ...field('tool', item.tool_name),
    `  call      ${first}`,
    ...rest.map((line) => `          | ${line}`),
    ...field('file', item.file_path === item.sanitized_input ? undefined : item.file_path),
    ...field('directory', item.cwd),
    ...field('project', item.root),
    ...field('asked', item.ask_reason),
    ...field('rule', item.rule),
    ...(item.is_ask_reprompt ? ['  marked    always ask: it was answered before, and is asked each time'] : []),
    ...field('advice', adviceOf(item)),
  ];
};

const adviceOf = ({ recommendation: advice }: PendingDecision): string | undefined =>
  advice === undefined ? undefined : `${advice.decision} (confidence ${advice.confidence}): ${advice.reason}`;

/** How long ago or ahead, in the largest whole unit. */
export const spanOf = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
};

/** The entry that an answer would become. */
export const entryName = (target: LearnTarget): string => {
  const where = target.context === 'root' ? '' : `, made ${contextWords(target.context)}`;
  const change = target.change === undefined ? '' : `, when it would ${target.change} the file`;
  return `exactly this ${target.tool} call of role ${target.role}${change}${where}`;
};

/** The entry that an answer for all calls of the same shape would become; nothing for a call without one. */
export const wideEntryName = ({ shape, role, context }: LearnTarget): string | undefined =>
  shape === undefined ? undefined : shapeName({ shape: shape.text, role, context });

/** Why an answer about this call must stay with this person and this repository, if so. */
export const whyLocal = (target: Pick<LearnTarget, 'lossy' | 'context'>): string | undefined => {
  if (target.lossy) return 'part of its text was redacted, so only this user can tell the call again';
  return target.context === 'outside' ? 'the call is made outside the project' : undefined;
};

/** Where an answer is remembered when nobody says otherwise. */
export const usualPlace = (target: LearnTarget, human: 'project' | 'local'): RecordPlace =>
  human === 'local' || whyLocal(target) !== undefined
    ? { scope: 'user', here: true }
    : { scope: 'project', here: false };
