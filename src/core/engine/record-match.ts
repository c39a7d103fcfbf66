import { toolFamily } from '../model/entry-key.ts';
import type { CacheKey, Change, ContextClass, DecisionRecord } from '../model/record.ts';
import { strictest } from '../model/verdict.ts';

/** A call to look up. What the key leaves out narrows allows: they count only where they were given. */
export interface LookupKey extends CacheKey {
  /** Where the call is made; the project root when absent. */
  readonly context?: ContextClass;
  /** How a file would change. */
  readonly change?: Change;
  /** Keyed digest of the exact call: the only way to find an allow whose text lost something to redaction. */
  readonly digest?: string;
  /** Epoch milliseconds: what expired before does not count. Absent: the records given are all in force. */
  readonly now?: number;
}

/** Whether a record still means something at `now` (epoch milliseconds). */
export const isInForce = (record: DecisionRecord, now: number): boolean =>
  record.expires_at === undefined || Date.parse(record.expires_at) > now;

/**
 * Whether a record is an exact answer for this call. Overrides match by pattern and generalised entries by shape, so
 * neither is one. An allow holds for its own tool, context and change; an ask or a deny for the whole tool family.
 */
const recordApplies = (record: DecisionRecord, key: LookupKey): boolean => {
  if (record.pattern !== undefined || record.slots !== undefined) return false;
  if (key.now !== undefined && !isInForce(record, key.now)) return false;
  if (record.key.role !== '*' && record.key.role !== key.role) return false;
  const context = key.context ?? 'root';
  if (record.scope === 'project' && context === 'outside') return false;
  return record.decision === 'allow' ? allows(record, key, context) : restricts(record, key, context);
};

const allows = (record: DecisionRecord, key: LookupKey, context: ContextClass): boolean =>
  record.key.tool === key.tool &&
  (record.change === undefined || record.change === key.change) &&
  (record.context ?? 'root') === context &&
  (record.lossy === true
    ? record.digest !== undefined && record.digest === key.digest
    : record.key.sanitized_input === key.sanitized_input);

const restricts = (record: DecisionRecord, key: LookupKey, context: ContextClass): boolean => {
  if (toolFamily(record.key.tool) !== toolFamily(key.tool)) return false;
  if (record.change !== undefined && key.change !== undefined && record.change !== key.change) return false;
  if (record.context !== undefined && record.context !== context) return false;
  if (record.digest !== undefined && key.digest !== undefined) return record.digest === key.digest;
  return record.key.sanitized_input === key.sanitized_input;
};

/** The strictest of the records that apply; of equals the one for the exact role, then the first. */
export const strictestRecord = (records: readonly DecisionRecord[], key: LookupKey): DecisionRecord | undefined => {
  let best: DecisionRecord | undefined;
  for (const record of records) {
    if (!recordApplies(record, key)) continue;
    if (best === undefined || wins(record, best)) best = record;
  }
  return best;
};

const wins = (record: DecisionRecord, best: DecisionRecord): boolean =>
  record.decision === best.decision
    ? best.key.role === '*' && record.key.role !== '*'
    : strictest(best.decision, record.decision) === record.decision;
