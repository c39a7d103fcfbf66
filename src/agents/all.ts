import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code/adapter.ts';

/** Every host hookwise speaks to. */
export const adapters: readonly Adapter[] = [claudeCode];
