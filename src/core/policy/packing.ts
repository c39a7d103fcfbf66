import type { CompiledPolicy, GlobRule } from '../model/policy.ts';
import { defaultSettings } from './defaults.ts';
import { builtinRoles } from './roles.ts';
import { defaultSensitivePaths } from './sensitive.ts';

/** What is left of a policy when every built-in part is a reference: plain data, and short. */
export type PackedPolicy = { readonly packed: unknown };

const rulesOf = (value: unknown): readonly GlobRule[] => (Array.isArray(value) ? value : []);

/** Everything built in that a policy may contain, the larger parts first. Its order is part of the program's version. */
const builtinParts = (): readonly unknown[] => {
  const roles = [...builtinRoles.values()];
  const lists = [...Object.values(defaultSensitivePaths), ...roles.flatMap(({ paths }) => Object.values(paths))];
  return [...roles, defaultSensitivePaths, defaultSettings, ...lists, ...lists.flatMap(rulesOf)];
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const map = (value: unknown, change: (part: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(change);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)])) : value;
};

/** Replaces built-in parts by `{ $: number }`: no name in a policy contains `$`. */
export const packPolicy = (policy: CompiledPolicy): PackedPolicy => {
  const known = new Map(
    builtinParts()
      .map((part, index) => [JSON.stringify(part), index] as const)
      .reverse(),
  );
  const pack = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const index = known.get(JSON.stringify(value));
    return index === undefined ? map(value, pack) : { $: index };
  };
  return { packed: pack(policy) };
};

/** The policy that was packed, by the same version of the program. */
export const unpackPolicy = ({ packed }: PackedPolicy): CompiledPolicy => {
  const parts = builtinParts();
  const unpack = (value: unknown): unknown =>
    isObject(value) && typeof value['$'] === 'number' ? parts[value['$']] : map(value, unpack);
  const policy: unknown = unpack(packed);
  // What was packed was a policy, and packing changes nothing else.
  return policy as CompiledPolicy;
};
