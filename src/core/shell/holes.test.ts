import { describe, expect, test } from 'vitest';
import { codeHoles } from './holes-code.cases.ts';
import { placeHoles } from './holes-places.cases.ts';
import { readShell } from './registry.ts';
import { builtinVerdict } from './verdict.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

const verdictOf = (source: string): string => builtinVerdict(readShell(source, context), context).verdict ?? 'open';

describe.each([...placeHoles, ...codeHoles])('$name', ({ denied, asked, guarded, allowed }) => {
  test.each(denied)('refused: %j', (call) => expect(verdictOf(call)).toBe('deny'));
  test.each(asked)('asked: %j', (call) => expect(verdictOf(call)).toBe('ask'));
  test.each(guarded)('not allowed unseen: %j', (call) => expect(verdictOf(call)).not.toBe('allow'));
  test.each(allowed)('harmless twin: %j', (call) => expect(verdictOf(call)).toBe('allow'));
});
