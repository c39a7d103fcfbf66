import { isInForce } from '../../core/engine/record-match.ts';
import type { DecisionRecord, SourceRef } from '../../core/model/record.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { isWidening, uselessBecause } from '../stores/line-rules.ts';
import { type RecordLine, readRules } from '../stores/rules-file.ts';
import type { RulesLocation } from '../stores/rules-location.ts';
import { lineDigest, type TrustStore } from '../stores/trust.ts';

/** A remembered decision in its plain form: one call, one role, one verdict. */
export interface FlatEntry {
  readonly command?: string;
  readonly file?: string;
  readonly tool: string;
  readonly role: string;
  readonly decision: string;
  readonly reason: string;
  readonly timestamp: string;
  readonly scope: string;
}

/** A line without such a form, or one that does not count. */
export interface LeftOut {
  readonly source: SourceRef;
  readonly why: string;
}

/** What is exported. */
export interface ExportOptions {
  readonly trust: TrustStore;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Only entries for exactly this role. */
  readonly role?: string | undefined;
}

/** The entries of a location that have a plain form and are in force; nothing else loses a word of what it says. */
export const flatEntries = (
  location: RulesLocation,
  { trust, now, role }: ExportOptions,
): { readonly entries: readonly FlatEntry[]; readonly leftOut: readonly LeftOut[] } => {
  const entries: FlatEntry[] = [];
  const leftOut: LeftOut[] = [];
  const isTrusted = trust.snapshot();
  const { problems } = readRules(location, (line) => {
    if (role !== undefined && line.record.key.role !== role) return;
    const why = whyNotInForce(line, { location, now, isTrusted }) ?? whyNotFlat(line.record);
    if (why === undefined) entries.push(flat(line.record));
    else leftOut.push({ source: line.source, why });
  });
  const damaged = problems.map(({ file, line, reason }): LeftOut => ({ source: { file, line }, why: reason }));
  return { entries, leftOut: [...leftOut, ...damaged] };
};

interface Force {
  readonly location: RulesLocation;
  readonly now: number;
  readonly isTrusted: (digest: string) => boolean;
}

const whyNotInForce = ({ record, source, canonical }: RecordLine, { location, now, isTrusted }: Force) => {
  if (!isInForce(record, now)) return `it expired at ${record.expires_at}`;
  const useless = uselessBecause(record, location);
  if (useless !== undefined) return `it ${useless}`;
  const waits = isWidening(record, location) && !isTrusted(lineDigest(source.file, canonical()));
  return waits ? 'it is not in force: nobody has trusted it here' : undefined;
};

/**
 * Why the plain form would say something else. It has no place and no kind of change: an ask or a deny for one holds
 * for all of them in that form, and an allow for one has no such form.
 */
const whyNotFlat = (record: DecisionRecord): string | undefined => {
  if (record.pattern !== undefined) return 'it is an override: matched by pattern, not by call';
  if (record.slots !== undefined) return 'it holds for every call of a shape';
  if (record.lossy === true) return 'part of its text was redacted';
  if (record.expires_at !== undefined) return `it ends at ${record.expires_at}`;
  const { change, context = 'root' } = record;
  if (record.decision === 'allow' && change !== undefined) return `it allows only to ${change} the file`;
  if (record.decision === 'allow' && context !== 'root') return `it allows only calls made elsewhere (${context})`;
  const { sanitized_input: input } = record.key;
  return sanitizeText(input) === input ? undefined : 'its call holds what looks like a secret';
};

const flat = ({ key, file_path: file, decision, metadata, timestamp, scope }: DecisionRecord): FlatEntry => ({
  ...(file === undefined ? { command: key.sanitized_input } : { file: key.sanitized_input }),
  tool: key.tool,
  role: key.role,
  decision,
  reason: sanitizeText(metadata.reason),
  timestamp,
  scope,
});
