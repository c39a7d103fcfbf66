import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import { storedTiers } from '../../core/model/record-from-json.ts';
import { type IndexedRecord, lineScanner } from './line-scan.ts';
import { parseLine } from './rules-file.ts';
import { userRules } from './rules-location.ts';
import { record } from './stores.cases.ts';

const location = userRules(join('/', 'config'));
const file = location.files[0] ?? { path: '' };

/** What the general reader says of a line, as far as an index needs it. */
const general = (text: string): { record: IndexedRecord; canonical: string } | undefined => {
  const parsed = parseLine(Buffer.from(text), { location, file });
  if (!parsed.ok || parsed.value === undefined) return undefined;
  const { key, decision, context, change, digest, lossy, pattern, slots, expires_at, metadata } = parsed.value.record;
  const kept = { key, decision, context, change, digest, lossy, pattern, slots, expires_at };
  const fields = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return {
    record: { key, decision, ...fields, metadata: { tier: metadata.tier } },
    canonical: parsed.value.canonical(),
  };
};

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom('git commit -m "x"', 'a\\b', 'é', '\u2028', '{"decision":"deny"}', 'constructor', '', '"', '\\"'),
);
/** Mostly what is right, so that most lines have at most one thing wrong. */
const mostly = <T>(right: readonly T[], wrong: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
const name = mostly(['Bash', 'coder', '*', 'Write', 'höh', 'a"b'], ['toString', '__proto__', '']);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const records = fc
  .record({
    v: mostly<number | undefined>([1], [2, undefined]),
    key: fc.record({ sanitized_input: text, tool: name, role: name }),
    decision: mostly(['allow', 'deny', 'ask'], ['maybe']),
    metadata: fc.record({
      tier: mostly<string>(storedTiers, ['None']),
      confidence: mostly<number | undefined>([1, 0, 0.5, 0.123456789, undefined], [1e-7, 2]),
      reason: optional(text),
      similarity_score: mostly<number | undefined>([undefined], [0.9]),
    }),
    timestamp: optional(fc.constantFrom('2026-03-01T12:00:00.000Z', '')),
    scope: mostly<string | undefined>(['user', 'project', undefined], ['elsewhere']),
    session_id: optional(text),
    actor: optional(text),
    call: optional(text),
    file_path: optional(text),
    change: mostly<string | undefined>(['create', 'modify', undefined], ['rename']),
    context: mostly<string | undefined>(['root', 'outside', 'inside:lib', undefined], ['inside:', 'within']),
    digest: mostly<string | undefined>(['ab'.repeat(32), undefined], ['AB'.repeat(32), 'ab']),
    lossy: optional(fc.boolean()),
    expires_at: mostly<string | undefined>(['2026-03-01T12:00:00.000Z', undefined], ['soon']),
    pattern: mostly<object | undefined>([undefined], [{ command: 'x' }]),
    slots: mostly<readonly string[] | undefined>([undefined], [['path']]),
  })
  .map((fields): unknown => JSON.parse(JSON.stringify(fields)));

const isPrintable = (line: string): boolean => !/[\0-\x1f]/.test(line);

describe('the scanner of lines', () => {
  const scan = lineScanner();

  it('says what the general reader says, or nothing', () => {
    let read = 0;
    fc.assert(
      fc.property(records, (value) => {
        const line = canonicalJson(value);
        if (!isPrintable(line)) return;
        const scanned = scan(line);
        if (scanned === undefined) return;
        read += 1;
        expect({ record: scanned, canonical: line }).toEqual(general(line));
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  it('says nothing else of lines that were changed in any place', () => {
    const whole = canonicalJson(
      record({
        actor: 'user:ada',
        call: 'q-1',
        change: 'create',
        lossy: true,
        digest: 'ab'.repeat(32),
        input: 'a "b"',
      }),
    );
    const piece = fc.constantFrom('"', '\\', ',', ':', '{', '}', ' ', '1', 'x', '"v":1', '"decision":"deny",', 'null');
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(12), piece, (at, cut, put) => {
        const line = `${whole.slice(0, at)}${put}${whole.slice(at + cut)}`;
        const scanned = scan(line);
        if (scanned !== undefined) expect({ record: scanned, canonical: line }).toEqual(general(line));
      }),
      { numRuns: 3000 },
    );
  });

  const own: [name: string, change: Parameters<typeof record>[0]][] = [
    ['an exact allow', { actor: 'user:ada', call: 'q-1' }],
    ['quotes and backslashes', { input: 'echo "a\\b"' }],
    ['a lossy deny', { decision: 'deny', lossy: true, digest: 'cd'.repeat(32) }],
    ['an end in time', { expires_at: '2027-01-01T00:00:00.000Z' }],
    ['a file', { tool: 'Write', input: 'src/ä.ts', file_path: 'src/ä.ts', change: 'modify', context: 'inside:src' }],
    ['a model’s answer', { metadata: { tier: 'Supervisor', confidence: 0.91, reason: 'fits' } }],
  ];
  it.each(own)('reads what hookwise writes: %s', (_name, change) => {
    const line = canonicalJson(record(change));
    expect(scan(line)).toEqual(general(line)?.record);
    expect(scan(line)).toBeDefined();
  });

  const other: [name: string, value: Partial<DecisionRecord> | string][] = [
    ['an override', { pattern: { command: 'make *' } }],
    ['a shape', { slots: ['path'] }],
    ['other key order', JSON.stringify(record())],
    ['a blank more', canonicalJson(record()).replace(':', ': ')],
    ['a key twice', canonicalJson(record()).replace('"decision"', '"decision":"allow","decision"')],
    ['something behind it', `${canonicalJson(record())} `],
  ];
  it.each(other)('leaves to the general reader: %s', (_name, value) => {
    expect(scan(typeof value === 'string' ? value : canonicalJson(record(value)))).toBeUndefined();
  });
});
