// @ts-check
// Bundled and started as a fresh process; prints what one task on a memory of some size took, as JSON.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../src/core/engine/canonical-json.ts';
import { anyContext, entryKeyText } from '../src/core/model/entry-key.ts';
import { entryDigest, openIndex, rebuildIndex } from '../src/io/stores/entry-index.ts';
import { saveDecision } from '../src/io/stores/rules-change.ts';
import { projectRules, userRules } from '../src/io/stores/rules-location.ts';
import { lineDigest, trustStore } from '../src/io/stores/trust.ts';
import { loadUserKey } from '../src/io/stores/user-key.ts';
import { canonicalRecord } from './memory-lines.mjs';

const [, , task = '', home = '', root = '', amount = '0'] = process.argv;
const state = join(home, 'state');
const key = loadUserKey(state);
const by = { who: 'user:bench', when: '2026-01-01T00:00:00.000Z' };
const trust = trustStore({ state, key, identity: root });
const location = root === '' ? userRules(join(home, 'config')) : projectRules(root);
const options = { location, state, key, trust, now: Date.now() };

/** @param {() => void} work */
const microseconds = (work) => {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1000;
};

/** Looks one call up, as a hook does that has read its key and its policy by now. */
const lookup = () => {
  JSON.parse(readFileSync(join(state, 'sessions/hookwise-solo-sessions.json')).toString('utf8'));
  const call = { tool: 'Bash', input: amount };
  const contexts = /** @type {const} */ (['root', anyContext]);
  const digests = contexts.map((context) => entryDigest(key, entryKeyText({ ...call, context })));
  let said = '';
  const us = microseconds(() => {
    const index = openIndex(options);
    said = `${index.answeredBy} ${index.find(digests).length}`;
    index.close();
  });
  return { us, said };
};

/** Makes the index anew. */
const rebuild = () => {
  const before = process.cpuUsage();
  const us = microseconds(() => rebuildIndex(options).close());
  const { user, system } = process.cpuUsage(before);
  return { us, cpuUs: user + system, megabytes: process.resourceUsage().maxRSS / 1024 };
};

/** Answers one call after the other; the index must be current after each. */
const append = () => {
  openIndex(options).close();
  const times = Array.from({ length: Number(amount) }, (_, number) =>
    microseconds(() => {
      const { saved } = saveDecision(location, canonicalRecord(`answer ${number}`), { state, trust, by });
      if (!saved) throw new Error('not saved');
    }),
  );
  const index = openIndex(options);
  index.close();
  if (index.answeredBy !== 'index') throw new Error(`the index was ${index.answeredBy}`);
  return { times };
};

/** Trusts every line that `memory-lines` makes for this many entries. */
const trustAll = () => {
  const file = location.files[0]?.path ?? '';
  const digests = Array.from({ length: Number(amount) }, (_, number) =>
    lineDigest(file, canonicalJson(canonicalRecord(`task ${number}`))),
  );
  trust.addTrusted(digests, by);
  return {};
};

const tasks = { lookup, rebuild, append, trust: trustAll };
console.log(JSON.stringify(tasks[/** @type {keyof typeof tasks} */ (task)]()));
