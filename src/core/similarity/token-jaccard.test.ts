import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../model/record.ts';
import type { Verdict } from '../model/verdict.ts';
import { type TokenJaccard, tokenJaccard } from './token-jaccard.ts';
import { jaccardCoefficient, tokenize } from './tokens.ts';

type Change = Partial<DecisionRecord> & { readonly role?: string; readonly tool?: string };

const record = (input: string, change: Change = {}): DecisionRecord => {
  const { role = 'coder', tool = 'Bash', ...rest } = change;
  return {
    v: 1,
    key: { sanitized_input: input, tool, role },
    decision: 'allow',
    metadata: { tier: 'Human', confidence: 1, reason: '' },
    timestamp: '2026-03-01T12:00:00.000Z',
    scope: 'project',
    session_id: 's1',
    ...rest,
  };
};

const memoryOf = (records: readonly DecisionRecord[], threshold = 0.7): TokenJaccard => {
  const memory = tokenJaccard({ threshold, minTokens: 3 });
  memory.loadFrom(records);
  return memory;
};

const found = (memory: TokenJaccard, text: string): string[] =>
  memory
    .nearest(text)
    .map(({ record: { key, decision }, score }) => `${decision} ${key.sanitized_input} ${score.toFixed(3)}`);

describe('tokenJaccard', () => {
  it('gives every neighbour with its tokens, key, record and score, best first', () => {
    const records = ['git push origin', 'git push origin main', 'git pull origin main', 'npm test -- git'].map(
      (input) => record(input),
    );
    expect(memoryOf(records, 0.6).nearest('GIT push: origin/main')).toEqual([
      { tokens: ['git', 'main', 'origin', 'push'], cacheKey: records[1]?.key, record: records[1], score: 1 },
      { tokens: ['git', 'origin', 'push'], cacheKey: records[0]?.key, record: records[0], score: 0.75 },
      { tokens: ['git', 'main', 'origin', 'pull'], cacheKey: records[2]?.key, record: records[2], score: 0.6 },
    ]);
  });

  it('gives records of every verdict, tool, role and scope, and decides nothing', () => {
    const changes: Change[] = [
      { decision: 'deny' },
      { tool: 'Write' },
      { role: '*' },
      { scope: 'org', decision: 'ask' },
    ];
    const memory = memoryOf(changes.map((change) => record('a b c', change)));
    expect(
      memory.nearest('a b c').map(({ record: { decision, scope, key } }) => [decision, scope, key.tool, key.role]),
    ).toEqual([
      ['deny', 'project', 'Bash', 'coder'],
      ['allow', 'project', 'Write', 'coder'],
      ['allow', 'project', 'Bash', '*'],
      ['ask', 'org', 'Bash', 'coder'],
    ]);
    expect(memory.nearest('a b c', ({ key }) => key.tool === 'Write')).toHaveLength(1);
  });

  it.each([
    ['ls', []],
    ['npm test', []],
    ['npm test test', []],
    ['', []],
    ['npm test now', ['allow npm test now 1.000']],
  ])('asks for three tokens: %j', (text, expected) => {
    expect(found(memoryOf(['ls', 'npm test', '', 'npm test now'].map((input) => record(input))), text)).toEqual(
      expected,
    );
  });

  it.each([
    [0.8, 1],
    [0.801, 0],
  ])('takes the threshold %d with it', (threshold, count) => {
    expect(found(memoryOf([record('git push origin main')], threshold), 'git push origin main --force')).toHaveLength(
      count,
    );
  });

  it('puts a record in place of an older one about the same call in the same scope, and no other', () => {
    const memory = memoryOf([
      record('a b c'),
      record('a b c', { scope: 'user' }),
      record('a b c', { context: 'outside' }),
    ]);
    memory.insert(record('a b c', { decision: 'deny' }));
    memory.insert(record('c b a', { decision: 'ask' }));
    expect(found(memory, 'a b c')).toEqual([
      'allow a b c 1.000',
      'allow a b c 1.000',
      'deny a b c 1.000',
      'ask c b a 1.000',
    ]);
  });

  it('leaves out entries that hold for more than their text', () => {
    const memory = memoryOf([record('a b c', { pattern: { command: 'a *' } }), record('a b c', { slots: ['path'] })]);
    expect([found(memory, 'a b c'), memory.invalidateAll()]).toEqual([[], 0]);
  });

  it('forgets a role, but not what holds for every role, and everything', () => {
    const memory = memoryOf(
      [record('a b c', { role: 'docs' }), record('a b d', { role: '*' }), record('a b c x')],
      0.4,
    );
    expect([memory.invalidateRole('docs'), memory.invalidateRole('docs'), found(memory, 'a b c')]).toEqual([
      1,
      0,
      ['allow a b c x 0.750', 'allow a b d 0.500'],
    ]);
    expect([memory.invalidateAll(), memory.invalidateAll(), found(memory, 'a b c')]).toEqual([2, 0, []]);
    memory.insert(record('a b c'));
    expect(found(memory, 'a b c')).toEqual(['allow a b c 1.000']);
  });

  it.each([
    ['at 0, everything', 0, 0, 'a', ['allow a 1.000', 'allow a b 0.500', 'allow  0.000', 'allow c 0.000']],
    ['for no tokens, what has none', 0.5, 0, ' ', ['allow  1.000']],
    ['above 1, nothing', 1.1, 0, 'a', []],
  ])('finds %s', (_, threshold, minTokens, text, expected) => {
    const memory = tokenJaccard({ threshold, minTokens });
    memory.loadFrom(['', 'a b', 'a', 'c'].map((input) => record(input)));
    expect(found(memory, text)).toEqual(expected);
  });
});

const words = fc
  .array(fc.oneof(fc.constantFrom('git', 'npm', 'run', 'test'), fc.nat(12).map(String)), { maxLength: 8 })
  .map((list) => list.join(' '));

type Step =
  | { readonly kind: 'insert'; readonly record: DecisionRecord }
  | { readonly kind: 'forget'; readonly role: string }
  | { readonly kind: 'forget all' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .tuple(words, fc.constantFrom('a', 'b', '*'), fc.constantFrom<Verdict>('allow', 'deny', 'ask'))
        .map(([input, role, decision]): Step => ({ kind: 'insert', record: record(input, { role, decision }) })),
    },
    { weight: 2, arbitrary: fc.constantFrom('a', 'b', '*').map((role): Step => ({ kind: 'forget', role })) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'forget all' }) },
  ),
  { maxLength: 40 },
);

/** The records that are left after the steps, in the order of the answers. */
const remaining = (taken: readonly Step[]): DecisionRecord[] => {
  let records: DecisionRecord[] = [];
  for (const step of taken) {
    switch (step.kind) {
      case 'insert': {
        const { key } = step.record;
        const isSame = ({ key: other }: DecisionRecord) =>
          other.role === key.role && other.sanitized_input === key.sanitized_input;
        records = [...records.filter((other) => !isSame(other)), step.record];
        break;
      }
      case 'forget':
        records = records.filter(({ key }) => key.role !== step.role);
        break;
      case 'forget all':
        records = [];
    }
  }
  return records;
};

describe('the answers of tokenJaccard', () => {
  it('are those of a comparison with every record, after whatever was added and forgotten', () => {
    const thresholds = fc.oneof(
      fc.constantFrom(0.1, 0.3, 0.5, 0.6, 0.7, 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(
        steps,
        fc.array(words, { maxLength: 4 }),
        thresholds,
        fc.nat(3),
        (taken, texts, threshold, minTokens) => {
          const memory = tokenJaccard({ threshold, minTokens });
          for (const step of taken) {
            if (step.kind === 'insert') memory.insert(step.record);
            else if (step.kind === 'forget') memory.invalidateRole(step.role);
            else memory.invalidateAll();
          }
          const records = remaining(taken);
          for (const text of [...texts, records[0]?.key.sanitized_input ?? '']) {
            const tokens = tokenize(text);
            const expected = records
              .map((one) => ({ record: one, score: jaccardCoefficient(tokens, tokenize(one.key.sanitized_input)) }))
              .filter(({ score }) => tokens.length >= minTokens && score >= threshold)
              .sort((a, b) => b.score - a.score);
            expect(memory.nearest(text).map(({ record: one, score }) => ({ record: one, score }))).toEqual(expected);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
