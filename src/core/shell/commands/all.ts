import type { Program } from '../tools.ts';
import { building } from './building.ts';
import { builtins } from './builtins.ts';
import { control } from './control.ts';
import { coreutils } from './coreutils.ts';
import { git } from './git.ts';
import { interpreters } from './interpreters.ts';
import { manyPrograms } from './many.ts';
import { network } from './network.ts';
import { packages } from './packages.ts';
import { removalPrograms } from './removal.ts';
import { services } from './services.ts';
import { shells } from './shells.ts';
import { system } from './system.ts';
import { textTools } from './text-tools.ts';
import { wrapperPrograms } from './wrappers.ts';

/** Every program in the tables. Later entries win. */
export const allPrograms: readonly Program[] = [
  ...building,
  ...packages,
  ...services,
  ...system,
  ...coreutils,
  ...textTools,
  ...builtins,
  ...removalPrograms,
  ...manyPrograms,
  ...wrapperPrograms,
  ...shells,
  ...interpreters,
  ...network,
  ...git,
  ...control,
];
