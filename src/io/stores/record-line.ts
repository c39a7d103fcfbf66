import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { errors } from '../../core/model/errors.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import { recordFromJson } from '../../core/model/record-from-json.ts';
import { longestLineBytes } from './rules-file.ts';
import type { RulesFile, RulesLocation } from './rules-location.ts';

/** The line that a record becomes, and the file it belongs into, once it is sure that it will be read back and may live there. */
export const lineFor = (location: RulesLocation, record: DecisionRecord): { text: string; file: RulesFile } => {
  const text = canonicalJson({ ...record, scope: location.scope });
  const read = recordFromJson(JSON.parse(text), location.scope);
  if (!read.ok) throw errors.storage(`this decision cannot be stored: it ${read.error}`);
  if (Buffer.byteLength(text) > longestLineBytes)
    throw errors.storage('this decision cannot be stored: its call is too long');
  if (location.kind === 'project' && record.lossy === true) {
    throw errors.storage(
      'a decision that lost text to redaction cannot be shared; store it for yourself with --scope user',
    );
  }
  if (record.slots !== undefined && (record.lossy === true || record.pattern !== undefined)) {
    throw errors.storage('a decision for a shape can be neither a pattern nor one that lost text to redaction');
  }
  if (location.inRepository && record.decision === 'allow' && record.key.role === '*') {
    throw errors.storage('an allow for every role cannot come from a repository; name a role, or use --scope user');
  }
  const file = location.files.find(({ verdict }) => verdict === undefined || verdict === record.decision);
  if (file === undefined) throw errors.storage(`${location.path} has no file for "${record.decision}"`);
  return { text, file };
};

/** Two records with one identity answer the same question. */
export const identityOf = (record: DecisionRecord): string =>
  canonicalJson([
    record.key.tool,
    record.key.role,
    record.key.sanitized_input,
    record.context ?? null,
    record.change ?? null,
    record.scope,
    record.pattern ?? null,
    record.slots === undefined ? null : 'shape',
    record.lossy === true ? (record.digest ?? null) : null,
  ]);

/** A cheap look that spares parsing lines about other calls. Text that may be spelled with escapes is always parsed. */
export const mayName = (input: string): ((line: Buffer) => boolean) => {
  // Letters that JSON may leave alone or write as an escape.
  const plain = /^[A-Za-z0-9 _.,:;=+*-]+/.exec(input)?.[0];
  if (plain === undefined) return () => true;
  return (line) => line.includes(plain) || line.includes('\\u');
};
