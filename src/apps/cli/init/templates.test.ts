import { describe, expect, it } from 'vitest';
import type { GlobRule, Role } from '../../../core/model/policy.ts';
import { compilePolicy } from '../../../core/policy/compile.ts';
import { defaultSettings } from '../../../core/policy/defaults.ts';
import { builtinRoles } from '../../../core/policy/roles.ts';
import { readRoles } from '../../../core/policy/roles-schema.ts';
import { readPolicy } from '../../../core/policy/schema.ts';
import { settingKeys, settings } from '../../../core/policy/settings.ts';
import { parseYaml } from '../../../io/config/yaml.ts';
import { policyTemplate, rolesTemplate } from './templates.ts';

const parsed = (text: string) => {
  const read = parseYaml(text);
  if (!read.ok) throw new Error(`${read.error.line}: ${read.error.reason}`);
  return read.value;
};

/** What a person gets who takes the `#` off everything that is no prose. */
const uncommented = (text: string): string => text.replaceAll(/^#(?=(?: {2}){0,3}[a-z_-]+:)/gm, '');

const compiled = (policy: string, roles: string) =>
  compilePolicy({
    orgs: [],
    project: {
      policy: readPolicy('.hookwise/policy.yml', parsed(policy)),
      roles: readRoles('.hookwise/roles.yml', parsed(roles)),
    },
    isTrusted: () => false,
  });

describe('the templates', () => {
  it('say nothing as they are', () => {
    expect(parsed(policyTemplate())).toBeUndefined();
    expect(parsed(rolesTemplate())).toBeUndefined();
  });

  it('show every key that a repository may set', () => {
    const { settings: stated, problems } = readPolicy('policy.yml', parsed(uncommented(policyTemplate())));
    expect(problems).toEqual([]);
    expect(Object.keys(stated).sort()).toEqual(
      settingKeys.filter((key) => settings[key].sayers === 'anyone').toSorted(),
    );
    for (const list of [
      'sensitive_paths',
      'ask_write',
      'ask_read',
      'deny_read',
      'except_read',
      'allow_write',
      'agents',
      'tools',
    ])
      expect(policyTemplate()).toContain(`${list}:`);
  });

  it('change nothing when all of it is taken into use', () => {
    const policy = compiled(uncommented(policyTemplate()), uncommented(rolesTemplate()));
    expect(policy.problems).toEqual([]);
    expect(policy.untrusted).toEqual([]);
    expect(policy.settings).toEqual(defaultSettings);
    const globsOf = (role: Role | undefined) =>
      role && Object.values(role.paths).map((list: readonly GlobRule[]) => list.map(({ glob }) => glob));
    for (const [name, role] of builtinRoles) expect(globsOf(policy.roles[name])).toEqual(globsOf(role));
  });

  it('show every role', () => {
    const { roles, problems } = readRoles('roles.yml', parsed(uncommented(rolesTemplate())));
    expect(problems).toEqual([]);
    expect(roles.map(({ name }) => name)).toEqual([...builtinRoles.keys()]);
  });
});
