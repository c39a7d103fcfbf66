import { createInterface } from 'node:readline';

/** Puts a yes-or-no question to the person at the terminal; anything but a clear yes, the end of input included, is a no. */
export const confirm = (question: string): Promise<boolean> =>
  new Promise((resolve) => {
    // Not as a terminal: nothing that was typed early is lost, and Ctrl-C stays the terminal's own.
    const lines = createInterface({ input: process.stdin, terminal: false });
    process.stderr.write(`${question} [y/N] `);
    lines.once('line', (line) => {
      resolve(/^\s*y(?:es)?\s*$/i.test(line));
      lines.close();
    });
    lines.once('close', () => resolve(false));
  });
