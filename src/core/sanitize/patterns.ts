import { errors, messageOf } from '../model/errors.ts';
import type { Span } from './span.ts';

const longestPattern = 2000;

// A repeated group that holds a repetition or a choice, or a back reference, can take exponential time.
const isRisky = (source: string): boolean => {
  const text = source.replace(/\\[^1-9k]/g, '_').replace(/\[(?:[^\]\\]|\\.)*\]/g, '_');
  if (/\\[1-9k]/.test(text)) return true;
  const open: { isRepeating: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '(') open.push({ isRepeating: false });
    const isRepeat = character === '*' || character === '+' || /^\{\d+,\d*\}/.test(text.slice(at, at + 12));
    const inner = open.at(-1);
    if (inner && (isRepeat || character === '|')) inner.isRepeating = true;
    if (character !== ')') continue;
    const closed = open.pop();
    if (closed?.isRepeating && /^(?:[*+]|\{\d+,(?:\d{2,})?\})/.test(text.slice(at + 1, at + 12))) return true;
    const outer = open.at(-1);
    if (closed?.isRepeating && outer) outer.isRepeating = true;
  }
  return false;
};

const compile = (source: string): RegExp => {
  if (source.length > longestPattern) throw errors.invalidPolicy(`sanitizer pattern is longer than ${longestPattern}`);
  if (isRisky(source)) {
    throw errors.invalidPolicy(
      `sanitizer pattern ${source}: a repetition inside a repetition can take exponential time`,
    );
  }
  try {
    return new RegExp(source, 'dgi');
  } catch (thrown) {
    throw errors.invalidPolicy(`sanitizer pattern ${source}: ${messageOf(thrown)}`);
  }
};

/** A finder for one pattern of the user's; throws `InvalidPolicy` when it cannot be used. */
export const compilePattern = (source: string): ((text: string) => Span[]) => {
  const pattern = compile(source);
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ indices }) => {
      const found = indices?.groups?.['secret'] ?? indices?.[0];
      return found && found[1] > found[0] ? [{ start: found[0], end: found[1], kind: 'pattern', slot: 'free' }] : [];
    });
};
