import { answer } from '../answer.ts';
import { memoryOptions } from '../answer-memory.ts';
import type { Command } from '../command.ts';

/** Answers a waiting call with allow. */
export const approve: Command = {
  name: 'approve',
  summary: 'allow a waiting call, and remember that for the next such call',
  usage:
    '<id> [--once | --always-ask] [--shape] [--add-rule] [--scope project|user|org] [--here] [--expires <30d|date>]',
  examples: [
    'hookwise approve <id>',
    'hookwise approve <id> --once',
    'hookwise approve <id> --shape --expires 30d',
    'hookwise approve <id> --scope user --here',
  ],
  options: memoryOptions,
  takesWords: true,
  run: (invocation) => answer(invocation, 'allow'),
};
