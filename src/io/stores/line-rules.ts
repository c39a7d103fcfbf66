import type { SourceRef } from '../../core/model/record.ts';
import type { RowFields } from './index-format.ts';
import type { IndexedRecord } from './line-scan.ts';
import type { RulesLocation } from './rules-location.ts';

/** Whether a record counts only once its line is trusted. */
export const isWidening = (record: IndexedRecord, location: RulesLocation): boolean =>
  location.inRepository && record.decision === 'allow';

/** Why a well-formed record never applies where it is written. */
export const uselessBecause = (record: IndexedRecord, location: RulesLocation): string | undefined => {
  if (record.decision !== 'allow') return undefined;
  if (record.slots !== undefined && (record.lossy === true || record.pattern !== undefined))
    return 'allows calls by their shape and says other things about them as well; state one of them';
  if (record.lossy === true && record.digest === undefined && record.pattern === undefined) {
    return 'allows a call that lost text to redaction, without the digest that would tell it apart';
  }
  if (!location.inRepository) return undefined;
  if (record.key.role === '*') return 'allows every role, which a repository cannot do; name one role';
  if (location.kind === 'project' && record.context === 'outside') {
    return 'allows a call outside the project, which its rules cannot do';
  }
  return undefined;
};

/** What a row says of a record. */
export const rowFields = (
  record: IndexedRecord,
  { file, line, inert }: { readonly file: number; readonly line: SourceRef['line']; readonly inert: boolean },
): RowFields => ({
  verdict: record.decision,
  tier: record.metadata.tier,
  tool: record.key.tool,
  role: record.key.role,
  change: record.change,
  generalised: record.slots === undefined || record.pattern !== undefined ? undefined : true,
  inert: inert ? true : undefined,
  file,
  line,
  expiresMs: record.expires_at === undefined ? 0 : Date.parse(record.expires_at),
});
