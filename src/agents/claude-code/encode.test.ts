import { describe, expect, it } from 'vitest';
import type { Decision } from '../../core/model/decision.ts';
import { encode, reasonLine } from './encode.ts';

const decision = (verdict: Decision['verdict'], more: Partial<Decision> = {}): Decision => ({
  verdict,
  ruleId: 'role.coder.deny_write',
  tier: 'PathPolicy',
  scope: 'role',
  confidence: 1,
  why: 'role coder may not write tests/**',
  clear: 'switch roles',
  ...more,
});

describe('verdicts on the wire', () => {
  it('an allow is one JSON object with the event name and the rule in its reason', () => {
    const reply = encode({ kind: 'verdict', decision: decision('allow', { clear: '' }) }, { denyExit: 'block' });
    expect(reply).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(reply.stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: 'hookwise allow [role.coder.deny_write] role coder may not write tests/**',
      },
    });
  });

  it('a deny is JSON and exit 2 with the same reason on stderr', () => {
    const reply = encode({ kind: 'verdict', decision: decision('deny') }, { denyExit: 'block' });
    const reason = 'hookwise deny [role.coder.deny_write] role coder may not write tests/**; switch roles';
    expect(reply).toMatchObject({ exitCode: 2, stderr: `${reason}\n` });
    expect(JSON.parse(reply.stdout).hookSpecificOutput.permissionDecisionReason).toBe(reason);
  });

  it.each([
    ['block', 2],
    ['json', 0],
    ['seed', 1],
  ] as const)('--deny-exit %s leaves with %i, allow and ask always with 0', (denyExit, exitCode) => {
    expect(encode({ kind: 'verdict', decision: decision('deny') }, { denyExit }).exitCode).toBe(exitCode);
    expect(encode({ kind: 'verdict', decision: decision('ask') }, { denyExit }).exitCode).toBe(0);
    expect(encode({ kind: 'verdict', decision: decision('allow') }, { denyExit }).exitCode).toBe(0);
  });

  it('a notice of several lines stands in for the one line, with the older block form beside it', () => {
    const reply = encode({ kind: 'verdict', decision: decision('deny'), notice: 'one\ntwo' }, { denyExit: 'json' });
    expect(JSON.parse(reply.stdout)).toMatchObject({
      decision: 'block',
      reason: 'one\ntwo',
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'one\ntwo' },
    });
  });

  it('no opinion is no output', () => {
    expect(encode({ kind: 'silent' }, { denyExit: 'block' })).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  it('a reason stays on one line whatever a file name holds', () => {
    expect(reasonLine(decision('deny', { why: 'a\nb\r\n\tc' }))).not.toMatch(/[\n\r\t]/);
  });
});
