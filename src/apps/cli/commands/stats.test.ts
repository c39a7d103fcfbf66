import { describe, expect, it } from 'vitest';
import { filed, verdictOf, within } from '../cli-sandbox.cases.ts';
import { noon, runIn, workspace } from '../workspace.cases.ts';
import { stats } from './stats.ts';

type Event = Readonly<Record<string, string | number | boolean>>;

const days = (count: number): string => new Date(noon - count * 86_400_000).toISOString();

const logged = (events: readonly (readonly [daysAgo: number, event: Event])[]) => {
  const at = workspace();
  const { audit } = at.project();
  for (const [daysAgo, event] of events) audit.append({ session: 's-1', ...event }, days(daysAgo));
  return at;
};

const decision = (tier: string, rule: string, more: Event = {}): Event => ({
  event: 'decision',
  verdict: 'allow',
  tier,
  rule,
  ...more,
});

const json = async (at: ReturnType<typeof logged>) =>
  JSON.parse((await runIn(at, stats, { options: { json: true } })).out);

describe('stats', () => {
  const some = () =>
    logged([
      [9, decision('human', 'human.allow', { asked: 'wait' })],
      [9, decision('exact-cache', 'entry.project')],
      [8, decision('exact-cache', 'shape.project')],
      [8, decision('exact-cache', 'shape.user')],
      [3, decision('token-jaccard', 'similar.project')],
      [2, decision('embedding-similarity', 'similar.project')],
      [1, decision('override', 'override.user')],
      [1, decision('human', 'human.undecided', { verdict: 'ask', asked: 'native' })],
    ]);

  it('tells remembered shapes from remembered calls, and one likeness from the other', async () => {
    expect((await json(some())).tiers).toEqual([
      { name: 'override', count: 1, share: 0.125 },
      { name: 'exact-cache', count: 1, share: 0.125 },
      { name: 'shape', count: 2, share: 0.25 },
      { name: 'token-jaccard', count: 1, share: 0.125 },
      { name: 'embedding-similarity', count: 1, share: 0.125 },
      { name: 'human', count: 2, share: 0.25 },
    ]);
    const { out } = await runIn(some(), stats);
    for (const line of [
      /^ {2}exact memory +1 +12\.5 %$/m,
      /^ {2}remembered shapes +2 +25\.0 %$/m,
      /^ {2}similar by words +1 +12\.5 %$/m,
      /^ {2}similar by meaning +1 +12\.5 %$/m,
    ])
      expect(out).toMatch(line);
  });

  it('counts questions by the week too, from Monday on', async () => {
    // 2026-03-05 is a Thursday.
    expect((await json(some())).weeks).toEqual([
      { week: '2026-02-23', calls: 4, asks: 1, asksPer100: 25 },
      { week: '2026-03-02', calls: 4, asks: 1, asksPer100: 25 },
    ]);
    const sunday = logged([[4, decision('human', 'human.undecided', { verdict: 'ask', asked: 'native' })]]);
    expect((await json(sunday)).weeks).toMatchObject([{ week: '2026-02-23' }]);
  });

  it('shows a week of days, and the rest by the week', async () => {
    const at = logged(Array.from({ length: 20 }, (_, number) => [number, decision('human', 'human.allow')] as const));
    const { out } = await runIn(at, stats);
    expect(out).toMatch(/^asks by day \(UTC\), the last 7$/m);
    expect(out.match(/^ {2}2026-\d\d-\d\d .* of 1 /gm)).toHaveLength(7);
    expect((await json(at)).days).toHaveLength(20);
  });

  it('says how often people follow the advice, and how often each session is allowed', async () => {
    const answered = (session: string, verdict: string, more: Event = {}): readonly [number, Event] => [
      1,
      { event: 'answered', session, verdict, ...more },
    ];
    const at = logged([
      answered('s-1', 'allow', { advice: 'deny' }),
      answered('s-1', 'allow', { advice: 'allow' }),
      answered('s-1', 'allow', { advice: 'ask' }),
      answered('s-2', 'deny'),
    ]);
    expect((await json(at)).answers).toEqual({
      answered: 4,
      allowed: 3,
      advised: 3,
      overridden: 2,
      overrideRate: 0.6667,
      sessions: [
        { session: 's-1', answered: 3, allowed: 3 },
        { session: 's-2', answered: 1, allowed: 0 },
      ],
    });
    const { out } = await runIn(at, stats);
    expect(out).toMatch(/^ {2}all sessions +3 of 4 allowed +75\.0 %$/m);
    expect(out).toMatch(/^ {2}s-1 +3 of 3 allowed +100\.0 %$/m);
    expect(out).toMatch(/^ {2}against the advice +2 of 3 +66\.7 %$/m);
  });

  it('counts shapes, ends and what has ended, by place and verdict', async () => {
    const at = workspace();
    const line = (input: string, more: object): string =>
      JSON.stringify({
        v: 1,
        key: { sanitized_input: input, tool: 'Bash', role: 'coder' },
        decision: 'allow',
        metadata: { tier: 'Human', confidence: 1, reason: '' },
        timestamp: days(3),
        scope: 'user',
        session_id: '',
        ...more,
      });
    const lines = [
      line('make', {}),
      line('make -j <ANY:number>', { slots: ['number'], expires_at: days(-3) }),
      line('pytest <ANY:selector>', { slots: ['selector'], decision: 'deny' }),
      line('ls', { expires_at: days(1), decision: 'ask' }),
    ];
    at.configure('user/rules.jsonl', `${lines.join('\n')}\n`);
    at.write('.hookwise/rules/allow.jsonl', `${line('make all', { scope: 'project' })}\n`);
    const report = await json({ ...at });
    expect(report.memory).toMatchObject([
      { place: 'project', counts: { allow: 0, deny: 0, ask: 0 }, untrusted: 1 },
      { place: 'repository-user', untrusted: 0 },
      {
        place: 'user',
        counts: { allow: 2, deny: 1, ask: 0 },
        shapes: { allow: 1, deny: 1, ask: 0 },
        ending: { allow: 1, deny: 0, ask: 0 },
        expired: { allow: 0, deny: 0, ask: 1 },
        untrusted: 0,
      },
    ]);
    const { out } = await runIn(at, stats);
    expect(out).toMatch(/^ {2}project +0 allow, 0 deny, 0 ask \(1 more wait for trust\)$/m);
    expect(out).toMatch(/^ {2}user +2 allow, 1 deny, 0 ask \(2 for a whole shape, 1 with an end, 1 expired\)$/m);
  });
});

describe.concurrent('the indexes in stats', () => {
  it(
    'are missing, fresh or stale, and looking changes nothing',
    within(async (sandbox) => {
      const states = async () => JSON.parse((await sandbox.run(['stats', '--json'])).out[0] ?? '').indexes;
      expect(await states()).toMatchObject([
        { place: 'project', exact: { state: 'empty', bytes: 0 }, similar: { state: 'empty' } },
        {},
        {},
      ]);
      await sandbox.run(['approve', await filed(sandbox)]);
      expect(await verdictOf(sandbox, { command: 'docker compose up' })).toBe('allow entry.project');
      expect(await sandbox.run(['build'])).toMatchObject({ code: 0 });
      for (let look = 0; look < 2; look++)
        expect(await states()).toMatchObject([{ exact: { state: 'fresh' }, similar: { state: 'fresh' } }, {}, {}]);
      const more = { command: 'docker compose down', tool: 'Bash', role: 'tester', decision: 'allow' };
      sandbox.write('repo/.hookwise/rules/allow.jsonl', `${JSON.stringify(more)}\n`);
      for (let look = 0; look < 2; look++)
        expect(await states()).toMatchObject([{ exact: { state: 'stale' }, similar: { state: 'stale' } }, {}, {}]);
      expect((await sandbox.run(['stats'])).out.join('\n')).toMatch(
        /^ {2}project +exact: stale, [\d.]+ K?B +similar: stale, [\d.]+ K?B$/m,
      );
    }),
  );
});
