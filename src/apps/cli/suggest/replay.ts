import { claudeCode } from '../../../agents/claude-code/adapter.ts';
import { decide } from '../../../core/engine/decide.ts';
import { plan } from '../../../core/engine/plan.ts';
import { slotObjection } from '../../../core/engine/slot-rules.ts';
import type { StoredEntry } from '../../../core/model/record.ts';
import type { RecordPlace } from '../../../core/ports.ts';
import type { Project } from '../../compose.ts';
import { contextOf, roleNamed } from '../../session.ts';
import type { Candidate } from './candidates.ts';
import { directoryOf } from './shapes.ts';

/** What would become of a past call if the entry were there, as policy and files are now. */
export type Replayed = { readonly passes: true } | { readonly passes: false; readonly why: string };

const stays = (why: string): Replayed => ({ passes: false, why });

/**
 * Puts past calls of a candidate's shape to the one evaluator, with the entry that the candidate would become beside what
 * asks and denies now. Other allows are left out: this is about what the entry itself lets pass.
 */
export const replayOf = (
  project: Project,
  { shape, role: name, context }: Pick<Candidate, 'shape' | 'role' | 'context'>,
  place: RecordPlace,
) => {
  const role = roleNamed(project, name);
  const cwd = directoryOf(context, project.root.root);
  const { observer, matchers, shell } = project.gatePorts;
  const entry: StoredEntry = {
    verdict: 'allow',
    scope: place.scope,
    tier: 'Human',
    tool: 'Bash',
    role: name,
    generalised: true,
    source: { file: '(proposed)', line: 0 },
  };
  return (text: string): Replayed => {
    if (role === undefined || cwd === undefined) return stays(`there is no role ${name}`);
    const request = requestFor(text, cwd);
    if (request === undefined) return stays('it cannot be read as a call');
    const planned = plan(request, contextOf(project, { session: request.session, cwd, role }), shell);
    if (planned.shape?.text !== shape) return stays('it is not generalised when it is made');
    const facts = observer.observe(planned.queries);
    const entries = [...facts.entries.filter(({ verdict }) => verdict !== 'allow'), entry];
    const { outcome } = decide(planned, { facts: { ...facts, entries }, matchers });
    if (outcome.kind === 'abstain') return stays(outcome.why);
    if (outcome.kind === 'settled')
      return outcome.decision.verdict === 'allow'
        ? { passes: true }
        : stays(`${outcome.decision.verdict} [${outcome.decision.ruleId}] ${outcome.decision.why}`);
    return stays(slotObjection(planned.shape, { plan: planned, facts, matchers }) ?? outcome.why);
  };
};

const requestFor = (text: string, cwd: string) => {
  const request = claudeCode.decode({
    session_id: 'suggest',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: abstractedFilled(text) },
  });
  return request.ok && request.value.kind === 'before-tool' ? request.value : undefined;
};

/** Counts and patterns that the stored form leaves open, with something in their place. */
const abstractedFilled = (text: string): string => text.replaceAll(/(?<= )<ANY:(?:number|text)>(?= |$)/g, '1');
