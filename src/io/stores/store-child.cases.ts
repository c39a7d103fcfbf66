import { auditLog } from './audit.ts';
import { grantStore } from './grants.ts';
import { queueStore } from './queue.ts';
import { saveDecision } from './rules-change.ts';
import { projectRules } from './rules-location.ts';
import { sessionStore } from './sessions.ts';
import { answer, at, noon, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

/** What a test process is told to do; printed JSON says how it went. */
export interface ChildTask {
  readonly state: string;
  readonly root: string;
  readonly name: string;
  /** `once`: one of everything. `loop`: write until killed. */
  readonly mode: 'once' | 'loop';
  readonly queueId: string;
  readonly callDigest: string;
}

const run = (task: ChildTask): void => {
  const { state, root, name } = task;
  const key = loadUserKey(state);
  const sessions = sessionStore({ state, sanitize: (text) => text });
  const log = auditLog({ state, key });
  const location = projectRules(root);
  const trust = trustStore({ state, key, identity: root });
  const save = (input: string, decision: 'allow' | 'deny' = 'allow') =>
    saveDecision(location, record({ input, decision }), { state, trust, by: { who: name, when: at } });
  if (task.mode === 'once') {
    sessions.register({ sessionId: name, role: 'tester', at });
    sessions.disable(`${name}-off`);
    save(`run ${name}`);
    for (const call of [1, 2]) log.append({ name, call }, at);
    const answered = queueStore({ state }).respond(task.queueId, { response: answer({ actor: name }), now: noon }).ok;
    const granted =
      grantStore({ state, key }).take({ callDigest: task.callDigest, sessionId: 's-1', now: noon }).kind === 'granted';
    process.stdout.write(JSON.stringify({ answered, granted }));
    return;
  }
  for (let number = 0; ; number++) {
    sessions.register({ sessionId: `${name}-${number}`, role: 'tester', at });
    log.append({ name, call: number }, at);
    save(`run ${name}-${number % 3}`, number % 2 === 0 ? 'allow' : 'deny');
    process.stdout.write(`${number}\n`);
  }
};

run(JSON.parse(process.argv[2] ?? '{}'));
