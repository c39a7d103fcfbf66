import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { visible } from './visible.ts';

/** Text from files and calls as a terminal may show it: without secrets, on one line, nothing in it invisible. */
export const shown = (text: string): string => visible(sanitizeText(text));

/** Rows of equal columns; the last column is not padded. */
export const aligned = (rows: readonly (readonly string[])[]): string[] => {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

/** A number of bytes, as people read it. */
export const byteText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
};
