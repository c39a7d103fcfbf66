import { readSync } from 'node:fs';
import { claudeCode } from '../../../agents/claude-code/adapter.ts';
import { reasonLine } from '../../../agents/claude-code/encode.ts';
import type { Decision, Evaluation } from '../../../core/model/decision.ts';
import { errors, messageOf } from '../../../core/model/errors.ts';
import type { BeforeTool } from '../../../core/model/request.ts';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import { tierNames } from '../../../core/model/verdict.ts';
import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { evaluate, openDecision } from '../../../gate/gate.ts';
import { openGround, openProject, type Project } from '../../compose.ts';
import { contextOf, roleNamed } from '../../session.ts';
import { type Command, type Invocation, textOption } from '../command.ts';

/** One line of output: the verdict on the payload in the same line of input. */
interface Row {
  readonly verdict: 'allow' | 'deny' | 'ask' | 'none';
  readonly rule: string;
  readonly tier: string;
  readonly reason: string;
  readonly effects: readonly unknown[];
  readonly complete: boolean;
  readonly error?: string;
}

/** The hook command itself; on its own it answers one payload for the host, here it answers many for a person. */
export const check: Command = {
  name: 'check',
  summary: 'judge a tool call from standard input (what the host calls); --batch judges many',
  usage: '[--batch [--dry-run] [--role <name>] [--root <dir>]] [--deny-exit block|json|seed] [--deadline <ms>]',
  examples: ['hookwise check < payload.json', 'hookwise check --batch --dry-run < payloads.jsonl'],
  options: {
    batch: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    role: { type: 'string' },
    root: { type: 'string' },
  },
  takesWords: false,
  run: (invocation) => {
    const judge = batchJudge(invocation);
    const record = invocation.options['dry-run'] === true ? undefined : auditRow;
    for (const line of linesFrom(0)) {
      const { row, at } = judge(line);
      if (record !== undefined && at !== undefined) record(at, row);
      process.stdout.write(`${JSON.stringify(row)}\n`);
    }
    return 0;
  },
};

interface Judged {
  readonly row: Row;
  readonly at?: { readonly project: Project; readonly request: BeforeTool; readonly now: () => number };
}

/** Judges payload after payload; projects are opened once per directory. Assumes an attended, gated session. */
const batchJudge = ({ surroundings, options, cwd }: Invocation): ((line: Uint8Array) => Judged) => {
  const text = new TextDecoder('utf-8', { fatal: true });
  const projects = new Map<string, Project>();
  const roleName = textOption(options, 'role') ?? 'coder';
  const fixedRoot = textOption(options, 'root');
  const open = (cwd: string): Project => {
    const at = fixedRoot ?? cwd;
    const known = projects.get(at) ?? openProject(surroundings, openGround(surroundings, at, at));
    projects.set(at, known);
    return known;
  };
  return (line) => {
    try {
      const decoded = claudeCode.decode(withDefaults(JSON.parse(text.decode(line)), fixedRoot ?? cwd));
      if (!decoded.ok) return { row: undecodable(decoded.error.why) };
      if (decoded.value.kind !== 'before-tool') return { row: undecodable('not a PreToolUse payload') };
      const request = decoded.value;
      const project = open(request.cwd);
      const role = roleNamed(project, roleName);
      if (role === undefined) throw errors.roleNotFound(roleName);
      const context = contextOf(project, { session: request.session, cwd: request.cwd, role });
      const { evaluation } = evaluate(request, context, project.gatePorts);
      return { row: rowOf(evaluation), at: { project, request, now: surroundings.now } };
    } catch (thrown) {
      return { row: undecodable(whyNot(thrown)) };
    }
  };
};

/** Corpora leave out what only a running host knows. */
const withDefaults = (payload: unknown, cwd: string): unknown =>
  isJsonObject(payload) ? { session_id: 'batch', cwd, ...payload } : payload;

const whyNot = (thrown: unknown): string => {
  if (thrown instanceof SyntaxError) return 'the line is not JSON';
  return thrown instanceof TypeError ? 'the line is not UTF-8' : messageOf(thrown);
};

const rowOf = (evaluation: Evaluation): Row => {
  const { outcome, effects, complete } = evaluation;
  if (outcome.kind === 'abstain')
    return { verdict: 'none', rule: 'inert', tier: 'none', reason: outcome.why, effects, complete };
  const decision = outcome.kind === 'open' ? openDecision(outcome.why) : outcome.decision;
  return { ...aboutDecision(decision), effects: effects.map(clean), complete };
};

const aboutDecision = (decision: Decision): Pick<Row, 'verdict' | 'rule' | 'tier' | 'reason'> => ({
  verdict: decision.verdict,
  rule: decision.ruleId,
  tier: tierNames[decision.tier],
  reason: sanitizeText(reasonLine(decision)),
});

/** Effects carry words of the call: they are sanitised like everything that is printed. */
const clean = (effect: unknown): unknown =>
  JSON.parse(JSON.stringify(effect), (_, value) => (typeof value === 'string' ? sanitizeText(value) : value));

const undecodable = (error: string): Row => ({
  verdict: 'deny',
  rule: 'gate.failed',
  tier: tierNames.Default,
  reason: `hookwise deny [gate.failed] ${sanitizeText(error)}`,
  effects: [],
  complete: false,
  error: sanitizeText(error),
});

const auditRow = ({ project, request, now }: NonNullable<Judged['at']>, row: Row): void => {
  const { session, call } = request;
  const about = { verdict: row.verdict, rule: row.rule, tier: row.tier, reason: row.reason };
  project.audit.append(
    { event: 'batch', session: session.sessionId, tool: call.tool, ...about },
    new Date(now()).toISOString(),
  );
};

const chunkSize = 1 << 16;

/** The lines of a file descriptor, one at a time; the last one needs no newline. */
const linesFrom = function* (descriptor: number): Generator<Uint8Array> {
  const buffer = Buffer.alloc(chunkSize);
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const count = readChunk(descriptor, buffer);
    if (count === 0) break;
    let text = Buffer.concat([rest, buffer.subarray(0, count)]);
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10)) {
      yield text.subarray(0, end);
      text = text.subarray(end + 1);
    }
    rest = text;
  }
  if (rest.length > 0) yield rest;
};

const readChunk = (descriptor: number, buffer: Buffer): number => {
  for (;;) {
    try {
      return readSync(descriptor, buffer, 0, buffer.length, null);
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
      if (thrown.code === 'EOF') return 0;
      if (thrown.code !== 'EAGAIN') throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
};
