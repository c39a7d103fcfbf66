import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/decision.ts';
import { type ScopeLevel, scopeLevels, type Verdict } from '../model/verdict.ts';
import { mergeFindings, sameOrBroader } from './merge.ts';

const finding = (verdict: Verdict, scope: Finding['scope'], more: Partial<Finding> = {}): Finding => ({
  verdict,
  scope,
  ruleId: `${scope}.${verdict}`,
  tier: 'ExactCache',
  why: 'said so',
  clear: '',
  yieldsTo: [],
  learnable: false,
  ...more,
});

type Column = Verdict | 'silent';
const columns: readonly Column[] = ['deny', 'ask', 'allow', 'silent'];

const merged = (row: Readonly<Record<ScopeLevel, Column>>): Column => {
  const findings = scopeLevels.flatMap((scope) => {
    const said = row[scope];
    return said === 'silent' ? [] : [finding(said, scope)];
  });
  return mergeFindings(findings)?.verdict ?? 'silent';
};

/** The rule said another way than the code says it: the first of deny, ask, allow that occurs anywhere in the row. */
const expected = (row: Readonly<Record<ScopeLevel, Column>>): Column =>
  columns.find((column) => Object.values(row).includes(column)) ?? 'silent';

describe('the merge over all scopes', () => {
  const rows = columns.flatMap((org) =>
    columns.flatMap((project) => columns.flatMap((user) => columns.map((role) => ({ org, project, user, role })))),
  );

  it('has 256 rows', () => expect(rows).toHaveLength(256));

  it.each(rows)('org $org, project $project, user $user, role $role', (row) => {
    expect(merged(row)).toBe(expected(row));
  });
});

describe('the nine precedence rows', () => {
  const table: readonly [org: Column, project: Column, user: Column, verdict: Column][] = [
    ['deny', 'allow', 'allow', 'deny'],
    ['allow', 'deny', 'allow', 'deny'],
    ['allow', 'allow', 'deny', 'deny'],
    ['allow', 'allow', 'allow', 'allow'],
    ['allow', 'ask', 'allow', 'ask'],
    ['ask', 'allow', 'allow', 'ask'],
    ['allow', 'allow', 'ask', 'ask'],
    ['deny', 'ask', 'allow', 'deny'],
    ['silent', 'silent', 'allow', 'allow'],
  ];
  it.each(table)('%s, %s, %s → %s', (org, project, user, verdict) => {
    expect(merged({ org, project, user, role: 'silent' })).toBe(verdict);
  });
});

describe('the order in which findings are given', () => {
  it('changes nothing but ties, and ties go to the narrowest scope', () => {
    const both = [finding('ask', 'org'), finding('ask', 'user')];
    expect(mergeFindings(both)?.scope).toBe('user');
    expect(mergeFindings([...both].reverse())?.scope).toBe('user');
  });
});

describe('an allow override', () => {
  const override = (scope: ScopeLevel) => finding('allow', scope, { tier: 'Override' });

  const table: readonly [name: string, restriction: Finding, scope: ScopeLevel, verdict: Verdict][] = [
    [
      'replaces a built-in ask from user scope',
      finding('ask', 'builtin', { yieldsTo: ['org', 'user'] }),
      'user',
      'allow',
    ],
    [
      'does not replace it from a scope it does not yield to',
      finding('ask', 'builtin', { yieldsTo: ['org', 'user'] }),
      'project',
      'ask',
    ],
    ['replaces a built-in role deny', finding('deny', 'role', { yieldsTo: sameOrBroader.role }), 'project', 'allow'],
    ['does not replace a broader role deny', finding('deny', 'role', { yieldsTo: sameOrBroader.org }), 'user', 'deny'],
    [
      'does not replace an org ask from below',
      finding('ask', 'org', { yieldsTo: sameOrBroader.org }),
      'project',
      'ask',
    ],
    ['replaces nothing that yields to nobody', finding('deny', 'builtin'), 'org', 'deny'],
    ['never beats a stored deny', finding('deny', 'user'), 'org', 'deny'],
  ];
  it.each(table)('%s', (_, restriction, scope, verdict) => {
    expect(mergeFindings([restriction, override(scope)])?.verdict).toBe(verdict);
  });

  it('is not what an ordinary allow is: a remembered allow replaces nothing', () => {
    const ask = finding('ask', 'builtin', { yieldsTo: ['org', 'project', 'user'] });
    expect(mergeFindings([ask, finding('allow', 'user')])?.verdict).toBe('ask');
  });
});

it('no finding decides nothing', () => expect(mergeFindings([])).toBeUndefined());
