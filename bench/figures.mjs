// @ts-check

/** One measured figure. `target` is a limit on the median in the same unit.
 * @typedef {{ group: string, name: string, median: number, p99?: number, unit: string, target?: number, note?: string }} Figure */

/** @param {readonly number[]} values
 * @param {number} share */
export const quantile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/** Whether a figure keeps its target; nothing where it has none.
 * @param {Figure} figure */
export const isMet = ({ median: value, target }) => (target === undefined ? undefined : value < target);

/** @param {number} value */
const shown = (value) =>
  Math.abs(value) >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();

/** @param {Figure} figure */
const cells = (figure) => [
  figure.name,
  `${shown(figure.median)} ${figure.unit}`.trim(),
  figure.p99 === undefined ? '' : shown(figure.p99),
  figure.target === undefined ? '' : `< ${shown(figure.target)}`,
  { undefined: '', true: 'met', false: 'MISSED' }[`${isMet(figure)}`] ?? '',
  figure.note ?? '',
];

/** @param {readonly Figure[]} figures */
export const table = (figures) => {
  const groups = [...new Set(figures.map(({ group }) => group))];
  const head = ['', 'median', 'p99', 'target', '', ''];
  const rows = figures.map(cells);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  /** @param {readonly string[]} row */
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return groups
    .map((group) => [group, line(head), ...figures.filter((one) => one.group === group).map((one) => line(cells(one)))])
    .map((lines) => lines.join('\n'))
    .join('\n\n');
};
