import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canarySession } from '../canary.ts';
import { noon, runIn, type Workspace, workspace } from '../workspace.cases.ts';
import { log } from './log.ts';
import { stats } from './stats.ts';

type Event = Readonly<Record<string, string | number>>;

const hoursAgo = (hours: number): string => new Date(noon - hours * 3_600_000).toISOString();
const decision = (verdict: string, more: Event = {}): Event => ({
  event: 'decision',
  session: 's1',
  role: 'coder',
  tool: 'Bash',
  input: 'make all',
  verdict,
  ...more,
});

const logged = (events: readonly (readonly [hours: number, event: Event])[]): Workspace => {
  const at = workspace();
  const { audit } = at.project();
  for (const [hours, event] of events) audit.append(event, hoursAgo(hours));
  return at;
};

const auditFile = (at: Workspace): string => join(at.top, 'own/state/log/audit.jsonl');

describe('log', () => {
  const some = () =>
    logged([
      [50, decision('allow', { rule: 'builtin.read', tier: 'path-policy' })],
      [2, decision('deny', { rule: 'role.deny_write', input: 'x\u001b]0;owned\u0007\u202e' })],
      [1, { event: 'learned', verdict: 'allow', scope: 'user', actor: 'user:tester', tool: 'Bash', input: 'make' }],
    ]);

  it('shows lines, oldest first, and nothing that would move the cursor', async () => {
    const { code, out } = await runIn(some(), log);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^2026-03-03T10:00:00Z {2}allow {2}Bash {2}coder {2}\[builtin\.read\] +make all$/),
      expect.stringMatching(
        /^2026-03-05T10:00:00Z {2}deny .*\[role\.deny_write\] +x\\u\{1b\}\]0;owned\\u\{7\}\\u\{202e\}$/,
      ),
      expect.stringMatching(/^2026-03-05T11:00:00Z {2}allow .*learned user user:tester +make$/),
    ]);
  });

  it('can be narrowed', async () => {
    const at = some();
    const count = async (options: Record<string, string>) => (await runIn(at, log, { options })).out.split('\n').length;
    expect(await count({ since: '3h' })).toBe(2);
    expect(await count({ limit: '1' })).toBe(1);
    expect(await count({ since: '2026-03-05T10:30:00Z' })).toBe(1);
  });

  it('speaks JSON', async () => {
    const { out } = await runIn(some(), log, { options: { json: true, limit: '1' } });
    expect(JSON.parse(out)).toMatchObject({
      entries: [{ seq: 3, event: 'learned', actor: 'user:tester', line: 3 }],
      problems: [],
    });
  });

  it('says that there is nothing', async () => {
    expect(await runIn(workspace(), log)).toMatchObject({ code: 0, out: 'nothing is logged in this time' });
  });

  it.each([{ limit: '0' }, { limit: 'x' }, { since: 'x' }])('is not called with %j', async (options) => {
    await expect(runIn(workspace(), log, { options })).rejects.toThrow(/takes/);
  });
});

describe('log verify', () => {
  const three = () => logged([1, 2, 3].map((number) => [4 - number, decision('allow', { number })] as const));
  const change = (at: Workspace, edit: (lines: string[]) => string[]): void =>
    writeFileSync(auditFile(at), edit(readFileSync(auditFile(at), 'utf8').split('\n')).join('\n'));

  it('is content with what it wrote', async () => {
    expect(await runIn(three(), log, { words: ['verify'] })).toMatchObject({
      code: 0,
      out: '3 lines: as they were written',
    });
  });

  const tampering: [name: string, edit: (lines: string[]) => string[], line: string][] = [
    ['changed', (lines) => lines.map((line) => line.replace('"number":2', '"number":7')), 'audit.jsonl:2: was changed'],
    ['removed', (lines) => lines.toSpliced(1, 1), 'audit.jsonl:2: does not follow line number 1'],
    ['added', ([a = '', ...rest]) => [a, a, ...rest], 'audit.jsonl:2: is line number 1 after number 1'],
    ['cut off', (lines) => lines.toSpliced(2, 1), 'audit.head names line number 3'],
  ];
  it.each(tampering)('names the place where a line was %s', async (_, edit, expected) => {
    const at = three();
    change(at, edit);
    const { code, out } = await runIn(at, log, { words: ['verify'] });
    expect(code).toBe(1);
    expect(out).toContain(`broken  ${join(at.top, 'own/state/log')}/${expected}`);
    const again = await runIn(at, log, { words: ['verify'], options: { json: true } });
    expect([again.code, JSON.parse(again.out)]).toEqual([1, expect.objectContaining({ ok: false })]);
  });

  it('does not take a killed writer for an enemy', async () => {
    const at = three();
    writeFileSync(auditFile(at), `${readFileSync(auditFile(at), 'utf8')}{"seq":4`);
    const { code, out } = await runIn(at, log, { words: ['verify'] });
    expect(code).toBe(0);
    expect(out).toMatch(/^torn {2}.*audit\.jsonl:4: is cut short/m);
  });
});

describe('stats', () => {
  const some = () =>
    logged([
      [24 * 40, decision('deny')],
      [30, decision('allow', { tier: 'path-policy', rule: 'role.allow_write' })],
      [29, decision('ask', { tier: 'human', rule: 'human.undecided', asked: 'native' })],
      [5, decision('allow', { tier: 'exact-cache', rule: 'memory.allow' })],
      [4, decision('allow', { tier: 'human', rule: 'human.allow', asked: 'wait' })],
      [3, decision('ask', { tier: 'human', rule: 'human.undecided', asked: 'native' })],
      [2, decision('none')],
      [1, decision('deny', { session: canarySession })],
      [1, { event: 'learned', verdict: 'allow' }],
    ]);

  it('adds up decisions, stages, questions and days', async () => {
    const at = some();
    at.configure(
      'user/rules.jsonl',
      '{"command":"make","tool":"Bash","role":"*","decision":"allow","reason":"","timestamp":"2026-03-01T00:00:00Z","scope":"user"}\n',
    );
    const { out } = await runIn(at, stats, { options: { json: true } });
    expect(JSON.parse(out)).toMatchObject({
      since: '2026-02-03T12:00:00.000Z',
      calls: 6,
      verdicts: { allow: 3, deny: 0, ask: 2, none: 1 },
      tiers: [
        { name: 'path-policy', count: 1, share: 0.2 },
        { name: 'exact-cache', count: 1, share: 0.2 },
        { name: 'human', count: 3, share: 0.6 },
      ],
      days: [
        { day: '2026-03-04', calls: 2, asks: 1, asksPer100: 50 },
        { day: '2026-03-05', calls: 4, asks: 2, asksPer100: 50 },
      ],
      askRoutes: [
        { name: 'native', count: 2 },
        { name: 'wait', count: 1 },
      ],
      askingRules: [
        { name: 'human.undecided', count: 2 },
        { name: 'human.allow', count: 1 },
      ],
      problems: [],
    });
    const places: unknown = JSON.parse(out).memory;
    expect(places).toMatchObject([{}, {}, { place: 'user', counts: { allow: 1, deny: 0, ask: 0 }, untrusted: 0 }]);
  });

  it('is readable', async () => {
    const { out } = await runIn(some(), stats, { options: { since: '40d' } });
    expect(out).toMatch(/^since 2026-01-24T12:00:00\.000Z: 7 calls$/m);
    expect(out).toMatch(/^ {2}3 allow, 1 deny, 2 ask, 1 without an opinion$/m);
    expect(out).toMatch(/^ {2}human +3 +60\.0 %$/m);
    expect(out).toMatch(/^ {2}2026-03-05 +2 of 4 +50\.0 per 100 calls$/m);
  });

  it('says how many allows of the repository wait for trust', async () => {
    const at = workspace();
    at.write(
      '.hookwise/rules/allow.jsonl',
      '{"command":"make","tool":"Bash","role":"coder","decision":"allow","reason":"","timestamp":"2026-03-01T00:00:00Z","scope":"project"}\n',
    );
    expect((await runIn(at, stats)).out).toMatch(/^ {2}project +0 allow, 0 deny, 0 ask \(1 more wait for trust\)$/m);
  });
});
