import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nodeOf } from './data-node.cases.ts';
import { readGlobalConfig } from './global-schema.ts';
import { readRoles } from './roles-schema.ts';
import { readPolicy } from './schema.ts';
import { settingKeys } from './settings.ts';

const policy = (value: unknown) => readPolicy('policy.yml', nodeOf(value));
const roles = (value: unknown) => readRoles('roles.yml', nodeOf(value));
const config = (value: unknown) => readGlobalConfig('config.yml', nodeOf(value));
const told = ({ problems }: { problems: readonly { severity: string; source: { line: number }; reason: string }[] }) =>
  problems.map(({ severity, source, reason }) => `${severity} ${source.line}: ${reason}`);

/** Every setting in its place in the file, with the value that is read. */
const everySetting = {
  gating: 'always',
  human_timeout_secs: 30,
  registration_timeout_secs: 2,
  ask_delivery: 'queue',
  reads: 'abstain',
  builtin: { inspect: 'off', clean: 'off', branch: 'off' },
  confidence: { org: 0.95, project: 0.8, user: 0.7 },
  similarity: { mode: 'off', jaccard_threshold: 0.8, jaccard_min_tokens: 4, embedding_threshold: 0.9 },
  learning: { human: 'local', llm: 'project', native: 'off', persist_tiers: ['human'] },
  registration: { confirm: 'full_access_only' },
  default_role: 'coder',
  env_role: { allow: ['maintainer'] },
  path_policy: { order: 'seed' },
  globs: 'globset',
  supervisor: { backend: 'api', api_base_url: 'http://localhost:8080/v1', model: 'm', max_tokens: 10 },
  embedding_model: 'BAAI/bge-small-en-v1.5',
};

describe('policy.yml', () => {
  it('reads every setting', () => {
    const read = policy(everySetting);
    expect(told(read)).toEqual([]);
    expect(Object.keys(read.settings).sort()).toEqual([...settingKeys].sort());
    expect(read.settings['confidence.project']).toEqual({ value: 0.8, line: expect.any(Number) });
    expect(read.settings['learning.persist_tiers']?.value).toEqual(['human']);
    expect(read.settings.supervisor?.value).toEqual({
      backend: 'api',
      apiBaseUrl: 'http://localhost:8080/v1',
      model: 'm',
      maxTokens: 10,
    });
  });

  it('is empty when the file is', () => {
    for (const read of [readPolicy('p', undefined), policy(null), policy({})]) {
      expect(read).toMatchObject({ settings: {}, agents: [], tools: [], problems: [] });
    }
  });

  const rejected: [value: unknown, problem: string][] = [
    [
      { human_timeout_secs: '60' },
      'warning 1: human_timeout_secs: expected a whole number from 1 to 3600, found "60"; the default is used',
    ],
    [
      { human_timeout_secs: 0 },
      'warning 1: human_timeout_secs: expected a whole number from 1 to 3600, found 0; the default is used',
    ],
    [
      { human_timeout_secs: 1.5 },
      'warning 1: human_timeout_secs: expected a whole number from 1 to 3600, found 1.5; the default is used',
    ],
    [
      { confidence: { org: Number.NaN } },
      'warning 2: confidence.org: expected a number from 0 to 1, found NaN; the default is used',
    ],
    [
      { confidence: { org: Number.POSITIVE_INFINITY } },
      'warning 2: confidence.org: expected a number from 0 to 1, found Infinity; the default is used',
    ],
    [
      { confidence: { org: -0.1 } },
      'warning 2: confidence.org: expected a number from 0 to 1, found -0.1; the default is used',
    ],
    [{ confidence: 0.9 }, 'broken 1: confidence: expected a map, found 0.9'],
    [{ reads: 'deny' }, 'warning 1: reads: expected one of abstain, allow, found "deny"; the default is used'],
    [{ reads: ['allow'] }, 'warning 1: reads: expected one of abstain, allow, found a list; the default is used'],
    [{ learning: { persist_tiers: ['exact', 'human'] } }, 'warning 2: learning.persist_tiers: expected one of'],
    [{ human_timeout_sec: 5 }, 'warning 1: unknown key human_timeout_sec: did you mean human_timeout_secs?'],
    [{ confidence: { prject: 1 } }, 'warning 2: unknown key confidence.prject: did you mean project?'],
    [{ zzzzzzzz: 1 }, 'warning 1: unknown key zzzzzzzz'],
    [
      { sensitive_paths: { ask_writes: [] } },
      'warning 2: unknown key sensitive_paths.ask_writes: did you mean ask_write?',
    ],
    [{ sensitive_paths: ['a'] }, 'broken 1: sensitive_paths: expected a map, found a list'],
    [{ sensitive_paths: { ask_write: { a: 1 } } }, 'broken 2: sensitive_paths.ask_write: expected a list, found a map'],
    [
      { sensitive_paths: { ask_write: ['ok', '!no'] } },
      'broken 4: sensitive_paths.ask_write: glob pattern error: !no: negation',
    ],
    [{ sensitive_paths: { deny_read: [7] } }, 'broken 3: sensitive_paths.deny_read: expected a glob'],
    [
      { sensitive_paths: { except_read: ['a**b'] } },
      'warning 3: sensitive_paths.except_read: glob pattern error: a**b: ',
    ],
    [
      { tools: { 'mcp__a__*': 'safe' } },
      'warning 2: tools.mcp__a__*: expected one of inspect, modify, execute, found "safe"',
    ],
    [{ tools: { constructor: 'inspect' } }, 'warning 2: tools: "constructor" is not a usable name'],
    [{ agents: { Explore: '__proto__' } }, 'warning 2: agents.Explore: expected the name of a role'],
    [{ agents: { 'a b': 'coder' } }, 'warning 2: agents: "a b" is not a usable name'],
    [{ supervisor: 'api' }, 'warning 1: supervisor: expected a map with `backend`; the default is used'],
    [
      { supervisor: { backend: 'api', api_base_url: 'http://evil.example' } },
      'warning 1: supervisor: api_base_url: only https',
    ],
    [
      { supervisor: { backend: 'api', api_base_url: 'https://u:p@h/' } },
      'warning 1: supervisor: api_base_url: only https',
    ],
    [
      { supervisor: { backend: 'api', api_base_url: 'http://localhost.evil.example' } },
      'warning 1: supervisor: api_base_url: only https',
    ],
    [{ supervisor: { socket_path: 'rel.sock' } }, 'warning 1: supervisor: socket_path: expected an absolute path'],
    [{ supervisor: { sockets: 'x' } }, 'warning 1: supervisor: unknown key sockets'],
    [{ api_key: 'k' }, 'warning 1: api_key is only read from config.yml'],
    [{ orgs: {} }, 'warning 1: orgs is only read from config.yml'],
    [['a'], 'broken 1: policy: expected a map, found a list'],
    ['text', 'broken 1: policy: expected a map, found "text"'],
  ];
  test.each(rejected)('%j', (value, problem) => {
    const read = policy(value);
    expect(told(read)).toHaveLength(1);
    expect(told(read)[0]).toContain(problem);
    expect(read.settings).toEqual({});
    expect(read.problems[0]?.source.file).toBe('policy.yml');
  });

  it('keeps what can be read of a list', () => {
    const read = policy({ sensitive_paths: { ask_write: ['a', '!b', 'c/**'], ask_read: 'one/**' } });
    expect(read.sensitive.askWrite).toEqual([
      { value: 'a', line: 3 },
      { value: 'c/**', line: 5 },
    ]);
    expect(read.sensitive.askRead).toEqual([{ value: 'one/**', line: 6 }]);
  });

  it('limits lists and maps', () => {
    expect(told(policy({ sensitive_paths: { ask_write: Array(501).fill('a') } }))[0]).toMatch(
      /^broken 2: .*at most 500/,
    );
    const tools = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`t${index}`, 'inspect']));
    expect(told(policy({ tools }))[0]).toMatch(/^broken 1: tools: more than 200/);
  });

  it('also takes the flat name of learning.native', () => {
    expect(policy({ learn_native: 'off' }).settings['learning.native']?.value).toBe('off');
  });
});

describe('roles.yml', () => {
  it('reads a role', () => {
    const paths = { allow_write: ['pipelines/**'], deny_write: ['src/**'], allow_read: ['**'] };
    const read = roles({ roles: { 'data-engineer': { description: ' Moves data.\n', paths } } });
    expect(told(read)).toEqual([]);
    expect(read.roles).toEqual([
      {
        name: 'data-engineer',
        line: 2,
        description: { value: 'Moves data.', line: 3 },
        allowWrite: [{ value: 'pipelines/**', line: 6 }],
        denyWrite: [{ value: 'src/**', line: 8 }],
        allowRead: [{ value: '**', line: 10 }],
      },
    ]);
  });

  const rejected: [value: unknown, problem: string, names: string[]][] = [
    [{ roles: { constructor: {} } }, 'warning 2: roles: "constructor" cannot be the name of a role', []],
    [{ roles: { toString: {} } }, 'cannot be the name of a role', []],
    [{ roles: { disable: {} } }, 'cannot be the name of a role', []],
    [{ roles: { '*': {} } }, 'cannot be the name of a role', []],
    [{ roles: { 'a/b': {} } }, 'cannot be the name of a role', []],
    [{ roles: { ['x'.repeat(65)]: {} } }, 'cannot be the name of a role', []],
    [{ roles: { a: { name: 'b' } } }, 'warning 3: roles.a.name: the key is the name', ['a']],
    [{ roles: { a: { path: {} } } }, 'unknown key roles.a.path: did you mean paths?', ['a']],
    [
      { roles: { a: { paths: { deny_writes: [] } } } },
      'unknown key roles.a.paths.deny_writes: did you mean deny_write?',
      ['a'],
    ],
    [
      { roles: { a: { paths: { deny_write: ['a**'] } } } },
      'broken 5: roles.a.paths.deny_write: glob pattern error: a**:',
      ['a'],
    ],
    [
      { roles: { a: { paths: { allow_write: ['a**'] } } } },
      'warning 5: roles.a.paths.allow_write: glob pattern error: a**:',
      ['a'],
    ],
    [{ roles: { a: 5 } }, 'broken 2: roles.a: expected a map, found 5', ['a']],
    [{ roles: [] }, 'broken 1: roles: expected a map, found a list', []],
    [{ role: {} }, 'warning 1: unknown key role: did you mean roles?', []],
    [{ roles: { a: { description: 3 } } }, 'warning 3: roles.a.description: expected text', ['a']],
  ];
  test.each(rejected)('%j', (value, problem, names) => {
    const read = roles(value);
    expect(told(read)).toHaveLength(1);
    expect(told(read)[0]).toContain(problem);
    expect(read.roles.map(({ name }) => name)).toEqual(names);
  });
});

describe('config.yml', () => {
  it('reads organisations and the key', () => {
    const read = config({
      api_key: 'secret-key',
      default_org: 'acme',
      orgs: {
        acme: { remotes: ['GitHub.com/Acme', 'git.acme.example:8443/core'], source: '/srv/acme', ref: 'v1' },
        other: null,
      },
      gating: 'always',
    });
    expect(told(read)).toEqual([]);
    expect(read).toMatchObject({ apiKey: 'secret-key', defaultOrg: 'acme' });
    expect([...read.orgs]).toEqual([
      ['acme', { remotes: ['github.com/acme', 'git.acme.example:8443/core'], source: '/srv/acme', ref: 'v1' }],
      ['other', { remotes: ['github.com/other'] }],
    ]);
    expect(read.settings.gating?.value).toBe('always');
  });

  const rejected: [value: unknown, problem: string][] = [
    [{ default_org: '../x' }, 'broken 1: default_org'],
    [{ default_org: '..' }, 'broken 1: default_org'],
    [{ orgs: { '..': {} } }, 'broken 2: orgs: ".." is not a usable name'],
    [{ orgs: { a: { remotes: ['nohost'] } } }, 'broken 4: remotes: expected host/owner'],
    [{ orgs: { a: { sources: 'x' } } }, 'warning 3: unknown key orgs.a.sources: did you mean source?'],
  ];
  test.each(rejected)('%j', (value, problem) => {
    expect(told(config(value))).toHaveLength(1);
    expect(told(config(value))[0]).toContain(problem);
  });

  it('never repeats the key in a problem', () => {
    const key = `sk-${'x'.repeat(600)}`;
    expect(told(config({ api_key: key })).join()).not.toContain('sk-');
    expect(told(config({ api_key: [key] }))).toHaveLength(1);
  });
});

describe('hostile data', () => {
  const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constantFrom(...settingKeys));
  const key = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      ...settingKeys.flatMap((name) => name.split('.')),
      'sensitive_paths',
      'roles',
      'paths',
      'tools',
      'orgs',
    ),
  );
  const { data } = fc.letrec((tie) => ({
    data: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('data'), { maxLength: 4 }),
      fc.dictionary(key, tie('data'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));
  it('is read or reported, and never throws', () => {
    fc.assert(
      fc.property(data, (value) => {
        const node = nodeOf(value);
        for (const read of [readPolicy('f', node), readRoles('f', node), readGlobalConfig('f', node)]) {
          for (const { source, reason } of read.problems) {
            expect(source.line).toBeGreaterThan(0);
            expect(reason).not.toBe('');
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
