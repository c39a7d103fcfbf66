import type { ContextClass } from '../../../core/model/record.ts';
import { canarySession } from '../canary.ts';

/** A line of the audit log. */
export interface LogEntry {
  readonly seq: number;
  readonly event: { readonly [field: string]: unknown };
}

/** A shell call that was made before. */
export interface PastCall {
  readonly text: string;
  readonly role: string;
  /** Absent when the log does not say where it was made. */
  readonly context?: ContextClass;
  readonly session: string;
}

/** What the log says about shell calls of one project. */
export interface LogEvidence {
  /** Calls that a person allowed though nothing and nobody had an opinion on them. */
  readonly allowed: readonly PastCall[];
  /** Calls that a person refused. */
  readonly denied: readonly PastCall[];
  /** Calls that were asked about, or refused without a question. */
  readonly held: readonly (PastCall & { readonly was: 'asked' | 'refused' })[];
  /** The rule that asked, by the id of the question. */
  readonly askedBy: ReadonlyMap<string, string>;
}

/** The rule of a question about a call that nothing was known of. Answers to any other question widen nothing. */
export const freshQuestion = 'human.undecided';

/** Longest text that the log keeps: one of this length may be a part only. */
const longestInput = 4096;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const contextOf = (value: unknown): ContextClass | undefined => {
  if (value === 'root' || value === 'outside') return value;
  const inside = /^inside:(.+)$/s.exec(textOf(value) ?? '')?.[1];
  return inside === undefined ? undefined : `inside:${inside}`;
};

/** The shell call that a line is about; nothing for other tools, other projects and trials of the gate itself. */
const callOf = ({ event }: LogEntry, root: string): PastCall | undefined => {
  const [text, role, session] = [event['input'], event['role'], event['session']].map(textOf);
  if (event['root'] !== root || event['tool'] !== 'Bash' || session === canarySession) return undefined;
  if (text === undefined || role === undefined || text === '' || text.length >= longestInput) return undefined;
  const context = contextOf(event['context']);
  return { text, role, session: session ?? '', ...(context === undefined ? {} : { context }) };
};

/** Reads decisions and answers. A question that a person answered with no counts as refused by that person, and only once. */
export const logEvidence = (entries: readonly LogEntry[], root: string): LogEvidence => {
  const allowed: PastCall[] = [];
  const denied: PastCall[] = [];
  const held: LogEvidence['held'][number][] = [];
  const askedBy = new Map<string, string>();
  const refusedQuestions = new Set<string>();
  for (const entry of entries) {
    const { event } = entry;
    const question = textOf(event['queue']);
    if (event['event'] !== 'answered' || question === undefined) continue;
    const rule = textOf(event['rule']);
    if (rule !== undefined) askedBy.set(question, rule);
    const call = callOf(entry, root);
    if (event['verdict'] === 'deny') {
      refusedQuestions.add(question);
      if (call !== undefined) denied.push(call);
    } else if (call !== undefined && event['verdict'] === 'allow' && rule === freshQuestion) allowed.push(call);
  }
  for (const entry of entries) {
    const { event } = entry;
    if (event['event'] !== 'decision' || refusedQuestions.has(textOf(event['queue']) ?? '')) continue;
    const call = callOf(entry, root);
    if (call === undefined) continue;
    if (event['rule'] === 'human.deny') denied.push(call);
    else if (event['asked'] !== undefined || event['verdict'] === 'ask') held.push({ ...call, was: 'asked' });
    else if (event['verdict'] === 'deny') held.push({ ...call, was: 'refused' });
  }
  return { allowed, denied, held, askedBy };
};
