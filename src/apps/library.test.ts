import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionContext } from '../core/engine/cascade.ts';
import { compilePathPolicy } from '../core/engine/path-policy.ts';
import { scopeResolver } from '../core/engine/scope-resolver.ts';
import type { DecisionRecord } from '../core/model/record.ts';
import { tierNames } from '../core/model/verdict.ts';
import { builtinRoles } from '../core/policy/roles.ts';
import type { Caller } from '../io/process/caller.ts';
import type { WorkspaceOptions } from '../io/project/workspace-options.ts';
import { queueStore } from '../io/stores/queue.ts';
import { makePlace, type Place } from './hook/place.cases.ts';
import {
  callJudge,
  cascadeRunner,
  jsonlStorage,
  pathPolicyEngine,
  policyAt,
  readHookInput,
  writeHookOutput,
} from './library.ts';
import { sessionManager } from './session-manager.ts';

let place: Place;

const optionsFor = (caller: Caller = { kind: 'terminal' }): WorkspaceOptions => ({
  directory: place.project,
  env: place.surroundings().env,
  caller: () => caller,
});

const sessionOf = async (role: string): Promise<SessionContext> => {
  place.register(role);
  return (await sessionManager(optionsFor())).getOrPopulate('s1', place.project);
};

const by = { who: 'user:ada', when: '2026-03-01T12:00:00.000Z' };

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const calls: [role: string, tool: string, input: object, expected: string][] = [
  ['coder', 'Write', { file_path: 'src/a.ts', content: '' }, 'allow path-policy role'],
  ['coder', 'Write', { file_path: 'tests/a.ts', content: '' }, 'deny path-policy role'],
  ['coder', 'Write', { file_path: '.env', content: '' }, 'ask sensitive-path role'],
  ['coder', 'Read', { file_path: 'tests/a.ts' }, 'allow path-policy role'],
  ['coder', 'Bash', { command: 'docker compose up' }, 'ask human role'],
  ['coder', 'TodoWrite', { todos: [] }, 'none'],
];

const describeRecord = (record: DecisionRecord | undefined): string =>
  record === undefined ? 'none' : `${record.decision} ${tierNames[record.metadata.tier]} ${record.scope}`;

describe('cascadeRunner', () => {
  it.each(calls)('%s %s %j: %s', async (role, tool, input, expected) => {
    const session = await sessionOf(role);
    const record = await (await cascadeRunner(optionsFor())).evaluate(session, tool, input);
    expect(describeRecord(record)).toBe(expected);
    if (record !== undefined) expect(record.key).toMatchObject({ tool, role });
    const log = readFileSync(join(place.home, 'state/log/audit.jsonl'), 'utf8');
    expect(log).toContain(`"verdict":"${expected.split(' ')[0]}"`);
  });

  it('answers as the hook does', async () => {
    const session = await sessionOf('coder');
    const { evaluate } = await cascadeRunner(optionsFor());
    for (const [, tool, input] of calls) {
      const { stdout } = await place.hook(place.call(tool, input));
      const said = stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
      expect((await evaluate(session, tool, input))?.decision).toBe(said);
    }
  });

  it('remembers what a person decided, and nothing else', async () => {
    const session = await sessionOf('coder');
    const runner = await cascadeRunner(optionsFor());
    const command = { command: 'docker compose up' };
    const asked = (await runner.evaluate(session, 'Bash', command))!;
    runner.persistDecision({ ...asked, decision: 'allow', scope: 'project' }, by);
    const again = (await runner.evaluate(session, 'Bash', command))!;
    expect(describeRecord(again)).toBe('allow exact-cache project');
    expect(again.metadata.matched_key).toEqual(asked.key);
    expect(() => runner.persistDecision({ ...again, scope: 'project' }, by)).toThrow(/learning.persist_tiers/);
    expect(() => runner.persistDecision(asked, by)).toThrow(/nothing is stored at role scope/);
    const { loadDecisions } = await jsonlStorage(optionsFor());
    expect(loadDecisions('project')).toHaveLength(1);
  });

  it('tells two calls apart whose stored text is the same', async () => {
    const session = await sessionOf('coder');
    const runner = await cascadeRunner(optionsFor());
    const call = (secret: string) => ({ command: `deploy "AKIA${secret}"` });
    const asked = (await runner.evaluate(session, 'Bash', call('ZZZZQ7RTY2PLMNB4')))!;
    expect(asked).toMatchObject({ lossy: true, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.stringify(asked)).not.toContain('Q7RTY2PLMNB4');
    runner.persistDecision({ ...asked, decision: 'allow', scope: 'user' }, by);
    expect((await runner.evaluate(session, 'Bash', call('ZZZZQ7RTY2PLMNB4')))?.decision).toBe('allow');
    expect((await runner.evaluate(session, 'Bash', call('YYYYQ7RTY2PLMNB5')))?.decision).toBe('ask');
  });

  it('goes by the registration as it is now, not as the caller remembers it', async () => {
    const session = await sessionOf('tester');
    const runner = await cascadeRunner(optionsFor());
    const write = { file_path: 'tests/a.ts', content: '' };
    expect((await runner.evaluate(session, 'Write', write))?.decision).toBe('allow');
    place.register('coder');
    expect((await runner.evaluate(session, 'Write', write))?.decision).toBe('deny');
  });

  it('waits in the queue where the program says so', async () => {
    const session = await sessionOf('coder');
    const runner = await cascadeRunner({ ...optionsFor(), audience: { attended: false, delivery: 'queue' } });
    const waiting = runner.evaluate(session, 'Bash', { command: 'docker compose up' });
    const queue = queueStore({ state: join(place.home, 'state') });
    await expect.poll(() => queue.listPending(Date.now()).items.length).toBe(1);
    const [item] = queue.listPending(Date.now()).items;
    const response = { decision: 'allow', always_ask: false, add_rule: false, actor: 'user:ada', answered_at: by.when };
    queue.respond(item!.id, { response: { ...response, decision: 'allow' }, now: Date.now() });
    expect(describeRecord(await waiting)).toBe('allow human role');
  });

  it.each<[name: string, change: (session: SessionContext) => SessionContext, kind: string]>([
    ['without a role', ({ role: _, ...session }) => ({ ...session, sessionId: 's2' }), 'SessionNotRegistered'],
    ['that is disabled', (session) => ({ ...session, disabled: true }), 'SessionDisabled'],
    [
      'with a role that is gone',
      (session) => ({ ...session, sessionId: 's2', role: { ...session.role!, name: 'gone' } }),
      'RoleNotFound',
    ],
    ['with an id that is none', (session) => ({ ...session, sessionId: '../x' }), 'Storage'],
  ])('a session %s is an error, never a permission', async (_, change, kind) => {
    const session = change(await sessionOf('coder'));
    const { evaluate } = await cascadeRunner(optionsFor());
    await expect(evaluate(session, 'Write', { file_path: 'src/a.ts', content: '' })).rejects.toMatchObject({ kind });
  });

  it('an input that is no object is an error of kind Json', async () => {
    const session = await sessionOf('coder');
    const { evaluate } = await cascadeRunner(optionsFor());
    await expect(evaluate(session, 'Bash', 'ls')).rejects.toMatchObject({ kind: 'Json' });
  });

  it('a call that cannot be logged is not allowed', async () => {
    const session = await sessionOf('coder');
    writeFileSync(join(place.home, 'state/log'), 'not a directory', { mode: 0o600 });
    const { evaluate } = await cascadeRunner(optionsFor());
    await expect(evaluate(session, 'Write', { file_path: 'src/a.ts', content: '' })).rejects.toThrow(/storage error/);
  });
});

describe('jsonlStorage', () => {
  const deny = async (): Promise<DecisionRecord> => {
    const asked = await (await cascadeRunner(optionsFor())).evaluate(await sessionOf('coder'), 'Bash', {
      command: 'x',
    });
    return { ...asked!, decision: 'deny', scope: 'project' };
  };

  it('feeds the scope resolver', async () => {
    const storage = await jsonlStorage(optionsFor());
    const record = await deny();
    storage.saveDecision(record, by);
    storage.saveDecision({ ...record, decision: 'allow', scope: 'user' }, by);
    const found = scopeResolver(storage).resolve(record.key, { role: { name: 'coder' } });
    expect(found).toMatchObject({ decision: 'deny', scope: 'project' });
  });

  it('an agent may read it and change nothing', async () => {
    const record = await deny();
    (await jsonlStorage(optionsFor())).saveDecision(record, by);
    const storage = await jsonlStorage(optionsFor({ kind: 'agent', why: 'CLAUDECODE is set' }));
    expect(storage.loadDecisions('project')).toHaveLength(1);
    for (const change of [
      () => storage.saveDecision(record, by),
      () => storage.invalidateRole('project', 'coder'),
      () => storage.invalidateAll('project'),
    ])
      expect(change).toThrow(/an agent may not/);
    expect(storage.loadDecisions('project')).toHaveLength(1);
  });
});

describe('callJudge', () => {
  it('judges without asking, logging or remembering', async () => {
    const judge = await callJudge(optionsFor());
    for (const [role, toolName, toolInput, expected] of calls)
      expect(judge({ role, toolName, toolInput }).decision?.verdict ?? 'none').toBe(expected.split(' ')[0]);
    expect(() => readFileSync(join(place.home, 'state/log/audit.jsonl'))).toThrow(/ENOENT/);
  });

  it('sees policy as it is at each call', async () => {
    const judge = await callJudge(optionsFor());
    const call = { role: 'coder', toolName: 'Write', toolInput: { file_path: 'src/a.ts', content: '' } };
    expect(judge(call).decision?.verdict).toBe('allow');
    place.write('.hookwise/roles.yml', 'roles:\n  coder:\n    paths:\n      deny_write: ["src/**"]\n');
    expect(judge(call).decision?.verdict).toBe('deny');
    expect(() => judge({ ...call, role: 'wizard' })).toThrow('role not found: wizard');
  });
});

describe('pathPolicyEngine', () => {
  const input = (toolName: string, toolInput: object) => ({
    session: { sessionId: 's1', user: 'u', org: 'o', project: 'p', cwd: place.project, disabled: false },
    toolName,
    toolInput,
    sanitizedInput: '',
  });

  it('is the tier path-policy and follows links on disk', async () => {
    mkdirSync(join(place.project, 'tests'));
    symlinkSync('tests', join(place.project, 'src'));
    const engine = pathPolicyEngine(compilePathPolicy(builtinRoles.get('coder')!), { root: place.project });
    expect([engine.tier, engine.name]).toEqual(['PathPolicy', 'path-policy']);
    const write = async (path: string) => engine.evaluate(input('Write', { file_path: path, content: '' }));
    expect(describeRecord(await write('tests/a.ts'))).toBe('deny path-policy role');
    expect(describeRecord(await write('src/a.ts'))).toBe('deny path-policy role');
    expect(describeRecord(await write('lib/a.ts'))).toBe('allow path-policy role');
    expect(await engine.evaluate(input('Bash', { command: 'ls' }))).toBeUndefined();
  });
});

describe('hook input and output', () => {
  it('reads one payload', async () => {
    const payload = { session_id: 's1', cwd: '/repo', tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect(await readHookInput(async () => Buffer.from(JSON.stringify(payload)))).toEqual(payload);
  });

  it.each<[name: string, bytes: Uint8Array | undefined]>([
    ['nothing', new Uint8Array()],
    ['too much', undefined],
    ['no UTF-8', Uint8Array.of(0x7b, 0xff)],
    ['no JSON', Buffer.from('{')],
  ])('%s is an error of kind Json', async (_, bytes) => {
    await expect(readHookInput(async () => bytes)).rejects.toMatchObject({ kind: 'Json' });
  });

  it('writes one line', () => {
    const written: string[] = [];
    const output = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' },
    } as const;
    writeHookOutput(output, (text) => written.push(text));
    expect(written).toEqual([`${JSON.stringify(output)}\n`]);
  });
});

it('policyAt gives the policy in force', async () => {
  place.write('.hookwise/policy.yml', 'human_timeout_secs: 30\n');
  const policy = await policyAt(optionsFor());
  expect(policy.settings.humanTimeoutSecs).toBe(30);
  expect(Object.keys(policy.roles)).toEqual(expect.arrayContaining([...builtinRoles.keys()]));
});
