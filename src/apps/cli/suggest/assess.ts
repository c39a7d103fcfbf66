import type { RecordPlace } from '../../../core/ports.ts';
import type { Project } from '../../compose.ts';
import type { Candidate, Objection } from './candidates.ts';
import { type Replayed, replayOf } from './replay.ts';

/** Calls that still would not pass, with the reason of one of them. */
export interface Stopped {
  readonly text: string;
  readonly why: string;
}

/** A candidate with what it would have done. */
export interface Assessed {
  readonly candidate: Candidate;
  /** Questions about calls of the shape that were put to somebody; `saved` of them would not have been. */
  readonly asked: number;
  readonly saved: number;
  /** Calls that were refused without a question, and would have passed. */
  readonly unrefused: number;
  /** Different past calls that it would have let pass. */
  readonly passing: readonly string[];
  /** Different past calls of the shape that would be stopped all the same. */
  readonly stopped: readonly Stopped[];
  readonly objections: readonly (Objection & { readonly wouldPass: boolean })[];
}

/** Replays what is on record about a candidate's calls. */
export const assess = (project: Project, candidate: Candidate, place: RecordPlace): Assessed => {
  const replay = replayOf(project, candidate, place);
  const held = candidate.held.map((call) => ({ ...call, replayed: replay(call.text) }));
  const passing = held.filter(({ replayed }) => replayed.passes);
  const objections = candidate.objections.map((objection) => ({ objection, replayed: replay(objection.text) }));
  return {
    candidate,
    asked: sum(held.map(({ asked }) => asked)),
    saved: sum(passing.map(({ asked }) => asked)),
    unrefused: sum(passing.map(({ refused }) => refused)),
    passing: [...new Set(passing.map(({ text }) => text))],
    stopped: stoppedOf(held),
    objections: objections.map(({ objection, replayed }) => ({ ...objection, wouldPass: replayed.passes })),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const stoppedOf = (calls: readonly { readonly text: string; readonly replayed: Replayed }[]): Stopped[] => [
  ...new Map(
    calls.flatMap(({ text, replayed }) => (replayed.passes ? [] : [[text, { text, why: replayed.why }]])),
  ).values(),
];

/** What saves most first; what a denied call speaks against last. */
export const inOrder = (assessed: readonly Assessed[]): Assessed[] =>
  assessed.toSorted(
    (a, b) =>
      Number(a.objections.length > 0) - Number(b.objections.length > 0) ||
      b.saved - a.saved ||
      b.candidate.calls.length - a.candidate.calls.length ||
      compare(nameOf(a), nameOf(b)),
  );

const nameOf = ({ candidate: { shape, role, context } }: Assessed): string => `${shape}\n${role}\n${context}`;

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
