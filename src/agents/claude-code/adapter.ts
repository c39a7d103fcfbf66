import type { Adapter } from '../adapter.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';

/** Claude Code 2.1.x: PreToolUse hooks with `hookSpecificOutput`. */
export const claudeCode: Adapter = { name: 'claude-code', decode, encode };
