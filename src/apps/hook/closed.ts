import type { Decision } from '../../core/model/decision.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';

/** What a closed gate says about its own failure: ask where somebody can answer, else deny. Never allow, never silence. */
export const closedDecision = (why: string, attended: boolean): Decision => ({
  verdict: attended ? 'ask' : 'deny',
  ruleId: 'gate.failed',
  tier: 'Default',
  scope: 'builtin',
  confidence: 1,
  why: sanitizeText(why).slice(0, 500),
  clear: 'hookwise doctor shows what is wrong',
});
