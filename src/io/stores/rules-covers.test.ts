import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../core/model/record.ts';
import { scratch } from '../files/scratch.cases.ts';
import { openIndex } from './entry-index.ts';
import { type SaveOptions, saveDecision } from './rules-change.ts';
import { readRules } from './rules-file.ts';
import { projectRules, type RulesLocation, repositoryUserRules, userRules } from './rules-location.ts';
import { at, noon, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

const by = { who: 'user:ada', when: at };
const until = (offset: number): string => new Date(noon + offset).toISOString();
const digest = 'ab'.repeat(32);
const shape = { text: 'pytest <path>', slots: ['path'] } as const;
const shapes: Partial<DecisionRecord> & { readonly input: string } = { input: shape.text, slots: shape.slots };
const deny = { decision: 'deny' } as const;

type Change = NonNullable<Parameters<typeof record>[0]>;

/** A record without a context. */
const anywhere = (change: Change = {}): { readonly whole: DecisionRecord } => {
  const { context: _, ...whole } = record(change);
  return { whole };
};

interface Case {
  readonly name: string;
  readonly wide: DecisionRecord;
  readonly narrow: DecisionRecord;
  readonly covered: boolean;
  readonly options?: Partial<SaveOptions>;
}

type Given = Change | { readonly whole: DecisionRecord };
const wholeOf = (given: Given): DecisionRecord => ('whole' in given ? given.whole : record(given));

const of = (name: string, wide: Given, narrow: Given, more: Partial<Case> = {}): Case => ({
  name,
  wide: wholeOf(wide),
  narrow: wholeOf(narrow),
  covered: true,
  ...more,
});
const not = { covered: false } as const;

/** In the user's own rules, where an allow for every role counts. */
const cases: Case[] = [
  of('every role, over a role', { role: '*' }, {}),
  of('a role, over every role', {}, { role: '*' }, not),
  of('a role, over another', {}, { role: 'docs' }, not),
  of('another verdict: allow over deny', { role: '*' }, deny, not),
  of('another verdict: deny over allow', { role: '*', ...deny }, {}, not),
  of('another verdict: ask over deny', { role: '*', decision: 'ask' }, deny, not),
  of('every role, over a role, of denies', { role: '*', ...deny }, deny),
  of('another call', { role: '*' }, { input: 'pytest' }, not),
  of('another tool', { role: '*', tool: 'Write' }, { tool: 'Edit' }, not),
  of('the tool’s family, of denies', { tool: 'Write', ...deny }, { tool: 'Edit', ...deny }),
  of('no context, over one, of denies', anywhere(deny), { ...deny, context: 'inside:lib' }),
  of('no context, over one, of allows', anywhere(), { role: 'tester', context: 'inside:lib' }, not),
  of('a context, over none, of denies', deny, anywhere(deny), not),
  of('another context', { role: '*' }, { context: 'outside' }, not),
  of('no change, over one', { tool: 'Write' }, { tool: 'Write', change: 'create' }),
  of('a change, over none', { tool: 'Write', change: 'create' }, { tool: 'Write' }, not),
  of('no end, over one', { role: '*' }, { expires_at: until(1) }),
  of('a later end, over an earlier one', { role: '*', expires_at: until(2) }, { expires_at: until(1) }),
  of('an earlier end, over a later one', { role: '*', expires_at: until(1) }, { expires_at: until(2) }, not),
  of('an end, over none', { role: '*', expires_at: until(1) }, {}, not),
  of('the same digest, of what lost text', { role: '*', lossy: true, digest }, { lossy: true, digest }),
  of('an exact call, over one that lost text', { role: '*' }, { lossy: true, digest }, not),
  of('a shape, of a call that has it', shapes, { input: 'pytest a.py' }, { options: { shape } }),
  of('a shape, of a call that may not be carried over', shapes, { input: 'pytest a.py' }, not),
  of('a shape, of a denied call', { ...shapes, ...deny }, { input: 'pytest a.py', ...deny }, { options: { shape } }),
  of('a shape, of a call denied everywhere', { ...shapes, ...deny }, anywhere({ input: 'pytest a.py', ...deny }), {
    ...not,
    options: { shape },
  }),
  of(
    'a shape denied everywhere, of a call denied everywhere',
    anywhere({ ...shapes, ...deny }),
    anywhere({ input: 'pytest a.py', ...deny }),
    {
      ...not,
      options: { shape },
    },
  ),
  of('a shape for every role, over one for a role', { ...shapes, role: '*' }, shapes),
  of('an exact call, over a shape', { input: shape.text, role: '*' }, shapes, not),
  of('a shape’s text, over an exact call', { ...shapes, role: '*' }, { input: shape.text }, not),
  of('an override on the whole tool', { role: '*', pattern: { tool: 'Bash' } }, {}),
  of('an override on another tool', { role: '*', pattern: { tool: 'Write' } }, {}, not),
  of(
    'an override on the tool, over its family',
    { pattern: { tool: 'Edit' }, ...deny },
    { tool: 'Edit', ...deny },
    not,
  ),
  of(
    'an override on the whole tool, over one on commands',
    { role: '*', pattern: { tool: 'Bash' } },
    {
      pattern: { tool: 'Bash', command: 'make *' },
    },
  ),
  of(
    'the same override for every role',
    { role: '*', pattern: { command: 'make *' } },
    { pattern: { command: 'make *' } },
  ),
  of(
    'an override, of an allow that it answers',
    { role: '*', pattern: { command: 'pytest *' } },
    {},
    {
      ...not,
      options: { overrideAnswers: () => true },
    },
  ),
  of('an override, of a deny that it answers', { role: '*', pattern: { command: 'pytest *' }, ...deny }, deny, {
    options: { overrideAnswers: () => true },
  }),
  of('an override, of a deny, unasked', { role: '*', pattern: { command: 'pytest *' }, ...deny }, deny, not),
];

interface Place {
  readonly state: string;
  readonly root: string;
  readonly save: (
    location: RulesLocation,
    line: DecisionRecord,
    options?: Partial<SaveOptions>,
  ) => ReturnType<typeof saveDecision>;
  readonly look: (location: RulesLocation) => string;
}

const setup = (): Place => {
  const top = scratch();
  const [root, state] = [join(top, 'repo'), join(top, 'state')];
  mkdirSync(root);
  const key = loadUserKey(state);
  const trust = trustStore({ state, key, identity: root });
  return {
    state,
    root,
    save: (location, line, options = {}) => saveDecision(location, line, { state, trust, by, ...options }),
    look: (location) => {
      const index = openIndex({ location, state, key, trust, now: noon });
      index.close();
      return index.answeredBy;
    },
  };
};

const count = (location: RulesLocation): number => {
  let lines = 0;
  readRules(location, () => {
    lines += 1;
  });
  return lines;
};

describe.each(['with an index', 'without one'])('a narrower record %s', (way) => {
  it.each(cases)('$name: covered $covered', ({ wide, narrow, covered, options = {} }) => {
    const { root, save, look } = setup();
    const location = userRules(join(root, '../config'));
    save(location, wide);
    if (way === 'with an index') expect([look(location), look(location)]).toEqual(['rebuilt', 'index']);
    const file = location.files[0]?.path ?? '';
    const before = readFileSync(file, 'utf8');
    const expected = covered ? { saved: false, coveredBy: { file, line: 1 } } : { saved: true };
    expect(save(location, narrow, options)).toEqual(expected);
    expect(readFileSync(file, 'utf8') === before).toBe(covered);
    if (way === 'with an index') expect(look(location)).toBe('index');
  });
});

describe('what covers', () => {
  it('is in force: an allow of the repository must be trusted', () => {
    for (const trusted of [true, false]) {
      const { root, save, look } = setup();
      const location = projectRules(root);
      const narrow = record({ tool: 'Write', change: 'create' });
      save(location, record({ tool: 'Write' }), trusted ? {} : { by: undefined });
      expect(save(location, narrow).saved).toBe(!trusted);
      const other = projectRules(join(root, '..'));
      save(other, record({ tool: 'Write' }), trusted ? {} : { by: undefined });
      look(other);
      expect(save(other, narrow).saved).toBe(!trusted);
    }
  });

  it('is in the same place', () => {
    const { root, save } = setup();
    save(userRules(join(root, '../config')), record({ role: '*' }));
    expect(save(repositoryUserRules(root), record()).saved).toBe(true);
  });

  it('does not keep a change of mind from being written', () => {
    const { root, save, look } = setup();
    const location = userRules(join(root, '../config'));
    save(location, record({ role: '*' }));
    save(location, record(deny));
    look(location);
    expect(save(location, record())).toEqual({ saved: true });
    expect(count(location)).toBe(2);
    expect(save(location, record({ decision: 'ask' }))).toEqual({ saved: true });
    expect(count(location)).toBe(2);
  });

  it('leaves narrower ones alone when it comes later', () => {
    const { root, save } = setup();
    const location = userRules(join(root, '../config'));
    for (const role of ['a', 'b', '*']) expect(save(location, record({ role })).saved).toBe(true);
    expect(count(location)).toBe(3);
  });
});

describe('a written record', () => {
  it('says who stands behind it', () => {
    const { root, save } = setup();
    const location = userRules(join(root, '../config'));
    save(location, record());
    save(location, record({ role: 'b', actor: 'native' }));
    const actors: unknown[] = [];
    readRules(location, ({ record: { actor } }) => actors.push(actor));
    expect(actors).toEqual(['user:ada', 'native']);
  });

  const refused: [name: string, change: Change][] = [
    ['a shape that lost text', { slots: ['path'], lossy: true, digest }],
    ['a shape that is a pattern', { slots: ['path'], pattern: { command: 'x' } }],
  ];
  it.each(refused)('is refused: %s', (_name, change) => {
    const { root, save } = setup();
    expect(() => save(userRules(join(root, '../config')), record(change))).toThrow(/a decision for a shape/);
  });
});
