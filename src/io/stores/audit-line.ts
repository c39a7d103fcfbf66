import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors } from '../../core/model/errors.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { isJsonObject, parseStrictJson } from '../../core/model/strict-json.ts';
import { keyedDigest, sameDigest } from './user-key.ts';

/** Where a chain of lines stands: its last number and the code of its last line. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

/** One line of the audit log, as read. */
export interface AuditEntry extends ChainPoint {
  readonly time: string;
  readonly prev: string;
  /** What was logged, with the chain's own fields left out. */
  readonly event: { readonly [field: string]: unknown };
}

/** Before the first line. */
export const chainStart: ChainPoint = { seq: 0, hash: '0'.repeat(64) };

const ownFields = new Set(['seq', 'time', 'prev', 'hash', 'recovered']);

/** The text of the line that follows `last`. `recovered`: what the writer had to mend first. */
export const auditLine = (
  event: { readonly [field: string]: unknown },
  link: { readonly key: Uint8Array; readonly last: ChainPoint; readonly time: string; readonly recovered?: string },
): { readonly text: string; readonly point: ChainPoint } => {
  // Through JSON and back: what a reader will see is what is vouched for.
  const read = parseStrictJson(JSON.stringify(event));
  if (!read.ok || !isJsonObject(read.value))
    throw errors.storage(`this event cannot be logged: it ${read.ok ? 'is no object' : read.error}`);
  const fields = Object.entries(read.value).filter(([name]) => !ownFields.has(name));
  const seq = link.last.seq + 1;
  const recovered = link.recovered === undefined ? {} : { recovered: link.recovered };
  const body = { seq, time: link.time, ...Object.fromEntries(fields), ...recovered };
  const hash = keyedDigest(link.key, link.last.hash + canonicalJson(body));
  return { text: JSON.stringify({ ...body, prev: link.last.hash, hash }), point: { seq, hash } };
};

/** Reads a line and checks its own code; whether it follows the line before is for the caller to see. */
export const readAuditLine = (text: string, key: Uint8Array): Result<AuditEntry, 'torn' | 'changed'> => {
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return fail('torn');
  if (!isJsonObject(parsed.value)) return fail('changed');
  const { prev, hash, ...body } = parsed.value;
  const { seq, time, ...event } = body;
  if (typeof prev !== 'string' || typeof hash !== 'string' || typeof seq !== 'number' || typeof time !== 'string')
    return fail('changed');
  if (!sameDigest(hash, keyedDigest(key, prev + canonicalJson(body)))) return fail('changed');
  return ok({ seq, time, prev, hash, event });
};
