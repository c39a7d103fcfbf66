import { answer, answerOptions } from '../answer.ts';
import type { Command } from '../command.ts';

/** Answers a waiting call with allow. */
export const approve: Command = {
  name: 'approve',
  summary: 'allow a waiting call, and remember that for the next such call',
  usage: '<id> [--once | --always-ask] [--add-rule] [--scope project|user|org] [--here]',
  examples: ['hookwise approve <id>', 'hookwise approve <id> --once', 'hookwise approve <id> --scope user --here'],
  options: answerOptions,
  takesWords: true,
  run: (invocation) => answer(invocation, 'allow'),
};
