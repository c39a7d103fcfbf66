import { describe, expect, test } from 'vitest';
import { lookingCalls, manualCalls } from './everyday.cases.ts';
import { readShell } from './registry.ts';
import { builtinVerdict } from './verdict.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

const allows = (call: string): boolean => builtinVerdict(readShell(call, context), context).verdict === 'allow';

describe('everyday calls', () => {
  test('there are enough of them', () => {
    expect(new Set(lookingCalls).size).toBeGreaterThanOrEqual(400);
    expect(new Set(manualCalls).size).toBeGreaterThanOrEqual(300);
  });

  test('nearly all that only look are allowed', () => {
    const stopped = lookingCalls.filter((call) => !allows(call));
    // What is left asks a server with the person's rights, shows the environment, or computes a script.
    expect(stopped.length, stopped.join('\n')).toBeLessThanOrEqual(lookingCalls.length * 0.07);
  });

  test('none that only looks is refused', () => {
    const refused = lookingCalls.filter((call) => builtinVerdict(readShell(call, context), context).verdict === 'deny');
    expect(refused).toEqual([]);
  });

  test('nearly all examples of manual pages are understood', () => {
    const open = manualCalls.filter((call) => !readShell(call, context).complete);
    expect(open.length, open.join('\n')).toBeLessThanOrEqual(manualCalls.length * 0.06);
  });

  test('no example that changes something is allowed, apart from build output and new branches', () => {
    const harmless =
      /^(?:ls|find \. -name "\*\.orig"|rm -f dist|git (?:checkout -b|switch -c|branch|worktree|clean -n|apply --check))|^crontab -l|^(?:sleep|nm|objdump|trap|strace|mktemp|openssl rand|sqlite3 app\.db "select)\b/;
    expect(manualCalls.filter((call) => allows(call) && !harmless.test(call))).toEqual([]);
  });
});
