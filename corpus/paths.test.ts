import { describe, expect, it } from 'vitest';
import type { Role } from '../src/core/model/policy.ts';
import { builtinRoles } from '../src/core/policy/roles.ts';
import { run } from './run.cases.ts';
import { home, judge, policyOf, root, verdictOf, type World } from './world.cases.ts';

const write = (path: string) => ({ file_path: path, content: 'x' });
const read = (path: string) => ({ file_path: path });

describe('writes by role', () => {
  run([
    ['Write', write(`${root}/src/a.ts`), 'allow role.coder.allow_write'],
    ['Write', write('src/a.ts'), 'allow role.coder.allow_write'],
    ['Edit', { file_path: './src//x/../a.ts', new_string: 'y' }, 'allow role.coder.allow_write'],
    ['MultiEdit', { file_path: `${root}/src/a.ts`, edits: [] }, 'allow role.coder.allow_write'],
    ['NotebookEdit', { notebook_path: `${root}/src/a.ipynb`, new_source: '' }, 'allow role.coder.allow_write'],
    ['Write', write(`${root}/tests/a.ts`), 'deny role.coder.deny_write'],
    ['Write', write(`${root}/src/a.test.ts`), 'deny role.coder.deny_write'],
    ['NotebookEdit', { notebook_path: `${root}/docs/a.ipynb`, new_source: '' }, 'deny role.coder.deny_write'],
    ['Write', write(`${root}/README.md`), 'open'],
    ['Write', write('/srv/elsewhere/src/a.ts'), 'open'],
    ['Write', write(`${root}/tests/a.ts`), 'allow role.tester.allow_write', { role: 'tester' }],
    ['Write', write(`${root}/src/a.ts`), 'deny role.tester.deny_write', { role: 'tester' }],
    ['Write', write(`${root}/anything`), 'allow role.maintainer.allow_write', { role: 'maintainer' }],
    ['Write', write('/srv/elsewhere'), 'open', { role: 'maintainer' }],
    [
      'Write',
      write(`${root}/docs/reviews/security/a.md`),
      'allow role.security-reviewer.allow_write',
      { role: 'security-reviewer' },
    ],
    [
      'Write',
      write(`${root}/docs/reviews/a.md`),
      'deny role.security-reviewer.deny_write',
      { role: 'security-reviewer' },
    ],
  ]);
});

describe('one answer for every spelling', () => {
  run([
    ['Write', write('src/../tests/a.ts'), 'deny role.coder.deny_write'],
    ['Write', write('src/../../project/tests/a.ts'), 'deny role.coder.deny_write'],
    ['Write', write('~/project/tests/a.ts'), 'deny role.coder.deny_write'],
    ['Write', write('src/../.env'), 'ask sensitive.ask_write'],
    [
      'Write',
      write(`${root}/src/link/a.ts`),
      'deny role.coder.deny_write',
      { disk: { [`${root}/src/link/a.ts`]: { real: `${root}/tests/a.ts` } } },
    ],
    ['Write', write(`${root}/src/link`), 'open', { disk: { [`${root}/src/link`]: { real: '/srv/other' } } }],
    [
      'Write',
      write(`${root}/src/link`),
      'ask class.persist',
      { disk: { [`${root}/src/link`]: { real: `${home}/.ssh/authorized_keys` } } },
    ],
    ['Write', write('src/link/../a.ts'), 'open', { disk: { [`${root}/src/link/../a.ts`]: { real: '/srv/a.ts' } } }],
    ['Write', write('.Claude/Settings.json'), 'ask self.protect'],
    ['Edit', { file_path: './.hookwise//policy.yml', new_string: 'allow' }, 'ask self.protect'],
    ['Write', write('TESTS/a.ts'), 'deny role.coder.deny_write'],
    [
      'Read',
      read('/proc/self/root/etc/shadow'),
      'deny sensitive.deny_read',
      { disk: { '/proc/self/root/etc/shadow': { real: '/etc/shadow' } } },
    ],
    ['Read', read('src/../../../../../etc/shadow'), 'deny sensitive.deny_read'],
  ]);

  it('a fault on disk is a question, not a permission', () => {
    const world: World = { disk: { [`${root}/src/a.ts`]: { type: 'unreadable' } } };
    expect(verdictOf(judge('Write', write(`${root}/src/a.ts`), world))).toBe('ask path.unresolved');
  });
});

describe('sensitive, protected and deferred writes', () => {
  const maintainer: World = { role: 'maintainer' };
  run([
    ['Write', write(`${root}/.env`), 'ask sensitive.ask_write', maintainer],
    ['Write', write(`${root}/apps/web/.env.local`), 'ask sensitive.ask_write', maintainer],
    ['Write', write(`${root}/config/secrets/key.txt`), 'ask sensitive.ask_write', maintainer],
    ['Write', write(`${root}/.claude/settings.json`), 'ask self.protect', maintainer],
    ['Write', write(`${root}/.hookwise/rules/allow.jsonl`), 'ask self.protect', maintainer],
    ['Write', write(`${home}/.claude/settings.json`), 'ask self.protect', maintainer],
    ['Write', write(`${home}/.config/hookwise/config.yml`), 'ask self.own', maintainer],
    ['Write', write(`${home}/.local/state/hookwise/key`), 'ask self.own', maintainer],
    ['Read', read(`${home}/.local/state/hookwise/key`), 'deny sensitive.deny_read', maintainer],
    ['Read', read(`${home}/.local/state/hookwise/queue/x.json`), 'deny sensitive.deny_read', maintainer],
    ['Write', write(`${home}/.bashrc`), 'ask class.persist', maintainer],
    ['Write', write(`${home}/.ssh/authorized_keys`), 'ask class.persist', maintainer],
    ['Write', write('/etc/cron.d/x'), 'ask class.persist', maintainer],
    ['Write', write(`${root}/.git/hooks/pre-commit`), 'ask self.protect', maintainer],
    [
      'Edit',
      { file_path: `${root}/package.json`, new_string: '"postinstall": "sh x", "test"' },
      'ask deferred.lifecycle',
    ],
    ['Edit', { file_path: `${root}/package.json`, new_string: '"test": "vitest"' }, 'allow role.coder.allow_write'],
    ['Write', write(`${root}/src/a.ts`), 'ask path.hard-link', { disk: { [`${root}/src/a.ts`]: { links: 2 } } }],
    ['Write', write(`${root}/.env`), 'ask sensitive.ask_write', { role: 'tester' }],
  ]);

  it('a role deny is stricter than a sensitive ask', () => {
    const denying: Role = {
      ...roleOf('coder'),
      paths: { ...roleOf('coder').paths, denyWrite: [{ glob: '.env*', scope: 'builtin' }] },
    };
    expect(verdictOf(judge('Write', write(`${root}/.env`), { roles: [denying] }))).toBe('deny role.coder.deny_write');
  });

  it('an answer to a protected or sensitive write is never remembered', () => {
    for (const path of [`${root}/.env`, `${root}/.claude/settings.json`, `${home}/.bashrc`]) {
      const { outcome } = judge('Write', write(path), maintainer);
      expect(outcome).toMatchObject({ kind: 'settled', learnable: false });
    }
  });

  it('self-protection is refused, not queued, when nobody is there', () => {
    for (const path of [`${root}/.claude/settings.json`, `${home}/.config/hookwise/config.yml`]) {
      expect(judge('Write', write(path), maintainer).outcome).toMatchObject({ decision: { unattended: 'deny' } });
    }
  });
});

const roleOf = (name: string): Role => {
  const role = builtinRoles.get(name);
  if (role === undefined) throw new Error(name);
  return role;
};

describe('reads', () => {
  run([
    ['Read', read(`${root}/src/a.ts`), 'allow builtin.read'],
    ['Read', read(`${root}/.hookwise/policy.yml`), 'allow builtin.read'],
    ['Grep', { pattern: 'x' }, 'allow builtin.read'],
    ['Glob', { pattern: '**/*.ts' }, 'allow builtin.read'],
    ['LS', { path: root }, 'allow builtin.read'],
    ['Read', read(`${home}/.claude/projects/p/s1/tool-results/1.txt`), 'allow builtin.session-files'],
    ['Read', read(`${home}/.claude/projects/p/other/tool-results/1.txt`), 'open'],
    ['Read', read('/usr/include/stdio.h'), 'open'],
    ['Grep', { pattern: 'AKIA', path: '/home' }, 'open'],
    ['Glob', { pattern: '/etc/**' }, 'open'],
    ['Glob', { pattern: '../**' }, 'open'],
    ['Read', read(`${root}/.env`), 'deny sensitive.deny_read'],
    ['Read', read(`${root}/.env.example`), 'allow builtin.read'],
    ['Read', read(`${root}/src/secret-store.ts`), 'allow builtin.read'],
    ['Read', read(`${home}/.ssh/id_rsa`), 'deny sensitive.deny_read'],
    ['Read', read(`${home}/.aws/credentials`), 'deny sensitive.deny_read'],
    ['Grep', { pattern: 'KEY', glob: '.env*' }, 'deny sensitive.deny_read'],
    ['Grep', { pattern: 'KEY', glob: '**/*.pem' }, 'deny sensitive.deny_read'],
    ['Grep', { pattern: 'KEY', glob: '*.{ts,tsx}' }, 'allow builtin.read'],
    ['Grep', { pattern: 'KEY', glob: '**/*.json' }, 'allow builtin.read'],
    ['Grep', { pattern: 'KEY', path: `${root}/.env` }, 'deny sensitive.deny_read'],
    ['Glob', { pattern: '**/.env*' }, 'allow builtin.read'],
  ]);

  it('a role that may not read a path is refused', () => {
    const narrow: Role = {
      ...roleOf('docs'),
      paths: { ...roleOf('docs').paths, allowRead: [{ glob: 'docs/**', scope: 'builtin' }] },
    };
    expect(verdictOf(judge('Read', read(`${root}/src/a.ts`), { roles: [narrow] }))).toBe('deny role.docs.allow_read');
    expect(verdictOf(judge('Read', read(`${root}/docs/a.md`), { roles: [narrow] }))).toBe('allow builtin.read');
  });

  it('an absolute or home glob opens a place outside the project', () => {
    const wide: Role = {
      ...roleOf('docs'),
      paths: {
        ...roleOf('docs').paths,
        allowRead: [
          { glob: '**', scope: 'user' },
          { glob: '/usr/include/**', scope: 'user' },
        ],
      },
    };
    expect(verdictOf(judge('Read', read('/usr/include/stdio.h'), { roles: [wide] }))).toBe('allow role.allow_read');
  });
});

describe('tools without a path', () => {
  run([
    ['TodoWrite', { todos: [] }, 'none'],
    ['AskUserQuestion', {}, 'none'],
    ['Agent', { prompt: 'p', subagent_type: 'Explore' }, 'none'],
    ['Bash', { command: 'ls' }, 'allow builtin.inspect'],
    ['Bash', { command: 'make check' }, 'open'],
    ['PowerShell', { command: 'ls' }, 'open'],
    ['WebFetch', { url: 'https://example.com' }, 'open'],
    ['mcp__demo__echo', { text: 'hi' }, 'open'],
    ['BrandNewTool', { file_path: `${root}/src/a.ts` }, 'open'],
    ['mcp__demo__write', { path: `${root}/src/a.ts` }, 'open'],
    ['mcp__demo__write', { path: `${root}/tests/a.ts` }, 'deny role.coder.deny_write'],
    ['mcp__demo__read', { deep: { uri: `file://${home}/.ssh/id_rsa` } }, 'deny sensitive.deny_read'],
    ['mcp__demo__write', { target: '.claude/settings.json' }, 'ask self.protect'],
    ['Bash', { command: null }, 'ask input.malformed'],
    ['Bash', { command: ['rm', '-rf', '/'] }, 'deny input.malformed'],
  ]);

  it('an owner may call an MCP tool harmless; secrets stay unread', () => {
    const settings = { ...policyOf().settings, tools: { mcp__demo__read: 'inspect' as const } };
    const world: World = { policy: { settings } };
    expect(verdictOf(judge('mcp__demo__read', { path: 'docs/a.md' }, world))).toBe('allow tool.inspect');
    expect(verdictOf(judge('mcp__demo__read', { path: '.env' }, world))).toBe('deny sensitive.deny_read');
  });
});

describe('switches', () => {
  const settings = policyOf().settings;

  it('reads: abstain leaves plain reading to the host', () => {
    const world: World = { policy: { settings: { ...settings, reads: 'abstain' } } };
    expect(verdictOf(judge('Read', read(`${root}/src/a.ts`), world))).toBe('none');
    expect(verdictOf(judge('Read', read(`${root}/.env`), world))).toBe('deny sensitive.deny_read');
  });

  it('path_policy.order: seed asks before it denies', () => {
    const denying: Role = {
      ...roleOf('coder'),
      paths: { ...roleOf('coder').paths, denyWrite: [{ glob: '.env*', scope: 'builtin' }] },
    };
    const world: World = { roles: [denying], policy: { settings: { ...settings, pathPolicyOrder: 'seed' } } };
    expect(verdictOf(judge('Write', write(`${root}/.env`), world))).toBe('ask sensitive.ask_write');
  });

  it('registration.confirm: full_access_only lets an agent take an ordinary role', () => {
    const world: World = { policy: { settings: { ...settings, registrationConfirm: 'full_access_only' } } };
    const register = (role: string) => ({ command: `hookwise register --session-id s1 --role ${role}` });
    expect(verdictOf(judge('Bash', register('docs'), world))).toBe('allow control.register');
    expect(verdictOf(judge('Bash', register('maintainer'), world))).toBe('ask control.register');
    expect(verdictOf(judge('Bash', register('unknown'), world))).toBe('ask control.register');
  });
});

describe('a subagent with a role of its own', () => {
  it('may write only what both roles may', () => {
    const both: World = { roles: [roleOf('maintainer'), roleOf('docs')] };
    expect(verdictOf(judge('Write', write(`${root}/docs/a.md`), both))).toBe('allow role.maintainer.allow_write');
    expect(verdictOf(judge('Write', write(`${root}/src/a.ts`), both))).toBe('deny role.docs.deny_write');
    expect(verdictOf(judge('Write', write(`${root}/x`), both))).toBe('open');
  });

  it('never gains from a wider mapped role', () => {
    const both: World = { roles: [roleOf('docs'), roleOf('maintainer')] };
    expect(verdictOf(judge('Write', write(`${root}/src/a.ts`), both))).toBe('deny role.docs.deny_write');
  });
});
