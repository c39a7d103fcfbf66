#!/usr/bin/env node
// @ts-check
// Installs what is missing, builds, and shows the gate at work on recorded calls in a throw-away repository.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const top = join(import.meta.dirname, '..');
const fixtures = join(top, 'src/agents/claude-code/fixtures');
const hookFile = join(top, 'dist/hookwise.cjs');

/** @param {string} what @param {string} program @param {readonly string[]} words */
const step = (what, program, words) => {
  console.log(`… ${what}`);
  const done = spawnSync(program, words, { cwd: top, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (done.status === 0) return;
  console.error(`${what} failed:\n${done.stdout}${done.stderr}`);
  process.exit(1);
};

if (!existsSync(join(top, 'node_modules/esbuild')))
  step('installing dependencies (npm ci)', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
step('building', process.execPath, [join(top, 'tools/build.mjs'), '--no-types']);

const place = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-try-')));
const project = join(place, 'project');
const transcript = join(place, 'transcript.jsonl');
mkdirSync(join(project, 'src'), { recursive: true });
mkdirSync(join(place, 'home'), { mode: 0o700 });
for (const file of ['a.txt', 'src/a.ts']) writeFileSync(join(project, file), 'one\n');
writeFileSync(transcript, '');

const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(CLAUDE|AI_AGENT|NODE_|HOOKWISE|XDG_)/.test(name)),
);
const env = {
  ...inherited,
  HOME: join(place, 'home'),
  HOOKWISE_HOME: join(place, 'home'),
  HOOKWISE_ROLE: 'coder',
  CLAUDE_PROJECT_DIR: project,
};

/** @param {readonly string[]} words @param {string} [input] */
const hookwise = (words, input) =>
  spawnSync(process.execPath, [hookFile, ...words], {
    cwd: project,
    env,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  });

spawnSync('git', ['init', '-q', project]);
const init = hookwise(['init', '--yes']);
if (init.status !== 0) {
  console.error(init.stdout + init.stderr);
  process.exit(1);
}

const recorded = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((file) => basename(file).startsWith('PreToolUse.'))
  .sort();

/** @param {string} file @param {number} index */
const payloadOf = (file, index) => {
  const text = readFileSync(join(fixtures, file), 'utf8').replaceAll('/home/user/project', project);
  return { ...JSON.parse(text), session_id: 'try', transcript_path: transcript, tool_use_id: `toolu_try${index}` };
};
const calls = recorded.map((file, index) => ({
  file: basename(file, '.json').replace('PreToolUse.', ''),
  payload: payloadOf(file, index),
}));
calls.push(
  ...[
    ['Write', { file_path: join(project, 'src/new.ts'), content: 'x' }],
    ['Write', { file_path: join(project, 'tests/a.ts'), content: 'x' }],
    ['Write', { file_path: join(project, '.claude/settings.json'), content: '{}' }],
    ['Read', { file_path: join(project, '.env') }],
    ['Bash', { command: 'hookwise approve 1' }],
  ].map(([tool, input], index) => ({
    file: String(tool),
    payload: {
      ...payloadOf(recorded[0] ?? '', 0),
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_more${index}`,
    },
  })),
);

/** @param {any} payload */
const summary = (payload) => {
  const input = payload.tool_input ?? {};
  const text =
    input.command ??
    input.file_path ??
    input.notebook_path ??
    input.url ??
    input.pattern ??
    input.query ??
    input.skill ??
    input.text ??
    '';
  return String(text).replace(`${project}/`, '').slice(0, 34);
};

/** @param {any} payload */
const judge = (payload) => {
  const started = performance.now();
  const { stdout } = hookwise(['check'], JSON.stringify(payload));
  const milliseconds = performance.now() - started;
  const output = stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput;
  const rule = /\[([^\]]+)\]/.exec(output?.permissionDecisionReason ?? '')?.[1] ?? '';
  return { verdict: output?.permissionDecision ?? 'no opinion', rule, milliseconds };
};

/** What the host does when the person says yes: it runs the call, notes who allowed it, and reports back. @param {any} payload */
const accept = (payload) => {
  const content = [{ type: 'tool_result', tool_use_id: payload.tool_use_id, content: 'done' }];
  const line = {
    type: 'user',
    message: { role: 'user', content },
    permissionDecision: { decision: 'accept', source: 'user_temporary' },
  };
  appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  hookwise(['check'], JSON.stringify({ ...payload, hook_event_name: 'PostToolUse', tool_response: {} }));
};

/** @param {string} title @param {boolean} answering */
const pass = (title, answering) => {
  console.log(
    `\n${title}\n${'call'.padEnd(15)}${'on'.padEnd(36)}${'verdict'.padEnd(12)}${'rule'.padEnd(30)}${'time'.padStart(7)}`,
  );
  const seen = { allow: 0, ask: 0, deny: 0, 'no opinion': 0 };
  for (const { payload } of calls) {
    const { verdict, rule, milliseconds } = judge(payload);
    if (verdict in seen) seen[/** @type {keyof typeof seen} */ (verdict)] += 1;
    const name = String(payload.tool_name).replace('mcp__', '').slice(0, 14);
    console.log(
      `${name.padEnd(15)}${summary(payload).padEnd(36)}${verdict.padEnd(12)}${rule.padEnd(30)}${`${milliseconds.toFixed(0)} ms`.padStart(7)}`,
    );
    if (answering && verdict === 'ask') accept(payload);
  }
  console.log(
    `${calls.length} calls: ${seen.allow} allowed, ${seen.ask} asked, ${seen.deny} denied, ${seen['no opinion']} left to the host`,
  );
  return seen;
};

const first = pass('First time, as role coder. Whatever is asked, the person accepts.', true);
const second = pass('The same calls again.', false);
console.log(
  `\nasked the first time: ${first.ask}; asked again: ${second.ask}${second.ask === 0 ? '' : ' (what controls agents is asked about each time)'}`,
);
console.log('The time is that of a whole process, Node included.');
rmSync(place, { recursive: true, force: true });
