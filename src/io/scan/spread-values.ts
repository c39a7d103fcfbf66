import type { Span } from '../../core/sanitize/span.ts';
import type { Inspect } from './windows.ts';

/** Longer lines are code that a program wrote; such code does not break a value off its name. */
const longestLine = 1000;

/** A credential's name and an operator, an opening bracket, a comma or the mark of a block of text; or a `login` of netrc. */
const unfinished =
  /(?:(?:pass|pwd|secret|token|key|cred|auth|bearer)[\w"'\]) -]{0,24}(?::=|=>|[=:([,+\\]|:\s*[|>][+-]?)|\blogin\s+\S{1,64})\s*$/i;
const longestEnding = 120;

const nameLine = /^\s*(?:-\s*)?["']?(?:name|key|variable)["']?\s*[:=]\s*["']?([\w.-]{1,80})["']?\s*,?\s*$/i;
const valueStart = /^\s*(?:-\s*)?["']?value["']?\s*[:=]\s*(?=\S)/i;

/** A line above, and whether it may give a name to a value below. */
interface Above {
  readonly line: string;
  readonly role: 'unfinished' | 'named' | 'plain';
}

const farthest = 2;

/**
 * Finds secrets of a line that are only known by the lines above it: `password:` with its value on the next line, or
 * `name: DB_PASSWORD` above `value: …`. To be called with each line of a text in turn; offsets count in the line.
 */
export const followingSpans = (): ((line: string, inspect: Inspect) => readonly Span[]) => {
  let above: readonly Above[] = [];
  return (line, inspect) => {
    const spans = above.length === 0 || line.length > longestLine ? [] : spansBelow(above, line, inspect);
    const role = roleOf(line);
    above = role === 'plain' && above.length === 0 ? above : waiting([...above.slice(1 - farthest), { line, role }]);
    return spans;
  };
};

/** From the first line on that waits for a value. */
const waiting = (above: readonly Above[]): readonly Above[] => {
  const first = above.findIndex(({ role }) => role !== 'plain');
  return first < 0 ? [] : above.slice(first);
};

const spansBelow = (above: readonly Above[], line: string, inspect: Inspect): readonly Span[] => {
  const first = above.findIndex(({ role }) => role === 'unfinished');
  const last = above.at(-1);
  return [
    ...(first < 0 ? [] : spansAfter(above.slice(first), line, inspect)),
    ...(last?.role === 'named' ? spansOfValue(last.line, line, inspect) : []),
  ];
};

const roleOf = (line: string): Above['role'] => {
  if (line.length > longestLine) return 'plain';
  if (unfinished.test(line.length > longestEnding ? line.slice(-longestEnding) : line)) return 'unfinished';
  return nameLine.test(line) ? 'named' : 'plain';
};

/** What only says that a value follows on the next line. */
const announcement = /\s*(?:[|>][+-]?|[\\([+])$/;

/** The lines as they would be if nobody had broken them. */
const spansAfter = (above: readonly Above[], line: string, inspect: Inspect): readonly Span[] => {
  const text = line.trimStart();
  const cut = line.length - text.length;
  const front = above.map((each) => `${each.line.trim().replace(announcement, '')} `).join('');
  return within(inspect(front + text), front.length).map((span) => moved(span, cut - front.length));
};

const spansOfValue = (above: string, line: string, inspect: Inspect): readonly Span[] => {
  const value = valueStart.exec(line)?.[0].length;
  const name = value === undefined ? undefined : nameLine.exec(above)?.[1];
  if (value === undefined || name === undefined) return [];
  const front = `${name}: `;
  return within(inspect(front + line.slice(value)), front.length).map((span) => moved(span, value - front.length));
};

const within = (spans: readonly Span[], from: number): readonly Span[] => spans.filter(({ start }) => start >= from);

const moved = (span: Span, by: number): Span => ({ ...span, start: span.start + by, end: span.end + by });
