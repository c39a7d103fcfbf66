import type {
  AndOr,
  CommandNode,
  For,
  If,
  Pipeline,
  PipelineNode,
  PipelinePrefix,
  Redirection,
  Statement,
  While,
} from 'unbash';
import { passRedirect, passWord, printCommand } from './canonical-command.ts';
import {
  comes,
  copyText,
  giveUp,
  type PrintedStage,
  passBreaks,
  passNode,
  passText,
  print,
  type Sheet,
} from './canonical-sheet.ts';
import { apart } from './canonical-words.ts';
import { maxSyntaxDepth } from './limits.ts';

/** Where a command stands: `open` when nothing in the text uses what it prints or how it ends. */
interface Spot {
  readonly isTop: boolean;
  readonly isOpen: boolean;
  /** Whether the first member of a chain says nothing: it enters the directory where the call is made. */
  readonly isMoot?: (node: PipelineNode) => boolean;
}

const inside: Spot = { isTop: false, isOpen: false };

const printEnd = (sheet: Sheet, statement: Statement, spot: Spot & { readonly isLast: boolean }): void => {
  let isEnded = statement.background === true;
  if (isEnded) copyText(sheet, '&');
  else if (comes(sheet, ';')) {
    passText(sheet, ';');
    isEnded = true;
  }
  const isBroken = passBreaks(sheet);
  if (spot.isTop && spot.isLast) return;
  if (!spot.isLast && !isEnded && !isBroken) giveUp(sheet, 'nothing between two statements');
  if (spot.isTop && isBroken) sheet.tokens.push({ kind: 'line', text: '\n' });
  else if (statement.background !== true) sheet.tokens.push({ kind: 'end', text: ';' });
};

/** Prints statements one after the other, with an end after each; the last one at the top needs none. */
export const printList = (sheet: Sheet, statements: readonly Statement[], spot: Spot): void => {
  passBreaks(sheet);
  statements.forEach((statement, index) => {
    if (sheet.trouble !== undefined) return;
    const { isMoot, ...later } = spot;
    const here = index === 0 && isMoot !== undefined ? { ...later, isMoot } : later;
    printChain(sheet, statement.command, statement.background === true ? { ...here, isOpen: false } : here);
    printEnd(sheet, statement, { ...later, isLast: index === statements.length - 1 });
  });
};

const printBody = (sheet: Sheet, body: { readonly commands: readonly Statement[] }): void =>
  printList(sheet, body.commands, inside);

const printChain = (sheet: Sheet, node: AndOr | PipelineNode, spot: Spot): void => {
  if (node.type !== 'AndOr') {
    printMember(sheet, node, spot);
    return;
  }
  let isFirst = true;
  node.commands.forEach((command, index) => {
    const operator = node.operators[index];
    printMember(sheet, command, { isTop: false, isOpen: spot.isOpen && operator === undefined });
    if (operator === undefined) return;
    copyText(sheet, operator);
    passBreaks(sheet);
    isFirst &&= operator === '&&' && spot.isMoot?.(command) === true;
    if (!isFirst) return;
    sheet.tokens.length = 0;
    sheet.isRejoined = true;
  });
};

const printPrefix = (sheet: Sheet, prefix: PipelinePrefix): void => {
  if (prefix.type === 'Negation') {
    copyText(sheet, '!');
    return;
  }
  copyText(sheet, 'time');
  if (prefix.posix !== undefined) copyText(sheet, '-p');
  if (prefix.endOfOptions !== undefined) copyText(sheet, '--');
};

const printMember = (sheet: Sheet, node: PipelineNode, spot: Spot): void => {
  if (node.type !== 'Pipeline') printNode(sheet, node);
  else printPipeline(sheet, node, spot);
};

const printPipeline = (sheet: Sheet, node: Pipeline, spot: Spot): void => {
  for (const prefix of node.prefixes) printPrefix(sheet, prefix);
  const stages: (PrintedStage | undefined)[] = [];
  node.commands.forEach((command, index) => {
    stages.push(printNode(sheet, command));
    const operator = node.operators[index];
    if (operator === undefined) return;
    copyText(sheet, operator);
    passBreaks(sheet);
  });
  if (spot.isOpen && node.prefixes.length === 0) sheet.pipelines.push(stages);
};

const deeper = (sheet: Sheet, go: () => void): undefined => {
  if (sheet.depth >= maxSyntaxDepth) {
    giveUp(sheet, 'nested too deep');
    return;
  }
  sheet.depth += 1;
  go();
  sheet.depth -= 1;
};

const printRedirects = (sheet: Sheet, redirects: readonly Redirection[]): void => {
  for (const redirect of redirects) print(sheet, passRedirect(sheet, redirect));
};

/** Prints one command; what can be a plain filter is handed back. */
const printNode = (sheet: Sheet, node: CommandNode): PrintedStage | undefined => {
  sheet.steps += 1;
  if (sheet.trouble !== undefined) return undefined;
  switch (node.type) {
    case 'Command':
      return printCommand(sheet, node);
    case 'Redirected':
      return deeper(sheet, () => {
        printNode(sheet, node.command);
        printRedirects(sheet, node.redirects);
      });
    case 'Subshell':
      return deeper(sheet, () => {
        copyText(sheet, '(');
        // Tried as arithmetic first.
        if (sheet.source.charAt(sheet.at) === '(') giveUp(sheet, 'two parentheses');
        printBody(sheet, node.body);
        dropEnd(sheet);
        copyText(sheet, ')');
      });
    case 'BraceGroup':
      return deeper(sheet, () => {
        copyText(sheet, '{');
        printBody(sheet, node.body);
        copyText(sheet, '}');
      });
    case 'If':
      return deeper(sheet, () => printIf(sheet, node));
    case 'For':
      return deeper(sheet, () => printFor(sheet, node));
    case 'While':
      return deeper(sheet, () => printWhile(sheet, node));
    case 'TestCommand':
    case 'ArithmeticCommand':
      return copyNode(sheet, node);
    case 'ArithmeticFor':
    case 'Case':
    case 'Coproc':
    case 'Function':
    case 'Select':
      giveUp(sheet, node.type);
      return undefined;
  }
};

const dropEnd = (sheet: Sheet): void => {
  if (sheet.tokens.at(-1)?.kind === 'end') sheet.tokens.pop();
};

// Inside these, blanks and operators have meanings of their own.
const copyNode = (sheet: Sheet, node: { readonly pos: number; readonly end: number }): undefined => {
  const text = passNode(sheet, node);
  if (text.includes('\n')) giveUp(sheet, 'condition over several lines');
  // A failing calculation ends the line.
  sheet.isCalm = false;
  print(sheet, text);
};

const printIf = (sheet: Sheet, node: If): void => {
  copyText(sheet, 'if');
  printBody(sheet, node.clause);
  copyText(sheet, 'then');
  printBody(sheet, node.then);
  for (const elif of node.elif) {
    copyText(sheet, 'elif');
    printBody(sheet, elif.clause);
    copyText(sheet, 'then');
    printBody(sheet, elif.then);
  }
  if (node.else !== undefined) {
    copyText(sheet, 'else');
    printBody(sheet, node.else);
  }
  copyText(sheet, 'fi');
};

const printWhile = (sheet: Sheet, node: While): void => {
  copyText(sheet, node.kind);
  printBody(sheet, node.clause);
  copyText(sheet, 'do');
  printBody(sheet, node.body);
  copyText(sheet, 'done');
};

const printFor = (sheet: Sheet, node: For): void => {
  copyText(sheet, 'for');
  print(sheet, passNode(sheet, node.name));
  if (node.wordlist === undefined) giveUp(sheet, 'loop without a list');
  copyText(sheet, 'in');
  for (const word of node.wordlist ?? []) print(sheet, passWord(sheet, word, apart).text);
  const isEnded = comes(sheet, ';');
  if (isEnded) passText(sheet, ';');
  if (!passBreaks(sheet) && !isEnded) giveUp(sheet, 'loop without an end of its list');
  sheet.tokens.push({ kind: 'end', text: ';' });
  copyText(sheet, 'do');
  printBody(sheet, node.body);
  copyText(sheet, 'done');
};
