import { describe, expect, it, test } from 'vitest';
import { compile, notForRepositories, reasons, type Said, settingRows, statements } from './compile.cases.ts';
import { toolRisk } from './compile-settings.ts';
import { defaultSettings } from './defaults.ts';
import { builtinRoles } from './roles.ts';
import { defaultSensitivePaths } from './sensitive.ts';

describe('without configuration', () => {
  it('is the defaults', () => {
    const policy = compile({});
    expect(policy).toEqual({
      roles: Object.fromEntries(builtinRoles),
      sensitive: defaultSensitivePaths,
      settings: defaultSettings,
      orgs: [],
      untrusted: [],
      problems: [],
    });
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy);
  });
});

describe('numbers and switches', () => {
  test.each(settingRows)('%j', (said, holds, needsTrust, trusted) => {
    const policy = compile(said);
    expect(policy.settings).toMatchObject(holds as object);
    expect(statements(policy)).toEqual(needsTrust);
    expect(reasons(policy)).toEqual([]);
    const all = compile({ ...said, trust: 'all' });
    expect(all.settings).toMatchObject((trusted ?? holds) as object);
    expect(all.untrusted).toEqual([]);
  });

  test.each(notForRepositories)('a repository cannot say %j, trusted or not', (project, key) => {
    for (const trust of [[], 'all'] as const) {
      const policy = compile({ project, trust });
      expect(policy.settings).toEqual(defaultSettings);
      expect(policy.problems).toHaveLength(1);
      expect(policy.problems[0]).toMatchObject({ source: { file: '.hookwise/policy.yml' }, severity: 'warning' });
      expect(reasons(policy)[0]).toContain(`${key} is only read from`);
      expect(policy.untrusted).toEqual([]);
    }
  });

  const badDefaults: [said: Said, reason: string][] = [
    [{ config: { default_role: 'maintainer' } }, 'default_role: maintainer may write everything'],
    [{ config: { default_role: 'nobody' } }, 'default_role: role not found: nobody'],
    [
      { config: { default_role: 'wide' }, userRoles: { roles: { wide: { paths: { allow_write: ['*'] } } } } },
      'wide may write everything',
    ],
  ];
  test.each(badDefaults)('%j gives nobody a role', (said, reason) => {
    const policy = compile(said);
    expect(policy.settings.defaultRole).toBeUndefined();
    expect(reasons(policy).join()).toContain(reason);
  });

  it('reports roles that do not exist, and keeps the entry, which then gives nothing', () => {
    const policy = compile({ user: { agents: { Explore: 'nobody' }, env_role: { allow: ['ghost'] } } });
    expect(policy.settings.agents).toEqual({ Explore: 'nobody' });
    expect(reasons(policy)).toEqual([
      'agents.Explore: role not found: nobody',
      'env_role.allow: role not found: ghost',
    ]);
  });
});

describe('risk of a tool', () => {
  const tools = { mcp__a__read: 'inspect', 'mcp__a__*': 'modify', 'mcp__*__drop': 'execute', '*': 'inspect' } as const;
  const cases: [tool: string, risk: string][] = [
    ['mcp__a__read', 'inspect'],
    ['mcp__a__write', 'modify'],
    ['mcp__a__drop', 'execute'],
    ['mcp__b__x', 'inspect'],
  ];
  test.each(cases)('%s is %s', (tool, risk) => {
    expect(toolRisk(tools, tool)).toBe(risk);
  });
  it('is execute when nobody has said anything', () => {
    expect(toolRisk({}, 'constructor')).toBe('execute');
    expect(toolRisk({}, 'mcp__a__b')).toBe('execute');
  });
});
