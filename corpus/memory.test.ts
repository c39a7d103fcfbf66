import { describe, expect, it } from 'vitest';
import type { StoredEntry, StoredOverride } from '../src/core/model/record.ts';
import type { ScopeLevel, Verdict } from '../src/core/model/verdict.ts';
import { run } from './run.cases.ts';
import { judge, policyOf, root, verdictOf, type World } from './world.cases.ts';

const write = (path: string) => ({ file_path: path, content: 'x' });
const read = (path: string) => ({ file_path: path });

const source = { file: '.hookwise/rules/allow.jsonl', line: 3 };

const entry = (verdict: Verdict, scope: ScopeLevel, more: Partial<StoredEntry> = {}): StoredEntry => ({
  verdict,
  scope,
  tier: 'Human',
  tool: 'Bash',
  role: 'coder',
  source,
  ...more,
});

const override = (
  verdict: Verdict,
  scope: ScopeLevel,
  pattern: StoredOverride['pattern'],
  role = '*',
): StoredOverride => ({
  ...entry(verdict, scope, { role, tier: 'Override' }),
  pattern,
});

describe('hookwise commands from an agent', () => {
  run([
    ['Bash', { command: 'hookwise status' }, 'allow control.read'],
    ['Bash', { command: 'hookwise queue --json' }, 'allow control.read'],
    ['Bash', { command: "hookwise explain 'git status'" }, 'allow control.read'],
    ['Bash', { command: 'hookwise queue' }, 'deny control.queue'],
    ['Bash', { command: 'hookwise register --session-id s1 --role coder' }, 'ask control.register'],
    ['Bash', { command: 'hookwise disable --session-id s1' }, 'ask control.disable'],
    ['Bash', { command: 'hookwise register --session-id other --role coder' }, 'deny control.register'],
    ['Bash', { command: 'hookwise register --session-id s1 --session-id other --role coder' }, 'deny control.register'],
    ['Bash', { command: 'hookwise approve 123' }, 'deny control.approve'],
    ['Bash', { command: 'captain-hook approve 123' }, 'deny control.approve'],
    ['Bash', { command: '/usr/local/bin/hookwise approve 123' }, 'deny control.approve'],
    ['Bash', { command: 'hookwise override --role coder --tool Bash --allow' }, 'deny control.override'],
    ['Bash', { command: 'hookwise' }, 'deny control.command'],
    ['Bash', { command: 'hookwise approve $(cat id)' }, 'deny control.command'],
    ['Bash', { command: 'node node_modules/.bin/hookwise approve 123' }, 'deny control.command'],
    ['Bash', { command: 'HOOKWISE_ROLE=maintainer hookwise check' }, 'deny control.command'],
  ]);

  it('no memory settles one', () => {
    const world: World = {
      entries: [entry('allow', 'user', { tool: 'Bash' })],
      overrides: [override('allow', 'org', { tool: 'Bash' })],
    };
    expect(verdictOf(judge('Bash', { command: 'hookwise approve 1' }, world))).toBe('deny control.approve');
    expect(verdictOf(judge('Bash', { command: 'echo | hookwise' }, world))).toBe('deny control.command');
  });
});

describe('exact entries', () => {
  const ls = { command: 'make check' };
  run([
    ['Bash', ls, 'allow entry.project', { entries: [entry('allow', 'project')] }],
    ['Bash', ls, 'deny entry.project', { entries: [entry('deny', 'project')] }],
    ['Bash', ls, 'ask entry.user', { entries: [entry('ask', 'user')] }],
    ['Bash', ls, 'deny entry.org', { entries: [entry('allow', 'user'), entry('deny', 'org')] }],
    ['Bash', ls, 'ask entry.project', { entries: [entry('allow', 'user'), entry('ask', 'project')] }],
    ['Bash', ls, 'open', { entries: [entry('allow', 'project', { role: 'tester' })] }],
    ['Bash', ls, 'deny entry.project', { entries: [entry('deny', 'project', { role: '*' })] }],
    ['Bash', ls, 'open', { entries: [entry('allow', 'project')], cwd: '/srv' }],
    ['Bash', ls, 'allow entry.user', { entries: [entry('allow', 'user')], cwd: '/srv' }],
    [
      'Edit',
      write(`${root}/README.md`),
      'deny entry.project',
      { entries: [entry('deny', 'project', { tool: 'Write' })] },
    ],
    ['Edit', write(`${root}/README.md`), 'open', { entries: [entry('allow', 'project', { tool: 'Write' })] }],
    [
      'Write',
      write(`${root}/README.md`),
      'open',
      { entries: [entry('allow', 'project', { tool: 'Write', change: 'create' })] },
    ],
    [
      'Write',
      write(`${root}/README.md`),
      'allow entry.project',
      { entries: [entry('allow', 'project', { tool: 'Write', change: 'modify' })] },
    ],
    [
      'Write',
      write(`${root}/tests/a.ts`),
      'deny role.coder.deny_write',
      { entries: [entry('allow', 'project', { tool: 'Write' })] },
    ],
    [
      'Write',
      write(`${root}/.env`),
      'ask sensitive.ask_write',
      { entries: [entry('allow', 'user', { tool: 'Write' })] },
    ],
    ['Read', read(`${root}/src/a.ts`), 'deny entry.project', { entries: [entry('deny', 'project', { tool: 'Read' })] }],
  ]);

  it('names file and line', () => {
    const { outcome } = judge('Bash', ls, { entries: [entry('deny', 'project')] });
    expect(outcome).toMatchObject({
      decision: { source, clear: expect.stringContaining('.hookwise/rules/allow.jsonl:3') },
    });
  });
});

describe('overrides', () => {
  const env = write(`${root}/.env`);
  run([
    [
      'Bash',
      { command: 'docker compose up' },
      'allow override.project',
      { overrides: [override('allow', 'project', { command: 'docker compose up' })] },
    ],
    [
      'Bash',
      { command: 'docker  compose up' },
      'allow override.project',
      { overrides: [override('allow', 'project', { command: 'docker compose up' })] },
    ],
    [
      'Bash',
      { command: 'docker compose up -d' },
      'open',
      { overrides: [override('allow', 'project', { command: 'docker compose up' })] },
    ],
    [
      'Bash',
      { command: 'npm run build' },
      'allow override.user',
      { overrides: [override('allow', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: 'npm run build; rm -rf ~' },
      'deny builtin.destroy',
      { overrides: [override('allow', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: 'npm run build && x' },
      'open',
      { overrides: [override('allow', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: 'npm run build && npm run lint' },
      'allow override.user',
      { overrides: [override('allow', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: 'npm run build > ~/out' },
      'ask class.destroy',
      { overrides: [override('allow', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: '$X run build' },
      'ask override.user',
      { overrides: [override('deny', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: 'echo "npm publish"' },
      'allow builtin.inspect',
      { overrides: [override('deny', 'user', { command: 'npm publish' })] },
    ],
    [
      'Bash',
      { command: 'sh -c "npm publish"' },
      'deny override.user',
      { overrides: [override('deny', 'user', { command: 'npm publish' })] },
    ],
    [
      'Bash',
      { command: 'npm run build && x' },
      'deny override.user',
      { overrides: [override('deny', 'user', { command: 'npm run *' })] },
    ],
    [
      'Bash',
      { command: 'npm publish' },
      'deny override.user',
      { overrides: [override('deny', 'user', { command: 'npm pub*' })] },
    ],
    ['Bash', { command: 'make check' }, 'open', { overrides: [override('deny', 'user', { command: 'npm *' })] }],
    [
      'Write',
      env,
      'allow override.user',
      { role: 'maintainer', overrides: [override('allow', 'user', { file: '.env*' })] },
    ],
    [
      'Write',
      env,
      'open',
      {
        overrides: [override('allow', 'user', { tool: 'Read', file: '.env*' })],
        policy: { sensitive: { askWrite: [], denyRead: [], askRead: [], exceptRead: [] } },
      },
    ],
    [
      'Write',
      write(`${root}/.claude/settings.json`),
      'ask self.protect',
      { overrides: [override('allow', 'project', { file: '.claude/**' })] },
    ],
    [
      'Write',
      write(`${root}/.claude/settings.json`),
      'allow override.user',
      { overrides: [override('allow', 'user', { file: '.claude/**' })] },
    ],
    [
      'Write',
      write(`${root}/tests/a.ts`),
      'allow override.project',
      { overrides: [override('allow', 'project', { file: 'tests/**' })] },
    ],
    [
      'Write',
      write(`${root}/src/a.ts`),
      'ask override.project',
      { overrides: [override('ask', 'project', { tool: 'Write', file: 'src/**' })] },
    ],
    [
      'Write',
      write(`${root}/src/a.ts`),
      'deny override.org',
      { overrides: [override('allow', 'user', { file: 'src/**' }), override('deny', 'org', { file: 'src/**' })] },
    ],
    [
      'Read',
      read(`${root}/.env`),
      'allow override.user',
      { overrides: [override('allow', 'user', { tool: 'Read', file: '.env' })] },
    ],
    [
      'Read',
      read(`${root}/.env`),
      'deny sensitive.deny_read',
      { overrides: [override('allow', 'project', { tool: 'Read', file: '.env' })] },
    ],
    [
      'WebFetch',
      { url: 'https://example.com' },
      'allow override.user',
      { overrides: [override('allow', 'user', { tool: 'WebFetch' })] },
    ],
    [
      'Write',
      write(`${root}/tests/a.ts`),
      'deny role.coder.deny_write',
      { overrides: [override('allow', 'user', { file: 'tests/**' }, 'tester')] },
    ],
  ]);

  it('a user override does not lift what an org calls sensitive', () => {
    const askWrite = [{ glob: 'deploy/**', scope: 'org' as const, source: { file: 'org/policy.yml', line: 2 } }];
    const world: World = {
      role: 'maintainer',
      policy: { sensitive: { ...policyOf().sensitive, askWrite } },
      overrides: [override('allow', 'user', { file: 'deploy/**' })],
    };
    expect(verdictOf(judge('Write', write(`${root}/deploy/x`), world))).toBe('ask sensitive.ask_write');
  });
});

describe('a policy file that cannot be read', () => {
  const problems = [
    { source: { file: '.hookwise/policy.yml', line: 4 }, reason: 'not YAML', severity: 'broken' as const },
  ];
  run([
    ['Write', write(`${root}/src/a.ts`), 'ask config.broken', { policy: { problems } }],
    ['Bash', { command: 'make check' }, 'ask config.broken', { policy: { problems } }],
    ['Read', read(`${root}/src/a.ts`), 'ask config.broken', { policy: { problems } }],
    ['Write', write(`${root}/tests/a.ts`), 'deny role.coder.deny_write', { policy: { problems } }],
  ]);
});

describe('a restriction that cannot be read', () => {
  const damaged = { file: '.hookwise/rules/deny.jsonl', line: 7 };
  run([
    ['Bash', { command: 'ls' }, 'ask memory.damaged', { damaged }],
    ['Bash', { command: 'npm test' }, 'ask memory.damaged', { damaged, entries: [entry('allow', 'user')] }],
    ['Write', write(`${root}/src/a.ts`), 'ask memory.damaged', { damaged }],
    ['Bash', { command: 'npm test' }, 'deny entry.org', { damaged, entries: [entry('deny', 'org')] }],
  ]);
});
