import type { Effect } from '../model/effect.ts';
import type { ShellContext, ShellReading } from './model.ts';
import { readShell } from './registry.ts';
import { toEffects } from './to-effects.ts';
import { type BuiltinVerdict, builtinVerdict } from './verdict.ts';

/**
 * Everything the engine wants of shell understanding. It is handed in, so that a process that judges no shell command
 * never loads it.
 */
export interface Shell {
  readonly read: (text: string, context: ShellContext) => ShellReading;
  readonly judge: (reading: ShellReading, context: ShellContext) => BuiltinVerdict;
  readonly effects: (reading: ShellReading) => readonly Effect[];
}

export const shell: Shell = { read: readShell, judge: builtinVerdict, effects: toEffects };
