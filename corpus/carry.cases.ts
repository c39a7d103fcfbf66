import { claudeCode } from '../src/agents/claude-code/adapter.ts';
import { type Matchers, prepareMatchers } from '../src/core/engine/matchers.ts';
import { plan } from '../src/core/engine/plan.ts';
import type { Context } from '../src/core/model/context.ts';
import type { Evaluation } from '../src/core/model/decision.ts';
import { entryKeyText, shapeKeyText } from '../src/core/model/entry-key.ts';
import type { FactQuery, Facts, PathFact } from '../src/core/model/facts.ts';
import type { CompiledPolicy, Settings } from '../src/core/model/policy.ts';
import type { DecisionRecord, StoredEntry } from '../src/core/model/record.ts';
import type { BeforeTool } from '../src/core/model/request.ts';
import type { DecisionTier, Verdict } from '../src/core/model/verdict.ts';
import { normalise } from '../src/core/paths/normalise.ts';
import { defaultSettings } from '../src/core/policy/defaults.ts';
import { localEmbedder } from '../src/core/similarity/embedder.ts';
import { shellLanguage } from '../src/core/similarity/language.ts';
import { evaluate } from '../src/gate/gate.ts';
import { documentOf, inOrder, type SimilarDocument } from '../src/io/similar/documents.ts';
import { indexDocuments } from '../src/io/similar/location-index.ts';
import { searchedMemory } from '../src/io/similar/similar-memory.ts';
import { userRules } from '../src/io/stores/rules-location.ts';
import { home, policyOf, root } from './world.cases.ts';

/** A call that was decided before. */
export interface Decided {
  readonly command: string;
  readonly verdict?: Verdict;
  readonly tool?: string;
  readonly role?: string;
  readonly cwd?: string;
  readonly tier?: DecisionTier;
  /** Kept as its shape, where it has one. */
  readonly asShape?: boolean;
}

/** What is tried after that. */
export interface Tried {
  readonly command: string;
  readonly tool?: string;
  readonly role?: string;
  readonly cwd?: string;
}

export interface CarryWorld {
  readonly mode?: Settings['similarity']['mode'];
  /** What the disk says of a path; any other is an ordinary file. */
  readonly disk?: Readonly<Record<string, Partial<PathFact>>>;
}

interface Prepared {
  readonly policy: CompiledPolicy;
  readonly matchers: Matchers;
}

const prepared = (mode: Settings['similarity']['mode']): Prepared => {
  const policy = policyOf({ settings: { ...defaultSettings, similarity: { ...defaultSettings.similarity, mode } } });
  return { policy, matchers: prepareMatchers(policy, { homes: [home], foldCase: false }) };
};

const byMode: Readonly<Record<Settings['similarity']['mode'], Prepared>> = {
  guarded: prepared('guarded'),
  seed: prepared('seed'),
  off: prepared('off'),
};

const inputOf = ({ tool = 'Bash', command }: Tried): unknown => {
  if (tool === 'Bash') return { command };
  if (tool === 'WebFetch') return { url: command, prompt: 'x' };
  return tool.startsWith('mcp__') ? { query: command } : { file_path: command, content: 'x' };
};

const requestOf = (call: Tried): BeforeTool => {
  const request = claudeCode.decode({
    session_id: 's1',
    transcript_path: `${home}/.claude/projects/p/s1.jsonl`,
    cwd: call.cwd ?? root,
    hook_event_name: 'PreToolUse',
    tool_name: call.tool ?? 'Bash',
    tool_input: inputOf(call),
  });
  if (!request.ok || request.value.kind !== 'before-tool') throw new Error(`no tool call: ${call.command}`);
  return request.value;
};

const contextOf = (call: Tried, policy: CompiledPolicy): Context => {
  const role = policy.roles[call.role === undefined || call.role === '*' ? 'coder' : call.role];
  if (role === undefined) throw new Error(`no role ${call.role}`);
  return {
    root,
    realRoot: root,
    cwd: call.cwd ?? root,
    homes: [home],
    user: 'user',
    roles: [role],
    roleName: role.name,
    policy,
    foldCase: false,
    ownPaths: [`${home}/.config/hookwise`, `${home}/.local/state/hookwise`],
    sessionId: 's1',
  };
};

const embedder = localEmbedder();
const location = userRules(`${home}/.config/hookwise`);
const source = { file: `${location.path}`, line: 1 };

/** How a decided call is remembered. */
const recordOf = (decided: Decided, policy: CompiledPolicy): DecisionRecord => {
  const { key, shape } = plan(requestOf(decided), contextOf(decided, policy), () => shellLanguage);
  const isShape = decided.asShape === true && shape !== undefined;
  return {
    v: 1,
    key: { sanitized_input: isShape ? shape.text : key.sanitized, tool: key.tool, role: decided.role ?? 'coder' },
    decision: decided.verdict ?? 'allow',
    metadata: { tier: decided.tier ?? 'Human', confidence: 1, reason: '' },
    timestamp: '2026-01-01T00:00:00.000Z',
    scope: 'user',
    session_id: 's0',
    context: key.context,
    ...(isShape ? { slots: shape.slots.map(({ type }) => type) } : {}),
    ...(key.lossy ? { lossy: true, digest: '0'.repeat(64) } : {}),
  };
};

const storedOf = (record: DecisionRecord): StoredEntry => ({
  verdict: record.decision,
  scope: 'user',
  tier: record.metadata.tier,
  tool: record.key.tool,
  role: record.key.role,
  source,
  ...(record.slots === undefined ? {} : { generalised: true }),
});

const keyTextOf = ({ key, context = 'root', slots }: DecisionRecord): string =>
  slots === undefined
    ? entryKeyText({ tool: key.tool, input: key.sanitized_input, context })
    : shapeKeyText({ tool: key.tool, shape: key.sanitized_input, context });

/** What the gate says about a call after others were decided: the whole evaluation, over a memory in memory. */
export const judgeAfter = (decided: readonly Decided[], call: Tried, world: CarryWorld = {}): Evaluation => {
  const { policy, matchers } = byMode[world.mode ?? 'guarded'];
  const records = decided.map((one) => recordOf(one, policy));
  const byKey = new Map<string, StoredEntry[]>();
  for (const record of records)
    byKey.set(keyTextOf(record), [...(byKey.get(keyTextOf(record)) ?? []), storedOf(record)]);
  const observe = (queries: readonly FactQuery[]): Facts => ({
    paths: new Map(
      queries.flatMap((query) => (query.kind === 'path' ? [[query.path, factOf(query.path, world)] as const] : [])),
    ),
    entries: queries.flatMap((query) =>
      query.kind === 'entries' ? query.keyTexts.flatMap((text) => byKey.get(text) ?? []) : [],
    ),
    overrides: [],
  });
  const context = contextOf(call, policy);
  const { evaluation } = evaluate(requestOf(call), context, {
    observer: { observe },
    matchers,
    shell: () => shellLanguage,
    similar: () =>
      searchedMemory([{ location, index: indexDocuments(inOrder(documentsOf(records)), embedder) }], {
        embedder,
        now: () => 0,
      }),
  });
  return evaluation;
};

const documentsOf = (records: readonly DecisionRecord[]): SimilarDocument[] =>
  records.flatMap((record) => {
    const line = { record, source, canonical: () => '' };
    const place = { root, home, user: 'user' };
    const trust = { isTrusted: () => true, trustSignature: () => '' };
    return documentOf(line, { location, trust, shell: () => shellLanguage, place }) ?? [];
  });

const factOf = (path: string, { disk }: CarryWorld): PathFact => ({
  real: normalise(path),
  type: 'file',
  links: 1,
  ...disk?.[path],
});

/** Which tier allowed a call, or how else it ended. */
export const outcomeOf = ({ outcome }: Evaluation): string => {
  if (outcome.kind !== 'settled') return outcome.kind;
  return `${outcome.decision.verdict} ${outcome.decision.tier}`;
};
