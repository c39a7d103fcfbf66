import type { HumanResponse, PendingDecision } from '../../core/model/queue.ts';
import type { DecisionRecord } from '../../core/model/record.ts';

export const noon = Date.parse('2026-03-01T12:00:00Z');
export const at = '2026-03-01T12:00:00.000Z';

export const record = (
  change: Partial<DecisionRecord> & { readonly input?: string; readonly role?: string; readonly tool?: string } = {},
): DecisionRecord => {
  const { input = 'pytest --cov', role = 'tester', tool = 'Bash', ...rest } = change;
  return {
    v: 1,
    key: { sanitized_input: input, tool, role },
    decision: 'allow',
    metadata: { tier: 'Human', confidence: 1, reason: 'within the role' },
    timestamp: at,
    scope: 'project',
    session_id: 's-1',
    context: 'root',
    ...rest,
  };
};

export const pending = (change: Partial<PendingDecision> = {}): Omit<PendingDecision, 'id'> => ({
  session_id: 's-1',
  role: 'tester',
  tool_name: 'Bash',
  sanitized_input: 'docker compose up',
  cwd: '/repo',
  root: '/repo',
  is_ask_reprompt: false,
  rule: 'novel',
  call_digest: 'ab'.repeat(32),
  queued_at: at,
  expires_at: new Date(noon + 60_000).toISOString(),
  ...change,
});

export const answer = (change: Partial<HumanResponse> = {}): HumanResponse => ({
  decision: 'allow',
  always_ask: false,
  add_rule: false,
  actor: 'user:ada',
  answered_at: at,
  ...change,
});
