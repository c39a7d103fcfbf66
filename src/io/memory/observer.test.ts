import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryKeyText } from '../../core/model/entry-key.ts';
import { scratch } from '../files/scratch.cases.ts';
import { saveDecision } from '../stores/rules-change.ts';
import { projectRules, repositoryUserRules } from '../stores/rules-location.ts';
import { at, noon, record } from '../stores/stores.cases.ts';
import { trustStore } from '../stores/trust.ts';
import { keyedDigest, loadUserKey } from '../stores/user-key.ts';
import { machineObserver } from './observer.ts';

const setup = () => {
  const top = scratch();
  const [root, state] = [join(top, 'repo'), join(top, 'state')];
  mkdirSync(root);
  const key = loadUserKey(state);
  const trust = trustStore({ state, key, identity: root });
  const locations = [projectRules(root), repositoryUserRules(root)] as const;
  const open = () =>
    machineObserver({ locations, state, key, trust, digest: (text) => keyedDigest(key, text), now: () => noon });
  return { locations, state, trust, open };
};

const asked = [
  { kind: 'entries', keyTexts: [entryKeyText({ tool: 'Bash', input: 'make', context: 'root' })] },
] as const;

describe('the observer', () => {
  it('answers from every place of memory', () => {
    const { locations, state, trust, open } = setup();
    const by = { who: 'user:ada', when: at };
    saveDecision(locations[0], record({ input: 'make', decision: 'deny' }), { state, trust, by });
    saveDecision(locations[1], record({ input: 'make' }), { state, trust, by });
    saveDecision(locations[1], record({ pattern: { command: 'x' } }), { state, trust, by });
    const observer = open();
    const facts = observer.observe(asked);
    expect(facts.entries.map(({ verdict, scope }) => `${verdict} ${scope}`)).toEqual(['deny project', 'allow user']);
    expect(facts.overrides).toHaveLength(1);
    expect('restrictionsDamaged' in facts).toBe(false);
    observer.close();
  });

  it('says where a line is that may have restricted something and cannot be read', () => {
    const { locations, open } = setup();
    const file = locations[1].files[0]?.path ?? '';
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '\nhello\n');
    const observer = open();
    expect(observer.observe([]).restrictionsDamaged).toBeUndefined();
    expect(observer.observe(asked).restrictionsDamaged).toEqual({ file, line: 2 });
    expect(observer.problems()).toEqual([{ file, line: 2, reason: 'is not valid JSON', mayRestrict: true }]);
    observer.close();
  });
});
