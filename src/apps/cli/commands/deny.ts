import { answer } from '../answer.ts';
import { memoryOptions } from '../answer-memory.ts';
import type { Command } from '../command.ts';

/** Answers a waiting call with deny. */
export const deny: Command = {
  name: 'deny',
  summary: 'deny a waiting call, and remember that for the next such call',
  usage:
    '<id> [--once | --always-ask] [--shape] [--add-rule] [--scope project|user|org] [--here] [--expires <30d|date>]',
  examples: [
    'hookwise deny <id>',
    'hookwise deny <id> --once',
    'hookwise deny <id> --shape --expires 30d',
    'hookwise deny <id> --scope user --here',
  ],
  options: memoryOptions,
  takesWords: true,
  run: (invocation) => answer(invocation, 'deny'),
};
