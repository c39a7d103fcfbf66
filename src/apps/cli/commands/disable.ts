import type { Command } from '../command.ts';
import { logChange } from '../log-change.ts';
import { projectHere } from '../open.ts';
import { registrarOf } from '../permit.ts';
import { sessionNamed, sessionOption, storeOf } from '../session-words.ts';

/** Takes a session out of gating; rules of the organisation and of the user still hold for it. */
export const disable: Command = {
  name: 'disable',
  summary: 'take a session out of gating (rules of org and user, and self-protection, still hold)',
  usage: '--session-id <id>',
  examples: ['hookwise disable --session-id abc-123'],
  options: sessionOption,
  takesWords: false,
  run: (invocation) => {
    const sessionId = sessionNamed(invocation);
    const project = projectHere(invocation);
    const actor = registrarOf(invocation, { project, sessionId });
    storeOf(invocation, { project, sessionId }).disable(sessionId);
    logChange(invocation, project, { event: 'disabled', session: sessionId, actor });
    invocation.print(`hookwise disabled for session ${sessionId}.`);
    invocation.print('All tool calls will be permitted without gating.');
    invocation.print('To re-enable: /hookwise enable');
    return 0;
  },
};
