import { allPrograms } from './commands/all.ts';
import { shellReader } from './lower.ts';
import type { Registry } from './program-name.ts';
import type { Program } from './tools.ts';

const registryOf = (programs: readonly Program[]): Registry => {
  const registry = new Map<string, Program>();
  for (const program of programs) for (const name of program.names) registry.set(name, program);
  return registry;
};

/** Every program in the tables, by name. */
export const registry: Registry = registryOf(allPrograms);

/** Reads shell text with all programs in the tables. */
export const readShell = shellReader(registry);
