import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agent, type CliSandbox, cliSandbox, script } from '../cli-sandbox.cases.ts';

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = cliSandbox();
});
afterEach(() => sandbox.remove());

const registerLine = (role = 'coder', session = 'abc-123') => ['register', '--session-id', session, '--role', role];
const lookup = (session = 'abc-123', team = 'solo') => sandbox.project().sessions(team).lookup(session);

/** The host asked a person about this command line, and runs it after a yes. */
const permit = (line: readonly string[], { session = 'abc-123', age = 0 } = {}): void =>
  sandbox.project().natives.put(session, {
    toolUseId: `toolu_${line.length}`,
    rule: 'control.register',
    askedAt: sandbox.now() - age,
    control: line,
  });

describe('hookwise register', () => {
  it('says who the session is now, and what it may write', async () => {
    sandbox.write(
      'repo/.hookwise/roles.yml',
      'roles:\n  narrow:\n    description: narrow\n    paths:\n      allow_write: ["notes/**"]\n      deny_write: ["src/**", ".github/**"]\n',
    );
    await sandbox.run(['trust', '--yes']);
    const ran = await sandbox.run(registerLine('narrow'));
    expect(ran).toMatchObject({
      code: 0,
      out: ['Registered session abc-123 as "narrow".', 'Path policy: allow notes/** | deny src/**, .github/**'],
      err: [],
    });
    expect(lookup()).toMatchObject({ kind: 'registered', entry: { role: 'narrow', registered_by: 'user:ada' } });
  });

  it('lists the roles when there is no such role', async () => {
    const ran = await sandbox.run(registerLine('x\u202ey'));
    expect(ran).toMatchObject({ code: 1, out: [] });
    expect(ran.err[0]).toBe('role not found: x\\u{202e}y');
    expect(ran.err).toContain('  Implementation: coder, tester, integrator, devops');
    expect(lookup().kind).toBe('unregistered');
  });

  it.each([
    [['register', '--role', 'coder'], /--session-id <id> is missing/],
    [['register', '--session-id', 'abc-123'], /--role <name> is missing/],
    [registerLine('coder', '../x'), /a session id may hold only letters/],
  ])('refuses %j', async (line, message) => {
    expect(await sandbox.run(line)).toMatchObject({ code: 2, err: [expect.stringMatching(message)] });
  });

  it('keeps task and instructions without their secrets', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    sandbox.write('repo/prompt.md', `use ${token}\n`);
    const line = [...registerLine(), '--task', `call with ${token}`, '--prompt-file', 'prompt.md'];
    expect(await sandbox.run(line)).toMatchObject({ code: 0 });
    const found = lookup();
    if (found.kind !== 'registered') throw new Error('not registered');
    expect(found.entry.prompt_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    const kept = sandbox.read(`own/state/sessions/.hookwise-prompt-abc-123`) + found.entry.task;
    expect(kept).not.toContain(token);
    expect(kept).toMatch(/use <SECRET:.*call with <SECRET:/s);
    expect(sandbox.read('own/state/log/audit.jsonl')).not.toContain(token);
  });

  it.each(['missing.md', '.'])('refuses instructions in %s', async (file) => {
    const ran = await sandbox.run([...registerLine(), '--prompt-file', file]);
    expect(ran).toMatchObject({ code: 1, err: [expect.stringContaining(`--prompt-file ${file} cannot be used`)] });
    expect(lookup().kind).toBe('unregistered');
  });

  it('is logged', async () => {
    await sandbox.run(registerLine());
    const [entry] = sandbox
      .project()
      .audit.read({})
      .entries.map(({ event }) => event);
    expect(entry).toMatchObject({ event: 'registered', session: 'abc-123', role: 'coder', actor: 'user:ada' });
  });
});

describe('who may change a session', () => {
  it('a script may, full-access roles excepted', async () => {
    expect(await sandbox.run(registerLine(), { caller: script })).toMatchObject({ code: 0 });
    for (const line of [registerLine('maintainer'), ['switch', 'troubleshooter', '--session-id', 'abc-123']])
      expect(await sandbox.run(line, { caller: script })).toMatchObject({
        code: 1,
        err: [expect.stringContaining('is a full-access role')],
      });
    expect(lookup()).toMatchObject({ entry: { role: 'coder' } });
  });

  it('an agent may for its own session, once for each yes of a person', async () => {
    const caller = agent('abc-123');
    permit(registerLine());
    expect(await sandbox.run(registerLine(), { caller })).toMatchObject({ code: 0 });
    expect(lookup()).toMatchObject({ entry: { role: 'coder', registered_by: 'session:abc-123' } });
    expect(await sandbox.run(registerLine(), { caller })).toMatchObject({
      code: 1,
      err: [expect.stringContaining('no person confirmed exactly this command')],
    });
  });

  it.each<[string, { line?: string[]; session?: string; age?: number }]>([
    ['nobody was asked', {}],
    ['another role was asked for', { line: registerLine('tester') }],
    ['the words came in another order', { line: ['register', '--role', 'coder', '--session-id', 'abc-123'] }],
    ['less was asked for', { line: registerLine().slice(0, 3) }],
    ['more was asked for', { line: [...registerLine(), '--task', 'x'] }],
    ['a mere mention was asked about', { line: [] }],
    ['it is ten minutes ago', { line: registerLine(), age: 600_000 }],
    ['it is in the future', { line: registerLine(), age: -60_000 }],
    ['another session was asked about it', { line: registerLine(), session: 'other' }],
  ])('an agent may not when %s', async (_, { line, ...about }) => {
    if (line !== undefined) permit(line, about);
    expect(await sandbox.run(registerLine(), { caller: agent('abc-123') })).toMatchObject({ code: 1 });
    expect(lookup().kind).toBe('unregistered');
  });

  it('an agent may not for another session, even after a yes', async () => {
    permit(registerLine(), { session: 'mine' });
    const ran = await sandbox.run(registerLine(), { caller: agent('mine') });
    expect(ran).toMatchObject({ code: 1, err: [expect.stringContaining('not of a team that it leads')] });
  });

  it('an agent whose session is not known may not', async () => {
    permit(registerLine());
    const ran = await sandbox.run(registerLine(), { caller: { kind: 'agent', why: 'process 7 is claude' } });
    expect(ran).toMatchObject({ code: 1, err: [expect.stringContaining('process 7 is claude')] });
  });

  it('nor one whose session the repository names', async () => {
    sandbox.write('repo/.claude/settings.json', '{"env":{"CLAUDE_CODE_SESSION_ID":"abc-123"}}');
    permit(registerLine());
    expect(await sandbox.run(registerLine(), { caller: agent('abc-123') })).toMatchObject({ code: 1 });
  });

  it('a lead may for its team, after a yes', async () => {
    const team = { leadSessionId: 'lead', members: [{ sessionId: 'lead' }, { sessionId: 'abc-123' }] };
    sandbox.write('me/.claude/teams/red/config.json', JSON.stringify(team));
    const caller = agent('lead');
    expect(await sandbox.run(registerLine(), { caller })).toMatchObject({ code: 1 });
    for (const session of ['abc-123', 'stranger']) {
      permit(registerLine('coder', session), { session: 'lead' });
      await sandbox.run(registerLine('coder', session), { caller });
    }
    expect(lookup('abc-123', 'red')).toMatchObject({ entry: { role: 'coder', registered_by: 'team-lead' } });
    expect(lookup('stranger').kind).toBe('unregistered');
    permit(registerLine('coder', 'lead'), { session: 'abc-123' });
    expect(await sandbox.run(registerLine('coder', 'lead'), { caller: agent('abc-123') })).toMatchObject({ code: 1 });
  });

  it.each([
    [['disable', '--session-id', 'abc-123']],
    [['enable', '--session-id', 'abc-123']],
    [['switch', 'docs', '--session-id', 'abc-123']],
  ])('the same holds for %j', async (line) => {
    await sandbox.run(registerLine());
    const caller = agent('abc-123');
    expect(await sandbox.run(line, { caller })).toMatchObject({ code: 1 });
    permit(line);
    expect(await sandbox.run(line, { caller })).toMatchObject({ code: 0 });
  });
});

describe('hookwise disable, enable and switch', () => {
  it('take a session out and back in', async () => {
    await sandbox.run(registerLine());
    expect((await sandbox.run(['disable', '--session-id', 'abc-123'])).out).toEqual([
      'hookwise disabled for session abc-123.',
      'All tool calls will be permitted without gating.',
      'To re-enable: /hookwise enable',
    ]);
    expect(lookup().kind).toBe('disabled');
    expect((await sandbox.run(['enable', '--session-id', 'abc-123'])).out).toEqual([
      'hookwise enabled for session abc-123.',
      'Role: coder',
    ]);
    expect(lookup().kind).toBe('registered');
  });

  it('say how to register a session that never was', async () => {
    const { code, out } = await sandbox.run(['enable', '--session-id', 'abc-123']);
    expect(code).toBe(0);
    expect(out).toContain('To register: hookwise register --session-id abc-123 --role <role>');
    expect(out).toContain('  Full-access: maintainer, troubleshooter');
  });

  it('switch to another role', async () => {
    await sandbox.run(registerLine());
    const project = sandbox.project();
    project.natives.put('abc-123', { toolUseId: 'toolu_1', rule: 'x', askedAt: sandbox.now() });
    const { out } = await sandbox.run(['switch', 'docs', '--session-id', 'abc-123']);
    expect(out).toEqual([
      'Switched session abc-123 from "coder" to "docs".',
      expect.stringMatching(/^Path restrictions: allow docs\/\*\*, \*\.md, .* \| deny src\/\*\*, lib\/\*\*, /),
      'Session cache cleared \u2014 decisions will be re-evaluated for the new role.',
    ]);
    expect(lookup()).toMatchObject({ entry: { role: 'docs' } });
    expect(project.natives.list('abc-123')).toEqual([]);
  });

  it('switch the session that the command is run in', async () => {
    await sandbox.run(registerLine());
    const env = { CLAUDE_CODE_SESSION_ID: 'abc-123' };
    permit(['switch', 'docs']);
    expect(await sandbox.run(['switch', 'docs'], { env, caller: agent('abc-123') })).toMatchObject({ code: 0 });
    expect(await sandbox.run(['switch', 'docs'])).toMatchObject({ code: 2 });
  });

  it.each([
    ['switch no-such-role --session-id abc-123', 1, /^role not found: no-such-role/],
    ['switch docs --session-id new', 1, /^session not registered: new\nTo register: hookwise register/],
    ['switch docs --session-id off', 1, /^session disabled: off\nFirst: hookwise enable --session-id off/],
    ['switch docs coder --session-id abc-123', 2, /name one role/],
  ])('refuse %s', async (line, code, message) => {
    await sandbox.run(registerLine());
    await sandbox.run(['disable', '--session-id', 'off']);
    const ran = await sandbox.run(line.split(' '));
    expect(ran.code).toBe(code);
    expect(ran.err.join('\n')).toMatch(message);
  });
});
