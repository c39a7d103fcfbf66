import type { Context } from '../model/context.ts';
import { toolFamily } from '../model/entry-key.ts';
import type { DecisionRecord, StoredOverride } from '../model/record.ts';
import type { ToolCall } from '../model/request.ts';
import type { ShellLanguage } from '../similarity/language.ts';
import type { OverrideReach } from './covers-entry.ts';
import type { CallKnowledge } from './covers-lines.ts';
import type { CallShape } from './covers-places.ts';
import type { Matchers } from './matchers.ts';
import { overrideFindings, type Remembered } from './memory-rules.ts';
import { type Plan, plan } from './plan.ts';

/** What it takes to understand the calls that records are about. */
export interface CallReader {
  /** A context of the project; role and directory are those of each record. */
  readonly context: Context;
  readonly matchers: Matchers;
  readonly shell: () => ShellLanguage;
}

/**
 * What the engine itself would say about the calls of records: the shapes by which they are looked up, and the overrides
 * that answer them. Says less rather than too much: what depends on where a call is made, or on how it is spelled, is
 * left out.
 */
export const callKnowledge = (reader: CallReader): CallKnowledge => ({
  shapeOf: (record) => shapeOf(record, reader),
  overrideAnswers: (override, record) => answers(override, record, reader),
});

/** Redactions and what was left open: such a text stands for more than one call. */
const placeholder = /<(?:LITERAL:|SECRET:|REDACTED>|ANY:)/;

const planOf = (record: DecisionRecord, { context, shell }: CallReader): Plan | undefined => {
  const { tool, sanitized_input: command, role } = record.key;
  const isExact = record.pattern === undefined && record.slots === undefined && record.lossy !== true;
  if (tool !== 'Bash' || !isExact || record.context === 'outside' || placeholder.test(command)) return undefined;
  const below = record.context?.startsWith('inside:') === true ? `/${record.context.slice('inside:'.length)}` : '';
  const cwd = `${context.root}${below}`;
  const call: ToolCall = {
    tool,
    canonicalTool: tool,
    input: {},
    identity: {},
    action: { kind: 'shell', command, language: 'bash' },
  };
  const request = { kind: 'before-tool', session: { sessionId: '' }, cwd, mode: 'default', call } as const;
  const planned = plan(request, { ...context, cwd, roleName: role }, shell);
  return planned.key.sanitized === command ? planned : undefined;
};

/** Only shapes without places: what may stand in a place depends on the file system, and on who calls. */
const shapeOf = (record: DecisionRecord, reader: CallReader): CallShape | undefined => {
  const shape = planOf(record, reader)?.shape;
  if (shape === undefined || shape.slots.some(({ path }) => path !== undefined)) return undefined;
  return { text: shape.text, slots: shape.slots.map(({ type }) => type) };
};

const answers = (override: OverrideReach, record: DecisionRecord, reader: CallReader): boolean => {
  const { pattern } = override;
  // An ask or a deny holds for the whole family of its tool, which a pattern for one tool does not reach.
  if (pattern.tool !== undefined && toolFamily(record.key.tool) === toolFamily('Write')) return false;
  const remembered = pattern.command === undefined ? rememberedFile(record, reader) : rememberedCommand(record, reader);
  if (remembered === undefined) return false;
  const stored: StoredOverride = {
    ...{ verdict: override.verdict, role: override.role, tool: override.tool, pattern },
    scope: record.scope,
    tier: 'Override',
    source: { file: '', line: 0 },
  };
  const context = { ...reader.context, roleName: record.key.role };
  const findings = overrideFindings([stored], remembered, { context, matchers: reader.matchers });
  return findings.some(({ verdict }) => verdict === record.decision);
};

/** Words that are the same for everybody, wherever they are typed. */
const plainWords = /^[A-Za-z0-9_@%+:,./-]+(?: [A-Za-z0-9_@%+=:,./-]+)*$/;

const rememberedCommand = (record: DecisionRecord, reader: CallReader): Remembered | undefined => {
  if (!plainWords.test(record.key.sanitized_input)) return undefined;
  const planned = planOf(record, reader);
  if (planned?.shell === undefined) return undefined;
  const { key, request, shell } = planned;
  return { ...neutral, call: request.call, key, reading: shell.reading };
};

const rememberedFile = (record: DecisionRecord, { context }: CallReader): Remembered | undefined => {
  const { tool, sanitized_input: path } = record.key;
  if (record.file_path === undefined || record.lossy === true || placeholder.test(path)) return undefined;
  const isInside = record.context !== 'outside' && !path.startsWith('/');
  const call: ToolCall = {
    tool,
    canonicalTool: tool,
    input: {},
    identity: {},
    action: { kind: 'write', path, text: [] },
  };
  const key = {
    ...{ tool, input: path, sanitized: path, lossy: false, isRedacted: false },
    context: record.context ?? 'root',
  };
  const spelling = isInside ? { absolute: `${context.root}/${path}`, relative: path } : { absolute: path };
  return { ...neutral, call, key, spellings: [spelling] };
};

const neutral = { change: undefined, spellings: [], slotObjection: () => undefined } as const;
