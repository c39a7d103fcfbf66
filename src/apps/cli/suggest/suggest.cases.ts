import { expect } from 'vitest';
import { tierNames } from '../../../core/model/verdict.ts';
import type { CliSandbox } from '../cli-sandbox.cases.ts';

/** Who makes a call, and where. */
interface Attempt {
  readonly session?: string;
  readonly cwd?: string;
}

/** Makes a shell call that nobody watches, and logs what came of it as the hook does; the id of its question, if there is one. */
export const attempt = async (sandbox: CliSandbox, command: string, by: Attempt = {}): Promise<string | undefined> => {
  const session = by.session ?? 's-1';
  const { decision, plan, asked } = await sandbox.call({ command, session, cwd: by.cwd ?? sandbox.root });
  if (decision === undefined) throw new Error('there is no opinion about this call');
  const { verdict, ruleId: rule, tier, scope, why: reason } = decision;
  sandbox.project().audit.append(
    {
      event: 'decision',
      session,
      root: sandbox.root,
      role: 'tester',
      tool: 'Bash',
      input: plan.key.sanitized,
      verdict,
      rule,
      tier: tierNames[tier],
      scope,
      reason,
      ...(asked === undefined ? {} : { asked: asked.route, queue: asked.id }),
    },
    new Date(sandbox.now()).toISOString(),
  );
  return asked?.id;
};

/** Makes calls of several sessions before anybody answers; the ids of their questions, in the order of the calls. */
export const asked = async (
  sandbox: CliSandbox,
  calls: readonly (readonly [command: string, session: string])[],
  more: Attempt = {},
): Promise<string[]> => {
  const ids: string[] = [];
  for (const [command, session] of calls) {
    const id = await attempt(sandbox, command, { ...more, session });
    if (id === undefined) throw new Error(`${command} was not asked about`);
    ids.push(id);
  }
  return ids;
};

/** Where the project keeps what it allows. */
export const allowed = 'repo/.hookwise/rules/allow.jsonl';
/** The name of the entry that calls of `tests` lead to. */
export const wide = 'every `pytest <test of the project>` call of role tester, made at the root';

/** A gated project with tests to name. */
export const withTests = (sandbox: CliSandbox): void => {
  for (const name of ['a', 'b', 'c', 'd']) sandbox.write(`repo/tests/test_${name}.py`, '');
  sandbox.write('repo/tests/secrets/test_e.py', '');
  sandbox.write('repo/.hookwise/README', '');
};

/** Runs of tests by name, each by the session at the same place. */
export const tests = (names: string, sessions = '123456789'): [string, string][] =>
  [...names].map((name, at) => [`pytest tests/test_${name}.py`, `s-${sessions[at] ?? '0'}`]);

/** Asks about all calls first, and then answers each. */
export const answer = async (
  sandbox: CliSandbox,
  calls: readonly (readonly [string, string])[],
  words: readonly string[] = ['approve'],
): Promise<string[]> => {
  const [verb = '', ...options] = words;
  const ids = await asked(sandbox, calls);
  for (const id of ids) expect(await sandbox.run([verb, id, ...options])).toMatchObject({ code: 0, err: [] });
  return ids;
};

/** What `suggest --json` says. */
export const list = async (sandbox: CliSandbox, ...words: string[]) => {
  const { out, code, err } = await sandbox.run(['suggest', '--json', ...words]);
  expect([code, err]).toEqual([0, []]);
  return JSON.parse(out[0] ?? '');
};
