// @ts-check
// Bundled and started as a fresh process: prints where the answer came from and how long the first look-up took, in ns.
import { join } from 'node:path';
import { entryKeyText } from '../src/core/model/entry-key.ts';
import { entryDigest, openIndex } from '../src/io/stores/entry-index.ts';
import { userRules } from '../src/io/stores/rules-location.ts';
import { loadUserKey } from '../src/io/stores/user-key.ts';

const [, , home = '', input = ''] = process.argv;
const state = join(home, 'state');
const key = loadUserKey(state);
const digest = entryDigest(key, entryKeyText({ tool: 'Bash', input, context: 'root' }));
const start = process.hrtime.bigint();
const index = openIndex({ location: userRules(join(home, 'config')), state, key, now: Date.now() });
const found = index.find([digest]);
index.close();
const nanoseconds = process.hrtime.bigint() - start;
console.log(found.length === 1 ? `${index.answeredBy} ${nanoseconds}` : `found ${found.length}`);
