import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../../core/model/record.ts';
import { shellLanguage } from '../../../core/similarity/language.ts';
import type { RecordLine } from '../../compose.ts';
import { canarySession } from '../canary.ts';
import { slotsIn } from '../shape-words.ts';
import { candidatesFrom, type Evidence } from './candidates.ts';
import { type LogEntry, logEvidence, type PastCall } from './log-evidence.ts';

const root = '/home/user/project';
const place = { root, cwd: root, home: '/home/user', user: 'user' };
const texts = ['pytest tests/a.py', 'pytest tests/b.py', 'pytest tests/c.py -x', 'make -j 2', 'make -j 3', 'npm test'];

const field = fc.oneof(
  fc.constantFrom(root, 'Bash', 'tester', 'root', 'inside:web', 'outside', 'allow', 'deny', 'human.undecided', 'q-1'),
  fc.constantFrom(...texts),
  fc.jsonValue(),
);
const names = ['event', 'root', 'tool', 'role', 'session', 'input', 'context', 'verdict', 'rule', 'asked', 'queue'];
const event = fc.record(
  Object.fromEntries(
    names.map((name) => [name, name === 'event' ? fc.constantFrom('decision', 'answered', 'learned') : field]),
  ),
  { requiredKeys: ['event'] },
);
const log = fc.array(event).map((events) => events.map((each, seq): LogEntry => ({ seq, event: each })));

describe('what the log says', () => {
  it('is read whatever the log holds, and only of this project', () => {
    fc.assert(
      fc.property(log, (entries) => {
        const { allowed, denied, held } = logEvidence(entries, root);
        const about = entries.filter((entry) => entry.event['root'] === root && entry.event['tool'] === 'Bash');
        expect(allowed.length + denied.length + held.length).toBeLessThanOrEqual(about.length);
        if (allowed.length > 0) expect(about.some((entry) => entry.event['rule'] === 'human.undecided')).toBe(true);
      }),
    );
  });

  it('leaves out text that may be cut off, and trials of the gate', () => {
    const asked = { event: 'decision', root, tool: 'Bash', role: 'tester', verdict: 'ask', asked: 'native' };
    const heldOf = (more: object): number => logEvidence([{ seq: 1, event: { ...asked, ...more } }], root).held.length;
    expect(heldOf({ input: 'x'.repeat(4095) })).toBe(1);
    expect(heldOf({ input: 'x'.repeat(4096) })).toBe(0);
    expect(heldOf({ input: 'make', session: canarySession })).toBe(0);
  });

  it('counts a question that a person refused once, as refused', () => {
    const shared = { root, tool: 'Bash', role: 'tester', input: 'make', queue: 'q-1' };
    const entries = [
      { event: 'decision', verdict: 'deny', rule: 'human.deny', asked: 'wait', ...shared },
      { event: 'answered', verdict: 'deny', ...shared },
    ].map((each, seq) => ({ seq, event: each }));
    expect(logEvidence(entries, root)).toMatchObject({ allowed: [], denied: [{ text: 'make' }], held: [] });
    expect(logEvidence(entries.slice(0, 1), root)).toMatchObject({ denied: [{ text: 'make' }], held: [] });
  });
});

const past = fc.record({
  text: fc.constantFrom(...texts),
  role: fc.constantFrom('tester', 'coder'),
  context: fc.constantFrom('root' as const, 'inside:web' as const),
  session: fc.constantFrom('s-1', 's-2', 's-3'),
});

const recordOf = ({ text, role, context = 'root', session }: PastCall, more: object = {}): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: text, tool: 'Bash', role },
  decision: 'allow',
  metadata: { tier: 'Human', confidence: 1, reason: '' },
  timestamp: '2026-03-05T12:00:00.000Z',
  scope: 'project',
  session_id: session,
  context,
  ...more,
});

const lineOf = (call: PastCall): RecordLine => ({
  record: recordOf(call),
  source: { file: 'allow.jsonl', line: 1 },
  canonical: () => '',
});

const evidence = fc
  .record({
    allows: fc.array(past),
    denies: fc.array(past),
    once: fc.array(past),
    denied: fc.array(past),
    held: fc.array(past),
    wide: fc.array(past, { maxLength: 1 }),
  })
  .map(
    ({ allows, denies, once, denied, held, wide }): Evidence => ({
      memory: {
        allows: allows.map(lineOf),
        restrictions: denies.map((call) => recordOf(call, { decision: 'deny' })),
        shapes: wide.map((call) => recordOf({ ...call, text: 'make -j <ANY:number>' }, { slots: ['number'] })),
      },
      log: { allowed: once, denied, held: held.map((call) => ({ ...call, was: 'asked' })), askedBy: new Map() },
      shapeOf: ({ text, context }) =>
        shellLanguage.shape(text, { ...place, cwd: context === 'root' ? root : `${root}/web` }),
    }),
  );

describe('candidates', () => {
  it('stand on calls that a person allowed and nobody denied, and on no others', () => {
    fc.assert(
      fc.property(evidence, (found) => {
        const { memory, log: events } = found;
        for (const candidate of candidatesFrom(found)) {
          const { shape, role, context } = candidate;
          const isHere = (call: PastCall): boolean => call.role === role && call.context === context;
          const here = [...memory.allows.map(({ record }) => callIn(record)), ...events.allowed].filter(isHere);
          const denied = [...memory.restrictions.map(callIn), ...events.denied].filter(isHere).map(({ text }) => text);
          const support = here.filter(({ text }) => candidate.calls.includes(text));
          for (const text of candidate.calls) {
            expect(denied).not.toContain(text);
            expect(found.shapeOf({ text, context })).toMatchObject({ kind: 'shape', text: shape });
          }
          expect(new Set(support.map(({ text }) => text)).size).toBe(candidate.calls.length);
          expect(candidate.sessions).toBe(new Set(support.map(({ session }) => session)).size);
          expect(slotsIn(shape).length).toBeGreaterThan(0);
          expect(memory.shapes.some((record) => isHere(callIn(record)) && record.key.sanitized_input === shape)).toBe(
            false,
          );
        }
      }),
    );
  });

  it('name every denied call of their shape', () => {
    fc.assert(
      fc.property(evidence, (found) => {
        for (const { shape, role, context, objections } of candidatesFrom(found)) {
          const denied = [...found.memory.restrictions.map(callIn), ...found.log.denied].filter((call) => {
            const own = found.shapeOf({ text: call.text, context });
            return call.role === role && call.context === context && own.kind === 'shape' && own.text === shape;
          });
          expect(new Set(objections.map(({ text }) => text))).toEqual(new Set(denied.map(({ text }) => text)));
        }
      }),
    );
  });
});

const callIn = ({ key, context = 'root', session_id: session }: DecisionRecord): PastCall => ({
  text: key.sanitized_input,
  role: key.role,
  context,
  session,
});
