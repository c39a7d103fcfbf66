import type { Value } from './scope.ts';

/** Why text that the shell evaluates as arithmetic may run something. */
export interface EvaluationTrouble {
  readonly text: string;
  readonly hidden: boolean;
}

const maxChain = 6;

/**
 * Arithmetic evaluates subscripts, and the values of variables as arithmetic again, so code in any of them runs.
 * Undefined when nothing of the kind is there.
 */
export const evaluationTrouble = (
  text: string,
  variables: ReadonlyMap<string, Value>,
  depth = 0,
): EvaluationTrouble | undefined => {
  if (/[$`]|\[\s*[^\s\w\]]/.test(text) || depth > maxChain) return { text, hidden: true };
  for (const name of text.match(/[A-Za-z_]\w*/g)?.slice(0, 64) ?? []) {
    const trouble = troubleOfValue(name, variables, depth);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
};

const troubleOfValue = (
  name: string,
  variables: ReadonlyMap<string, Value>,
  depth: number,
): EvaluationTrouble | undefined => {
  const value = variables.get(name);
  if (value === undefined) return undefined;
  const readings = value.kind === 'list' ? value.items.slice(0, 16) : [value];
  for (const reading of readings) {
    if (reading.kind === 'dynamic') {
      for (const text of reading.either ?? []) {
        const trouble = evaluationTrouble(text, variables, depth + 1);
        if (trouble !== undefined) return trouble;
      }
      if (reading.from !== undefined && !reading.numeric) return { text: name, hidden: false };
    } else if (reading.text !== name) {
      const trouble = evaluationTrouble(reading.text, variables, depth + 1);
      if (trouble !== undefined) return trouble;
    }
  }
  return undefined;
};
