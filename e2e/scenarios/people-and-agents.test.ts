import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ground, makeGround, noTerminal } from './terminal.ts';

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground.remove());

const missing = noTerminal();
const withTerminal = it.skipIf(missing !== undefined);
const name = (text: string): string => (missing === undefined ? text : `${text} (skipped: ${missing})`);

const register = (role: string, session = 's-1') => ['register', '--session-id', session, '--role', role];
const unattended = { session: 's-1', attended: false };

/** The verdict that the host reads. */
const verdictOf = ({ out }: { readonly out: string }): string =>
  out === '' ? 'none' : JSON.parse(out).hookSpecificOutput.permissionDecision;

const idIn = (text: string): string => /\b[a-z2-7]{26}\b/.exec(text)?.[0] ?? '';

describe('who answers', () => {
  withTerminal(name('a person at a terminal registers a session, and an agent does not'), async () => {
    expect(ground.agent(register('coder'), 's-1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no person confirmed exactly this command'),
    });
    expect(await ground.person(register('coder'))).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^Registered session s-1 as "coder"\.\nPath policy: allow src\/\*\*, .* \| deny tests/,
      ),
    });
  });

  it('a script without a terminal registers, but not with full access', async () => {
    expect(await ground.script(register('tester'))).toMatchObject({ code: 0 });
    expect(await ground.script(register('maintainer'))).toMatchObject({
      code: 1,
      text: expect.stringContaining('full-access role'),
    });
  });

  withTerminal(name('an answer reaches the next attempt, once, and is remembered'), async () => {
    await ground.script(register('tester'));
    const refused = ground.hook('docker compose up', unattended);
    expect(refused).toMatchObject({ code: 2 });
    const id = idIn(refused.out);
    expect(JSON.parse(ground.agent(['queue', '--json'], 's-1').out)).toMatchObject([{ id, role: 'tester' }]);
    for (const attempt of [ground.agent(['approve', id], 's-1'), await ground.script(['approve', id])])
      expect(attempt.code).toBe(1);
    expect(await ground.agentTerminal(['approve', id])).toMatchObject({
      code: 1,
      text: expect.stringContaining('an agent may not approve a call'),
    });
    expect(verdictOf(ground.hook('docker compose up', unattended))).toBe('deny');
    const answer = await ground.person(['approve', id]);
    expect(answer).toMatchObject({ code: 0, text: expect.stringContaining('call      docker compose up') });
    expect(verdictOf(ground.hook('docker compose up', unattended))).toBe('allow');
    expect(verdictOf(ground.hook('docker compose up', unattended))).toBe('allow');
    expect(verdictOf(ground.hook('docker compose down', unattended))).toBe('deny');
  });

  withTerminal(name('trust is given line by line, after a yes that is typed'), async () => {
    await ground.script(register('tester'));
    ground.write(
      '.hookwise/rules/allow.jsonl',
      '{"command":"make all","tool":"Bash","role":"tester","decision":"allow"}\n',
    );
    for (const typed of ['n\n', '', 'yesterday\n'])
      expect(await ground.person(['trust'], typed)).toMatchObject({
        code: 1,
        text: expect.stringContaining('Nothing was trusted.'),
      });
    expect(verdictOf(ground.hook('make all', unattended))).toBe('deny');
    const trusted = await ground.person(['trust'], 'y\n');
    expect(trusted).toMatchObject({
      code: 0,
      text: expect.stringContaining('allow.jsonl:1  allows tester: Bash make all'),
    });
    expect(verdictOf(ground.hook('make all', unattended))).toBe('allow');
    expect(await ground.script(['trust', '--yes'])).toMatchObject({ code: 1 });
  });

  it('an agent switches its role after the host asked a person, once', async () => {
    await ground.script(register('tester'));
    const words = ['switch', 'docs', '--session-id', 's-1'];
    const attended = { session: 's-1', attended: true };
    expect(ground.agent(words, 's-1').code).toBe(1);
    expect(verdictOf(ground.hook(`hookwise ${words.join(' ')}`, attended))).toBe('ask');
    expect(ground.agent(['switch', 'coder', '--session-id', 's-1'], 's-1').code).toBe(1);
    expect(ground.agent(words, 's-1')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Switched session s-1 from "tester" to "docs".'),
    });
    expect(ground.agent(words, 's-1').code).toBe(1);
  });
});
