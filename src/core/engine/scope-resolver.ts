import type { DecisionRecord } from '../model/record.ts';
import { type ScopeLevel, scopeLevels, strictest, type Verdict } from '../model/verdict.ts';
import { type LookupKey, strictestRecord } from './record-match.ts';

/** The verdict of all scopes together, with the record behind it. */
export interface ScopedDecision {
  readonly decision: Verdict;
  readonly scope: ScopeLevel;
  readonly record: DecisionRecord;
}

/** Where remembered decisions come from. Gives only records that are in force now. */
export interface DecisionSource {
  readonly loadDecisions: (scope: ScopeLevel) => readonly DecisionRecord[];
}

/** Who asks: without a role nothing is allowed. */
export interface RoleHolder {
  readonly role?: { readonly name: string } | undefined;
}

/** Merges what the four scopes say about one call. */
export interface ScopeResolver {
  /** Nothing: no scope has decided this call. The session's role counts, whatever role the key names. */
  readonly resolve: (key: LookupKey, session: RoleHolder) => ScopedDecision | undefined;
}

/** Always consults every scope: deny beats ask beats allow; of equals the narrowest scope is reported. */
export const scopeResolver = (storage: DecisionSource): ScopeResolver => ({
  resolve: (key, { role }) => {
    const own = { ...key, role: role?.name ?? '' };
    let found: ScopedDecision | undefined;
    for (const scope of scopeLevels) {
      const records = storage.loadDecisions(scope);
      const record = strictestRecord(role === undefined ? records.filter(isRestriction) : records, own);
      if (record === undefined) continue;
      if (strictest(record.decision, found?.decision) === record.decision)
        found = { decision: record.decision, scope, record };
    }
    return found;
  },
});

const isRestriction = (record: DecisionRecord): boolean => record.decision !== 'allow';
