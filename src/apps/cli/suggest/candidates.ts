import type { ContextClass, DecisionRecord } from '../../../core/model/record.ts';
import type { NoShape, Shape } from '../../../core/similarity/shape.ts';
import type { RecordLine } from '../../compose.ts';
import type { LogEvidence, PastCall } from './log-evidence.ts';
import type { MemoryEvidence } from './memory-evidence.ts';

/** Something that speaks against a shape: a call of it that was not to pass. */
export interface Objection {
  readonly text: string;
  readonly why: 'denied by a person' | 'remembered as denied' | 'remembered as asked each time';
}

/** Past calls with one text, counted. */
export interface Held {
  readonly text: string;
  readonly asked: number;
  readonly refused: number;
}

/** A shape that could stand for what was allowed call by call. */
export interface Candidate {
  readonly shape: string;
  readonly role: string;
  readonly context: ContextClass;
  /** The different calls that a person allowed, apart from those that anybody denied. */
  readonly calls: readonly string[];
  /** How many sessions those calls came from. */
  readonly sessions: number;
  /** The remembered allows of single calls among them. */
  readonly entries: readonly RecordLine[];
  readonly objections: readonly Objection[];
  /** Past calls of the shape that were asked about or refused. */
  readonly held: readonly Held[];
}

/** What candidates are made of. */
export interface Evidence {
  readonly memory: MemoryEvidence;
  readonly log: LogEvidence;
  readonly shapeOf: (call: { readonly text: string; readonly context: ContextClass }) => Shape | NoShape;
}

/** Who asks, where, and for which calls. */
type Group = Pick<Candidate, 'shape' | 'role' | 'context'>;

/** Every shape of which a person allowed a call, unless an entry for the whole shape is there already. */
export const candidatesFrom = (evidence: Evidence): Candidate[] => {
  const { memory, log } = evidence;
  const reader = cachedShapes(evidence.shapeOf);
  const groups = new Map<string, Group>();
  const find = (call: Pick<PastCall, 'text' | 'role'>, context: ContextClass): void => {
    const shape = reader(call.text, context);
    if (shape === undefined) return;
    const group: Group = { shape, role: call.role, context };
    groups.set(JSON.stringify([shape, call.role, context]), group);
  };
  for (const { record } of memory.allows) find(callIn(record), contextIn(record));
  for (const call of log.allowed) if (call.context !== undefined) find(call, call.context);
  const held = counted(log.held);
  return [...groups.values()]
    .filter((group) => !memory.shapes.some((record) => isCovered(group, record)))
    .map((group) => candidateOf(group, { ...evidence, reader, counted: held }));
};

type ShapeReader = (text: string, context: ContextClass) => string | undefined;

/** The text of a call's shape; the same calls come again and again. */
const cachedShapes = (shapeOf: Evidence['shapeOf']): ShapeReader => {
  const known = new Map<string, string | undefined>();
  return (text, context) => {
    const key = `${context}\n${text}`;
    if (!known.has(key)) {
      const shape = shapeOf({ text, context });
      known.set(key, shape.kind === 'shape' ? shape.text : undefined);
    }
    return known.get(key);
  };
};

const callIn = ({ key, session_id: session }: DecisionRecord): PastCall => ({
  text: key.sanitized_input,
  role: key.role,
  session,
});

/** An allow without a context is one for the root. */
const contextIn = ({ context = 'root' }: DecisionRecord): ContextClass => context;

/** A restriction without a context holds everywhere. */
const isCovered = ({ shape, role, context }: Group, record: DecisionRecord): boolean =>
  record.key.sanitized_input === shape &&
  (record.key.role === role || record.key.role === '*') &&
  (record.context ?? (record.decision === 'allow' ? 'root' : context)) === context;

type CountedCall = Held & Pick<PastCall, 'role' | 'context'>;

const counted = (held: LogEvidence['held']): readonly CountedCall[] => {
  const found = new Map<string, CountedCall>();
  for (const { text, role, context, was } of held) {
    const key = JSON.stringify([text, role, context]);
    const before = found.get(key) ?? { text, role, asked: 0, refused: 0 };
    found.set(key, { ...before, ...(context === undefined ? {} : { context }), [was]: before[was] + 1 });
  }
  return [...found.values()];
};

interface Gathering extends Evidence {
  readonly reader: ShapeReader;
  readonly counted: readonly CountedCall[];
}

const candidateOf = (group: Group, { memory, log, reader, counted }: Gathering): Candidate => {
  const { shape, role, context } = group;
  const isOfShape = (text: string): boolean => reader(text, context) === shape;
  // A line that does not say where its call was made could be about this place.
  const isHere = (call: Pick<PastCall, 'role' | 'context'>): boolean =>
    (call.role === role || call.role === '*') && (call.context ?? context) === context;
  const objections = [
    ...memory.restrictions
      .filter((record) => isHere({ ...record, role: record.key.role }) && isOfShape(record.key.sanitized_input))
      .map(objectionOf),
    ...log.denied
      .filter((call) => isHere(call) && isOfShape(call.text))
      .map(({ text }): Objection => ({ text, why: 'denied by a person' })),
  ];
  const denied = new Set(objections.map(({ text }) => text));
  const entries = memory.allows.filter(
    ({ record }) => record.key.role === role && contextIn(record) === context && isOfShape(record.key.sanitized_input),
  );
  const support = [
    ...entries.map(({ record }) => callIn(record)),
    ...log.allowed.filter((call) => call.role === role && call.context === context && isOfShape(call.text)),
  ].filter(({ text }) => !denied.has(text));
  return {
    ...group,
    entries,
    calls: [...new Set(support.map(({ text }) => text))],
    sessions: new Set(support.map(({ session }) => session)).size,
    objections: [...new Map(objections.map((objection) => [objection.text, objection])).values()],
    held: counted.filter((call) => isHere(call) && isOfShape(call.text)),
  };
};

const objectionOf = ({ key, decision, metadata }: DecisionRecord): Objection => ({
  text: key.sanitized_input,
  why:
    decision === 'ask'
      ? 'remembered as asked each time'
      : metadata.tier === 'Human'
        ? 'denied by a person'
        : 'remembered as denied',
});
