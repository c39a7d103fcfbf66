import { sanitizeText } from '../../../core/sanitize/sanitize.ts';
import { type Command, textOption } from '../command.ts';
import { examine } from '../doctor/examine.ts';
import type { Row } from '../doctor/row.ts';
import { aligned, shown } from '../shown.ts';
import { visibleJson } from '../visible.ts';

/** Says what stands between the person and a gate that works, and what to do about each of it. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'check the installation, the settings and the state, and try the gate',
  usage: '[--client <path>] [--json]',
  examples: ['hookwise doctor', 'hookwise doctor --client ~/.local/bin/claude --json'],
  options: { client: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: false,
  run: ({ surroundings, cwd, options, print }) => {
    const rows = examine(surroundings, { cwd, client: textOption(options, 'client') }).map(clean);
    const failed = rows.some(({ status }) => status === 'fail');
    if (options['json'] === true) print(visibleJson({ ok: !failed, rows }));
    else for (const line of linesOf(rows)) print(line);
    return failed ? 1 : 0;
  },
};

const clean = (row: Row): Row => ({ ...row, detail: sanitizeText(row.detail) });

const linesOf = (rows: readonly Row[]): string[] => {
  const table = rows.map(({ status, id, what, detail, fix }) => [
    status.toUpperCase(),
    id,
    `${what}: ${shown(detail)}${fix === '' ? '' : `  -> ${fix}`}`,
  ]);
  const count = (status: Row['status']): number => rows.filter((row) => row.status === status).length;
  return [...aligned(table), `${count('fail')} failed, ${count('warn')} to look at, ${count('ok')} fine`];
};
