import { describe, expect, it } from 'vitest';
import { noon, runIn, type Workspace, workspace } from '../workspace.cases.ts';
import { status } from './status.ts';

const gated = (env: Record<string, string> = {}): Workspace => {
  const at = workspace('/nowhere', env);
  at.write('.hookwise/policy.yml', '');
  return at;
};

const register = (at: Workspace, role: string, minutes = 23): void => {
  const registered = new Date(noon - minutes * 60_000).toISOString();
  at.project().sessions('solo').register({ sessionId: 'abc-123', role, at: registered, task: 'write\u001b[2J it' });
};

const entry = (decision: string, role: string, input: string, more: object = {}): string =>
  JSON.stringify({
    v: 1,
    key: { sanitized_input: input, tool: 'Bash', role },
    decision,
    metadata: { tier: 'Human', confidence: 1, reason: '' },
    timestamp: '2026-03-01T00:00:00Z',
    scope: 'user',
    session_id: 's',
    ...more,
  });

const lines = async (at: Workspace, session = 'abc-123'): Promise<string[]> =>
  (await runIn(at, status, { options: { 'session-id': session } })).out.split('\n');

describe('status', () => {
  it('shows a registered session', async () => {
    const at = gated();
    at.write('.hookwise/roles.yml', 'roles:\n  narrow:\n    paths:\n      deny_write: [tests/**, docs/**]\n');
    register(at, 'narrow');
    at.configure(
      'user/rules.jsonl',
      [
        entry('allow', 'narrow', 'make a'),
        entry('allow', '*', 'make b'),
        entry('allow', 'coder', 'make c'),
        entry('deny', 'narrow', 'make d'),
        entry('ask', 'narrow', 'make e', { pattern: { command: 'make e*' } }),
        entry('allow', 'narrow', 'make f', { expires_at: '2026-03-02T00:00:00Z' }),
      ].join('\n'),
    );
    expect((await lines(at)).slice(0, 5)).toEqual([
      'Session: abc-123',
      'Role: narrow',
      'Path policy: allow nothing | deny tests/**, docs/**',
      'Cache: 2 allow, 1 deny, 1 ask',
      'Uptime: 23m',
    ]);
  });

  it('shows a built-in role with its own paths', async () => {
    const at = gated();
    register(at, 'docs', 125);
    expect(await lines(at)).toEqual([
      'Session: abc-123',
      'Role: docs',
      'Path policy: allow docs/**, *.md, *.aisp, CHANGELOG.md, LICENSE | deny src/**, lib/**, tests/**, .github/**, *.tf',
      'Cache: 0 allow, 0 deny, 0 ask',
      'Uptime: 2h 5m',
      'Task: write\\u{1b}[2J it',
      'Profile: gated (this session is registered)',
    ]);
  });

  const standings: [name: string, make: () => Workspace, role: string, profile: string][] = [
    ['unregistered', gated, 'none (unregistered)', 'gated (.hookwise/ at the root)'],
    ['outside a gated repository', () => workspace(), 'none (policy-only)', 'policy-only (no .hookwise/ at the root'],
    ['with a role from the environment', () => gated({ HOOKWISE_ROLE: 'tester' }), 'tester', 'gated (HOOKWISE_ROLE'],
    [
      'disabled',
      () => {
        const at = gated();
        at.project().sessions('solo').disable('abc-123');
        return at;
      },
      'none (disabled)',
      'policy-only (this session is disabled)',
    ],
    [
      'where configuration asks for it',
      () => {
        const at = workspace();
        at.configure('config.yml', 'gating: always\n');
        return at;
      },
      'none (unregistered)',
      'gated (gating is always)',
    ],
    [
      'where configuration forbids it',
      () => {
        const at = gated();
        at.configure('config.yml', 'gating: never\n');
        return at;
      },
      'none (policy-only)',
      'policy-only (gating is never)',
    ],
    [
      'in an organisation',
      () => {
        const at = gated();
        at.configure('config.yml', 'default_org: acme\n');
        return at;
      },
      'none (unregistered)',
      'gated (the organisation acme)',
    ],
  ];
  it.each(standings)('%s', async (_, make, role, profile) => {
    const shown = await lines(make());
    expect(shown[1]).toBe(`Role: ${role}`);
    expect(shown.find((line) => line.startsWith('Profile: '))).toContain(`Profile: ${profile}`);
  });

  it('takes the session from the host, and does without one', async () => {
    const at = gated({ CLAUDE_CODE_SESSION_ID: 'abc-123' });
    register(at, 'coder');
    expect((await runIn(at, status)).out).toMatch(/^Session: abc-123\nRole: coder\n/);
    expect((await runIn(gated(), status)).out).toMatch(/^Session: unknown .*\nRole: unknown\n/);
  });

  it('warns about what it did not believe', async () => {
    const at = gated({ HOOKWISE_ROLE: 'tester' });
    at.write('.claude/settings.json', '{"env": {"HOOKWISE_ROLE": "tester"}}');
    const { out } = await runIn(at, status, { options: { 'session-id': 'abc-123' } });
    expect(out).toContain('Role: none (unregistered)');
    expect(out).toMatch(/^Warning: HOOKWISE_ROLE: not used/m);
  });

  it('speaks JSON', async () => {
    const at = gated();
    register(at, 'tester');
    const { out } = await runIn(at, status, { options: { 'session-id': 'abc-123', json: true } });
    expect(JSON.parse(out)).toMatchObject({
      session: 'abc-123',
      standing: 'registered',
      role: 'tester',
      team: 'solo',
      uptime_secs: 23 * 60,
      cache: { allow: 0, deny: 0, ask: 0 },
      profile: { name: 'gated' },
      paths: { deny_write: ['src/**', 'lib/**', 'docs/**', '.github/**', '*.tf'] },
    });
  });

  it('refuses what is no session id', async () => {
    await expect(runIn(gated(), status, { options: { 'session-id': '../x' } })).rejects.toThrow(/session id/);
  });
});
