import type { Command, SyntaxNode } from 'unbash';
import { parseShell } from '../shell/parse.ts';

/** One simple command of a text, with what stands between it and the one before. */
export interface SequencePart {
  readonly operator: '' | '&&' | '||' | ';' | '|' | '|&';
  readonly source: string;
}

/**
 * The simple commands of a text that is nothing but simple commands joined by operators. Nothing for any other text:
 * groups, loops, functions, background jobs and prefixes such as `time`.
 */
export const sequenceOf = (text: string): readonly SequencePart[] | undefined => {
  const parsed = parseShell(text);
  if (parsed.kind !== 'parsed' || parsed.notes.length > 0) return undefined;
  const parts: SequencePart[] = [];
  const slice = (node: Command): string => parsed.source.slice(node.pos, node.end);
  for (const [index, statement] of parsed.script.commands.entries()) {
    if (statement.background === true) return undefined;
    if (!append(statement.command, { operator: index === 0 ? '' : ';', parts, slice })) return undefined;
  }
  return parts;
};

interface Sequence {
  readonly operator: SequencePart['operator'];
  readonly parts: SequencePart[];
  readonly slice: (node: Command) => string;
}

/** False when there is something else than simple commands. */
const append = (node: SyntaxNode, at: Sequence): boolean => {
  switch (node.type) {
    case 'Command':
      at.parts.push({ operator: at.operator, source: at.slice(node) });
      return true;
    case 'AndOr':
    case 'Pipeline':
      if (node.type === 'Pipeline' && node.prefixes.length > 0) return false;
      return node.commands.every((command, index) =>
        append(command, { ...at, operator: index === 0 ? at.operator : (node.operators[index - 1] ?? ';') }),
      );
    default:
      return false;
  }
};
