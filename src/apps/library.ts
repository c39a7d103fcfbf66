import { claudeCode } from '../agents/claude-code/adapter.ts';
import { extractFilePath, type HookInput, type HookOutput, parseHookInput } from '../agents/claude-code/wire.ts';
import type { CascadeInput, CascadeTier, SessionContext } from '../core/engine/cascade.ts';
import { type CompiledPathPolicy, judgePaths, type PathPlace } from '../core/engine/path-policy.ts';
import { recordOf } from '../core/engine/record-of.ts';
import type { Decision, Evaluation } from '../core/model/decision.ts';
import { entryKeyText } from '../core/model/entry-key.ts';
import { errors } from '../core/model/errors.ts';
import type { CompiledPolicy, Role } from '../core/model/policy.ts';
import type { DecisionRecord } from '../core/model/record.ts';
import type { BeforeTool } from '../core/model/request.ts';
import { tierNames } from '../core/model/verdict.ts';
import type { Audience } from '../gate/audience.ts';
import { evaluate, type GateResult, gate, openDecision } from '../gate/gate.ts';
import { observePath } from '../io/observe/path-facts.ts';
import { readStdin } from '../io/process/stdin.ts';
import type { WorkspaceOptions } from '../io/project/workspace-options.ts';
import { jsonlBackend, type StorageBackend } from '../io/stores/jsonl-storage.ts';
import type { TrustMark } from '../io/stores/trust.ts';
import type { Project } from './compose.ts';
import { contextOf, roleNamed, sessionState } from './session.ts';
import { type Workspace, workspaceAt } from './workspace.ts';

/** The policy in force for a project, with everything that its files, the user's and the organisation's say. */
export const policyAt = async (options: WorkspaceOptions): Promise<CompiledPolicy> =>
  (await workspaceAt(options)).open().policy;

/** The remembered decisions of a project. An agent may read them and change nothing. */
export const jsonlStorage = async (options: WorkspaceOptions): Promise<StorageBackend> => {
  const workspace = await workspaceAt(options);
  return storageOf(workspace, workspace.open());
};

const storageOf = (workspace: Workspace, project: Project): StorageBackend => {
  const { root, places, key, trust, policy } = project;
  const { now } = workspace.surroundings;
  const { config, state } = places;
  const backend = jsonlBackend({ root: root.root, config, state, key, trust, orgs: policy.orgs, now });
  return {
    ...backend,
    saveDecision: (record, by) => {
      workspace.mayChange('store a decision');
      backend.saveDecision(record, by);
    },
    invalidateRole: (scope, role) => {
      workspace.mayChange('delete decisions');
      return backend.invalidateRole(scope, role);
    },
    invalidateAll: (scope) => {
      workspace.mayChange('delete decisions');
      return backend.invalidateAll(scope);
    },
  };
};

/** A call that is looked at and not made. */
export interface CallToJudge {
  readonly toolName: string;
  readonly toolInput: unknown;
  /** The name of the role that would make it. */
  readonly role: string;
  /** The working directory; the one given on opening when absent. */
  readonly cwd?: string;
}

/** What the deterministic rules say about a call. */
export interface Judgement {
  readonly evaluation: Evaluation;
  /** Nothing: hookwise has no opinion. A call that no rule settles is an ask. */
  readonly decision?: Decision;
}

/** Judges calls without asking anybody, without logging and without remembering. Throws `RoleNotFound`, `Json`, `Storage`. */
export const callJudge = async (options: WorkspaceOptions): Promise<(call: CallToJudge) => Judgement> => {
  const workspace = await workspaceAt(options);
  return ({ role: name, toolName, toolInput, cwd = workspace.directory }) =>
    withProject(workspace, (project) => {
      const request = requestFrom({ sessionId: 'library', cwd, toolName, toolInput });
      const context = contextOf(project, { session: request.session, cwd, role: knownRole(project, name) });
      const { evaluation } = evaluate(request, context, project.gatePorts);
      const { outcome } = evaluation;
      if (outcome.kind === 'abstain') return { evaluation };
      return { evaluation, decision: outcome.kind === 'open' ? openDecision(outcome.why) : outcome.decision };
    });
};

const withProject = <T>(workspace: Workspace, work: (project: Project) => T): T => {
  const project = workspace.open();
  try {
    return work(project);
  } finally {
    project.observer.close();
  }
};

const knownRole = (project: Project, name: string): Role => {
  const role = roleNamed(project, name);
  if (role === undefined) throw errors.roleNotFound(name.slice(0, 128));
  return role;
};

const requestFrom = (call: {
  readonly sessionId: string;
  readonly cwd: string;
  readonly toolName: string;
  readonly toolInput: unknown;
}): BeforeTool => {
  const request = claudeCode.decode({
    session_id: call.sessionId,
    cwd: call.cwd,
    hook_event_name: 'PreToolUse',
    tool_name: call.toolName,
    tool_input: call.toolInput,
  });
  if (!request.ok) throw errors.json(request.error.why);
  if (request.value.kind !== 'before-tool') throw errors.json('not a tool call');
  return request.value;
};

/** How a runner asks. */
export interface CascadeOptions extends WorkspaceOptions {
  /** Who could answer. By default the caller itself puts an `ask` to its person, unless the policy names the queue. */
  readonly audience?: Partial<Audience>;
}

/** The whole gate for one program: the same rules, the same order and the same log as the hook. */
export interface CascadeRunner {
  /**
   * The record of whichever tier resolved the call, after it was logged; nothing when hookwise has no opinion.
   * Rejects with a HookwiseError when it cannot tell: that is never a permission.
   */
  readonly evaluate: (
    session: SessionContext,
    toolName: string,
    toolInput: unknown,
  ) => Promise<DecisionRecord | undefined>;
  readonly extractFilePath: (toolName: string, toolInput: unknown) => string | undefined;
  /**
   * Stores what a person or a model decided (`learning.persist_tiers`); the next call finds it. `by` is the person
   * behind an allow in a repository: without one it waits for `trust`.
   */
  readonly persistDecision: (record: DecisionRecord, by?: TrustMark) => void;
}

/** The gate of a project. Every call reads policy, memory and registration as they are then. */
export const cascadeRunner = async (options: CascadeOptions): Promise<CascadeRunner> => {
  const workspace = await workspaceAt(options);
  return {
    extractFilePath,
    evaluate: async (session, toolName, toolInput) => {
      const project = workspace.open();
      try {
        return await run({ workspace, project, audience: options.audience ?? {} }, { session, toolName, toolInput });
      } finally {
        project.observer.close();
      }
    },
    persistDecision: (record, by) => {
      const project = workspace.open();
      const tier = tierNames[record.metadata.tier];
      if (!project.policy.settings.learning.persistTiers.includes(tier))
        throw errors.storage(`a decision of the tier ${tier} is not remembered (learning.persist_tiers)`);
      storageOf(workspace, project).saveDecision(record, by);
    },
  };
};

interface Running {
  readonly workspace: Workspace;
  readonly project: Project;
  readonly audience: Partial<Audience>;
}

type RunCall = Pick<CascadeInput, 'session' | 'toolName' | 'toolInput'>;

const run = async (running: Running, call: RunCall): Promise<DecisionRecord | undefined> => {
  const { workspace, project } = running;
  const { now } = workspace.surroundings;
  const startedAt = now();
  const role = currentRole(running, call.session);
  const request = requestFrom({ ...call, ...call.session });
  const context = contextOf(project, { session: request.session, cwd: request.cwd, role });
  const { settings } = project.policy;
  const audience: Audience = {
    attended: true,
    queueIsWatched: false,
    delivery: settings.askDelivery,
    mode: 'default',
    ...running.audience,
  };
  const deadline = startedAt + settings.humanTimeoutSecs * 1000;
  const result = await gate(project.gatePorts)({ request, context, audience, deadline });
  const timestamp = new Date(now()).toISOString();
  const { key } = result.plan;
  const facts = { key, role: context.roleName, sessionId: call.session.sessionId, timestamp };
  const record =
    result.decision === undefined
      ? undefined
      : recordOf(result.decision, {
          ...facts,
          change: result.evaluation.change,
          digest: project.digest(entryKeyText(key)),
        });
  audit(running, { request, result, record, startedAt, timestamp });
  return record;
};

/** The registration as it is now beats what the caller remembers of it. */
const currentRole = ({ workspace, project }: Running, session: SessionContext): Role => {
  const { standing } = sessionState(project, workspace.surroundings, { sessionId: session.sessionId });
  if (standing.kind === 'disabled' || session.disabled) throw errors.sessionDisabled(session.sessionId);
  if (standing.kind === 'registered' && standing.by === 'registration') return standing.role;
  if (session.role !== undefined) return knownRole(project, session.role.name);
  if (standing.kind === 'registered') return standing.role;
  throw errors.sessionNotRegistered(session.sessionId);
};

interface Ran {
  readonly request: BeforeTool;
  readonly result: GateResult;
  readonly record: DecisionRecord | undefined;
  readonly startedAt: number;
  readonly timestamp: string;
}

/** Longest piece of a call that the log keeps: enough to recognise it. */
const longestInput = 4096;

/** A call that cannot be logged is not allowed: the failure goes to the caller. */
const audit = ({ project }: Running, { request, result, record, startedAt, timestamp }: Ran): void => {
  const { decision, plan, asked } = result;
  project.audit.append(
    {
      event: 'decision',
      session: request.session.sessionId,
      root: plan.context.root,
      role: plan.context.roleName,
      tool: request.call.tool,
      input: plan.key.sanitized.slice(0, longestInput),
      verdict: decision?.verdict ?? 'none',
      ...(decision === undefined ? {} : { rule: decision.ruleId, tier: tierNames[decision.tier] }),
      ...(record === undefined ? {} : { reason: record.metadata.reason.slice(0, longestInput) }),
      ...(asked === undefined ? {} : { asked: asked.route }),
      ms: Date.parse(timestamp) - startedAt,
    },
    timestamp,
  );
};

/** The path rules of one role as a tier. Looks at the disk to resolve links, unless `observe` says what is there. */
export const pathPolicyEngine = (
  policy: CompiledPathPolicy,
  place: Omit<PathPlace, 'observe' | 'shell'> & Partial<Pick<PathPlace, 'observe'>>,
): CascadeTier => ({
  tier: 'PathPolicy',
  name: tierNames.PathPolicy,
  evaluate: async ({ session, toolName, toolInput }) => {
    const request = requestFrom({ ...session, toolName, toolInput });
    const { shellLanguage } = await import('../core/similarity/language.ts');
    const whole = { observe: observeDisk, shell: () => shellLanguage, ...place };
    const { plan, decision } = judgePaths(request, policy, whole);
    if (decision === undefined) return undefined;
    const { sessionId } = session;
    const timestamp = new Date().toISOString();
    return recordOf(decision, { key: plan.key, role: policy.role.name, sessionId, timestamp });
  },
});

const observeDisk: PathPlace['observe'] = (queries) => ({
  paths: new Map(queries.flatMap((query) => (query.kind === 'path' ? [[query.path, observePath(query.path)]] : []))),
  entries: [],
  overrides: [],
});

/** One hook payload from standard input. Rejects with HookwiseError `Json` when it cannot be read. */
export const readHookInput = async (
  read: () => Promise<Uint8Array | undefined> = () => readStdin().bytes,
): Promise<HookInput> => {
  const bytes = await read();
  if (bytes === undefined) throw errors.json('the hook payload is too large');
  const input = parseHookInput(textOf(bytes));
  if (!input.ok) throw input.error;
  return input.value;
};

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw errors.json('the hook payload is not UTF-8');
  }
};

/** One line of JSON for the host, on standard output unless `write` says otherwise. */
export const writeHookOutput = (
  output: HookOutput,
  write: (text: string) => void = (text) => void process.stdout.write(text),
): void => write(`${JSON.stringify(output)}\n`);
