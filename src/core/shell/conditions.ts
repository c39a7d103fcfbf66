import type { ArithmeticExpression, TestExpression, Word } from 'unbash';
import { evaluationTrouble } from './evaluated.ts';
import type { WordReader } from './word-reader.ts';
import { piecesOfWord, readSingle } from './words.ts';

const arithmeticOperators = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** Reads `[[ ... ]]`: substitutions run, and number operators evaluate their operands. */
export const readTest = (expression: TestExpression, reader: WordReader): void => {
  switch (expression.type) {
    case 'TestUnary':
      readOperand(expression.operand, reader, expression.operator === '-v' || expression.operator === '-R');
      return;
    case 'TestBinary': {
      const evaluates = arithmeticOperators.has(expression.operator);
      readOperand(expression.left, reader, evaluates);
      readOperand(expression.right, reader, evaluates);
      return;
    }
    case 'TestLogical':
      for (const operand of expression.operands) readTest(operand, reader);
      return;
    case 'TestNot':
      readTest(expression.operand, reader);
      return;
    case 'TestGroup':
      readTest(expression.expression, reader);
  }
};

const readOperand = (word: Word, reader: WordReader, evaluates: boolean): void => {
  const reading = readSingle(word, reader);
  if (!evaluates) return;
  if (reading.kind === 'dynamic') {
    if (!reading.numeric && reading.from !== undefined)
      reader.note('evaluated as arithmetic', reading.why, { hidden: false });
    return;
  }
  checkEvaluated(reading.text, reader);
};

/** Text that the shell evaluates as arithmetic must not hold a subscript with code in it. */
const checkEvaluated = (text: string, reader: WordReader): void => {
  const trouble = evaluationTrouble(text, reader.scope.variables);
  if (trouble !== undefined) reader.note('evaluated as arithmetic', trouble.text, { hidden: trouble.hidden });
};

/** Walks arithmetic: substitutions in it run, names in it are evaluated. */
export const readArithmetic = (expression: ArithmeticExpression | undefined, reader: WordReader): void => {
  if (expression === undefined) return;
  switch (expression.type) {
    case 'ArithmeticBinary':
      readArithmetic(expression.left, reader);
      readArithmetic(expression.right, reader);
      return;
    case 'ArithmeticUnary':
      readArithmetic(expression.operand, reader);
      return;
    case 'ArithmeticTernary':
      readArithmetic(expression.test, reader);
      readArithmetic(expression.consequent, reader);
      readArithmetic(expression.alternate, reader);
      return;
    case 'ArithmeticGroup':
      readArithmetic(expression.expression, reader);
      return;
    case 'ArithmeticWord':
      readArithmeticLeaf(expression, reader);
      return;
    case 'ArithmeticCommandExpansion':
      // The script is read lazily, so it must be asked for by name.
      reader.substitute({
        type: 'CommandExpansion',
        pos: expression.pos,
        end: expression.end,
        text: expression.text,
        script: expression.script,
      });
  }
};

const readArithmeticLeaf = (
  leaf: Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>,
  reader: WordReader,
): void => {
  if (leaf.parts === undefined) {
    checkEvaluated(leaf.value.replaceAll('$', ''), reader);
    return;
  }
  const word: Word = {
    type: 'Word',
    text: leaf.value,
    value: leaf.value,
    pos: leaf.pos,
    end: leaf.end,
    parts: leaf.parts,
  };
  piecesOfWord(word, reader, 'single');
  for (const part of leaf.parts) {
    if (part.type === 'Literal') checkEvaluated(part.value.replace(/[^\w\s]/g, ' '), reader);
    if (part.type === 'SimpleExpansion') checkEvaluated(part.text.slice(1), reader);
    if (part.type === 'ParameterExpansion') checkEvaluated(part.parameter, reader);
  }
};
