import type { CompiledPolicy, GlobRule, Role } from '../model/policy.ts';
import { compileGlobs, type GlobMatcher, pathReader } from '../paths/glob.ts';
import { persistGlobs, protectedGlobs } from '../policy/sensitive.ts';

/** The path lists of one policy, compiled when first asked for. */
export interface Matchers {
  readonly askWrite: () => GlobMatcher;
  readonly denyRead: () => GlobMatcher;
  readonly askRead: () => GlobMatcher;
  readonly exceptRead: () => GlobMatcher;
  /** Files that say what the gate and the host may do. */
  readonly protect: () => GlobMatcher;
  /** Files that run later, outside the project. */
  readonly persist: () => GlobMatcher;
  readonly allowWrite: (role: Role) => GlobMatcher;
  readonly denyWrite: (role: Role) => GlobMatcher;
  readonly allowRead: (role: Role) => GlobMatcher;
  /** The file glob of an override. */
  readonly single: (glob: string, list: 'allow' | 'restrict') => GlobMatcher;
}

const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const memoised = <T>(make: (key: string) => T): ((key: string) => T) => {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
};

/** Prepares the lists of `policy`. Restrictions ignore case everywhere: a look-alike path must not slip by. */
export const prepareMatchers = (
  policy: CompiledPolicy,
  { homes, foldCase }: { readonly homes: readonly string[]; readonly foldCase: boolean },
): Matchers => {
  const mode = policy.settings.globs;
  const reader = pathReader();
  const restrict = (rules: readonly GlobRule[]) =>
    compileGlobs(rules, { list: 'restrict', homes, mode, foldCase: true, reader });
  const allow = (rules: readonly GlobRule[]) => compileGlobs(rules, { list: 'allow', homes, mode, foldCase, reader });
  const roleList = (pick: (role: Role) => readonly GlobRule[], compile: typeof allow) => {
    const made = new Map<Role, GlobMatcher>();
    return (role: Role) => {
      const known = made.get(role) ?? compile(pick(role));
      made.set(role, known);
      return known;
    };
  };
  const single = memoised((key) => {
    const rules: GlobRule[] = [{ glob: key.slice(1), scope: 'builtin' }];
    return key.startsWith('a') ? allow(rules) : restrict(rules);
  });
  return {
    askWrite: lazy(() => restrict(policy.sensitive.askWrite)),
    denyRead: lazy(() => restrict(policy.sensitive.denyRead)),
    askRead: lazy(() => restrict(policy.sensitive.askRead)),
    exceptRead: lazy(() => restrict(policy.sensitive.exceptRead)),
    protect: lazy(() => restrict(protectedGlobs)),
    persist: lazy(() => restrict(persistGlobs)),
    allowWrite: roleList((role) => role.paths.allowWrite, allow),
    denyWrite: roleList((role) => role.paths.denyWrite, restrict),
    allowRead: roleList((role) => role.paths.allowRead, allow),
    single: (glob, list) => single(`${list === 'allow' ? 'a' : 'r'}${glob}`),
  };
};
