import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../model/record.ts';
import { type ScopeLevel, scopeLevels, type Verdict } from '../model/verdict.ts';
import { scopeResolver } from './scope-resolver.ts';

const key = { sanitized_input: 'npm publish', tool: 'Bash', role: 'coder' };
const coder = { role: { name: 'coder' } };

const record = (decision: Verdict, scope: ScopeLevel, role = 'coder'): DecisionRecord => ({
  v: 1,
  key: { ...key, role },
  decision,
  metadata: { tier: 'Human', confidence: 1, reason: '' },
  timestamp: '',
  scope,
  session_id: '',
});

type Row = Partial<Record<ScopeLevel, Verdict>>;

const resolverOf = (row: Row, role = 'coder') => {
  const asked: ScopeLevel[] = [];
  const loadDecisions = (scope: ScopeLevel): DecisionRecord[] => {
    asked.push(scope);
    const decision = row[scope];
    return decision === undefined ? [] : [record(decision, scope, role)];
  };
  return { ...scopeResolver({ loadDecisions }), asked };
};

const answers = [undefined, 'allow', 'ask', 'deny'] as const;
const rows: Row[] = answers.flatMap((org) =>
  answers.flatMap((project) =>
    answers.flatMap((user) =>
      answers.map((role) =>
        Object.fromEntries(Object.entries({ org, project, user, role }).filter(([, verdict]) => verdict !== undefined)),
      ),
    ),
  ),
);

/** The rule in its own words: deny over ask over allow over silence, and the narrowest that says it. */
const expected = (row: Row) => {
  const verdict = (['deny', 'ask', 'allow'] as const).find((wanted) => Object.values(row).includes(wanted));
  const scope = scopeLevels.toReversed().find((level) => row[level] === verdict);
  return verdict === undefined ? undefined : { decision: verdict, scope };
};

describe('scopeResolver', () => {
  it('merges all 256 combinations of four scopes, and consults each scope every time', () => {
    expect(rows).toHaveLength(256);
    for (const row of rows) {
      const resolver = resolverOf(row);
      const found = resolver.resolve(key, coder);
      expect({ row, found: found && { decision: found.decision, scope: found.scope } }).toEqual({
        row,
        found: expected(row),
      });
      expect(found?.record.scope).toBe(found?.scope);
      expect(resolver.asked).toEqual(scopeLevels);
    }
  });

  it.each<[name: string, row: Row, entryRole: string, sessionRole: string | undefined, found: Verdict | undefined]>([
    ['an allow for another role', { user: 'allow' }, 'docs', 'coder', undefined],
    ['an allow for every role', { user: 'allow' }, '*', 'coder', 'allow'],
    ['an allow for every role, without a role', { user: 'allow' }, '*', undefined, undefined],
    ['a deny for every role, without a role', { user: 'deny' }, '*', undefined, 'deny'],
  ])('%s', (_, row, entryRole, sessionRole, found) => {
    const session = sessionRole === undefined ? {} : { role: { name: sessionRole } };
    expect(resolverOf(row, entryRole).resolve(key, session)?.decision).toBe(found);
  });

  it('goes by the role of the session, whatever role the key names', () => {
    const { resolve } = resolverOf({ project: 'allow' });
    expect(resolve(key, { role: { name: 'docs' } })).toBeUndefined();
    expect(resolve({ ...key, role: 'docs' }, coder)?.decision).toBe('allow');
  });
});
