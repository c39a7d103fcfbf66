import type { DecisionRecord } from '../../core/model/record.ts';

/** Where rules are, in the sandbox. */
export const places = {
  allow: 'repo/.hookwise/rules/allow.jsonl',
  deny: 'repo/.hookwise/rules/deny.jsonl',
  ask: 'repo/.hookwise/rules/ask.jsonl',
  here: 'repo/.hookwise/.user/user.jsonl',
  user: 'own/config/user/rules.jsonl',
} as const;

export type EntryChange = Partial<DecisionRecord> & {
  readonly input?: string;
  readonly role?: string;
  readonly tool?: string;
};

/** A remembered decision. */
export const entry = ({
  input = 'make all',
  role = 'tester',
  tool = 'Bash',
  ...rest
}: EntryChange = {}): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: input, tool, role },
  decision: 'allow',
  metadata: { tier: 'Human', confidence: 1, reason: '' },
  timestamp: '2026-03-01T12:00:00.000Z',
  scope: 'project',
  session_id: 's-1',
  context: 'root',
  ...rest,
});
