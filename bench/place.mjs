// @ts-check
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A throw-away gated project with a registered coder, and a user of its own. */
export const makePlace = () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-bench-')));
  const project = join(top, 'project');
  const home = join(top, 'home');
  for (const directory of ['.git', '.hookwise', 'src', 'tests'])
    mkdirSync(join(project, directory), { recursive: true });
  /** @param {string} file
   * @param {string} text */
  const write = (file, text) => {
    mkdirSync(dirname(join(home, file)), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, file), text, { mode: 0o600 });
  };
  const entry = { role: 'coder', registered_at: '2026-01-01T00:00:00.000Z' };
  write('state/sessions/hookwise-solo-sessions.json', JSON.stringify({ bench: entry }));
  writeFileSync(join(project, 'src/a.ts'), '');
  writeFileSync(join(project, 'tests/a.ts'), '');
  return {
    top,
    project,
    home,
    write,
    // Nothing of the caller's environment, which may change how Node starts.
    env: { PATH: process.env['PATH'] ?? '', HOME: home, HOOKWISE_HOME: home, LANG: 'C.UTF-8' },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
};

/** @typedef {ReturnType<typeof makePlace>} Place */

/** A payload as the host sends it.
 * @param {Place} place
 * @param {string} tool
 * @param {object} input */
export const payload = ({ project, home }, tool, input) => ({
  session_id: 'bench',
  transcript_path: join(home, 'transcripts/bench.jsonl'),
  cwd: project,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_input: input,
  tool_use_id: 'toolu_bench',
});

/** `count` remembered allows, as the user's own rules file.
 * @param {number} count */
export const rulesText = (count) =>
  Array.from({ length: count }, (_, number) => `${JSON.stringify(recordOf(command(number)))}\n`).join('');

/** @param {number} number */
export const command = (number) => `npm run task-${number} -- --filter package-${number % 97}`;

/** @param {string} input */
export const recordOf = (input) => ({
  v: 1,
  key: { sanitized_input: input, tool: 'Bash', role: 'coder' },
  decision: 'allow',
  metadata: { tier: 'Human', confidence: 1, reason: 'benchmark' },
  timestamp: '2026-01-01T00:00:00.000Z',
  scope: 'user',
  session_id: 'bench',
  context: 'root',
});
