// @ts-check
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A remembered allow, its keys in the order in which hookwise writes them.
 * @param {string} input */
export const canonicalRecord = (input) =>
  /** @type {const} */ ({
    actor: 'user:bench',
    context: 'root',
    decision: 'allow',
    key: { role: 'coder', sanitized_input: input, tool: 'Bash' },
    metadata: { confidence: 1, reason: 'benchmark', tier: 'Human' },
    scope: 'project',
    session_id: 'bench',
    timestamp: '2026-01-01T00:00:00.000Z',
    v: 1,
  });

const linesAtOnce = 10_000;

/** Writes a rules file of `count` entries, a piece at a time.
 * @param {string} path
 * @param {number} count */
export const writeLines = (path, count) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const descriptor = openSync(path, 'w', 0o600);
  try {
    for (let first = 0; first < count; first += linesAtOnce) {
      const lines = Array.from({ length: Math.min(linesAtOnce, count - first) }, (_, at) =>
        JSON.stringify(canonicalRecord(`task ${first + at}`)),
      );
      writeSync(descriptor, `${lines.join('\n')}\n`);
    }
  } finally {
    closeSync(descriptor);
  }
};
