import type { Span } from './span.ts';

const header = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d{1,3}/g;
const gap = '(?:\\\\{1,3}[nr]|[\\s"\'])';
// Lines of a PEM header and of OpenPGP's armour stay.
const note = '(?:[A-Z][A-Za-z-]{1,20}: [^\\n\\\\]{0,100}(?:\\\\{1,3}[nr]|\\n))';
const firstLine = new RegExp(`${gap}{0,6}${note}{0,4}${gap}{0,6}(?=[A-Za-z0-9+/=]{24})`, 'y');
const bodyLine = /[A-Za-z0-9+/]{32,}={0,2}/y;
// Lines may be the parts of a text in a program.
const between = `(?:\\\\{1,3}[nr]|[\\s"'+,])`;
// The last line may be short, but a lower-case word there could be a command.
const lastLine = new RegExp(
  '(?:=?[A-Za-z0-9+/]{1,31}={1,2}|=[A-Za-z0-9+/]{4}|(?=[a-z0-9+/]{0,30}[A-Z0-9+])[A-Za-z0-9+/]{1,31})' +
    `(?=${between}{0,16}(?:-----END|(?<![A-Za-z0-9])=[A-Za-z0-9+/]{4}))`,
  'y',
);
const separator = new RegExp(`${between}{1,16}`, 'y');

const endAt = (expression: RegExp, text: string, at: number): number => {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
};

const bodyEnd = (text: string, from: number): number => {
  let end = from;
  let at = from;
  for (;;) {
    const line = Math.max(endAt(bodyLine, text, at), endAt(lastLine, text, at));
    if (line === at) return end;
    end = line;
    at = endAt(separator, text, line);
    if (at === line) return end;
  }
};

/** Finds the bodies of private keys; the lines that say what they are stay. */
export const findPrivateKeys = (text: string): Span[] => {
  const spans: Span[] = [];
  if (!text.includes('-----BEGIN') && !text.includes('Private-Lines')) return spans;
  header.lastIndex = 0;
  while (header.exec(text)) {
    const start = endAt(firstLine, text, header.lastIndex);
    const end = bodyEnd(text, start);
    if (end > start) spans.push({ start, end, kind: 'private-key', slot: 'free' });
    header.lastIndex = Math.max(header.lastIndex, end);
  }
  return spans;
};
