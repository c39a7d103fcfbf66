import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import type { ReadCommand, ShellEffect, ShellReading, WordReading } from '../../core/shell/model.ts';
import { visible } from './visible.ts';

/** A shell text as a person would want it: each simple command, what it would do to which path, and what is not known. */
export const readingTree = (reading: ShellReading): string[] => [
  ...reading.commands.flatMap(commandLines),
  ...reading.unknowns.map(({ why, text }) => `unknown   ${why}${text === '' ? '' : `: ${shown(text)}`}`),
];

const longestText = 200;

/** Everything printed here comes from the call: it is sanitised, and nothing in it can move the cursor. */
const shown = (text: string): string => visible(sanitizeText(text)).slice(0, longestText);

const commandLines = (command: ReadCommand): string[] => {
  const indent = '  '.repeat(Math.min(command.depth, 8));
  const words = command.words.map(wordText).join(' ');
  const redirects = command.redirects.map(
    ({ operator, target }) => `${operator}${target === undefined ? '' : wordText(target)}`,
  );
  const how = [
    ...(command.inside === 'top' ? [] : [`in a ${command.inside}`]),
    ...(command.wrappers.length === 0 ? [] : [`through ${command.wrappers.join(', ')}`]),
    ...(command.cwd === undefined ? ['working directory not known'] : []),
  ];
  const line = shown([words === '' ? '(no program)' : words, ...redirects].join(' '));
  return [
    `command   ${indent}${line}${how.length === 0 ? '' : `   (${how.join('; ')})`}`,
    ...command.effects.map((effect) => `            ${indent}${shown(effectText(effect))}`),
  ];
};

/** The place of something that is only known when the command runs. */
const gap = '…';

const wordText = (word: WordReading): string => {
  switch (word.kind) {
    case 'literal':
      return /\s/.test(word.text) ? JSON.stringify(word.text) : word.text;
    case 'glob':
      return word.text;
    case 'dynamic':
      return word.shape.replaceAll('\uE000', gap);
  }
};

const riskText = ({ risk }: ShellEffect): string => (risk === undefined ? '' : `  [${risk}]`);

const effectText = (effect: ShellEffect): string => {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete': {
      const path = effect.path === '' ? effect.spelled.replaceAll('\uE000', gap) : effect.path;
      const known = effect.certainty === 'dynamic' ? ' (not fully known)' : '';
      return `${effect.kind} ${path}${known}${riskText(effect)}`;
    }
    case 'connect':
      return `connect to ${effect.host}${effect.sendsData ? ', sending data' : ''}${riskText(effect)}`;
    case 'run':
      return `run ${effect.script ?? effect.program}${riskText(effect)}`;
    case 'code':
      return `run ${effect.language} code${riskText(effect)}`;
    case 'repository':
      return `repository: ${effect.change} (${effect.what})${riskText(effect)}`;
    case 'privilege':
      return `privilege: ${effect.how}${riskText(effect)}`;
    case 'control':
      return `controls: ${effect.name} ${effect.words.join(' ')}${riskText(effect)}`;
    case 'unknown':
      return `unknown: ${effect.why}${riskText(effect)}`;
    case 'decode':
      return 'decode';
    case 'disclose':
    case 'signal':
    case 'publish':
    case 'catastrophe':
    case 'state':
      return `${effect.kind}: ${effect.what}${riskText(effect)}`;
  }
};
