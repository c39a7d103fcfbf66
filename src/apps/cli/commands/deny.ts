import { answer, answerOptions } from '../answer.ts';
import type { Command } from '../command.ts';

/** Answers a waiting call with deny. */
export const deny: Command = {
  name: 'deny',
  summary: 'deny a waiting call, and remember that for the next such call',
  usage: '<id> [--once | --always-ask] [--add-rule] [--scope project|user|org] [--here]',
  examples: ['hookwise deny <id>', 'hookwise deny <id> --once', 'hookwise deny <id> --scope user --here'],
  options: answerOptions,
  takesWords: true,
  run: (invocation) => answer(invocation, 'deny'),
};
