import type { ControlCommand } from '../model/effect.ts';

/** Names under which this program can be started. */
const programs = new Set(['hookwise', 'captain-hook', 'hooker']);

const mention = /hookwise|captain[-_]?hook|\bhooker\b/i;

/** One word of plain characters, or one quoted string without anything a shell would expand. */
const plainWord = /^(?:[A-Za-z0-9_@%+=:,./-]+|'[^']*'|"[^"$`\\!]*")$/;

/**
 * The words of a command that holds nothing but literal words separated by blanks; nothing when the shell would do
 * anything more with it.
 */
export const plainWords = (command: string): string[] | undefined => {
  const parts = command.trim().match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  if (/[\n\r]/.test(command.trim()) || parts.length === 0) return undefined;
  if (!parts.every((part) => plainWord.test(part))) return undefined;
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(parts[0] ?? '')) return undefined;
  return parts.map((part) => (/^['"]/.test(part) ? part.slice(1, -1) : part));
};

/** The hookwise command in `command`, or the fact that it is mentioned in text that is more than plain words. */
export const readControl = (command: string): ControlCommand | undefined => {
  if (!mention.test(command)) return undefined;
  const words = plainWords(command);
  const program = words?.[0]
    ?.split('/')
    .at(-1)
    ?.replace(/\.c?js$/, '');
  if (words === undefined || program === undefined || !programs.has(program))
    return { name: '', words: [], plain: false };
  return { name: words[1] ?? '', words: words.slice(1), plain: true };
};
