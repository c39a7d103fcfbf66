/** Lines around a change that are shown with it. */
const context = 2;
/** Past this many line pairs the common lines are not searched for. */
const mostPairs = 4_000_000;

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string };

/** The lines that differ, with `-` and `+`, a little of what is around them, and `...` for what is left out. */
export const lineDiff = (before: string, after: string): string[] => {
  const lines = compared(linesOf(before), linesOf(after));
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' ');
  const shown: string[] = [];
  for (const [at, { sign, text }] of lines.entries()) {
    if (isNear(at)) shown.push(`${sign} ${text}`.trimEnd());
    else if (shown.at(-1) !== '...') shown.push('...');
  }
  return lines.some(({ sign }) => sign !== ' ') ? shown : [];
};

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

const compared = (before: readonly string[], after: readonly string[]): Line[] => {
  const lines: Line[] = [];
  const lengths = before.length * after.length > mostPairs ? undefined : commonLengths(before, after);
  let [a, b] = [0, 0];
  while (a < before.length || b < after.length) {
    const [old, fresh] = [before[a], after[b]];
    if (old !== undefined && old === fresh) {
      lines.push({ sign: ' ', text: old });
      a += 1;
      b += 1;
    } else if (old !== undefined && (fresh === undefined || dropsFirst(lengths, a, b))) {
      lines.push({ sign: '-', text: old });
      a += 1;
    } else {
      lines.push({ sign: '+', text: fresh ?? '' });
      b += 1;
    }
  }
  return lines;
};

const dropsFirst = (lengths: readonly Uint32Array[] | undefined, a: number, b: number): boolean =>
  (lengths?.[a + 1]?.[b] ?? 0) >= (lengths?.[a]?.[b + 1] ?? 0);

/** How many lines the rests of both texts have in common, by where the rests start. */
const commonLengths = (before: readonly string[], after: readonly string[]): Uint32Array[] => {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let a = before.length - 1; a >= 0; a -= 1) {
    for (let b = after.length - 1; b >= 0; b -= 1) {
      const [row, below] = [table[a], table[a + 1]];
      if (row === undefined || below === undefined) continue;
      row[b] = before[a] === after[b] ? (below[b + 1] ?? 0) + 1 : Math.max(below[b] ?? 0, row[b + 1] ?? 0);
    }
  }
  return table;
};
