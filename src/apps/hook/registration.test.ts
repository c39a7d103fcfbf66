import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, reasonOn, verdictOn } from './place.cases.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const coder = { HOOKWISE_ROLE: 'coder' };

describe('registration', () => {
  const fast = () => place.write('.hookwise/policy.yml', 'registration_timeout_secs: 0\n');

  it('an unregistered session is blocked with instructions, and asked again next time', async () => {
    fast();
    const reply = await place.hook(place.call('Bash', { command: 'ls' }));
    expect(verdictOn(reply)).toBe('deny');
    expect(JSON.parse(reply.stdout)).toMatchObject({ decision: 'block' });
    expect(JSON.parse(reply.stdout).reason).toBe(
      [
        'hookwise: Session not registered.',
        '',
        'This session needs a role before tool calls are permitted.',
        '',
        'To register: /hookwise register',
        'To disable:  /hookwise disable',
        '',
        'Or from a terminal:',
        '  hookwise register --session-id s1 --role <role>',
        '  hookwise disable --session-id s1',
      ].join('\n'),
    );
    expect(verdictOn(await place.hook(place.call('Bash', { command: 'ls' })))).toBe('deny');
  });

  it('waits for a registration that arrives, and goes on with it', async () => {
    place.write('.hookwise/policy.yml', 'registration_timeout_secs: 5\n');
    const started = Date.now();
    const waiting = place.hook(place.call('Write', { file_path: 'src/a.ts', content: '' }));
    setTimeout(() => place.register('coder'), 300);
    expect(verdictOn(await waiting)).toBe('allow');
    expect(Date.now() - started).toBeLessThan(4000);
  });

  it('only the question tool and the session’s own registration get through before', async () => {
    fast();
    expect(verdictOn(await place.hook(place.call('AskUserQuestion', {})))).toBe('none');
    const command = (text: string) => place.hook(place.call('Bash', { command: text }));
    expect(verdictOn(await command('hookwise register --session-id s1 --role coder'))).toBe('ask');
    expect(verdictOn(await command('hookwise register --session-id s2 --role coder'))).toBe('deny');
    expect(verdictOn(await command('hookwise register --session-id s1 --role coder; ls'))).toBe('deny');
  });

  it('of a headless session even that is denied', async () => {
    fast();
    const reply = await place.hook(place.call('Bash', { command: 'hookwise register --session-id s1 --role coder' }), {
      CLAUDE_CODE_SESSION_ATTENDED: '0',
    });
    expect(verdictOn(reply)).toBe('deny');
  });

  it('the prompt hook asks for a role once, and is silent afterwards', async () => {
    const prompt = { session_id: 's1', cwd: place.project, hook_event_name: 'UserPromptSubmit', prompt: 'hi' };
    const { additionalContext } = JSON.parse((await place.hook(prompt)).stdout).hookSpecificOutput;
    expect(additionalContext).toMatch(
      /^hookwise: This session has no role assigned\.\nBefore proceeding, ask the user to choose a role using AskUserQuestion\./,
    );
    expect(additionalContext).toContain('Implementation: coder, tester, integrator, devops');
    expect(additionalContext).toContain('hookwise register --session-id s1 --role <chosen-role>');
    place.register('coder');
    expect((await place.hook(prompt)).stdout).toBe('');
  });

  it('the default role of the user’s configuration registers a session at its start; the repository’s does not', async () => {
    const start = { session_id: 's1', cwd: place.project, hook_event_name: 'SessionStart', source: 'startup' };
    place.write('.hookwise/policy.yml', 'default_role: coder\nregistration_timeout_secs: 0\n');
    await place.hook(start);
    expect(verdictOn(await place.hook(place.call('Write', { file_path: 'src/a.ts', content: '' })))).toBe('deny');
    place.configure('default_role: coder\n');
    await place.hook(start);
    expect(verdictOn(await place.hook(place.call('Write', { file_path: 'src/a.ts', content: '' })))).toBe('allow');
  });

  it('a full-access role is never a default', async () => {
    fast();
    place.configure('default_role: maintainer\n');
    const reply = await place.hook({
      session_id: 's1',
      cwd: place.project,
      hook_event_name: 'SessionStart',
      source: 'startup',
    });
    expect(reply.stdout).toContain('maintainer');
    expect(verdictOn(await place.hook(place.call('Write', { file_path: 'src/a.ts', content: '' })))).toBe('deny');
  });
});

describe('the environment as authority', () => {
  const source = () => place.call('Write', { file_path: 'src/a.ts', content: '' });

  it('the seed’s older variable works where the newer one is unset', async () => {
    expect(verdictOn(await place.hook(source(), { CAPTAIN_HOOK_ROLE: 'coder' }))).toBe('allow');
    expect(verdictOn(await place.hook(source(), { CAPTAIN_HOOK_ROLE: 'coder', HOOKWISE_ROLE: 'docs' }))).toBe('deny');
  });

  it('never overrides a registration', async () => {
    place.register('docs');
    expect(verdictOn(await place.hook(source(), coder))).toBe('deny');
  });

  it('gives a full-access role only when the user’s configuration lists it', async () => {
    place.write('.hookwise/policy.yml', 'registration_timeout_secs: 0\n');
    const anything = place.call('Write', { file_path: 'anything', content: '' });
    expect(verdictOn(await place.hook(anything, { HOOKWISE_ROLE: 'maintainer' }))).toBe('deny');
    place.configure('env_role:\n  allow: [maintainer]\n');
    expect(verdictOn(await place.hook(anything, { HOOKWISE_ROLE: 'maintainer' }))).toBe('allow');
  });

  it('is not believed where the repository’s settings define it', async () => {
    place.write('.hookwise/policy.yml', 'registration_timeout_secs: 0\n');
    place.write('.claude/settings.json', '{"env":{"HOOKWISE_ROLE":"coder"}}');
    expect(verdictOn(await place.hook(source(), coder))).toBe('deny');
  });

  it.each(['NODE_OPTIONS', 'PATH', 'LD_PRELOAD', 'HOOKWISE_HOME'])(
    'a repository that sets %s is named at the start',
    async (name) => {
      place.write('.claude/settings.json', JSON.stringify({ env: { [name]: 'x' } }));
      const start = { session_id: 's1', cwd: place.project, hook_event_name: 'SessionStart', source: 'startup' };
      expect((await place.hook(start, coder)).stdout).toContain(name);
    },
  );

  it('a home inside the repository is refused: nothing is allowed', async () => {
    const env = { ...coder, HOOKWISE_HOME: join(place.project, 'home') };
    const reply = await place.hook(source(), env);
    expect(verdictOn(reply)).toBe('ask');
    expect(reasonOn(reply)).toContain('HOOKWISE_HOME');
    expect(verdictOn(await place.hook(source(), { ...env, CLAUDE_CODE_SESSION_ATTENDED: '0' }))).toBe('deny');
  });
});
