// @ts-check

import { join } from 'node:path';
import { claudeCode } from '../src/agents/claude-code/adapter.ts';
import { openGround, openProject } from '../src/apps/compose.ts';
import { contextOf } from '../src/apps/session.ts';
import { sessionManager } from '../src/apps/session-manager.ts';
import { decide } from '../src/core/engine/decide.ts';
import { exactCache } from '../src/core/engine/exact-cache.ts';
import { compilePathPolicy } from '../src/core/engine/path-policy.ts';
import { plan } from '../src/core/engine/plan.ts';
import { entryKeyText } from '../src/core/model/entry-key.ts';
import { recordFromJson } from '../src/core/model/record-from-json.ts';
import { builtinRoles } from '../src/core/policy/roles.ts';
import { sanitize } from '../src/core/sanitize/sanitize.ts';
import { shellLanguage } from '../src/core/similarity/language.ts';
import { evaluate } from '../src/gate/gate.ts';
import { compileSources } from '../src/io/config/compile-sources.ts';
import { localSimilarMemory } from '../src/io/similar/similar-memory.ts';
import { entryDigest, openIndex } from '../src/io/stores/entry-index.ts';
import { userRules } from '../src/io/stores/rules-location.ts';
import { median, quantile } from './figures.mjs';
import { command, makePlace, payload, recordOf, rulesText } from './place.mjs';

/** @typedef {import('./figures.mjs').Figure} Figure */

const batches = 300;
const batchMs = 0.3;

/** Nanoseconds per call: the median and the 99th percentile over many batches, after a warm-up.
 * @param {(turn: number) => unknown} work */
const perCall = (work) => {
  let sink = 0;
  /** @param {number} size */
  const batch = (size) => {
    const start = process.hrtime.bigint();
    for (let turn = 0; turn < size; turn++) if (work(turn) === undefined) sink += 1;
    return Number(process.hrtime.bigint() - start) / size;
  };
  const until = performance.now() + 150;
  let last = 1;
  for (let size = 1; performance.now() < until; size = Math.min(size * 2, 4096)) last = batch(size);
  const size = Math.max(1, Math.round((batchMs * 1e6) / last));
  const times = Array.from({ length: batches }, () => batch(size));
  if (sink < 0) throw new Error('unreachable');
  return { median: median(times), p99: quantile(times, 0.99) };
};

/** @param {string} name
 * @param {(turn: number) => unknown} work
 * @param {{ unit: 'ns' | 'us', target?: number, note?: string }} how
 * @returns {Figure} */
const measured = (name, work, how) => {
  const divisor = how.unit === 'us' ? 1000 : 1;
  const { median: middle, p99 } = perCall(work);
  return { group: 'In one warm process', name, ...how, median: middle / divisor, p99: p99 / divisor };
};

const commands = [
  'git status --short',
  'npm run build && npm test -- --filter unit',
  "grep -rn 'export const' src --include='*.ts' | head -40",
  'docker compose -f deploy/compose.yml up -d --build api worker',
  'for f in $(git diff --name-only main); do npx prettier --check "$f"; done',
];
const withSecret = `curl -s -H 'Authorization: Bearer ${'a1B2c3D4'.repeat(5)}' https://api.example.org/v1/items`;

/** @param {import('./place.mjs').Place} place */
const openHere = (place) => {
  /** @type {import('../src/apps/compose.ts').Surroundings} */
  const surroundings = {
    env: place.env,
    passwdHome: place.home,
    user: 'bench',
    now: Date.now,
    installed: join(place.top, 'installed'),
    build: 'bench',
    loadCompiler: () => compileSources,
    shell: () => shellLanguage,
    loadSimilar: () => localSimilarMemory,
  };
  return openProject(surroundings, openGround(surroundings, place.project));
};

/** @param {unknown} value */
const recordFrom = (value) => {
  const record = recordFromJson(value, 'user');
  if (!record.ok) throw new Error(record.error);
  return record.value;
};

/** @param {unknown} value */
const requestFrom = (value) => {
  const request = claudeCode.decode(value);
  if (!request.ok || request.value.kind !== 'before-tool') throw new Error('not a tool call');
  return request.value;
};

const entries = 10_000;

/** @returns {Figure[]} */
const sanitising = () => [
  measured('sanitise: five ordinary commands, each', (turn) => sanitize(commands[turn % 5] ?? '').text, {
    unit: 'us',
    target: 10,
  }),
  measured('sanitise: a command with a bearer token', () => sanitize(withSecret).text, { unit: 'us', target: 10 }),
];

/** @param {import('./place.mjs').Place} place
 * @returns {Figure[]} */
const pathPolicy = ({ project }) => {
  const coder = builtinRoles.get('coder');
  if (coder === undefined) throw new Error('no coder');
  const { allowWrite, denyWrite, sensitiveAskWrite } = compilePathPolicy(coder);
  /** @param {string} relative */
  const path = (relative) => ({ absolute: `${project}/${relative}`, relative });
  const paths = ['src/app/main.ts', 'tests/unit/main.test.ts', 'docs/guide.md', 'lib/a.ts'].map(path);
  /** @param {number} turn */
  const at = (turn) => paths[turn % 4] ?? path('');
  return [
    measured('path policy: deny list of one role', (turn) => denyWrite.match(at(turn)), { unit: 'us', target: 1 }),
    measured(
      'path policy: deny, allow and sensitive lists',
      (turn) => [denyWrite.match(at(turn)), allowWrite.match(at(turn)), sensitiveAskWrite.match(at(turn))],
      { unit: 'us', target: 1 },
    ),
  ];
};

/** @returns {Figure[]} */
const inMemory = () => {
  const cache = exactCache({ now: Date.now });
  cache.loadFrom(Array.from({ length: entries }, (_, number) => recordFrom(recordOf(command(number)))));
  const absent = { sanitized_input: '', tool: '', role: '' };
  const keys = Array.from({ length: 64 }, (_, number) => recordFrom(recordOf(command(number * 150))).key);
  return [
    measured('exact hit: memory, 10k entries', (turn) => cache.lookup(keys[turn % 64] ?? absent), {
      unit: 'us',
      target: 1,
    }),
  ];
};

/** @param {ReturnType<typeof openHere>} project
 * @returns {Figure[]} */
const onDisk = ({ key, places }) => {
  const options = { location: userRules(places.config), state: places.state, key, now: Date.now() };
  const digests = Array.from({ length: 64 }, (_, number) =>
    entryDigest(key, entryKeyText({ tool: 'Bash', input: command(number * 150), context: 'root' })),
  );
  const index = openIndex(options);
  const figures = [
    measured('exact hit: open index on disk, 10k entries', (turn) => index.find([digests[turn % 64] ?? '']), {
      unit: 'us',
    }),
    measured(
      'exact hit: open the index, look up, close',
      (turn) => {
        const opened = openIndex(options);
        const found = opened.find([digests[turn % 64] ?? '']);
        opened.close();
        return found;
      },
      { unit: 'us' },
    ),
    measured('keyed digest of one call', (turn) => entryDigest(key, command(turn % 64)), { unit: 'us' }),
  ];
  index.close();
  return figures;
};

/** @param {import('./place.mjs').Place} place
 * @returns {Promise<Figure[]>} */
const sessions = async ({ project, env }) => {
  const { getOrPopulate, forget } = await sessionManager({ directory: project, env });
  getOrPopulate('bench', project);
  return [
    measured('session: known', () => getOrPopulate('bench', project), { unit: 'ns', target: 100 }),
    measured(
      'session: first look-up',
      () => {
        forget('bench');
        return getOrPopulate('bench', project);
      },
      { unit: 'us', target: 10_000 },
    ),
  ];
};

/** @param {import('./place.mjs').Place} place
 * @param {ReturnType<typeof openHere>} project
 * @returns {Figure[]} */
const endToEnd = (place, project) => {
  const role = project.policy.roles['coder'];
  if (role === undefined) throw new Error('no coder');
  const { gatePorts, matchers } = project;
  /** @param {string} name
   * @param {object} raw
   * @param {string} expected */
  const figures = (name, raw, expected) => {
    const request = requestFrom(raw);
    const context = contextOf(project, { session: request.session, cwd: request.cwd, role });
    const facts = gatePorts.observer.observe(plan(request, context, gatePorts.shell).queries);
    const { outcome } = decide(plan(request, context, gatePorts.shell), { facts, matchers });
    const said = outcome.kind === 'settled' ? `${outcome.decision.verdict} ${outcome.decision.tier}` : outcome.kind;
    if (said !== expected) throw new Error(`${name}: ${said} instead of ${expected}`);
    const pure = () => decide(plan(requestFrom(raw), context, gatePorts.shell), { facts, matchers });
    const whole = () => evaluate(requestFrom(raw), context, gatePorts);
    return [
      measured(`${name}: decode, plan, decide (facts given)`, pure, { unit: 'us', target: 15 }),
      measured(`${name}: with the disk asked each time`, whole, { unit: 'us', target: 15 }),
    ];
  };
  return [
    ...figures(
      'path deny',
      payload(place, 'Write', { file_path: join(place.project, 'tests/a.ts'), content: 'x' }),
      'deny PathPolicy',
    ),
    ...figures('exact hit', payload(place, 'Bash', { command: command(4711) }), 'allow ExactCache'),
    ...figures('read', payload(place, 'Read', { file_path: join(place.project, 'src/a.ts') }), 'allow PathPolicy'),
  ];
};

/** @param {ReturnType<typeof openHere>} project
 * @returns {Figure[]} */
const logging = ({ audit }) => {
  const event = { event: 'decision', session: 'bench', tool: 'Bash', input: command(1), verdict: 'allow' };
  const time = new Date().toISOString();
  return [measured('audit: append one line', () => audit.append(event, time), { unit: 'us' })];
};

/** @param {import('./place.mjs').Place} place
 * @returns {Figure[]} */
const opening = (place) => [
  measured('open a project (compiled policy, key, trust)', () => openHere(place), { unit: 'us' }),
];

/** Everything that can be measured without starting a process. */
export const inProcess = async () => {
  const place = makePlace();
  try {
    place.write('config/user/rules.jsonl', rulesText(entries));
    const project = openHere(place);
    return [
      ...sanitising(),
      ...pathPolicy(place),
      ...inMemory(),
      ...onDisk(project),
      ...(await sessions(place)),
      ...endToEnd(place, project),
      ...opening(place),
      ...logging(project),
    ];
  } finally {
    place.remove();
  }
};
