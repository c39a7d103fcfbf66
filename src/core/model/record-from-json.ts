import { type FieldReader, fieldReader } from './field-reader.ts';
import {
  type CacheKey,
  type Change,
  type ContextClass,
  type DecisionMetadata,
  type DecisionRecord,
  type OverridePattern,
  type SlotType,
  slotTypes,
} from './record.ts';
import type { JsonObject } from './request.ts';
import { fail, ok, type Result } from './result.ts';
import { isJsonObject } from './strict-json.ts';
import { type DecisionTier, type ScopeLevel, scopeLevels, tierNames, type Verdict } from './verdict.ts';

const verdicts: readonly Verdict[] = ['allow', 'deny', 'ask'];
const changes: readonly Change[] = ['create', 'modify', 'delete'];
const longestText = 65_536;
const longestReason = 8192;
const longestShort = 256;

const isTier = (text: string): text is DecisionTier => Object.hasOwn(tierNames, text);
/** Every tier by the name it is stored under. */
export const storedTiers: readonly DecisionTier[] = Object.keys(tierNames).filter(isTier);

/**
 * A record from a parsed JSONL line: the nested form that hookwise writes, or the flat form
 * `{command|file, tool, role, decision, reason, timestamp, scope}`. `scope` is where the line was found.
 */
export const recordFromJson = (value: unknown, scope: ScopeLevel): Result<DecisionRecord, string> => {
  if (!isJsonObject(value)) return fail('is not a JSON object');
  if (value.v !== undefined && value.v !== 1) return fail('was written in a format that this version does not know');
  const reader = fieldReader(value);
  const record =
    value.key === undefined ? flatRecord({ value, reader, scope }) : nestedRecord({ value, reader, scope });
  const wrong = reader.wrong();
  return wrong === undefined && record !== undefined ? ok(record) : fail(wrong ?? 'is not a decision record');
};

interface Source {
  readonly value: JsonObject;
  readonly reader: FieldReader;
  readonly scope: ScopeLevel;
}

const flatRecord = ({ value, reader, scope }: Source): DecisionRecord | undefined => {
  const command = reader.optionalText('command', longestText);
  const file = reader.optionalText('file', longestText)?.replace(/^(?:\.\/)+/, '');
  const input = command ?? file;
  if (input === undefined || (command !== undefined && file !== undefined)) {
    reader.note('needs either "command" or "file"');
    return undefined;
  }
  const key: CacheKey = { sanitized_input: input, tool: reader.name('tool'), role: reader.name('role') };
  const reason = reader.optionalText('reason', longestReason) ?? '';
  const metadata: DecisionMetadata = { tier: 'Human', confidence: 1, reason };
  const common = commonFields({ value, reader, scope });
  return common && { ...common, key, metadata, ...(file === undefined ? {} : { file_path: file }) };
};

const nestedRecord = ({ value, reader, scope }: Source): DecisionRecord | undefined => {
  const key = keyFrom(value.key, reader);
  const metadata = metadataFrom(value.metadata, reader);
  const file = reader.optionalText('file_path', longestText);
  const pattern = value.pattern === undefined ? undefined : patternFrom(value.pattern, reader);
  const common = commonFields({ value, reader, scope });
  if (common === undefined || key === undefined || metadata === undefined) return undefined;
  return {
    ...common,
    key,
    metadata,
    ...(file === undefined ? {} : { file_path: file }),
    ...(pattern === undefined ? {} : { pattern }),
  };
};

/** What both forms share. The scope written in a line is checked, but where the line was found decides. */
const commonFields = ({ value, reader, scope }: Source): Omit<DecisionRecord, 'key' | 'metadata'> | undefined => {
  const decision = reader.oneOf('decision', verdicts);
  if (decision === undefined) reader.note('"decision" is missing');
  reader.oneOf('scope', scopeLevels);
  const change = reader.oneOf('change', changes);
  const context = contextFrom(reader);
  const digest = reader.optionalText('digest', longestShort);
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest)) reader.note('"digest" must be 64 hexadecimal digits');
  const lossy = reader.optionalFlag('lossy');
  const expires = reader.optionalText('expires_at', longestShort);
  if (expires !== undefined && Number.isNaN(Date.parse(expires))) reader.note('"expires_at" is not a time');
  const actor = reader.optionalText('actor', longestShort);
  const call = reader.optionalText('call', longestShort);
  const slots = value.slots === undefined ? undefined : slotsFrom(value.slots, reader);
  const timestamp = reader.optionalText('timestamp', longestShort) ?? '';
  const session = reader.optionalText('session_id', longestShort) ?? '';
  if (decision === undefined) return undefined;
  return {
    v: 1,
    decision,
    timestamp,
    scope,
    session_id: session,
    ...(change === undefined ? {} : { change }),
    ...(context === undefined ? {} : { context }),
    ...(digest === undefined ? {} : { digest }),
    ...(lossy === undefined ? {} : { lossy }),
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(actor === undefined ? {} : { actor }),
    ...(call === undefined ? {} : { call }),
    ...(slots === undefined ? {} : { slots }),
  };
};

const mostSlots = 32;

const slotsFrom = (value: unknown, reader: FieldReader): readonly SlotType[] | undefined => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const slots = given.flatMap((item) => slotTypes.find((type) => type === item) ?? []);
  if (slots.length > 0 && slots.length === given.length && slots.length <= mostSlots) return slots;
  reader.note(`"slots" must be a list of ${slotTypes.join(', ')}`);
  return undefined;
};

const isInside = (text: string): text is `inside:${string}` => /^inside:./s.test(text);

const contextFrom = (reader: FieldReader): ContextClass | undefined => {
  const text = reader.optionalText('context', longestText);
  if (text === undefined || text === 'root' || text === 'outside' || isInside(text)) return text;
  reader.note('"context" must be root, inside:<directory> or outside');
  return undefined;
};

const keyFrom = (value: unknown, outer: FieldReader): CacheKey | undefined => {
  if (!isJsonObject(value)) {
    outer.note('"key" must be an object');
    return undefined;
  }
  const reader = fieldReader(value);
  const input = reader.text('sanitized_input', longestText);
  const key = { sanitized_input: input, tool: reader.name('tool'), role: reader.name('role') };
  const wrong = reader.wrong();
  if (wrong !== undefined) outer.note(`in "key": ${wrong}`);
  return key;
};

const metadataFrom = (value: unknown, outer: FieldReader): DecisionMetadata | undefined => {
  if (!isJsonObject(value)) {
    outer.note('"metadata" must be an object');
    return undefined;
  }
  const reader = fieldReader(value);
  const tier = reader.oneOf('tier', storedTiers);
  if (tier === undefined) reader.note('"tier" is missing');
  const confidence = reader.fraction('confidence', 1);
  const reason = reader.optionalText('reason', longestReason) ?? '';
  const matched =
    value.matched_key === undefined || value.matched_key === null ? undefined : keyFrom(value.matched_key, reader);
  const score =
    value.similarity_score === undefined || value.similarity_score === null
      ? undefined
      : reader.fraction('similarity_score');
  const wrong = reader.wrong();
  if (wrong !== undefined) outer.note(`in "metadata": ${wrong}`);
  if (tier === undefined) return undefined;
  return {
    tier,
    confidence,
    reason,
    ...(matched === undefined ? {} : { matched_key: matched }),
    ...(score === undefined ? {} : { similarity_score: score }),
  };
};

const patternFrom = (value: unknown, outer: FieldReader): OverridePattern | undefined => {
  if (!isJsonObject(value)) {
    outer.note('"pattern" must be an object');
    return undefined;
  }
  const reader = fieldReader(value);
  const [command, tool, file] = [
    reader.optionalText('command', longestReason),
    reader.optionalText('tool', longestReason),
    reader.optionalText('file', longestReason),
  ];
  if (command === undefined && tool === undefined && file === undefined) reader.note('matches nothing');
  const wrong = reader.wrong();
  if (wrong !== undefined) outer.note(`in "pattern": ${wrong}`);
  return {
    ...(command === undefined ? {} : { command }),
    ...(tool === undefined ? {} : { tool }),
    ...(file === undefined ? {} : { file }),
  };
};
