import type { Command } from '../command.ts';
import { logChange } from '../log-change.ts';
import { projectHere } from '../open.ts';
import { registrarOf } from '../permit.ts';
import { roleLines } from '../role-words.ts';
import { registerHint, sessionNamed, sessionOption, storeOf } from '../session-words.ts';
import { visible } from '../visible.ts';

/** Takes a session back into gating. */
export const enable: Command = {
  name: 'enable',
  summary: 'take a disabled session back into gating',
  usage: '--session-id <id>',
  examples: ['hookwise enable --session-id abc-123'],
  options: sessionOption,
  takesWords: false,
  run: (invocation) => {
    const { print } = invocation;
    const sessionId = sessionNamed(invocation);
    const project = projectHere(invocation);
    const actor = registrarOf(invocation, { project, sessionId });
    const store = storeOf(invocation, { project, sessionId });
    const wasDisabled = store.enable(sessionId);
    if (wasDisabled) logChange(invocation, project, { event: 'enabled', session: sessionId, actor });
    print(wasDisabled ? `hookwise enabled for session ${sessionId}.` : `Session ${sessionId} was not disabled.`);
    const found = store.lookup(sessionId);
    if (found.kind === 'registered') {
      print(`Role: ${visible(found.entry.role)}`);
      return 0;
    }
    print('This session was never registered: it has no role, and its tool calls are refused until it has one.');
    print(registerHint(sessionId));
    print('Available roles:');
    for (const line of roleLines(project)) print(line);
    return 0;
  },
};
