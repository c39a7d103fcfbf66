import { claudeCode } from '../../../agents/claude-code/adapter.ts';
import type { Effect } from '../../../core/model/effect.ts';
import { errors } from '../../../core/model/errors.ts';
import type { BeforeTool } from '../../../core/model/request.ts';
import { evaluate, openDecision } from '../../../gate/gate.ts';
import type { Project } from '../../compose.ts';
import { contextOf, roleNamed } from '../../session.ts';
import { type Command, type Invocation, textOption, UsageError } from '../command.ts';
import { projectHere } from '../open.ts';
import { readingTree } from '../reading-tree.ts';
import { visible } from '../visible.ts';

/** Shows every stage of the one evaluator for a call that is not made. */
export const explain: Command = {
  name: 'explain',
  summary: 'show how a call would be judged, stage by stage',
  usage: "'<command>' | --tool <name> --input <json>  [--role <name>] [--root <dir>] [--json]",
  examples: [
    "hookwise explain 'git status'",
    `hookwise explain --tool Write --input '{"file_path":"tests/a.ts"}' --role coder`,
  ],
  options: {
    tool: { type: 'string' },
    input: { type: 'string' },
    role: { type: 'string' },
    root: { type: 'string' },
    json: { type: 'boolean' },
  },
  takesWords: true,
  run: (invocation) => {
    const project = projectHere(invocation, textOption(invocation.options, 'root'));
    const request = requestOf(invocation, project);
    const name = textOption(invocation.options, 'role') ?? 'coder';
    const role = roleNamed(project, name);
    if (role === undefined) throw errors.roleNotFound(name);
    const context = contextOf(project, { session: request.session, cwd: request.cwd, role });
    const { evaluation, plan } = evaluate(request, context, project.gatePorts);
    const { outcome } = evaluation;
    const decision =
      outcome.kind === 'settled' ? outcome.decision : outcome.kind === 'open' ? openDecision(outcome.why) : undefined;
    if (invocation.options['json'] === true) {
      invocation.print(JSON.stringify({ ...evaluation, decision: decision ?? null }, null, 2));
      return 0;
    }
    const where = decision?.source === undefined ? '' : ` at ${decision.source.file}:${decision.source.line}`;
    const lines = [
      `call      ${request.call.tool} as ${name} in ${project.root.root}`,
      ...(plan.shell === undefined
        ? evaluation.effects.map((effect) => `effect    ${visible(describe(effect))}`)
        : readingTree(plan.shell.reading)),
      ...(evaluation.complete ? [] : ['          not everything in this call is understood']),
      ...evaluation.trace.map((step) => `stage     ${visible(`${step.stage} (${step.looked}): ${step.outcome}`)}`),
      decision === undefined
        ? 'verdict   none: hookwise has no opinion'
        : `verdict   ${decision.verdict} [${decision.ruleId}]${where}`,
      `why       ${visible(decision?.why ?? (outcome.kind === 'abstain' ? outcome.why : ''))}`,
      ...(decision === undefined || decision.clear === '' ? [] : [`clear     ${visible(decision.clear)}`]),
    ];
    for (const line of lines) invocation.print(line);
    return 0;
  },
};

const requestOf = ({ words, options, cwd }: Invocation, project: Project): BeforeTool => {
  const tool = textOption(options, 'tool');
  const [command] = words;
  if ((tool === undefined) === (command === undefined) || words.length > 1)
    throw new UsageError('give one quoted command, or --tool and --input');
  const request = claudeCode.decode({
    session_id: 'explain',
    cwd: textOption(options, 'root') === undefined ? cwd : project.root.root,
    hook_event_name: 'PreToolUse',
    tool_name: tool ?? 'Bash',
    tool_input: tool === undefined ? { command } : inputOf(options['input']),
  });
  if (!request.ok || request.value.kind !== 'before-tool')
    throw new UsageError(request.ok ? 'not a tool call' : request.error.why);
  return request.value;
};

const inputOf = (text: unknown): unknown => {
  try {
    return JSON.parse(typeof text === 'string' ? text : '{}');
  } catch {
    throw new UsageError('--input is not JSON');
  }
};

const describe = (effect: Effect): string => {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return `${effect.kind} ${effect.path}`;
    case 'connect':
      return `connect to ${effect.host}`;
    case 'run':
      return `run ${effect.program}`;
    case 'delegate':
      return `start a subagent of type ${effect.agentType}`;
    case 'control':
      return effect.command.plain ? `hookwise ${effect.command.words.join(' ')}` : 'mentions hookwise';
    case 'unknown':
      return `unknown: ${effect.why}`;
  }
};
