import { shapeInWords, shapeName, slotsIn } from '../shape-words.ts';
import { shown } from '../shown.ts';
import type { Assessed } from './assess.ts';

const mostExamples = 3;

/** A number with what it counts. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A name before each line, the continuation lines below it. */
const row = (name: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `   ${(at === 0 ? name : '').padEnd(11)} ${line}`);

const examplesOf = (texts: readonly string[]): string[] => {
  const more = texts.length - mostExamples;
  return [...texts.slice(0, mostExamples).map(shown), ...(more > 0 ? [`… and ${more} more`] : [])];
};

/** A candidate with its number, for the person who is to judge it. */
export const candidateLines = (assessed: Assessed, number: number): string[] => {
  const { candidate, asked, saved, objections } = assessed;
  const { calls, sessions, entries } = candidate;
  return [
    `${String(number).padEnd(2)} ${shown(shapeName(candidate))}`,
    ...row('shape', [shown(candidate.shape)]),
    ...row('allowed', [
      `${counted(calls.length, 'different call')}, in ${counted(sessions, 'session')}; stands for ${counted(entries.length, 'remembered entry', 'remembered entries')}`,
    ]),
    ...row('for example', examplesOf(calls)),
    ...row('saves', [`${saved} of ${counted(asked, 'question')} asked in this time`]),
    ...passingLines(assessed),
    ...stoppedLines(assessed),
    ...row(
      'AGAINST IT',
      objections.map(
        ({ text, why, wouldPass }) =>
          `${shown(text)}: ${why}${wouldPass ? '; IT WOULD PASS' : '; it would still not pass'}`,
      ),
    ),
  ];
};

/** Calls that would have passed although nobody allowed them. */
const unseen = ({ passing, candidate }: Assessed): string[] => {
  const allowed = new Set(candidate.calls);
  return passing.filter((text) => !allowed.has(text));
};

const passingLines = (assessed: Assessed): string[] => {
  const { passing, saved, unrefused } = assessed;
  if (passing.length === 0) return row('lets pass', ['nothing that was asked about or refused in this time']);
  const refused = unrefused === 0 ? '' : `, ${counted(unrefused, 'call')} refused unasked`;
  const more = unseen(assessed);
  const what = more.length === 0 ? ': all of them allowed by a person' : '; of these nobody allowed:';
  return row('lets pass', [`${counted(saved, 'call')} asked about${refused}${what}`, ...examplesOf(more)]);
};

const stoppedLines = ({ stopped }: Assessed): string[] => {
  if (stopped.length === 0) return [];
  return row('still asks', examplesOf(stopped.map(({ text, why }) => `${text} (${why})`)));
};

/** The same for programs. */
export const candidateJson = (assessed: Assessed, number: number) => {
  const { candidate, asked, saved, unrefused, passing, stopped, objections } = assessed;
  const { shape, role, context, calls, sessions, entries } = candidate;
  return {
    number,
    shape,
    words: shapeInWords(shape),
    slots: slotsIn(shape),
    role,
    context,
    calls: calls.length,
    sessions,
    entries: entries.length,
    examples: calls.slice(0, mostExamples),
    prompts: { asked, saved },
    lets_pass: {
      asked: saved,
      refused: unrefused,
      examples: passing.slice(0, mostExamples),
      never_allowed: unseen(assessed).slice(0, mostExamples),
    },
    still_stopped: { calls: stopped.length, examples: stopped.slice(0, mostExamples) },
    against: objections.map(({ text, why, wouldPass }) => ({ text, why, would_pass: wouldPass })),
    needs_even_denied: objections.length > 0,
  };
};
