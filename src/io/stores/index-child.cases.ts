import { entryKeyText } from '../../core/model/entry-key.ts';
import { entryDigest, openIndex } from './entry-index.ts';
import { saveDecision } from './rules-change.ts';
import { projectRules } from './rules-location.ts';
import { at, noon, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

/** What a test process does until it is killed: it writes entries and reads them back, or only reads. */
export interface IndexTask {
  readonly state: string;
  readonly root: string;
  readonly name: string;
  readonly mode: 'write' | 'read';
}

const run = ({ state, root, name, mode }: IndexTask): void => {
  const key = loadUserKey(state);
  const location = projectRules(root);
  const trust = trustStore({ state, key, identity: root });
  const look = (inputs: readonly string[]) => {
    const index = openIndex({ location, state, key, trust, now: noon });
    const digests = inputs.map((input) => entryDigest(key, entryKeyText({ tool: 'Bash', input, context: 'root' })));
    const found = index.find(digests).length;
    index.close();
    return { found, answeredBy: index.answeredBy };
  };
  for (let number = 0; ; number++) {
    const input = `run ${name} ${number}`;
    if (mode === 'write') saveDecision(location, record({ input }), { state, trust, by: { who: name, when: at } });
    const { found, answeredBy } = look([mode === 'write' ? input : 'run seed']);
    if (found !== 1) throw new Error(`${input}: found ${found}`);
    process.stdout.write(`${number} ${answeredBy}\n`);
  }
};

run(JSON.parse(process.argv[2] ?? '{}'));
