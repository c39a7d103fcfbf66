import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContext, entryKeyText, shapeKeyText } from '../../core/model/entry-key.ts';
import type { ContextClass, DecisionRecord } from '../../core/model/record.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import { scratch } from '../files/scratch.cases.ts';
import { type EntryIndex, entryDigest, openIndex, rebuildIndex } from './entry-index.ts';
import { removeRecords, saveDecision } from './rules-change.ts';
import { projectRules, type RulesLocation, repositoryUserRules, userRules } from './rules-location.ts';
import { at, noon, record } from './stores.cases.ts';
import { type TrustStore, trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

const by = { who: 'user:ada', when: at };

interface Place {
  readonly root: string;
  readonly config: string;
  readonly state: string;
  readonly key: Uint8Array;
  readonly trust: TrustStore;
  readonly open: (location: RulesLocation) => EntryIndex;
  readonly anew: (location: RulesLocation) => EntryIndex;
  readonly save: (location: RulesLocation, line: DecisionRecord) => boolean;
  readonly digest: (input: string, context?: DecisionRecord['context'] | typeof anyContext, tool?: string) => string;
}

const setup = (): Place => {
  const top = scratch();
  const [root, state] = [join(top, 'repo'), join(top, 'state')];
  mkdirSync(root);
  const key = loadUserKey(state);
  const trust = trustStore({ state, key, identity: root });
  return {
    root,
    config: join(top, 'config'),
    state,
    key,
    trust,
    open: (location) => openIndex({ location, state, key, trust, now: noon }),
    anew: (location) => rebuildIndex({ location, state: join(top, 'other'), key, trust, now: noon }),
    save: (location, line) => saveDecision(location, line, { state, trust, by }).saved,
    digest: (input, context = 'root', tool = 'Bash') => entryDigest(key, entryKeyText({ tool, input, context })),
  };
};

const closed = <T>(index: EntryIndex, work: (index: EntryIndex) => T): T => {
  try {
    return work(index);
  } finally {
    index.close();
  }
};

const indexFiles = (state: string): string[] => readdirSync(join(state, 'index')).sort();

describe('an index that is kept up', () => {
  it('needs no rebuild after an answer, in any place', () => {
    const { open, save, root, config, digest } = setup();
    for (const location of [projectRules(root), repositoryUserRules(root), userRules(config)]) {
      expect(closed(open(location), ({ answeredBy }) => answeredBy)).toBe('rebuilt');
      for (const decision of ['allow', 'deny', 'ask'] as const) {
        expect(save(location, record({ input: `run ${decision}`, decision }))).toBe(true);
        closed(open(location), ({ answeredBy, find, untrusted }) => {
          expect([location.kind, answeredBy, untrusted]).toEqual([location.kind, 'index', 0]);
          expect(find([digest(`run ${decision}`)])).toMatchObject([{ verdict: decision, role: 'tester' }]);
        });
      }
    }
  });

  it('is not disturbed by trust that an answer elsewhere brings along', () => {
    const { open, save, root, trust, digest } = setup();
    const [project, own] = [projectRules(root), repositoryUserRules(root)];
    save(own, record({ input: 'mine' }));
    closed(open(own), () => undefined);
    const before = trust.trustSignature();
    for (let number = 0; number < 80; number++) save(project, record({ input: `run ${number}` }));
    expect(trust.trustSignature()).toBe(before);
    for (const _ of [1, 2])
      closed(open(own), ({ answeredBy, find }) =>
        expect([answeredBy, find([digest('mine')]).length]).toEqual(['index', 1]),
      );
  });

  it('takes in a line that was waiting when it is answered in another work tree', () => {
    const { open, save, root, trust, digest, state, key } = setup();
    const location = projectRules(root);
    const line = record({ input: 'shared', actor: by.who });
    saveDecision(location, line, { state, trust });
    const look = () =>
      closed(open(location), ({ answeredBy, untrusted, find }) => [
        answeredBy,
        untrusted,
        find([digest('shared')]).length,
      ]);
    expect([look(), look()]).toEqual([
      ['rebuilt', 1, 0],
      ['index', 1, 0],
    ]);
    save(projectRules(join(root, '..')), record({ input: 'other' }));
    expect(look()).toEqual(['index', 1, 0]);
    save(projectRules(join(root, '..')), line);
    expect([look(), look()]).toEqual([
      ['rebuilt', 0, 1],
      ['index', 0, 1],
    ]);
    trustStore({ state, key, identity: root }).removeTrusted([...trust.list().keys()]);
    expect([look(), look()]).toEqual([
      ['rebuilt', 1, 0],
      ['index', 1, 0],
    ]);
  });

  it('knows an untrusted line that it took in itself', () => {
    const { open, root, trust, state, digest } = setup();
    const location = projectRules(root);
    closed(open(location), () => undefined);
    saveDecision(location, record({ input: 'waits' }), { state, trust });
    closed(open(location), ({ answeredBy, untrusted, find }) =>
      expect([answeredBy, untrusted, find([digest('waits')])]).toEqual(['index', 1, []]),
    );
  });

  it('is merged into its base now and then, without a rebuild', () => {
    const { open, save, config, state, digest } = setup();
    const location = userRules(config);
    closed(open(location), () => undefined);
    const additions: number[] = [];
    for (let number = 0; number < 300; number++) {
      save(location, record({ input: `run ${number}`, role: `role-${number % 7}` }));
      additions.push(indexFiles(state).filter((name) => name.endsWith('.add')).length);
    }
    expect(additions.filter((count) => count === 0)).toHaveLength(2);
    closed(open(location), ({ answeredBy, find }) => {
      expect(answeredBy).toBe('index');
      for (let number = 0; number < 300; number++)
        expect(find([digest(`run ${number}`)])).toMatchObject([
          { role: `role-${number % 7}`, source: { line: number + 1 } },
        ]);
    });
  });

  it('is made anew after lines went, and after somebody else wrote', () => {
    const { open, save, config, state, digest } = setup();
    const location = userRules(config);
    const path = location.files[0]?.path ?? '';
    const look = () =>
      closed(open(location), ({ answeredBy, find }) => `${answeredBy} ${find([digest('one'), digest('two')]).length}`);
    for (const input of ['one', 'two']) save(location, record({ input }));
    expect([look(), look()]).toEqual(['rebuilt 2', 'index 2']);
    removeRecords(location, ({ key }) => key.sanitized_input === 'one', { state });
    expect([look(), look()]).toEqual(['rebuilt 1', 'index 1']);
    appendFileSync(path, `${JSON.stringify(record({ input: 'one', role: 'x' }))}\n`);
    save(location, record({ input: 'three' }));
    expect([look(), look()]).toEqual(['rebuilt 2', 'index 2']);
    save(location, record({ input: 'three', decision: 'deny' }));
    expect([look(), look()]).toEqual(['rebuilt 2', 'index 2']);
  });

  it('counts lines behind a torn one', () => {
    const { open, save, config, digest } = setup();
    const location = userRules(config);
    const path = location.files[0]?.path ?? '';
    save(location, record({ input: 'one' }));
    appendFileSync(path, '{"torn');
    closed(open(location), ({ problemCount }) => expect(problemCount).toBe(1));
    save(location, record({ input: 'two' }));
    closed(open(location), ({ answeredBy, find, problemCount }) => {
      expect([answeredBy, problemCount]).toEqual(['index', 1]);
      expect(find([digest('two')])).toMatchObject([{ source: { line: 3 } }]);
    });
    expect(readFileSync(path, 'utf8').split('\n')[2]).toContain('two');
  });

  it('is stale when its addition is lost, cut or from another base', () => {
    const { open, save, config, state, digest } = setup();
    const location = userRules(config);
    const addition = (): string => join(state, 'index', indexFiles(state).find((name) => name.endsWith('.add')) ?? '');
    const damages: ((path: string) => void)[] = [
      (path) => rmSync(path),
      (path) => truncateSync(path, statSync(path).size - 1),
      (path) => truncateSync(path, 10),
      (path) => writeFileSync(path, readFileSync(path).fill(0, 60, 64)),
      (path) => writeFileSync(path, readFileSync(path.replace(/add$/, 'idx'))),
    ];
    closed(open(location), () => undefined);
    for (const [number, damage] of damages.entries()) {
      save(location, record({ input: `run ${number}` }));
      closed(open(location), ({ answeredBy }) => expect(answeredBy).toBe('index'));
      damage(addition());
      closed(open(location), ({ answeredBy, find }) => {
        expect([number, answeredBy, find([digest(`run ${number}`)]).length]).toEqual([number, 'rebuilt', 1]);
      });
      save(location, record({ input: `again ${number}` }));
    }
  });

  const roles = fc.constantFrom('a', 'b', '*');
  const inputs = fc.constantFrom('x', 'y', 'npm test', 'npm test <path>');
  const contexts = fc.constantFrom<ContextClass | undefined>(undefined, 'root', 'inside:lib', 'outside');
  const changes = fc
    .record({
      decision: fc.constantFrom<Verdict>('allow', 'deny', 'ask'),
      input: inputs,
      role: roles,
      tool: fc.constantFrom('Bash', 'Write', 'Edit'),
      context: contexts,
      kind: fc.constantFrom('exact', 'exact', 'exact', 'shape', 'pattern', 'lossy', 'file'),
      expires_at: fc.constantFrom(undefined, new Date(noon + 1).toISOString(), new Date(noon).toISOString()),
      trusted: fc.boolean(),
    })
    .map(({ kind, trusted, context, expires_at, ...fields }) => {
      const { context: _, ...line } = record({
        ...fields,
        ...(kind === 'shape' ? { slots: ['path'] } : {}),
        ...(kind === 'pattern' ? { pattern: { command: fields.input } } : {}),
        ...(kind === 'lossy' ? { lossy: true, digest: 'ab'.repeat(32) } : {}),
        ...(kind === 'file' ? { change: 'create' } : {}),
        ...(expires_at === undefined ? {} : { expires_at }),
      });
      return { trusted, line: { ...line, ...(context === undefined ? {} : { context }) } };
    });

  it('says what an index made anew says, after any answers', () => {
    let keptUp = 0;
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 12 }), fc.constantFrom(0, 1, 2), (answers, which) => {
        const place = setup();
        const { open, anew, root, config, state, trust, key, digest } = place;
        const location = [projectRules(root), repositoryUserRules(root), userRules(config)][which] ?? userRules(config);
        closed(open(location), () => undefined);
        for (const { trusted, line } of answers) {
          try {
            saveDecision(location, line, { state, trust, ...(trusted ? { by } : {}) });
          } catch (thrown) {
            expect(String(thrown)).toMatch(/cannot be (?:stored|shared)|cannot come from a repository/);
          }
        }
        const wanted = ['x', 'y', 'npm test', 'npm test <path>'].flatMap((input) =>
          (['root', 'inside:lib', 'outside', anyContext] as const).flatMap((context) => [
            digest(input, context),
            digest(input, context, 'Write'),
            entryDigest(key, shapeKeyText({ tool: 'Bash', shape: input, context })),
            entryDigest(key, shapeKeyText({ tool: 'Edit', shape: input, context })),
          ]),
        );
        const all = [...wanted, 'ab'.repeat(32)];
        const said = (index: EntryIndex) => ({
          found: all.map((one) => index.find([one])),
          overrides: index.overrides,
          untrusted: index.untrusted,
          problems: index.problemCount,
        });
        expect(
          closed(open(location), (index) => {
            if (index.answeredBy === 'index') keptUp += 1;
            return said(index);
          }),
        ).toEqual(closed(anew(location), said));
      }),
      { numRuns: 40 },
    );
    expect(keptUp).toBeGreaterThan(5);
  });
});
