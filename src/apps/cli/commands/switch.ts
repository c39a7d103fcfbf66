import { errors } from '../../../core/model/errors.ts';
import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { pathSummary } from '../../../gate/registration.ts';
import { roleNamed } from '../../session.ts';
import { type Command, UsageError } from '../command.ts';
import { logChange } from '../log-change.ts';
import { projectHere } from '../open.ts';
import { registrarOf } from '../permit.ts';
import { complainOfRole } from '../role-words.ts';
import { registerHint, sessionNamed, sessionOption, storeOf } from '../session-words.ts';
import { visible } from '../visible.ts';

/** Gives a registered session another role. */
export const switchRole: Command = {
  name: 'switch',
  summary: 'give a registered session another role',
  usage: '<role> [--session-id <id>]',
  examples: ['hookwise switch docs --session-id abc-123'],
  options: sessionOption,
  takesWords: true,
  run: (invocation) => {
    const { words, surroundings, print, complain } = invocation;
    const [name] = words;
    if (name === undefined || words.length > 1) throw new UsageError('name one role');
    const sessionId = sessionNamed(invocation, 'inherited');
    const project = projectHere(invocation);
    const role = roleNamed(project, name);
    if (role === undefined) return complainOfRole(invocation, project, name);
    const store = storeOf(invocation, { project, sessionId });
    const found = store.lookup(sessionId);
    if (found.kind !== 'registered') {
      const [error, hint] =
        found.kind === 'disabled'
          ? [errors.sessionDisabled(sessionId), `First: hookwise enable --session-id ${sessionId}`]
          : [errors.sessionNotRegistered(sessionId), registerHint(sessionId)];
      complain(error.message);
      complain(hint);
      return 1;
    }
    const actor = registrarOf(invocation, { project, sessionId, role });
    store.switchRole(sessionId, { role: name, at: new Date(surroundings.now()).toISOString(), by: actor });
    // Answers to questions that were asked under the old role must not be learned for the new one.
    project.natives.clear(sessionId);
    const from = found.entry.role;
    logChange(invocation, project, { event: 'switched', session: sessionId, from, role: name, actor });
    print(`Switched session ${sessionId} from "${visible(from)}" to "${visible(name)}".`);
    print(`Path restrictions: ${visible(sanitizeText(pathSummary(role)))}`);
    print('Session cache cleared \u2014 decisions will be re-evaluated for the new role.');
    return 0;
  },
};
