import type { GlobRule, Role } from '../model/policy.ts';
import type { ScopeLevel } from '../model/verdict.ts';
import { compileGlobs } from '../paths/glob.ts';
import { covers, mayMeet } from './covers.ts';
import type { Stated } from './document.ts';
import { builtinRoles } from './roles.ts';
import type { RoleStatements, RolesDocument } from './roles-schema.ts';
import { quoted, type Scales } from './widening.ts';

/** A roles file of the organisation or the user. */
export interface OwnerRoles {
  readonly scope: Extract<ScopeLevel, 'org' | 'user'>;
  readonly document: RolesDocument;
}

export interface ProjectRoles {
  readonly document: RolesDocument;
  readonly scales: Scales;
}

type Globs = readonly Stated<string>[];

interface Origin {
  readonly scope: ScopeLevel;
  readonly file: string;
}

const toRules = (globs: Globs, { scope, file }: Origin): readonly GlobRule[] =>
  globs.map(({ value, line }) => ({ glob: value, scope, source: { file, line } }));

const newRole = (name: string, scope: ScopeLevel): Role => ({
  name,
  description: `The role ${name}, which has no description that counts.`,
  category: 'custom',
  scope,
  paths: { allowWrite: [], denyWrite: [], allowRead: [{ glob: '**', scope: 'builtin' }] },
});

const isWithin = (rules: readonly GlobRule[], glob: string): boolean => rules.some((rule) => covers(rule.glob, glob));

const probes = ['a', '.b', 'c/d', '.e/.f', 'g/h/i.j'];

const allowsEverything = (rules: readonly GlobRule[]): boolean => {
  const list = compileGlobs(rules, { list: 'allow', homes: [], mode: 'segment', foldCase: false });
  return probes.every((path) => list.match({ absolute: `/${path}`, relative: path }) !== undefined);
};

const categorised = (role: Role): Role => {
  const category = builtinRoles.get(role.name)?.category ?? 'custom';
  return { ...role, category: allowsEverything(role.paths.allowWrite) ? 'full-access' : category };
};

/** What the organisation has said stays: a user can narrow it. A built-in role is replaced where the file says so. */
const applyOwner = (base: Role | undefined, said: RoleStatements, origin: Origin & Pick<OwnerRoles, 'scope'>): Role => {
  const isOwned = base !== undefined && base.scope !== 'role';
  const { paths, ...rest } = base ?? newRole(said.name, origin.scope);
  const permit = (globs: Globs | undefined, known: readonly GlobRule[]): readonly GlobRule[] => {
    if (globs === undefined) return known;
    return toRules(isOwned ? globs.filter(({ value }) => isWithin(known, value)) : globs, origin);
  };
  const denies = said.denyWrite === undefined ? undefined : toRules(said.denyWrite, origin);
  return {
    ...rest,
    description: isOwned ? rest.description : (said.description?.value ?? rest.description),
    scope: isOwned ? rest.scope : origin.scope,
    paths: {
      allowWrite: permit(said.allowWrite, paths.allowWrite),
      denyWrite: isOwned ? [...paths.denyWrite, ...(denies ?? [])] : (denies ?? paths.denyWrite),
      allowRead: permit(said.allowRead, paths.allowRead),
    },
  };
};

/** Denies of the same role that stand inside an allow: whoever trusts the allow trusts it with these. */
const exceptions = (glob: string, said: RoleStatements, base: Role): string => {
  const known = base.paths.denyWrite.map((rule) => rule.glob);
  const own = (said.denyWrite ?? [])
    .map(({ value }) => value)
    .filter((deny) => !known.includes(deny) && mayMeet(glob, deny));
  return own.length === 0 ? '' : ` except ${own.sort().map(quoted).join(', ')}`;
};

interface ProjectRole {
  readonly base: Role;
  readonly said: RoleStatements;
  readonly scales: Scales;
  readonly origin: Origin;
}

const permitted = (
  globs: Globs | undefined,
  { base, said, scales, origin, list }: ProjectRole & { readonly list: 'allow_write' | 'allow_read' },
): readonly GlobRule[] => {
  const known = list === 'allow_write' ? base.paths.allowWrite : base.paths.allowRead;
  if (globs === undefined) return known;
  const where = `roles.${said.name}.paths.${list}`;
  const held = globs.filter(({ value, line }) => {
    if (isWithin(known, value)) return true;
    if (base.scope === 'org') {
      scales.warn(line, `${where}: ${quoted(value)} has no effect: the organisation defines this role`);
      return false;
    }
    const except = list === 'allow_write' ? exceptions(value, said, base) : '';
    return scales.widen(line, `${where} adds ${quoted(value)}${except}`);
  });
  return toRules(held, origin);
};

/** Built-in denies that a redefinition leaves out count until somebody trusts that they are gone. */
const denied = ({ base, said, scales, origin }: ProjectRole): readonly GlobRule[] => {
  if (said.denyWrite === undefined) return base.paths.denyWrite;
  const own = said.denyWrite.map(({ value }) => value);
  const where = `roles.${said.name}.paths.deny_write`;
  const kept = base.paths.denyWrite.filter(
    ({ glob, scope }) =>
      !own.includes(glob) && (scope !== 'builtin' || !scales.widen(said.line, `${where} drops ${quoted(glob)}`)),
  );
  return [...kept, ...toRules(said.denyWrite, origin)];
};

const describedBy = ({ base, said, scales }: ProjectRole): string => {
  const own = said.description;
  if (own === undefined || own.value === base.description || base.scope === 'org') return base.description;
  return scales.widen(own.line, `roles.${said.name}.description is ${quoted(own.value)}`)
    ? own.value
    : base.description;
};

const applyProject = (role: ProjectRole): Role => ({
  ...role.base,
  description: describedBy(role),
  scope: role.base.scope === 'org' ? 'org' : 'project',
  paths: {
    allowWrite: permitted(role.said.allowWrite, { ...role, list: 'allow_write' }),
    denyWrite: denied(role),
    allowRead: permitted(role.said.allowRead, { ...role, list: 'allow_read' }),
  },
});

/** All roles: the built-in ones, then what the owners define, then what the project may add. */
export const mergeRoles = (
  owners: readonly OwnerRoles[],
  project: ProjectRoles | undefined,
): Readonly<Record<string, Role>> => {
  const roles = new Map<string, Role>(builtinRoles);
  for (const { scope, document } of owners) {
    for (const said of document.roles) {
      roles.set(said.name, applyOwner(roles.get(said.name), said, { scope, file: document.file }));
    }
  }
  for (const said of project?.document.roles ?? []) {
    if (project === undefined) break;
    const base = roles.get(said.name) ?? newRole(said.name, 'project');
    const origin: Origin = { scope: 'project', file: project.document.file };
    roles.set(said.name, applyProject({ base, said, scales: project.scales, origin }));
  }
  return Object.fromEntries([...roles].map(([name, role]) => [name, categorised(role)]));
};
