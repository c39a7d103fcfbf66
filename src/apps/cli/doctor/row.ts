/** One line of `doctor`: what was looked at, how it stands, and what to do about it. */
export interface Row {
  /** Stable: scripts look for it. */
  readonly id: string;
  readonly what: string;
  readonly status: 'ok' | 'info' | 'warn' | 'fail';
  readonly detail: string;
  /** Empty where nothing needs doing. */
  readonly fix: string;
}

type Verdict = Pick<Row, 'status' | 'detail'> & { readonly fix?: string };

/** Rows of one check. */
export const rowsOf =
  (id: string, what: string) =>
  ({ status, detail, fix = '' }: Verdict): Row => ({ id, what, status, detail, fix });
