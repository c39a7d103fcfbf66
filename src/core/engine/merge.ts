import type { Decision, Finding } from '../model/decision.ts';
import type { ScopeLevel, Verdict } from '../model/verdict.ts';

const rank: Record<Verdict, number> = { allow: 1, ask: 2, deny: 3 };

/** Which scope is reported when several say the same: the narrowest that spoke; built-in rules last. */
const reported: Record<Finding['scope'], number> = { role: 5, user: 4, project: 3, org: 2, builtin: 1 };

/**
 * The finding that decides: strictest wins over all scopes (deny > ask > allow > silent), after findings that an
 * explicit allow override of sufficient authority replaces have been taken out. No finding: nothing decides.
 */
export const mergeFindings = (findings: readonly Finding[]): Finding | undefined => {
  const overriding = findings.filter((finding) => finding.tier === 'Override' && finding.verdict === 'allow');
  let winner: Finding | undefined;
  for (const finding of findings) {
    if (overriding.some((override) => replaces(override, finding))) continue;
    if (winner === undefined || isStricter(finding, winner)) winner = finding;
  }
  return winner;
};

const replaces = (override: Finding, finding: Finding): boolean =>
  override.scope !== 'builtin' && finding.yieldsTo.includes(override.scope);

const isStricter = (a: Finding, b: Finding): boolean => {
  if (a.verdict !== b.verdict) return rank[a.verdict] > rank[b.verdict];
  if (authority(a) !== authority(b)) return authority(a) > authority(b);
  // What less can replace is what has to be known: lifting the other alone would change nothing.
  return a.yieldsTo.length < b.yieldsTo.length;
};

/** Of several that say the same, a person's override is the one to name: it may be what made the difference. */
const authority = (finding: Finding): number => reported[finding.scope] + (finding.tier === 'Override' ? 10 : 0);

/** A finding as the decision it leads to. */
export const decisionOf = (finding: Finding): Decision => ({
  verdict: finding.verdict,
  ruleId: finding.ruleId,
  tier: finding.tier,
  scope: finding.scope,
  confidence: finding.confidence ?? 1,
  why: finding.why,
  clear: finding.clear,
  ...(finding.source === undefined ? {} : { source: finding.source }),
  ...(finding.unattended === undefined ? {} : { unattended: finding.unattended }),
});

/** Scopes whose override may replace a restriction written at `scope`: the same one, or a broader one. */
export const sameOrBroader: Readonly<Record<ScopeLevel, readonly ScopeLevel[]>> = {
  org: ['org'],
  project: ['org', 'project'],
  user: ['org', 'user'],
  role: ['org', 'project', 'user'],
};
