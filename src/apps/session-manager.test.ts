import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../io/process/caller.ts';
import type { WorkspaceOptions } from '../io/project/workspace-options.ts';
import { makePlace, type Place } from './hook/place.cases.ts';
import { type SessionManager, sessionManager } from './session-manager.ts';

let place: Place;
let sessions: SessionManager;

const terminal: Caller = { kind: 'terminal' };

const optionsFor = (env: Readonly<Record<string, string>> = {}, caller: Caller = terminal): WorkspaceOptions => ({
  directory: place.project,
  env: place.surroundings(env).env,
  caller: () => caller,
});

const another = (env?: Readonly<Record<string, string>>, caller?: Caller): Promise<SessionManager> =>
  sessionManager(optionsFor(env, caller));

beforeEach(async () => {
  place = makePlace();
  sessions = await another();
});
afterEach(() => place.remove());

describe('resolveRole', () => {
  it('asks memory, then the file, then the environment, then gives up', async () => {
    const env = { HOOKWISE_ROLE: 'docs' };
    expect(sessions.resolveRole('s1')).toBeUndefined();
    const withEnvironment = await another(env);
    expect(withEnvironment.resolveRole('s1')?.name).toBe('docs');
    place.register('tester');
    expect(withEnvironment.resolveRole('s1')?.name).toBe('docs');
    withEnvironment.forget('s1');
    expect(withEnvironment.resolveRole('s1')?.name).toBe('tester');
    expect(sessions.resolveRole('s1')?.name).toBe('tester');
  });

  it('a role that no policy defines is none', () => {
    place.register('no-such-role');
    expect(sessions.resolveRole('s1')).toBeUndefined();
  });
});

describe('getOrPopulate', () => {
  it('tells who, where and under which role', async () => {
    place.write('.git/config', '[remote "origin"]\n\turl = git@example.org:acme/tools/app.git\n');
    place.write('prompt.md', 'You write tests.');
    sessions.register('s1', { role: 'tester', task: 'cover it', promptFile: join(place.project, 'prompt.md') });
    const context = (await another()).getOrPopulate('s1', place.project);
    expect(context).toMatchObject({
      sessionId: 's1',
      org: 'acme',
      project: 'tools/app',
      cwd: place.project,
      role: { name: 'tester' },
      taskDescription: 'cover it',
      agentPromptHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      disabled: false,
    });
    expect(context.team).toBeUndefined();
    expect(readFileSync(context.agentPromptPath!, 'utf8')).toBe('You write tests.');
    const inTests = { absolute: join(place.project, 'tests/a.ts'), relative: 'tests/a.ts' };
    expect(context.pathPolicy?.allowWrite.match(inTests)).toBeDefined();
  });

  it('names the directory where there is no remote', () => {
    expect(sessions.getOrPopulate('s1', place.project)).toMatchObject({ org: 'local', project: 'project' });
  });

  it('reads the files once, as soon as there is a role', () => {
    expect(sessions.getOrPopulate('s1', place.project).role).toBeUndefined();
    place.register('tester');
    const first = sessions.getOrPopulate('s1', place.project);
    expect(first.role?.name).toBe('tester');
    place.register('docs');
    expect(sessions.getOrPopulate('s1', place.project)).toBe(first);
    expect(sessions.getOrPopulate('s2', place.project).role).toBeUndefined();
  });
});

describe('a change', () => {
  it('register, switch, disable and enable show at once, here and elsewhere', async () => {
    const other = await another();
    const seen = (): string => {
      other.forget('s1');
      const here = `${sessions.resolveRole('s1')?.name} ${sessions.isRegistered('s1')} ${sessions.isDisabled('s1')}`;
      expect(`${other.resolveRole('s1')?.name} ${other.isRegistered('s1')} ${other.isDisabled('s1')}`).toBe(here);
      return here;
    };
    expect(seen()).toBe('undefined false false');
    expect(sessions.register('s1', { role: 'coder' }).role?.name).toBe('coder');
    expect(seen()).toBe('coder true false');
    expect(sessions.switchRole('s1', 'docs').role?.name).toBe('docs');
    expect(seen()).toBe('docs true false');
    expect(sessions.disable('s1')).toBe(true);
    expect(seen()).toBe('undefined true true');
    expect(sessions.enable('s1')).toBe(true);
    expect(seen()).toBe('docs true false');
  });

  it('is logged', () => {
    sessions.register('s1', { role: 'coder', task: `use AKIA${'Z'.repeat(4)}Q7RTY2PLMNB4` });
    sessions.disable('s1');
    const log = readFileSync(join(place.home, 'state/log/audit.jsonl'), 'utf8');
    expect(log).toMatch(/"event":"registered"[^\n]*"role":"coder"/);
    expect(log).toMatch(/"event":"disabled"/);
    expect(log).not.toContain('AKIAZZZZ');
  });

  it.each<[name: string, kind: string, change: () => unknown]>([
    ['a role that nobody defined', 'RoleNotFound', () => sessions.register('s1', { role: 'wizard' })],
    ['a role named like a prototype', 'RoleNotFound', () => sessions.register('s1', { role: '__proto__' })],
    ['a switch to a role that nobody defined', 'RoleNotFound', () => sessions.switchRole('s1', 'wizard')],
    ['a switch without a registration', 'SessionNotRegistered', () => sessions.switchRole('s1', 'docs')],
    ['an id that is none', 'Storage', () => sessions.register('../s1', { role: 'docs' })],
    ['a prompt file that is not there', 'Io', () => sessions.register('s1', { role: 'docs', promptFile: '/no/such' })],
  ])('%s is an error of kind %s', (_, kind, change) => {
    expect(change).toThrow(expect.objectContaining({ name: 'HookwiseError', kind }));
    expect(sessions.isRegistered('s1')).toBe(false);
  });

  it('a switch of a disabled session is refused', () => {
    sessions.register('s1', { role: 'coder' });
    sessions.disable('s1');
    expect(() => sessions.switchRole('s1', 'docs')).toThrow(expect.objectContaining({ kind: 'SessionDisabled' }));
  });

  it.each<[name: string, change: (by: SessionManager) => unknown]>([
    ['register', (by) => by.register('s1', { role: 'coder' })],
    ['disable', (by) => by.disable('s1')],
    ['enable', (by) => by.enable('s1')],
  ])('an agent may not %s', async (_, change) => {
    const agent = await another({}, { kind: 'agent', why: 'CLAUDECODE is set' });
    expect(() => change(agent)).toThrow(/an agent may not/);
    expect(agent.isRegistered('s1')).toBe(false);
  });

  it('a script may not give out a full-access role', async () => {
    const script = await another({}, { kind: 'script' });
    expect(() => script.register('s1', { role: 'maintainer' })).toThrow(/full-access/);
    expect(script.register('s1', { role: 'coder' }).role?.name).toBe('coder');
  });
});

describe('teams', () => {
  it('have registrations of their own', async () => {
    const team = await sessionManager({ ...optionsFor(), team: 'blue' });
    expect(team.register('s1', { role: 'coder' }).team).toBe('blue');
    expect(sessions.isRegistered('s1')).toBe(false);
  });
});

describe('waitForRegistration', () => {
  it('sees a registration that another process makes meanwhile', async () => {
    const waiting = sessions.waitForRegistration('s1', 5);
    setTimeout(() => place.register('tester'), 50);
    expect((await waiting).role?.name).toBe('tester');
  });

  it('gives up in time', async () => {
    const startedAt = Date.now();
    const waiting = sessions.waitForRegistration('s1', 0.3);
    await expect(waiting).rejects.toMatchObject({ kind: 'RegistrationTimeout' });
    await expect(waiting).rejects.toThrow('registration timeout: waited 0.3s for session s1');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(300);
  });

  it('a disabled session need not wait', async () => {
    sessions.disable('s1');
    expect((await sessions.waitForRegistration('s1', 0)).disabled).toBe(true);
  });
});

it('a damaged registration file is an error, never a session without restrictions', () => {
  place.register('coder');
  writeFileSync(join(place.home, 'state/sessions/hookwise-solo-sessions.json'), '{"s1":', { mode: 0o600 });
  expect(() => sessions.resolveRole('s1')).toThrow(expect.objectContaining({ kind: 'Storage' }));
});
