import type { Evaluation } from '../model/decision.ts';

/** The evaluation stage by stage, one line each, with the outcome last. */
export const explain = ({ outcome, trace }: Evaluation): readonly string[] => [
  ...trace.map(({ stage, looked, outcome: said }) => `${stage} (${looked}): ${said}`),
  outcomeLine(outcome),
];

const outcomeLine = (outcome: Evaluation['outcome']): string => {
  switch (outcome.kind) {
    case 'settled': {
      const { verdict, ruleId, source, why, clear } = outcome.decision;
      const where = source === undefined ? '' : ` at ${source.file}:${source.line}`;
      return `${verdict} [${ruleId}]${where}: ${why}${clear === '' ? '' : `; ${clear}`}`;
    }
    case 'open':
      return `ask: ${outcome.why}`;
    case 'abstain':
      return `no opinion: ${outcome.why}`;
  }
};
