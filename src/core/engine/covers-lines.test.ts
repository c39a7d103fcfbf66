import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../model/record.ts';
import type { Verdict } from '../model/verdict.ts';
import { fatesOf, inFileOrder, type RememberedLine } from './covers-lines.ts';
import { recordCovers } from './covers-record.ts';
import { type LookupKey, strictestRecord } from './record-match.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');

type Change = Partial<DecisionRecord> & { readonly input?: string; readonly role?: string; readonly tool?: string };

const record = ({ input = 'make', role = 'coder', tool = 'Bash', ...rest }: Change = {}): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: input, tool, role },
  decision: 'allow',
  metadata: { tier: 'Human', confidence: 1, reason: '' },
  timestamp: '2026-03-01T12:00:00.000Z',
  scope: 'user',
  session_id: '',
  context: 'root',
  ...rest,
});

const line = (change: Change, counts = true): RememberedLine => {
  const whole = record(change);
  return { record: whole, text: JSON.stringify(whole), counts };
};

const said = (lines: readonly RememberedLine[]): string[] =>
  fatesOf(lines, { now: noon }).map((fate) => ('by' in fate ? `${fate.kind} by ${fate.by}` : fate.kind));

describe('what becomes of lines', () => {
  const deny = { decision: 'deny' } as const;
  const cases: [name: string, lines: RememberedLine[], fates: string[]][] = [
    ['one', [line({})], ['keep']],
    ['two equal ones: the first stays', [line({}), line({})], ['keep', 'covered by 0']],
    ['two answers: the older stays', [line({ timestamp: '2026-03-02' }), line({})], ['covered by 1', 'keep']],
    ['the wider one stays, however old', [line({}), line({ role: '*', timestamp: '2027' })], ['covered by 1', 'keep']],
    [
      'the last of a chain is named',
      [line({ change: 'create' }), line({}), line({ role: '*' })],
      ['covered by 2', 'covered by 2', 'keep'],
    ],
    ['what waits for trust covers nothing', [line({ role: '*' }, false), line({})], ['keep', 'keep']],
    ['what waits for trust may be covered', [line({ role: '*' }), line({}, false)], ['keep', 'covered by 0']],
    [
      'an expired one covers nothing',
      [line({ role: '*', expires_at: '2026-03-01T12:00:00Z' }), line({})],
      ['expired', 'keep'],
    ],
    ['an allow under a deny', [line({}), line(deny)], ['beaten by 1', 'keep']],
    ['an allow under an ask for every role', [line({}), line({ decision: 'ask', role: '*' })], ['beaten by 1', 'keep']],
    ['an ask under a deny stays', [line({ decision: 'ask' }), line(deny)], ['keep', 'keep']],
    ['an allow for all roles, one of which is denied', [line({ role: '*' }), line(deny)], ['keep', 'keep']],
    [
      'an allow that outlives the deny',
      [line({}), line({ ...deny, expires_at: '2026-03-02T12:00:00Z' })],
      ['keep', 'keep'],
    ],
    [
      'an override under a stricter one',
      [line({ pattern: { command: 'x' } }), line({ ...deny, pattern: { command: 'x' } })],
      ['beaten by 1', 'keep'],
    ],
    [
      'overrides on different things',
      [line({ pattern: { command: 'x' } }), line({ pattern: { command: 'y' } })],
      ['keep', 'keep'],
    ],
  ];
  it.each(cases)('%s', (_name, lines, fates) => {
    expect(said(lines)).toEqual(fates);
  });

  const records = fc
    .record({
      role: fc.constantFrom('coder', 'docs', '*'),
      tool: fc.constantFrom('Write', 'Edit'),
      decision: fc.constantFrom<Verdict>('allow', 'deny', 'ask'),
      context: fc.constantFrom<DecisionRecord['context']>(undefined, 'root', 'inside:lib'),
      change: fc.constantFrom<DecisionRecord['change']>(undefined, 'create', 'modify'),
      ends: fc.constantFrom(undefined, -1, 1, 2),
      timestamp: fc.constantFrom('1', '2'),
    })
    .map(({ context, change, ends, ...rest }) => {
      const { context: _, ...whole } = record(rest);
      return {
        ...whole,
        ...(context === undefined ? {} : { context }),
        ...(change === undefined ? {} : { change }),
        ...(ends === undefined ? {} : { expires_at: new Date(noon + ends).toISOString() }),
      };
    });

  const questions: LookupKey[] = ['coder', 'docs'].flatMap((role) =>
    ['Write', 'Edit'].flatMap((tool) =>
      (['root', 'inside:lib', 'outside'] as const).flatMap((context) =>
        (['create', 'modify'] as const).flatMap((change) =>
          [noon, noon + 1, noon + 2].map((now) => ({ sanitized_input: 'make', role, tool, context, change, now })),
        ),
      ),
    ),
  );

  it('leaves every answer as it was, at any time', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 12 }), (all) => {
        const lines = all.map((one): RememberedLine => ({ record: one, text: JSON.stringify(one), counts: true }));
        const fates = fatesOf(lines, { now: noon });
        const kept = all.filter((_, number) => fates[number]?.kind === 'keep');
        for (const key of questions)
          expect(strictestRecord(kept, key)?.decision).toBe(strictestRecord(all, key)?.decision);
        for (const [at, one] of kept.entries())
          for (const other of kept.slice(at + 1))
            expect([recordCovers(one, other), recordCovers(other, one)]).toEqual([false, false]);
        const sorted = [...lines].sort(inFileOrder);
        expect([...lines].reverse().sort(inFileOrder)).toEqual(sorted);
      }),
      { numRuns: 300 },
    );
  });
});
